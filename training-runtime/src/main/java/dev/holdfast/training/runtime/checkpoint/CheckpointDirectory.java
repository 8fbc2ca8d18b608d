package dev.holdfast.training.runtime.checkpoint;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.checkpoint.CheckpointException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoint files of one run, whose final model is {@code <run>/<stem>.zip}.
 *
 * <pre>
 *   &lt;run&gt;/&lt;stem&gt;.zip                                 the final model          and .json beside it
 *   &lt;run&gt;/&lt;stem&gt;_best.zip                            the best one evaluated   and .json
 *   &lt;run&gt;/checkpoints/&lt;stem&gt;_ckpt_000012288.zip      periodic, by steps       and .json
 *   &lt;run&gt;/checkpoints/&lt;stem&gt;_ckpt_latest.zip         rolling recovery point   and .json
 *   &lt;run&gt;/resume.json                                names the newest but for the best: model (relative to
 *                                                     &lt;run&gt;), timesteps, reason, created_unix_s
 *   &lt;run&gt;/training_failure.json                      why the run died
 * </pre>
 *
 * <p>Every save writes the archive first, then the JSON beside it, then the hint {@code resume.json}, each so that it is durable
 * before the next ({@link DurableFiles}); old checkpoints are removed only after that. So at every instant of a kill there is a
 * complete checkpoint, the one before or the new one. Directories are created where they are missing, also in the middle of a run.
 *
 * <p><em>Threads.</em> One thread at a time. Another process may look for a checkpoint while this one writes.
 */
public final class CheckpointDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointDirectory.class);

    private static final String HINT = "resume.json";
    private static final String FAILURE = "training_failure.json";
    // <stem>.json is the JSON beside the final model.
    private static final Set<String> TAKEN = Set.of("resume", "training_failure", "control", "forced_stop", "config");
    // What else is written by way of temporary files; monitor files, too.
    private static final Set<String> OTHERS = Set.of(HINT, FAILURE, "config.json", "progress.csv");
    private static final String DIRECTORY = "checkpoints";
    private static final String LATEST = "latest";
    // At least nine digits, as they are written; no more than a long holds.
    private static final String STEPS = "_(\\d{9,18})";
    private static final int LARGEST_HINT = 1 << 16;

    private final Path run;
    private final Path model;
    private final String stem;
    private final String prefix;
    private final Pattern names;
    private final Pattern monitors;
    private final DurableFiles files;
    private final ZipCheckpointStore store;
    private final Clock clock;

    /** Archives of an earlier run, which go once this one has saved something. */
    private List<Path> obsolete = List.of();

    private boolean saved;

    /**
     * What a save wrote.
     *
     * @param model the archive
     * @param metadata the contents of the JSON beside it
     * @param pruned the archives of the older checkpoints that were removed, oldest first
     */
    public record Saved(Path model, Map<String, Object> metadata, List<Path> pruned) {}

    /** An archive that may be a checkpoint. {@code rank} decides between equal times: the steps, where the name tells them. */
    private record Candidate(Path archive, FileTime modified, long rank, String reason) {
        static final Comparator<Candidate> OLDEST_FIRST =
                Comparator.comparing(Candidate::modified).thenComparing(Candidate::rank);

        /**
         * The order in which a run that has come to a number of steps wrote them, whatever the clock said. Those with more steps
         * come first: the run went back behind them.
         */
        static Comparator<Candidate> writtenUpTo(long steps) {
            return Comparator.comparing((Candidate candidate) -> candidate.rank <= steps)
                    .thenComparing(Candidate::rank);
        }
    }

    /**
     * Names the files of a run; touches none.
     *
     * @param model the final model; {@code .zip} is added if it has another ending
     * @param clock tells the time that is recorded in files
     * @throws InvalidConfigurationException if the path names no file, or one whose JSON would be another file of the run
     */
    public CheckpointDirectory(Path model, Clock clock) {
        this(model, clock, new DurableFiles());
    }

    /**
     * Names the files of a run; touches none.
     *
     * @param model the final model; {@code .zip} is added if it has another ending
     * @param clock tells the time that is recorded in files
     * @param files writes the files
     * @throws InvalidConfigurationException if the path names no file, or one whose JSON would be another file of the run
     */
    public CheckpointDirectory(Path model, Clock clock, DurableFiles files) {
        Path absolute = model.toAbsolutePath().normalize();
        Path name = absolute.getFileName();
        Path parent = absolute.getParent();
        if (name == null || parent == null) {
            throw new InvalidConfigurationException("model must name a file, but was " + model);
        }
        String text = name.toString();
        stem = text.endsWith(".zip") ? text.substring(0, text.length() - ".zip".length()) : text;
        Require.that(!stem.isEmpty(), "model", "must have a name before .zip", model);
        Require.that(
                !TAKEN.contains(stem),
                "model",
                "must not be named " + TAKEN.stream().sorted().toList(),
                text);
        run = parent;
        this.model = parent.resolve(stem + ".zip");
        prefix = stem + "_ckpt";
        names = Pattern.compile(Pattern.quote(stem) + "(_best|_ckpt(" + STEPS + "|_" + LATEST + "))?\\.(zip|json)");
        monitors = Pattern.compile(Pattern.quote(stem) + "_env\\d+\\.monitor\\.csv");
        this.files = files;
        store = new ZipCheckpointStore(files);
        this.clock = clock;
    }

    /**
     * Finds the runs whose checkpoints are in a directory.
     *
     * @param run the directory of a run, or of several
     * @return their final models, there or not, by name
     */
    public static List<Path> modelsIn(Path run) {
        Pattern pattern = Pattern.compile("(.+)_ckpt(" + STEPS + "|_" + LATEST + ")\\.zip");
        Set<Path> models = new TreeSet<>();
        Path checkpoints = run.resolve(DIRECTORY);
        if (Files.isDirectory(checkpoints)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(checkpoints)) {
                for (Path entry : entries) {
                    Matcher name = pattern.matcher(entry.getFileName().toString());
                    if (name.matches()) {
                        models.add(run.resolve(name.group(1) + ".zip"));
                    }
                }
            } catch (IOException | DirectoryIteratorException e) {
                throw new CheckpointException("can't list " + checkpoints + ": " + e.getMessage(), e);
            }
        }
        return List.copyOf(models);
    }

    /**
     * Finds a place for a new run: the first {@code <folder>/<environment>_<n>/<environment>.zip} whose directory isn't there.
     *
     * @param folder where runs are kept
     * @param environment the environment's name
     * @return an absolute path
     */
    public static Path freeModel(Path folder, String environment) {
        String name = environment.replaceAll("[^A-Za-z0-9._-]", "_");
        int number = 1;
        while (Files.exists(folder.resolve(name + "_" + number))) {
            number++;
        }
        return folder.resolve(name + "_" + number).resolve(name + ".zip").toAbsolutePath();
    }

    /**
     * Returns the directory of the run.
     *
     * @return an absolute path
     */
    public Path run() {
        return run;
    }

    /**
     * Returns where the final model is, or will be.
     *
     * @return an absolute path
     */
    public Path model() {
        return model;
    }

    /**
     * Returns the name of the run's files.
     *
     * @return the final model's file name without {@code .zip}
     */
    public String stem() {
        return stem;
    }

    /**
     * Returns whether there already is a run of this name.
     *
     * @return whether its model or a checkpoint of it is there, whole or not
     */
    public boolean isOccupied() {
        return !candidates().isEmpty();
    }

    /**
     * Gives up an earlier run of this name, for a new one that doesn't resume it. Its checkpoints are deleted as soon as a
     * checkpoint of the new one is safe, so that a new run that fails at once has destroyed nothing; its final model stays until
     * it is replaced.
     */
    public void clear() {
        obsolete = candidates().stream()
                .map(Candidate::archive)
                .filter(archive -> !archive.equals(model))
                .toList();
    }

    /**
     * Writes {@code checkpoints/<stem>_ckpt_<steps>.zip} and what goes with it, then removes old ones: first those with more steps,
     * which the run has gone back behind, then those with the fewest. The clock plays no part.
     *
     * @param checkpoint what to save
     * @param metadata what the JSON says beyond it
     * @param keep how many such checkpoints to keep, at least 1
     * @return what was written and what was removed
     * @throws CheckpointException if it can't be written, naming file and reason; checkpoints that were there are still there
     */
    public Saved savePeriodic(Checkpoint checkpoint, ModelMetadata metadata, int keep) {
        Require.atLeast(keep, 1, "checkpoint_keep");
        String steps = String.format(Locale.ROOT, "%09d", checkpoint.progress().timesteps());
        Path archive = checkpoints().resolve(prefix + "_" + steps + ".zip");
        Map<String, Object> json = savePoint(archive, checkpoint, metadata, true, "checkpoint");
        List<Path> oldestFirst =
                periodic(prefix, Candidate.writtenUpTo(checkpoint.progress().timesteps()));
        return new Saved(archive, json, remove(oldestFirst.subList(0, Math.max(0, oldestFirst.size() - keep))));
    }

    /**
     * Writes {@code checkpoints/<stem>_ckpt_latest.zip}, replacing the one before, and what goes with it.
     *
     * @param checkpoint what to save
     * @param metadata what the JSON says beyond it
     * @return what was written
     * @throws CheckpointException if it can't be written, naming file and reason; checkpoints that were there are still there
     */
    public Saved saveRolling(Checkpoint checkpoint, ModelMetadata metadata) {
        return new Saved(latest(), savePoint(latest(), checkpoint, metadata, true, "recovery"), List.of());
    }

    /**
     * Writes {@code <stem>_best.zip}, replacing the one before, and its JSON. The hint goes on naming the newest other one.
     *
     * @param checkpoint what to save
     * @param metadata what the JSON says beyond it
     * @return what was written
     * @throws CheckpointException if it can't be written, naming file and reason; checkpoints that were there are still there
     */
    public Saved saveBest(Checkpoint checkpoint, ModelMetadata metadata) {
        return new Saved(best(), save(best(), checkpoint, metadata, true), List.of());
    }

    /**
     * Writes the final model, replacing the one before, and what goes with it.
     *
     * @param checkpoint what to save
     * @param metadata what the JSON says beyond it
     * @param reason why the run ends here, for example {@code finished} or {@code SIGTERM}; for the hint
     * @return what was written
     * @throws CheckpointException if it can't be written, naming file and reason; checkpoints that were there are still there
     */
    public Saved saveFinal(Checkpoint checkpoint, ModelMetadata metadata, String reason) {
        return new Saved(model, savePoint(model, checkpoint, metadata, false, reason), List.of());
    }

    /** Saves a checkpoint from which the run may go on. */
    private Map<String, Object> savePoint(
            Path archive, Checkpoint checkpoint, ModelMetadata metadata, boolean midway, String reason) {
        Map<String, Object> json = save(archive, checkpoint, metadata, midway);
        Map<String, Object> hint = new LinkedHashMap<>();
        hint.put("model", relative(archive));
        hint.put("timesteps", checkpoint.progress().timesteps());
        hint.put("reason", reason);
        hint.put("created_unix_s", now());
        files.write(run.resolve(HINT), Json.pretty(hint));
        remove(obsolete.stream().filter(old -> !old.equals(archive)).toList());
        obsolete = List.of();
        return json;
    }

    private Map<String, Object> save(Path archive, Checkpoint checkpoint, ModelMetadata metadata, boolean midway) {
        for (Path directory : List.of(run, checkpoints())) {
            if (saved && !Files.exists(directory)) {
                LOG.warn("{} was removed while the run goes on; it is made again", directory);
            }
            files.createDirectories(directory);
            files.deleteLeftovers(directory, this::isOurs);
        }
        String sha256 = store.write(checkpoint, archive);
        Map<String, Object> json = metadata.describe(checkpoint, midway, sha256, checkpointFiles(), now());
        files.write(ZipCheckpointStore.metadataFile(archive), Json.pretty(json));
        saved = true;
        return json;
    }

    /**
     * Removes old checkpoints: of {@code checkpoints/<prefix>_<steps>.zip}, by rising modification time and, where these are equal,
     * rising steps, all but the last {@code keep}, each with its JSON. Rolling checkpoints, the best model and foreign files stay. So
     * does the newest one that is whole, if none of those to be kept is.
     *
     * @param prefix what stands before the steps
     * @param keep how many to keep, at least 1
     * @return the archives that were removed, oldest first
     */
    public List<Path> prune(String prefix, int keep) {
        Require.atLeast(keep, 1, "checkpoint_keep");
        List<Path> oldestFirst = periodic(prefix, Candidate.OLDEST_FIRST);
        int excess = oldestFirst.size() - keep;
        if (excess <= 0) {
            return List.of();
        }
        List<Path> removed = new ArrayList<>(oldestFirst.subList(0, excess));
        if (oldestFirst.subList(excess, oldestFirst.size()).stream().noneMatch(this::isWhole)) {
            for (int i = excess - 1; i >= 0; i--) {
                if (isWhole(oldestFirst.get(i))) {
                    removed.remove(i);
                    break;
                }
            }
        }
        return remove(removed);
    }

    private List<Path> periodic(String prefix, Comparator<Candidate> order) {
        return periodic(prefix).stream().sorted(order).map(Candidate::archive).toList();
    }

    private List<Path> remove(List<Path> archives) {
        List<Path> removed = new ArrayList<>();
        for (Path archive : archives) {
            try {
                // An archive without its JSON is still a checkpoint, a JSON without its archive is litter.
                files.delete(ZipCheckpointStore.metadataFile(archive));
                files.delete(archive);
                removed.add(archive);
            } catch (CheckpointException e) {
                LOG.warn("kept an old checkpoint: {}", e.getMessage());
            }
        }
        return removed;
    }

    private boolean isWhole(Path archive) {
        try {
            store.load(archive);
            return true;
        } catch (CheckpointException e) {
            return false;
        }
    }

    /**
     * Finds the checkpoint to go on from: the one that {@code resume.json} names, if it is there and whole; else the newest whole
     * one among the final model and all checkpoints, by modification time. What is damaged is logged as a warning and named in the
     * result.
     *
     * @return what was found, if anything
     */
    public Recovery recover() {
        List<String> problems = new ArrayList<>();
        Candidate hinted = hinted(problems);
        if (hinted != null) {
            Recovery recovery = load(hinted, HINT, problems);
            if (recovery != null) {
                return recovery;
            }
        }
        List<Candidate> candidates = candidates();
        candidates.sort(Candidate.OLDEST_FIRST.reversed());
        for (Candidate candidate : candidates) {
            if (hinted == null || !candidate.archive.equals(hinted.archive)) {
                Recovery recovery = load(candidate, "scan", problems);
                if (recovery != null) {
                    return recovery;
                }
            }
        }
        return new Recovery(null, null, Recovery.NONE, Recovery.NONE, problems);
    }

    private @Nullable Recovery load(Candidate candidate, String source, List<String> problems) {
        try {
            Checkpoint checkpoint = store.load(candidate.archive);
            return new Recovery(candidate.archive, checkpoint, source, candidate.reason, problems);
        } catch (CheckpointException e) {
            LOG.warn("looked for an older checkpoint: {}", e.getMessage());
            problems.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private @Nullable Candidate hinted(List<String> problems) {
        Path file = run.resolve(HINT);
        try {
            if (!Files.isRegularFile(file)) {
                return null;
            }
            long size = Files.size(file);
            DamageException.unless(size <= LARGEST_HINT, "length", "must be at most " + LARGEST_HINT + " bytes", size);
            Json hint = Json.parse(Files.readAllBytes(file));
            Path archive = run.resolve(path(hint.text("model"))).normalize();
            String reason = hint.has("reason") ? hint.text("reason") : "unknown";
            // It is no damage if the file was moved away on purpose, or if another run in this directory was the last
            // to save.
            return Files.isRegularFile(archive) && isCheckpoint(archive)
                    ? new Candidate(archive, FileTime.fromMillis(0), 0, reason)
                    : null;
        } catch (DamageException | IOException e) {
            String problem = "can't use " + file + ": " + e.getMessage();
            LOG.warn("looked for checkpoints: {}", problem);
            problems.add(problem);
            return null;
        }
    }

    private static Path path(String text) throws DamageException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new DamageException("model must be a path, but was " + DamageException.quote(text));
        }
    }

    private List<Candidate> candidates() {
        List<Candidate> candidates = periodic(prefix);
        add(candidates, best(), -1, "best");
        add(candidates, latest(), Long.MAX_VALUE - 1, "recovery");
        add(candidates, model, Long.MAX_VALUE, "model");
        return candidates;
    }

    private List<Candidate> periodic(String prefix) {
        Pattern pattern = Pattern.compile(Pattern.quote(prefix) + STEPS + "\\.zip");
        List<Candidate> found = new ArrayList<>();
        if (Files.isDirectory(checkpoints())) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(checkpoints())) {
                for (Path entry : entries) {
                    Matcher name = pattern.matcher(entry.getFileName().toString());
                    if (name.matches()) {
                        add(found, entry, Long.parseLong(name.group(1)), "checkpoint");
                    }
                }
            } catch (IOException | DirectoryIteratorException e) {
                throw new CheckpointException("can't list " + checkpoints() + ": " + e.getMessage(), e);
            }
        }
        return found;
    }

    private static void add(List<Candidate> candidates, Path archive, long rank, String reason) {
        try {
            if (Files.isRegularFile(archive)) {
                candidates.add(new Candidate(archive, Files.getLastModifiedTime(archive), rank, reason));
            }
        } catch (IOException e) {
            LOG.warn("can't look at {}: {}", archive, DurableFiles.reason(e));
        }
    }

    /** Returns the run's checkpoints by rising steps, the rolling one last, relative to the run directory. */
    private List<String> checkpointFiles() {
        List<Candidate> found = periodic(prefix);
        add(found, latest(), Long.MAX_VALUE, "recovery");
        return found.stream()
                .sorted(Comparator.comparing(Candidate::rank))
                .map(candidate -> relative(candidate.archive))
                .toList();
    }

    /**
     * Writes {@code training_failure.json}. Throws nothing: whoever calls it has an exception already, which counts more.
     *
     * @param error what ended the run
     * @param timesteps environment steps taken
     * @param environment the number of the environment to blame, or null
     */
    public void recordFailure(Throwable error, long timesteps, @Nullable Integer environment) {
        try {
            Recovery recovery = recover();
            Path last = recovery.model();
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("error", error.getClass().getName() + ": " + error.getMessage());
            json.put("environment", environment);
            json.put("timesteps", timesteps);
            json.put("last_checkpoint", last == null ? null : relative(last));
            json.put("can_resume", recovery.canResume());
            json.put("created_unix_s", now());
            files.createDirectories(run);
            files.write(run.resolve(FAILURE), Json.pretty(json));
        } catch (RuntimeException e) {
            LOG.error("couldn't record why the run failed: {}", e.getMessage());
        }
    }

    /**
     * Deletes {@code training_failure.json} of an earlier run, if there is one. Called when a run begins.
     *
     * @throws CheckpointException if it can't be deleted
     */
    public void clearFailure() {
        files.delete(run.resolve(FAILURE));
    }

    private Path checkpoints() {
        return run.resolve(DIRECTORY);
    }

    private Path latest() {
        return checkpoints().resolve(prefix + "_" + LATEST + ".zip");
    }

    private Path best() {
        return run.resolve(stem + "_best.zip");
    }

    /** Whether a file has the name and the place of a checkpoint of this run. */
    private boolean isCheckpoint(Path archive) {
        String name = String.valueOf(archive.getFileName());
        return names.matcher(name).matches()
                && name.endsWith(".zip")
                && (run.equals(archive.getParent()) || checkpoints().equals(archive.getParent()));
    }

    private boolean isOurs(String name) {
        return names.matcher(name).matches() || monitors.matcher(name).matches() || OTHERS.contains(name);
    }

    private String relative(Path file) {
        return file.startsWith(run) ? run.relativize(file).toString().replace('\\', '/') : file.toString();
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }
}
