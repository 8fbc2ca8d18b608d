package dev.holdfast.training.runtime.metrics;

import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.network.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * Returns and lengths of training episodes: of those under way, and the means over the most recent ones.
 *
 * <p>Rewards are summed in double precision. {@link #step} allocates nothing.
 *
 * <p><em>Threads.</em> Used by one thread.
 */
public final class EpisodeStatistics {
    /** The number of episodes that the means of Stable-Baselines3 are taken over. */
    public static final int DEFAULT_WINDOW = 100;

    private static final String RETURNS = "episodes.returns";
    private static final String LENGTHS = "episodes.lengths";
    private static final String FINISHED = "episodes.finished";
    private static final String RECENT_RETURNS = "episodes.recent_returns";
    private static final String RECENT_LENGTHS = "episodes.recent_lengths";

    private final double[] returns;
    private final long[] lengths;
    private final long[] finished;
    private final double[] finishedReturns;
    private final long[] finishedLengths;

    /** A ring: the oldest episode is at {@code next} once all places are taken, and at 0 before. */
    private final double[] recentReturns;

    private final long[] recentLengths;
    private int next;
    private int recent;

    /**
     * Creates statistics.
     *
     * @param environments the number of environments, at least 1
     * @param window how many of the most recent episodes of all environments together the means are taken over, at least 1
     */
    public EpisodeStatistics(int environments, int window) {
        Require.atLeast(environments, 1, "envs");
        Require.atLeast(window, 1, "the window of episode statistics");
        returns = new double[environments];
        lengths = new long[environments];
        finished = new long[environments];
        finishedReturns = new double[environments];
        finishedLengths = new long[environments];
        recentReturns = new double[window];
        recentLengths = new long[window];
    }

    /**
     * Takes in a step of every environment.
     *
     * @param rewards the unnormalised rewards, one an environment
     * @param dones whose episode ended with this step
     */
    public void step(float[] rewards, boolean[] dones) {
        for (int i = 0; i < returns.length; i++) {
            returns[i] += rewards[i];
            lengths[i]++;
            if (dones[i]) {
                finished[i]++;
                finishedReturns[i] = returns[i];
                finishedLengths[i] = lengths[i];
                add(returns[i], lengths[i]);
                abandonEpisode(i);
            }
        }
    }

    private void add(double episodeReturn, long length) {
        recentReturns[next] = episodeReturn;
        recentLengths[next] = length;
        next = (next + 1) % recentReturns.length;
        recent = Math.min(recent + 1, recentReturns.length);
    }

    /**
     * Drops the episode under way in an environment, because it was cut without an end: it counts nowhere.
     *
     * @param environment the environment's number
     */
    public void abandonEpisode(int environment) {
        returns[environment] = 0;
        lengths[environment] = 0;
    }

    /**
     * Returns the return of the last episode that an environment finished.
     *
     * @param environment the environment's number
     * @return the undiscounted sum of rewards; 0 if none was finished since this object was created
     */
    public double finishedReturn(int environment) {
        return finishedReturns[environment];
    }

    /**
     * Returns the length of the last episode that an environment finished.
     *
     * @param environment the environment's number
     * @return the number of steps; 0 if none was finished since this object was created
     */
    public long finishedLength(int environment) {
        return finishedLengths[environment];
    }

    /**
     * Returns {@code ep_rew_mean}.
     *
     * @return the mean return of the most recent episodes; NaN before the first is over
     */
    public double meanReturn() {
        double sum = 0;
        for (int i = 0; i < recent; i++) {
            sum += recentReturns[place(i)];
        }
        return sum / recent;
    }

    /**
     * Returns {@code ep_len_mean}.
     *
     * @return the mean length of the most recent episodes, in steps; NaN before the first is over
     */
    public double meanLength() {
        double sum = 0;
        for (int i = 0; i < recent; i++) {
            sum += recentLengths[place(i)];
        }
        return sum / recent;
    }

    /** Returns where the i-th oldest of the recent episodes is: sums go by age, so that a resumed run adds in the same order. */
    private int place(int i) {
        return recent < recentReturns.length ? i : (next + i) % recentReturns.length;
    }

    /**
     * Returns how many episodes each environment has finished since the run began: what {@link MetricSinks#monitorCsv} keeps.
     *
     * @return a copy
     */
    public long[] finishedEpisodes() {
        return finished.clone();
    }

    /**
     * Returns everything that future results depend on, for a checkpoint.
     *
     * @return new tensors, their names beginning with {@code episodes.}
     */
    public List<Tensor> exportState() {
        double[] returnsByAge = new double[recent];
        long[] lengthsByAge = new long[recent];
        for (int i = 0; i < recent; i++) {
            returnsByAge[i] = recentReturns[place(i)];
            lengthsByAge[i] = recentLengths[place(i)];
        }
        int environments = returns.length;
        return List.of(
                new Tensor(RETURNS, new int[] {environments}, returns.clone()),
                new Tensor(LENGTHS, new int[] {environments}, lengths.clone()),
                new Tensor(FINISHED, new int[] {environments}, finished.clone()),
                new Tensor(RECENT_RETURNS, new int[] {recent}, returnsByAge),
                new Tensor(RECENT_LENGTHS, new int[] {recent}, lengthsByAge));
    }

    /**
     * Goes on from a saved state. Of more recent episodes than the window holds, the newest count.
     *
     * @param tensors what {@link #exportState} returned, perhaps among others
     * @throws IllegalArgumentException naming the tensor that is missing or has another size; nothing is changed then
     * @throws IllegalStateException naming the tensor that holds another type; nothing is changed then
     */
    public void importState(List<Tensor> tensors) {
        int environments = returns.length;
        double[] savedReturns = sized(find(tensors, RETURNS), environments).doubles();
        long[] savedLengths = sized(find(tensors, LENGTHS), environments).longs();
        long[] savedFinished = sized(find(tensors, FINISHED), environments).longs();
        double[] returnsByAge = find(tensors, RECENT_RETURNS).doubles();
        int episodes = returnsByAge.length;
        long[] lengthsByAge = sized(find(tensors, RECENT_LENGTHS), episodes).longs();
        System.arraycopy(savedReturns, 0, returns, 0, environments);
        System.arraycopy(savedLengths, 0, lengths, 0, environments);
        System.arraycopy(savedFinished, 0, finished, 0, environments);
        next = 0;
        recent = 0;
        for (int i = 0; i < episodes; i++) {
            add(returnsByAge[i], lengthsByAge[i]);
        }
    }

    private static Tensor find(List<Tensor> tensors, String name) {
        return tensors.stream()
                .filter(tensor -> tensor.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the tensor " + name + " is missing"));
    }

    private static Tensor sized(Tensor tensor, int size) {
        if (!Arrays.equals(tensor.shape(), new int[] {size})) {
            throw new IllegalArgumentException("tensor " + tensor.name() + " must have the shape [" + size
                    + "], but has " + Arrays.toString(tensor.shape()));
        }
        return tensor;
    }
}
