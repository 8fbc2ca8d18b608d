package dev.holdfast.training.runtime;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.checkpoint.Checkpoint;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.EnvironmentProvider.ConfigProfile;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.ppo.PpoHyperparameters;
import dev.holdfast.training.runtime.checkpoint.CheckpointDirectory;
import dev.holdfast.training.runtime.checkpoint.Recovery;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import dev.holdfast.training.runtime.config.ConfigFile;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.vector.EnvironmentSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a run is to do, found out and checked before anything on disk changes.
 *
 * @param config complete: the environment's profile, or the resumed run's configuration, is worked in
 * @param hyperparameters the hyperparameters of the configuration
 * @param source where environments come from
 * @param resumed the state to go on from, or null
 * @param init whose weights to start from, or null
 */
record RunPlan(
        TrainingConfig config,
        PpoHyperparameters hyperparameters,
        EnvironmentSource source,
        @Nullable Checkpoint resumed,
        @Nullable Checkpoint init) {
    private static final Logger LOG = LoggerFactory.getLogger(RunPlan.class);

    static final String CONFIG_FILE = "config.json";

    static RunPlan of(
            TrainingConfig given,
            @Nullable Supplier<? extends Environment> environment,
            CheckpointDirectory directory) {
        return given.get(Fields.RESUME) ? resumed(given, environment, directory) : fresh(given, environment, directory);
    }

    private static RunPlan resumed(
            TrainingConfig given,
            @Nullable Supplier<? extends Environment> environment,
            CheckpointDirectory directory) {
        Recovery recovery = directory.recover();
        Checkpoint checkpoint = recovery.checkpoint();
        if (checkpoint == null) {
            String damaged = recovery.problems().isEmpty() ? "" : "; " + String.join("; ", recovery.problems());
            throw new InvalidConfigurationException("resume needs a run at model " + directory.model()
                    + ", but there is no complete checkpoint of one" + damaged);
        }
        TrainingConfig config = ResumedConfig.merge(given, earlier(directory), checkpoint);
        return new RunPlan(config, config.hyperparameters(), source(config, environment), checkpoint, null);
    }

    /** Returns what the run's {@code config.json} says; without one, what the checkpoint holds is enough to go on. */
    private static Map<String, String> earlier(CheckpointDirectory directory) {
        Path file = directory.run().resolve(CONFIG_FILE);
        String problem;
        try {
            Map<String, String> earlier = ConfigFile.read(file);
            String model = ConfigFile.modelName(earlier).orElse("");
            if (model.equals(directory.stem()) || model.equals(directory.stem() + ".zip")) {
                return earlier;
            }
            problem = file + (earlier.isEmpty() ? " is missing" : " is of another model, '" + model + "'");
        } catch (HoldfastException e) {
            problem = String.valueOf(e.getMessage());
        }
        LOG.warn("options that the checkpoint doesn't hold have their defaults, or what is given now: {}", problem);
        return Map.of();
    }

    private static RunPlan fresh(
            TrainingConfig given,
            @Nullable Supplier<? extends Environment> environment,
            CheckpointDirectory directory) {
        if (!given.get(Fields.FORCE) && directory.isOccupied()) {
            throw new InvalidConfigurationException("model " + directory.model()
                    + " already exists, or checkpoints of it do: give --resume to go on with that run, --force to replace it, or"
                    + " another --model");
        }
        TrainingConfig config = environment == null ? withProfile(given) : given;
        PpoHyperparameters hyperparameters = config.hyperparameters();
        int environments = config.get(Fields.ENVS);
        hyperparameters.checkWith(environments);
        if (hyperparameters.rolloutSteps() > config.get(Fields.TIMESTEPS)) {
            throw new InvalidConfigurationException(
                    "rollout_steps must be at most timesteps = " + config.get(Fields.TIMESTEPS)
                            + ", but was " + hyperparameters.rolloutSteps()
                            + ": not one rollout would be as long as planned; lower rollout_steps or raise timesteps");
        }
        int remainder = hyperparameters.remainder(environments);
        if (remainder > 0) {
            LOG.warn(
                    "batch_size {} does not divide rollout_steps * envs = {} * {}: the last mini-batch of each epoch has {}"
                            + " sample(s){}",
                    hyperparameters.batchSize(),
                    hyperparameters.rolloutSteps(),
                    environments,
                    remainder,
                    remainder == 1 ? ", whose advantage can't be normalised" : "");
        }
        Optional<Path> init = config.get(Fields.INIT);
        return new RunPlan(
                config,
                hyperparameters,
                source(config, environment),
                null,
                init.map(new ZipCheckpointStore()::load).orElse(null));
    }

    private static TrainingConfig withProfile(TrainingConfig given) {
        EnvironmentProvider provider = provider(given);
        List<ConfigProfile> profiles = provider.configProfiles();
        String name = given.get(Fields.CONFIG_PROFILE);
        if (name.equals("none") || (name.isEmpty() && profiles.isEmpty())) {
            return given;
        }
        ConfigProfile profile = profiles.stream()
                .filter(candidate -> name.isEmpty() || candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidConfigurationException("config_profile must be none or one of "
                        + profiles.stream().map(ConfigProfile::name).toList() + " for environment " + provider.name()
                        + ", but was '" + name + "'"));
        return given.toBuilder()
                .set(Fields.CONFIG_PROFILE, profile.name())
                .build()
                .withDefaults(profile.settings());
    }

    static EnvironmentSource source(TrainingConfig config, @Nullable Supplier<? extends Environment> environment) {
        if (environment != null) {
            return EnvironmentSource.of(environment);
        }
        EnvironmentProvider provider = provider(config);
        EnvironmentOptions options = EnvironmentOptions.of(
                provider,
                config.get(Fields.ENV_ARGS),
                config.get(Fields.PROBLEM),
                config.get(Fields.STAGE),
                config.get(Fields.REWARD_PROFILE));
        return EnvironmentSource.of(provider, options);
    }

    private static EnvironmentProvider provider(TrainingConfig config) {
        String name = config.get(Fields.ENV);
        if (name.equals(Fields.ENV.defaultValue())) {
            throw new InvalidConfigurationException("env must name an environment on the class path, but was '" + name
                    + "', an application's own: only that application can train, resume or play it, which gives the environment"
                    + " to its Trainer");
        }
        return Environments.named(name);
    }
}
