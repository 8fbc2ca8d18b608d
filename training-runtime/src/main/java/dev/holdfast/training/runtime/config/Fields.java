package dev.holdfast.training.runtime.config;

import static dev.holdfast.training.runtime.config.ConfigField.OnResume.CHECKPOINT_HOLDS;
import static dev.holdfast.training.runtime.config.ConfigField.OnResume.MUST_BE_SAME;
import static dev.holdfast.training.runtime.config.ConfigField.OnResume.NEVER_KEPT;
import static dev.holdfast.training.runtime.config.ConfigField.OnResume.NEW_VALUE_HOLDS;

import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.rl.api.ppo.Schedule;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every field of a run's configuration, in the order in which they are shown. */
public final class Fields {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    private static final PpoHyperparameters PPO = PpoHyperparameters.DEFAULTS;

    /** {@code env}. */
    public static final ConfigField<String> ENV = ConfigField.text(
            "env", "environment", "custom", MUST_BE_SAME, "The environment to learn; `holdfast envs` lists them.");

    /** {@code env_args}; one {@code --env-arg name=value} each on the command line. */
    public static final ConfigField<Map<String, String>> ENV_ARGS =
            ConfigField.pairs("env_args", "environment", MUST_BE_SAME, "Parameters of the environment, as name=value.");

    /** {@code problem}. */
    public static final ConfigField<Integer> PROBLEM = ConfigField.integer(
            "problem",
            "environment",
            1,
            1,
            1_000_000,
            MUST_BE_SAME,
            "Which of the environment's numbered problems to learn.");

    /** {@code stage}. */
    public static final ConfigField<Integer> STAGE = ConfigField.integer(
            "stage",
            "environment",
            1,
            1,
            1_000_000,
            MUST_BE_SAME,
            "Which stage of the environment's curriculum to learn.");

    /** {@code config_profile}. */
    public static final ConfigField<String> CONFIG_PROFILE = ConfigField.text(
            "config_profile",
            "environment",
            "",
            CHECKPOINT_HOLDS,
            "A named set of settings that suits the environment; its first one if not given, `none` for none.");

    /** {@code reward_profile}. */
    public static final ConfigField<String> REWARD_PROFILE = ConfigField.text(
            "reward_profile",
            "environment",
            "",
            MUST_BE_SAME,
            "How the environment rewards; its first way if not given.");

    /** {@code timesteps}. */
    public static final ConfigField<Long> TIMESTEPS = ConfigField.wholeNumber(
            "timesteps",
            "run",
            100_000,
            1,
            1L << 53,
            NEW_VALUE_HOLDS,
            "Environment steps to train for, over all environments; counted from where the run began.");

    /** {@code seed}. */
    public static final ConfigField<Long> SEED = ConfigField.wholeNumber(
            "seed", "run", 0, Long.MIN_VALUE, Long.MAX_VALUE, CHECKPOINT_HOLDS, "Fixes every random draw of the run.");

    /** {@code envs}. */
    public static final ConfigField<Integer> ENVS = ConfigField.integer(
            "envs", "run", 1, 1, 65_536, MUST_BE_SAME, "The number of environments that are stepped together.");

    /** {@code vec_env}. */
    public static final ConfigField<String> VEC_ENV = ConfigField.choice(
            "vec_env",
            "run",
            ordered("sync", "sync", "thread", "thread", "process", "process", "dummy", "sync", "subproc", "process"),
            NEW_VALUE_HOLDS,
            "Where environments run: in the training thread, in threads, or in processes.");

    /** {@code worker_envs}. */
    public static final ConfigField<Integer> WORKER_ENVS = ConfigField.integer(
            "worker_envs",
            "run",
            1,
            1,
            65_536,
            NEW_VALUE_HOLDS,
            "With `vec_env` process: environments in each worker process.");

    /** {@code worker_timeout}. */
    public static final ConfigField<Double> WORKER_TIMEOUT = ConfigField.number(
            "worker_timeout",
            "run",
            60,
            0.001,
            1e6,
            NEW_VALUE_HOLDS,
            "With `vec_env` process: seconds that a worker may take for one step of its environments before it is replaced; to"
                    + " start, it has at least 60.");

    /** {@code worker_restarts}. */
    public static final ConfigField<Integer> WORKER_RESTARTS = ConfigField.integer(
            "worker_restarts",
            "run",
            3,
            0,
            1_000_000,
            NEW_VALUE_HOLDS,
            "With `vec_env` process: how often a worker may be replaced within 10 minutes before the run saves and ends; 0 for"
                    + " never.");

    /** {@code worker_jvm_options}. */
    public static final ConfigField<String> WORKER_JVM_OPTIONS = ConfigField.text(
            "worker_jvm_options",
            "run",
            "",
            NEW_VALUE_HOLDS,
            "With `vec_env` process: options for the workers' JVMs, separated by spaces, such as `-Xmx512m`.");

    /** {@code backend}. */
    public static final ConfigField<String> BACKEND = ConfigField.text(
            "backend", "run", "java", NEW_VALUE_HOLDS, "The numerical engine; `holdfast backends` lists them.");

    /** {@code device}. */
    public static final ConfigField<String> DEVICE = ConfigField.text(
            "device", "run", "auto", NEW_VALUE_HOLDS, "The backend's device: cpu, gpu, gpu:N or auto.");

    /** {@code threads}. */
    public static final ConfigField<Integer> THREADS = ConfigField.integer(
            "threads",
            "run",
            1,
            1,
            1024,
            NEW_VALUE_HOLDS,
            "Threads of the gradient step; the number decides the last bits of a result.");

    /** {@code max_wall_s}. */
    public static final ConfigField<Double> MAX_WALL_S = ConfigField.number(
            "max_wall_s", "run", 0, 0, INFINITY, NEVER_KEPT, "Stops and saves after this many seconds; 0 never does.");

    /** {@code rollout_steps}. */
    public static final ConfigField<Integer> ROLLOUT_STEPS = ConfigField.integer(
            "rollout_steps",
            "ppo",
            PPO.rolloutSteps(),
            1,
            Integer.MAX_VALUE,
            CHECKPOINT_HOLDS,
            "Steps that each environment takes between two updates (n_steps).");

    /** {@code batch_size}. */
    public static final ConfigField<Integer> BATCH_SIZE = ConfigField.integer(
            "batch_size",
            "ppo",
            PPO.batchSize(),
            2,
            Integer.MAX_VALUE,
            CHECKPOINT_HOLDS,
            "Samples of one gradient step.");

    /** {@code n_epochs}. */
    public static final ConfigField<Integer> N_EPOCHS = ConfigField.integer(
            "n_epochs", "ppo", PPO.epochs(), 1, Integer.MAX_VALUE, CHECKPOINT_HOLDS, "Passes over each rollout.");

    /** {@code gamma}. */
    public static final ConfigField<Double> GAMMA =
            ConfigField.number("gamma", "ppo", PPO.gamma(), 0, 1, CHECKPOINT_HOLDS, "The discount of future rewards.");

    /** {@code gae_lambda}. */
    public static final ConfigField<Double> GAE_LAMBDA = ConfigField.number(
            "gae_lambda", "ppo", PPO.gaeLambda(), 0, 1, CHECKPOINT_HOLDS, "Advantages: bias (0) against variance (1).");

    /** {@code learning_rate}. */
    public static final ConfigField<Schedule> LEARNING_RATE =
            ConfigField.schedule("learning_rate", "ppo", PPO.learningRate(), CHECKPOINT_HOLDS, "Adam's step size.");

    /** {@code clip_range}. */
    public static final ConfigField<Schedule> CLIP_RANGE = ConfigField.schedule(
            "clip_range", "ppo", PPO.clipRange(), CHECKPOINT_HOLDS, "How far the probability ratio may move from 1.");

    /** {@code clip_range_vf}. */
    public static final ConfigField<Optional<Schedule>> CLIP_RANGE_VF = ConfigField.optionalSchedule(
            "clip_range_vf", "ppo", CHECKPOINT_HOLDS, "How far the value estimate may move; in units of the return.");

    /** {@code ent_coef}. */
    public static final ConfigField<Double> ENT_COEF = ConfigField.number(
            "ent_coef", "ppo", PPO.entCoef(), 0, INFINITY, CHECKPOINT_HOLDS, "The weight of the entropy bonus.");

    /** {@code vf_coef}. */
    public static final ConfigField<Double> VF_COEF = ConfigField.number(
            "vf_coef", "ppo", PPO.vfCoef(), 0, INFINITY, CHECKPOINT_HOLDS, "The weight of the value loss.");

    /** {@code max_grad_norm}. */
    public static final ConfigField<Double> MAX_GRAD_NORM = ConfigField.number(
            "max_grad_norm",
            "ppo",
            PPO.maxGradNorm(),
            0,
            INFINITY,
            CHECKPOINT_HOLDS,
            "The largest norm of the gradient.");

    /** {@code normalize_advantage}. */
    public static final ConfigField<Boolean> NORMALIZE_ADVANTAGE = ConfigField.flag(
            "normalize_advantage", "ppo", true, CHECKPOINT_HOLDS, "Normalise advantages within each mini-batch.");

    /** {@code target_kl}. */
    public static final ConfigField<Optional<Double>> TARGET_KL = ConfigField.optionalNumber(
            "target_kl", "ppo", 0, CHECKPOINT_HOLDS, "Stop an update above 1.5 times this KL divergence.");

    /** {@code net_arch}. */
    public static final ConfigField<List<Integer>> NET_ARCH = ConfigField.layers(
            "net_arch",
            "network",
            List.of(64, 64),
            MUST_BE_SAME,
            "Widths of the hidden layers, the same for policy and value function.");

    /** {@code net_arch_vf}. */
    public static final ConfigField<Optional<List<Integer>>> NET_ARCH_VF = ConfigField.optionalLayers(
            "net_arch_vf", "network", MUST_BE_SAME, "Widths for the value function where they differ from net_arch.");

    /** {@code net_arch_shared}. */
    public static final ConfigField<List<Integer>> NET_ARCH_SHARED = ConfigField.layers(
            "net_arch_shared",
            "network",
            List.of(),
            MUST_BE_SAME,
            "Widths of hidden layers that both share, before their own.");

    /** {@code activation}. */
    public static final ConfigField<String> ACTIVATION = ConfigField.choice(
            "activation",
            "network",
            ordered("tanh", "tanh", "relu", "relu"),
            MUST_BE_SAME,
            "After every hidden layer.");

    /** {@code ortho_init}. */
    public static final ConfigField<Boolean> ORTHO_INIT = ConfigField.flag(
            "ortho_init", "network", true, MUST_BE_SAME, "Start from orthogonal weights, not PyTorch's uniform ones.");

    /** {@code log_std_init}. */
    public static final ConfigField<Double> LOG_STD_INIT = ConfigField.number(
            "log_std_init", "network", 0, -20, 20, MUST_BE_SAME, "First log standard deviation of Box actions.");

    /** {@code normalize_observation}. */
    public static final ConfigField<Boolean> NORMALIZE_OBSERVATION = ConfigField.flag(
            "normalize_observation",
            "normalization",
            false,
            MUST_BE_SAME,
            "Normalise observations by their running mean and deviation.");

    /** {@code normalize_reward}. */
    public static final ConfigField<Boolean> NORMALIZE_REWARD = ConfigField.flag(
            "normalize_reward",
            "normalization",
            false,
            MUST_BE_SAME,
            "Divide rewards by the running deviation of the discounted return.");

    /** {@code eval_episodes}. */
    public static final ConfigField<Integer> EVAL_EPISODES = ConfigField.integer(
            "eval_episodes", "evaluation", 10, 0, 1_000_000, NEW_VALUE_HOLDS, "Episodes of an evaluation; 0 for none.");

    /** {@code eval_every}. */
    public static final ConfigField<Long> EVAL_EVERY = ConfigField.wholeNumber(
            "eval_every",
            "evaluation",
            0,
            0,
            Long.MAX_VALUE,
            NEW_VALUE_HOLDS,
            "Steps between evaluations, which keep the best model; 0 evaluates at the end only.");

    /** {@code model}. */
    public static final ConfigField<Optional<Path>> MODEL = ConfigField.path(
            "model",
            "files",
            NEW_VALUE_HOLDS,
            "Where the model goes; its folder is the run's. A new one under runs/ if not given.");

    /** {@code init}. */
    public static final ConfigField<Optional<Path>> INIT =
            ConfigField.path("init", "files", NEVER_KEPT, "A model whose weights this new run starts from.");

    /** {@code resume}. */
    public static final ConfigField<Boolean> RESUME =
            ConfigField.flag("resume", "files", false, NEVER_KEPT, "Go on with the run that is at --model.");

    /** {@code force}. */
    public static final ConfigField<Boolean> FORCE =
            ConfigField.flag("force", "files", false, NEVER_KEPT, "Start anew and replace the run that is at --model.");

    /** {@code checkpoint_every}. */
    public static final ConfigField<Long> CHECKPOINT_EVERY = ConfigField.wholeNumber(
            "checkpoint_every",
            "files",
            0,
            0,
            Long.MAX_VALUE,
            NEW_VALUE_HOLDS,
            "Steps between checkpoints; 0 for none.");

    /** {@code checkpoint_keep}. */
    public static final ConfigField<Integer> CHECKPOINT_KEEP = ConfigField.integer(
            "checkpoint_keep", "files", 5, 1, 1_000_000, NEW_VALUE_HOLDS, "How many checkpoints to keep.");

    /** {@code recovery_every}. */
    public static final ConfigField<Long> RECOVERY_EVERY = ConfigField.wholeNumber(
            "recovery_every",
            "files",
            50_000,
            0,
            Long.MAX_VALUE,
            NEW_VALUE_HOLDS,
            "Steps between renewals of the rolling recovery point; 0 for none.");

    /** {@code control_file}. */
    public static final ConfigField<Optional<Path>> CONTROL_FILE = ConfigField.path(
            "control_file", "files", NEVER_KEPT, "A JSON file through which another process pauses and stops the run.");

    /** {@code tensorboard}. */
    public static final ConfigField<Boolean> TENSORBOARD =
            ConfigField.flag("tensorboard", "output", true, NEW_VALUE_HOLDS, "Write TensorBoard event files.");

    /** {@code progress_json}. */
    public static final ConfigField<Boolean> PROGRESS_JSON = ConfigField.flag(
            "progress_json", "output", false, NEVER_KEPT, "Print progress and events as lines of JSON.");

    /** {@code verbose}. */
    public static final ConfigField<Integer> VERBOSE = ConfigField.integer(
            "verbose",
            "output",
            1,
            0,
            2,
            NEVER_KEPT,
            "0 prints the result alone, 1 a table a second at most, 2 a table an iteration.");

    /** All fields. */
    public static final List<ConfigField<?>> ALL = List.of(
            ENV,
            ENV_ARGS,
            PROBLEM,
            STAGE,
            CONFIG_PROFILE,
            REWARD_PROFILE,
            TIMESTEPS,
            SEED,
            ENVS,
            VEC_ENV,
            WORKER_ENVS,
            WORKER_TIMEOUT,
            WORKER_RESTARTS,
            WORKER_JVM_OPTIONS,
            BACKEND,
            DEVICE,
            THREADS,
            MAX_WALL_S,
            ROLLOUT_STEPS,
            BATCH_SIZE,
            N_EPOCHS,
            GAMMA,
            GAE_LAMBDA,
            LEARNING_RATE,
            CLIP_RANGE,
            CLIP_RANGE_VF,
            ENT_COEF,
            VF_COEF,
            MAX_GRAD_NORM,
            NORMALIZE_ADVANTAGE,
            TARGET_KL,
            NET_ARCH,
            NET_ARCH_VF,
            NET_ARCH_SHARED,
            ACTIVATION,
            ORTHO_INIT,
            LOG_STD_INIT,
            NORMALIZE_OBSERVATION,
            NORMALIZE_REWARD,
            EVAL_EPISODES,
            EVAL_EVERY,
            MODEL,
            INIT,
            RESUME,
            FORCE,
            CHECKPOINT_EVERY,
            CHECKPOINT_KEEP,
            RECOVERY_EVERY,
            CONTROL_FILE,
            TENSORBOARD,
            PROGRESS_JSON,
            VERBOSE);

    private Fields() {}

    /**
     * Returns the field of a key.
     *
     * @param key for example {@code n_epochs}
     * @return empty if there is none
     */
    public static Optional<ConfigField<?>> named(String key) {
        return ALL.stream().filter(field -> field.key().equals(key)).findFirst();
    }

    private static Map<String, String> ordered(String... pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
