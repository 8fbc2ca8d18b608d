package dev.holdfast.examples.environments.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.training.runtime.PolicyPlayer;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** No masked environment ever gets an action that it masks, in training, in evaluation, or when a saved policy plays. */
class MasksTest {
    private static final Logger LOG = LoggerFactory.getLogger(MasksTest.class);

    @TempDir
    Path folder;

    private ClassLoader before;
    private URLClassLoader loader;

    /** An environment that users can choose: a provider, a problem, and at most one parameter that isn't its default. */
    private record Variant(String environment, int problem, String argument) {
        Environment create() {
            EnvironmentProvider provider = Environments.named(CheckedProvider.NAME);
            return provider.create(EnvironmentOptions.of(provider, arguments(), 1, 1, ""));
        }

        Map<String, String> arguments() {
            return CheckedProvider.arguments(environment, problem, argument);
        }
    }

    /** Makes the checking provider known to this test alone. */
    @BeforeEach
    void setUp() throws IOException {
        Path services = Files.createDirectories(folder.resolve("classpath/META-INF/services"));
        Files.writeString(services.resolve(EnvironmentProvider.class.getName()), CheckedProvider.class.getName());
        before = Thread.currentThread().getContextClassLoader();
        URL root = folder.resolve("classpath").toUri().toURL();
        loader = new URLClassLoader(new URL[] {root}, before);
        Thread.currentThread().setContextClassLoader(loader);
    }

    @AfterEach
    void tearDown() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        loader.close();
    }

    @Test
    void areNeverViolated() {
        play(100_000);
    }

    @Test
    @Tag("faults")
    void areNeverViolatedInTenMillionActions() {
        play(10_000_000);
    }

    @Test
    void aViolationWouldBeSeen() {
        Variant variant = new Variant("InvalidAction-v0", 1, "");
        try (Environment environment = variant.create()) {
            environment.reset(1);
            boolean[] mask = environment.actionMask();
            int masked = 0;
            while (mask[masked]) {
                masked++;
            }
            Action action = Action.of(masked);
            assertThatThrownBy(() -> environment.step(action))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("InvalidAction-v0 got the masked action [" + masked + ".0]");
        }
    }

    private void play(long actions) {
        List<Variant> variants = masked();
        assertThat(variants)
                .extracting(Variant::environment)
                .contains("InvalidAction-v0", BerthAllocationProvider.NAME, FleetProvider.NAME);
        long start = CheckedProvider.ACTIONS.sum();
        for (int i = 0; i < variants.size(); i++) {
            play(variants.get(i), start + actions * (i + 1) / variants.size(), actions / variants.size());
        }
        assertThat(CheckedProvider.ACTIONS.sum() - start).isGreaterThanOrEqualTo(actions);
        LOG.info(
                "no mask was violated in {} actions of {} environments",
                CheckedProvider.ACTIONS.sum() - start,
                variants.size());
    }

    /** Half of the actions in training; then evaluations, and the saved policy's own and sampled actions. */
    private void play(Variant variant, long end, long actions) {
        Path model = folder.resolve("runs").resolve(variant.toString().replaceAll("\\W+", "-") + actions);
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, CheckedProvider.NAME)
                .set(Fields.ENV_ARGS, variant.arguments())
                .set(Fields.MODEL, Optional.of(model.resolve("model.zip")))
                .set(Fields.TIMESTEPS, actions / 2)
                .set(Fields.ENVS, 8)
                .set(Fields.ROLLOUT_STEPS, 64)
                .set(Fields.BATCH_SIZE, 256)
                .set(Fields.N_EPOCHS, 1)
                .set(Fields.NET_ARCH, List.of(16))
                .set(Fields.EVAL_EPISODES, 10)
                .set(Fields.EVAL_EVERY, Math.max(actions / 8, 1))
                .build();
        Trainer.of(config).build().train();
        for (long seed = 0; CheckedProvider.ACTIONS.sum() < end; seed++) {
            PolicyPlayer.play(model.resolve("model.zip"), Map.of(), 20, seed, seed % 2 == 0);
        }
    }

    private static List<Variant> masked() {
        List<Variant> variants = new ArrayList<>();
        for (EnvironmentProvider provider : Environments.all()) {
            if (provider instanceof CheckedProvider) {
                continue;
            }
            for (int problem = 1; problem <= provider.problems().size(); problem++) {
                for (String argument : arguments(provider)) {
                    Variant variant = new Variant(provider.name(), problem, argument);
                    try (Environment environment = variant.create()) {
                        environment.reset(1);
                        if (environment.actionMask() != null) {
                            variants.add(variant);
                        }
                    }
                }
            }
        }
        return variants;
    }

    /** Nothing but defaults, and every other choice or switch. */
    private static List<String> arguments(EnvironmentProvider provider) {
        return Stream.concat(
                        Stream.of(""),
                        provider.parameters().stream()
                                .flatMap(parameter -> values(parameter)
                                        .filter(value -> !value.equals(parameter.defaultValue()))
                                        .map(value -> parameter.name() + "=" + value)))
                .toList();
    }

    private static Stream<String> values(Parameter parameter) {
        return switch (parameter.type()) {
            case CHOICE -> parameter.choices().stream();
            case BOOLEAN -> Stream.of("true", "false");
            default -> Stream.of();
        };
    }
}
