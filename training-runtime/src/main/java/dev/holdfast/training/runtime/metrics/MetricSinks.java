package dev.holdfast.training.runtime.metrics;

import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/**
 * The metric sinks of this library.
 *
 * <p>Those that write files hand every report to the operating system at once, so that the end of the process loses none, and
 * {@link MetricSink#flush} hands them to the disk. What a resumed run finds in its directory may go beyond the checkpoint that
 * it goes on from; these sinks take that back first, so that the files of a resumed run are those of one that was never stopped.
 * They throw {@link dev.holdfast.rl.api.HoldfastException}, with the file's name and the cause, where a file can't be read or
 * written.
 */
public final class MetricSinks {
    private MetricSinks() {}

    /**
     * Prints the table that users of Stable-Baselines3 know, once a record. It shows three significant digits of each value
     * (Stable-Baselines3 shows more of {@code approx_kl}), and not {@link Metric#START_TIMESTEPS}, which its tables don't have.
     *
     * @param out where to; not closed; errors of it, such as a closed pipe, are no errors of the run
     * @return the sink
     */
    public static MetricSink console(PrintStream out) {
        return new ConsoleTable(out);
    }

    /**
     * Prints a line of JSON for every record and every event. A record has the event {@code progress} and the keys {@code
     * timesteps}, {@code start_timesteps}, {@code n_updates}, {@code ep_rew_mean}, {@code ep_len_mean}, {@code value_loss},
     * {@code approx_kl}, {@code entropy_loss}, {@code explained_variance} and {@code fps}, with null for what isn't known.
     *
     * @param out where to; not closed; errors of it, such as a closed pipe, are no errors of the run
     * @return the sink
     */
    public static MetricSink progressEvents(PrintStream out) {
        return new ProgressEvents(out);
    }

    /**
     * Writes {@code progress.csv}: a column for each metric of the catalogue, a row for each record, nothing where a value isn't
     * known.
     *
     * @param file the file; a row that a killed run left half-written is removed from it, as are columns that the catalogue
     *     doesn't have
     * @param lastTimesteps the timesteps of the last record that the run had made when the checkpoint it resumes from was made;
     *     later ones are removed from the file. 0 for a new run: an old file is replaced
     * @param files writes the file
     * @return the sink
     */
    public static MetricSink progressCsv(Path file, long lastTimesteps, DurableFiles files) {
        return new ProgressCsv(file, lastTimesteps, files);
    }

    /**
     * Writes a TensorBoard event file {@code events.out.tfevents.<unix seconds>.<host>.<process>.0}, a new one whenever a run is
     * started or resumed. Its name sorts behind those of all event files in the directory. Its first events tell TensorBoard to
     * forget what these have beyond {@code lastTimesteps}. Metrics that are an {@link Metric#axis} are left out: the step of each
     * event is its record's timesteps.
     *
     * @param directory an existing directory
     * @param lastTimesteps as for {@link #progressCsv}; 0 for a new run
     * @param clock gives the time of events
     * @param files writes the file
     * @return the sink
     */
    public static MetricSink tensorBoard(Path directory, long lastTimesteps, Clock clock, DurableFiles files) {
        return new TensorBoardEvents(directory, lastTimesteps, clock, files);
    }

    /**
     * Writes the episodes of each environment to {@code <stem>_env<i>.monitor.csv}, in the format of Stable-Baselines3's {@code
     * Monitor}: return, length, seconds since the time in the first line.
     *
     * @param directory an existing directory
     * @param stem the beginning of the files' names
     * @param environmentName goes into the files' first lines
     * @param keptEpisodes for each environment, how many episodes it had finished when the checkpoint that the run resumes from
     *     was made; later ones are removed from its file. 0 for a new run: an old file is replaced
     * @param clock gives the time that the first lines of new files hold, and how long ago that of older ones was
     * @param files writes the files
     * @return the sink
     */
    public static MetricSink monitorCsv(
            Path directory, String stem, String environmentName, long[] keptEpisodes, Clock clock, DurableFiles files) {
        return new MonitorCsv(directory, stem, environmentName, keptEpisodes, clock, files);
    }

    /**
     * Puts several sinks behind one, with the treatment of errors that {@link MetricSink} describes. Each gets every report, also
     * where another one fails.
     *
     * @param sinks the sinks, closed with this one
     * @return the sink
     */
    public static MetricSink all(List<MetricSink> sinks) {
        return new SinkGroup(sinks);
    }
}
