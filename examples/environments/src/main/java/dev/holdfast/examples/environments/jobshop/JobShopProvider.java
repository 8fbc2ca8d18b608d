package dev.holdfast.examples.environments.jobshop;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Makes {@code job-shop}. */
public final class JobShopProvider implements EnvironmentProvider {
    static final String NAME = "job-shop";

    private static final String INSTANCE = "instance";
    private static final String JOBS = "jobs";
    private static final String MACHINES = "machines";
    private static final String DELAY = "delay";
    private static final String UPTIME = "uptime";
    private static final String REPAIR = "repair";

    private static final int FIXED_PROBLEM = 1;
    private static final int MIXED_PROBLEM = 3;
    private static final int BREAKDOWN_PROBLEM = 4;
    private static final int LAST_STAGE = 3;
    private static final int MIN_MIXED = 5;

    private static final String TIME = "time";
    private static final String BALANCED = "balanced";

    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public JobShopProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Job-shop scheduling: dispatch jobs to machines; the return is minus the gap to a lower bound of the makespan, in percent";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.text(INSTANCE, "ft06", "The public instance of problem 1"),
                Parameter.integer(JOBS, 20, 2, 100, "Number of jobs of random instances, the largest one of problem 3"),
                Parameter.integer(
                        MACHINES, 15, 1, 50, "Number of machines of random instances, the largest one of problem 3"),
                Parameter.number(
                        DELAY, 1, 0, 1, "How long a machine may wait for a job: 0 never, 1 as long as can be of use"),
                Parameter.integer(UPTIME, 300, 1, 1_000_000, "Mean time until a machine breaks down, in problem 4"),
                Parameter.integer(REPAIR, 50, 1, 1_000_000, "Mean time of a repair, in problem 4"));
    }

    @Override
    public List<String> problems() {
        return List.of(
                "one public instance",
                "random instances of one size, 20 jobs on 15 machines unless told otherwise",
                "random instances of mixed sizes, from 5 jobs on 5 machines on",
                "random instances of one size, whose machines break down");
    }

    @Override
    public List<String> stages() {
        return List.of(
                "random instances, of the problem's sizes but with at most 6 jobs and 6 machines, which never break down",
                "the same with at most 10 jobs and 10 machines",
                "the problem itself");
    }

    @Override
    public List<String> rewardProfiles() {
        return List.of(TIME, BALANCED);
    }

    @Override
    public List<ConfigProfile> configProfiles() {
        return List.of(
                new ConfigProfile(
                        "coarse-pretrain",
                        "Small random instances (stage 1), with more exploration: to begin with",
                        settings(Map.of(
                                "stage", "1",
                                "timesteps", "500000",
                                "learning_rate", "linear(0.001,0.0003)",
                                "ent_coef", "0.01"))),
                new ConfigProfile(
                        "fine",
                        "The problem itself (stage 3, unless another is given), with steps that shrink to 0: to go on with, by --init",
                        settings(Map.of(
                                "stage", "3",
                                "timesteps", "1000000",
                                "learning_rate", "linear(0.001)",
                                "ent_coef", "0.003"))));
    }

    private static Map<String, String> settings(Map<String, String> own) {
        Map<String, String> settings = new HashMap<>(Map.ofEntries(
                Map.entry("envs", "32"),
                Map.entry("rollout_steps", "128"),
                Map.entry("batch_size", "512"),
                Map.entry("n_epochs", "4"),
                Map.entry("gamma", "1.0"),
                Map.entry("gae_lambda", "0.95"),
                Map.entry("net_arch", "64,64"),
                Map.entry("activation", "relu"),
                Map.entry("normalize_reward", "true")));
        settings.putAll(own);
        return settings;
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidConfigurationException if there is no such public instance
     */
    @Override
    public Environment create(EnvironmentOptions options) {
        return new JobShopEnvironment(shops(options), options.rewardProfile().equals(BALANCED));
    }

    private static LongFunction<Shop> shops(EnvironmentOptions options) {
        JobShopInstance instance = Instances.all().get(options.text(INSTANCE));
        if (instance == null) {
            throw new InvalidConfigurationException("environment parameter " + INSTANCE
                    + " must be one of ft06, ft10, ft20, la01 to la40, abz5 to abz9, orb01 to orb10, swv01 to swv20, yn1 to yn4 and"
                    + " ta01 to ta80, but was '" + options.text(INSTANCE) + "'");
        }
        double delay = options.number(DELAY);
        boolean whole = options.stage() == LAST_STAGE;
        boolean fixed = options.problem() == FIXED_PROBLEM;
        if (fixed && whole) {
            return seed -> new Shop(instance, Breakdowns.none(instance.machines()), delay);
        }
        int limit = whole ? Integer.MAX_VALUE : options.stage() == 1 ? 6 : 10;
        int jobs = Math.min(limit, fixed ? instance.jobs() : options.integer(JOBS));
        int machines = Math.min(limit, fixed ? instance.machines() : options.integer(MACHINES));
        boolean mixed = options.problem() == MIXED_PROBLEM;
        boolean down = options.problem() == BREAKDOWN_PROBLEM && whole;
        int uptime = options.integer(UPTIME);
        int repair = options.integer(REPAIR);
        return seed -> {
            RandomStream random = new RandomStream(seed);
            JobShopInstance drawn = JobShopInstance.random(
                    mixed ? upTo(jobs, random) : jobs, mixed ? upTo(machines, random) : machines, random);
            Breakdowns breakdowns =
                    down ? Breakdowns.random(drawn, uptime, repair, random) : Breakdowns.none(drawn.machines());
            return new Shop(drawn, breakdowns, delay);
        };
    }

    private static int upTo(int largest, RandomStream random) {
        int smallest = Math.min(MIN_MIXED, largest);
        return smallest + random.nextInt(largest - smallest + 1);
    }
}
