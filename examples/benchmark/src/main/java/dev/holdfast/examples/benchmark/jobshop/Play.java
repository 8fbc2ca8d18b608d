package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.environments.jobshop.JobShopEnvironment;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.examples.environments.jobshop.Schedule;
import dev.holdfast.examples.environments.jobshop.ScheduleValidator;
import dev.holdfast.rl.api.Require;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Schedules instances by a policy. Every schedule is checked by the validator. */
final class Play {
    private final Policy policy;
    private final double delay;

    Play(Policy policy, double delay) {
        this.policy = policy;
        this.delay = delay;
    }

    /** Loads a policy, which then plays under the delay that it was trained with. */
    static Play of(Path model) {
        Checkpoint checkpoint = new ZipCheckpointStore().load(model);
        Map<String, String> settings = checkpoint.settings();
        String environment = settings.getOrDefault("env", "custom");
        Require.that(environment.equals("job-shop"), "model", "must be of the environment job-shop", environment);
        String delay = TrainingConfig.builder()
                .text("env_args", settings.getOrDefault("env_args", ""))
                .build()
                .get(Fields.ENV_ARGS)
                .getOrDefault("delay", "1");
        return new Play(checkpoint.policy(), Double.parseDouble(delay));
    }

    /** Takes the most probable job at each choice. */
    Schedule greedy(JobShopInstance instance) {
        return play(instance, null);
    }

    /** Returns the shortest of some schedules whose jobs are drawn by their probability. */
    Schedule bestOf(int samples, JobShopInstance instance, long seed) {
        RandomStream random = new RandomStream(seed, "actions");
        return IntStream.range(0, samples)
                .mapToObj(i -> play(instance, random))
                .min(Comparator.comparingInt(Schedule::makespan))
                .orElseThrow();
    }

    private Schedule play(JobShopInstance instance, @Nullable RandomStream random) {
        JobShopEnvironment environment = JobShopEnvironment.of(instance, delay);
        float[] observation = environment.reset(0);
        boolean done = false;
        while (!done) {
            Step step = environment.step(policy.act(observation, environment.actionMask(), random));
            observation = step.observation();
            done = step.done();
        }
        return checked(instance, environment.schedule());
    }

    /** Returns a schedule that is valid. */
    static Schedule checked(JobShopInstance instance, Schedule schedule) {
        List<String> faults = ScheduleValidator.faults(instance, schedule);
        if (!faults.isEmpty()) {
            throw new IllegalStateException("a schedule of " + instance + " must have no faults, but had " + faults);
        }
        return schedule;
    }
}
