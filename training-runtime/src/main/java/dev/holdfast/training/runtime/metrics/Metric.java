package dev.holdfast.training.runtime.metrics;

/**
 * The metric catalogue: everything that a run may report about itself, in the fixed order in which tables and files show it
 * (alphabetical by key). The names are those of Stable-Baselines3.
 *
 * <p>In the definitions, a <em>timestep</em> is one step of one environment; r is the probability ratio of the new to the old
 * policy, A the advantage, V the value estimate and R the return of a sample.
 */
public enum Metric {
    /** {@code eval/mean_ep_length}. */
    EVAL_MEAN_EP_LENGTH("eval/mean_ep_length", "Mean length of the episodes of the last evaluation, in timesteps."),
    /** {@code eval/mean_reward}. */
    EVAL_MEAN_REWARD(
            "eval/mean_reward",
            "Mean return of the episodes of the last evaluation: the undiscounted sum of unnormalised rewards."),
    /** {@code eval/std_reward}. */
    EVAL_STD_REWARD(
            "eval/std_reward", "Standard deviation (divisor n) of the returns of the episodes of the last evaluation."),
    /** {@code rollout/ep_len_mean}. */
    EP_LEN_MEAN(
            "rollout/ep_len_mean",
            "Mean length of the most recently finished training episodes (100 by default) of all environments together, in"
                    + " timesteps."),
    /** {@code rollout/ep_rew_mean}. */
    EP_REW_MEAN(
            "rollout/ep_rew_mean",
            "Mean return of the most recently finished training episodes (100 by default) of all environments together: the"
                    + " undiscounted sum of unnormalised rewards."),
    /** {@code rollout/worker_restarts}. */
    WORKER_RESTARTS(
            "rollout/worker_restarts",
            "Worker processes replaced since the run was started or resumed; only with environments in processes."),
    /** {@code time/fps}. */
    FPS(
            "time/fps",
            "Timesteps per second since the run was started or resumed: timesteps taken since then / seconds since then,"
                    + " rounded down."),
    /** {@code time/iterations}. */
    ITERATIONS("time/iterations", "Number of rollouts collected since the run began, over all resumptions."),
    /** {@code time/start_timesteps}. */
    START_TIMESTEPS(
            "time/start_timesteps",
            "Timesteps at which the run began: 0, or what the model behind --init had been trained for."),
    /** {@code time/time_elapsed}. */
    TIME_ELAPSED("time/time_elapsed", "Seconds since the run was started or resumed, rounded down."),
    /** {@code time/total_timesteps}. */
    TOTAL_TIMESTEPS(
            "time/total_timesteps",
            "Timesteps taken so far by all environments together, those before --init and before resumptions included."),
    /** {@code train/approx_kl}. */
    APPROX_KL(
            "train/approx_kl",
            "Approximate KL divergence of the old from the new policy: mean of (r - 1) - ln r over the mini-batches of the last"
                    + " epoch of the update, in nats."),
    /** {@code train/clip_fraction}. */
    CLIP_FRACTION(
            "train/clip_fraction",
            "Share of samples with |r - 1| > clip_range, mean over the mini-batches of the update."),
    /** {@code train/clip_range}. */
    CLIP_RANGE("train/clip_range", "Clip range of the ratio r in force in the update."),
    /** {@code train/clip_range_vf}. */
    CLIP_RANGE_VF(
            "train/clip_range_vf",
            "Clip range of the value function in force in the update, in units of the return; absent without one."),
    /** {@code train/entropy_loss}. */
    ENTROPY_LOSS(
            "train/entropy_loss",
            "Entropy of the policy with its sign reversed, mean over the mini-batches of the update, in nats."),
    /** {@code train/explained_variance}. */
    EXPLAINED_VARIANCE(
            "train/explained_variance",
            "1 - Var(R - V) / Var(R) over the rollout, before the update: 1 is perfect, 0 no better than a constant; absent if"
                    + " Var(R) is 0."),
    /** {@code train/gradient_norm}. */
    GRADIENT_NORM(
            "train/gradient_norm",
            "Euclidean norm of the gradient over all parameters before it is clipped, mean over the gradient steps of the"
                    + " update."),
    /** {@code train/learning_rate}. */
    LEARNING_RATE("train/learning_rate", "Learning rate in force in the update."),
    /** {@code train/loss}. */
    LOSS(
            "train/loss",
            "Loss of the last mini-batch of the update: policy_gradient_loss + ent_coef * entropy_loss + vf_coef * value_loss."),
    /** {@code train/n_updates}. */
    N_UPDATES("train/n_updates", "Number of epochs over rollouts since the run began, over all resumptions."),
    /** {@code train/policy_gradient_loss}. */
    POLICY_GRADIENT_LOSS(
            "train/policy_gradient_loss",
            "Mean of -min(r A, clip(r, 1 - clip_range, 1 + clip_range) A) over the mini-batches of the update."),
    /** {@code train/std}. */
    STD(
            "train/std",
            "Mean standard deviation of the action distribution after the update, over action dimensions; absent unless actions"
                    + " are a Box."),
    /** {@code train/value_loss}. */
    VALUE_LOSS(
            "train/value_loss",
            "Mean of (R - V)^2 over the mini-batches of the update, with V clipped to clip_range_vf around the old estimate if"
                    + " that is set.");

    private final String key;
    private final String definition;

    Metric(String key, String definition) {
        this.key = key;
        this.definition = definition;
    }

    /**
     * Returns the name in tables, {@code progress.csv} and TensorBoard.
     *
     * @return group and name, for example {@code train/approx_kl}
     */
    public String key() {
        return key;
    }

    /**
     * Returns the part of the key before the slash.
     *
     * @return {@code eval}, {@code rollout}, {@code time} or {@code train}
     */
    public String group() {
        return key.substring(0, key.indexOf('/'));
    }

    /**
     * Returns the part of the key behind the slash, by which progress events name the metric. Unique in the catalogue.
     *
     * @return for example {@code approx_kl}
     */
    public String shortKey() {
        return key.substring(key.indexOf('/') + 1);
    }

    /**
     * Returns what the number means.
     *
     * @return one or two sentences, with formula and unit
     */
    public String definition() {
        return definition;
    }

    /**
     * Returns whether values are whole numbers.
     *
     * @return true for counts, and for what is rounded to one
     */
    public boolean integer() {
        return this == FPS || this == N_UPDATES || axis();
    }

    /**
     * Returns whether values depend on the clock, so that two equal runs differ in them.
     *
     * @return true for speed and elapsed time
     */
    public boolean wallClock() {
        return this == FPS || this == TIME_ELAPSED;
    }

    /**
     * Returns whether this says how far a run is, so that other metrics are plotted against it.
     *
     * @return true for counts of steps, iterations and seconds
     */
    public boolean axis() {
        return switch (this) {
            case ITERATIONS, START_TIMESTEPS, TIME_ELAPSED, TOTAL_TIMESTEPS -> true;
            default -> false;
        };
    }
}
