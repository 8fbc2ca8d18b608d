package dev.holdfast.rl.api.checkpoint;

import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.environment.VectorEnvironment.EnvironmentState;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.network.Tensor;
import dev.holdfast.rl.api.policy.ObservationNormalizer;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a run's future depends on, at one instant. A run resumed from it on the same backend and machine is
 * byte-identical to one that was never stopped.
 *
 * @param network the network
 * @param hyperparameters the hyperparameters in force, schedules included
 * @param settings the rest of the run's configuration: configuration keys with their values as text; no paths
 * @param progress how far the run has come
 * @param learner weights, Adam's moments and step
 * @param normalizer the running statistics of observation and reward normalisation; empty without one
 * @param random the states of the named random streams
 * @param rollout the rollout being collected or learned from, and what goes with it; empty in a checkpoint of weights alone
 * @param environments the states of the environments
 * @param provenance what made it: library, backend, kernel, threads, Java, operating system, processor. It decides nothing
 *     but the warning that a run resumed elsewhere differs in the last bits
 */
public record Checkpoint(
        NetworkSpec network,
        PpoHyperparameters hyperparameters,
        Map<String, String> settings,
        Progress progress,
        LearnerState learner,
        List<Tensor> normalizer,
        Map<String, long[]> random,
        List<Tensor> rollout,
        List<EnvironmentState> environments,
        Map<String, String> provenance) {
    /** Copies; maps are sorted, so that equal checkpoints have equal bytes. */
    public Checkpoint {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
        normalizer = List.copyOf(normalizer);
        random = Collections.unmodifiableMap(new TreeMap<>(random));
        rollout = List.copyOf(rollout);
        environments = List.copyOf(environments);
        provenance = Collections.unmodifiableMap(new TreeMap<>(provenance));
    }

    /**
     * How far a run has come.
     *
     * @param timesteps environment steps taken, counted over all environments and all runs that led here
     * @param startTimesteps the count at which this run began: 0, or what the run behind {@code --init} had reached
     * @param totalTimesteps the steps that this run is to take beyond {@code startTimesteps}
     * @param iterations finished iterations (rollout and update)
     * @param updates {@code n_updates}: finished epochs over rollouts
     * @param phase what the run was doing
     * @param step in {@link Phase#COLLECT} the number of steps of the rollout already taken by each environment
     * @param epoch in {@link Phase#UPDATE} the number of finished epochs of this update
     * @param miniBatch in {@link Phase#UPDATE} the number of finished mini-batches of this epoch
     */
    public record Progress(
            long timesteps,
            long startTimesteps,
            long totalTimesteps,
            long iterations,
            long updates,
            Phase phase,
            int step,
            int epoch,
            int miniBatch) {
        /**
         * Returns the share of the run that is left, for schedules.
         *
         * @return 1 at the start, 0 at the planned end and beyond
         */
        public double remaining() {
            return Math.max(0, 1 - (double) (timesteps - startTimesteps) / totalTimesteps);
        }
    }

    /** What a run does, in turn. */
    public enum Phase {
        /** Collecting a rollout. */
        COLLECT,
        /** Learning from a rollout. */
        UPDATE,
        /** Evaluating, logging, saving: everything that follows an update. */
        REPORT
    }

    /**
     * Returns the policy, ready to act.
     *
     * @return a policy with this checkpoint's weights and observation statistics
     */
    public Policy policy() {
        return new Policy(network, learner.weights(), observationNormalizer());
    }

    /**
     * Returns how observations are normalised before the network reads them.
     *
     * @return null if they aren't
     */
    public @Nullable ObservationNormalizer observationNormalizer() {
        return ObservationNormalizer.from(normalizer);
    }
}
