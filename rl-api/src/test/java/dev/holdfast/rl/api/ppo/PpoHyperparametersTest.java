package dev.holdfast.rl.api.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PpoHyperparametersTest {
    /** The defaults with some values replaced. */
    private static final class Draft {
        int rolloutSteps = 2048;
        int batchSize = 64;
        int epochs = 10;
        double gamma = 0.99;
        double gaeLambda = 0.95;
        Schedule learningRate = Schedule.constant(3e-4);
        Schedule clipRange = Schedule.constant(0.2);
        Schedule clipRangeVf;
        double entCoef;
        double vfCoef = 0.5;
        double maxGradNorm = 0.5;
        Double targetKl;

        PpoHyperparameters build() {
            return new PpoHyperparameters(
                    rolloutSteps,
                    batchSize,
                    epochs,
                    gamma,
                    gaeLambda,
                    learningRate,
                    clipRange,
                    clipRangeVf,
                    entCoef,
                    vfCoef,
                    maxGradNorm,
                    true,
                    targetKl);
        }
    }

    private static Arguments mistake(UnaryOperator<Draft> change, String message) {
        return Arguments.of(change, message);
    }

    private static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake(
                        d -> {
                            d.rolloutSteps = 0;
                            return d;
                        },
                        "rollout_steps must be at least 1, but was 0"),
                mistake(
                        d -> {
                            d.batchSize = 1;
                            return d;
                        },
                        "batch_size must be at least 2, but was 1"),
                mistake(
                        d -> {
                            d.epochs = 0;
                            return d;
                        },
                        "n_epochs must be at least 1, but was 0"),
                mistake(
                        d -> {
                            d.gamma = 1.2;
                            return d;
                        },
                        "gamma must be in [0, 1], but was 1.2"),
                mistake(
                        d -> {
                            d.gamma = Double.NaN;
                            return d;
                        },
                        "gamma must be in [0, 1], but was NaN"),
                mistake(
                        d -> {
                            d.gaeLambda = -0.1;
                            return d;
                        },
                        "gae_lambda must be in [0, 1], but was -0.1"),
                mistake(
                        d -> {
                            d.learningRate = Schedule.constant(-1);
                            return d;
                        },
                        "learning_rate must be a finite number of at least 0, but was -1.0"),
                mistake(
                        d -> {
                            d.learningRate = Schedule.linear(0.1, -0.1);
                            return d;
                        },
                        "learning_rate must be a finite number of at least 0, but was -0.1"),
                mistake(
                        d -> {
                            d.learningRate = progress -> Double.NaN;
                            return d;
                        },
                        "learning_rate must be a finite number of at least 0, but was NaN"),
                mistake(
                        d -> {
                            d.clipRange = Schedule.constant(0);
                            return d;
                        },
                        "clip_range must start above 0, but was 0.0"),
                mistake(
                        d -> {
                            d.clipRangeVf = Schedule.linear(0, 1);
                            return d;
                        },
                        "clip_range_vf must start above 0, but was linear(0.0,1.0)"),
                mistake(
                        d -> {
                            d.entCoef = -1;
                            return d;
                        },
                        "ent_coef must be a finite number of at least 0, but was -1.0"),
                mistake(
                        d -> {
                            d.vfCoef = Double.POSITIVE_INFINITY;
                            return d;
                        },
                        "vf_coef must be a finite number of at least 0, but was Infinity"),
                mistake(
                        d -> {
                            d.maxGradNorm = 0;
                            return d;
                        },
                        "max_grad_norm must be above 0, but was 0.0"),
                mistake(
                        d -> {
                            d.targetKl = 0.0;
                            return d;
                        },
                        "target_kl must be above 0, but was 0.0"),
                mistake(
                        d -> {
                            d.targetKl = Double.NaN;
                            return d;
                        },
                        "target_kl must be a finite number of at least 0, but was NaN"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void refusesAValueThatBreaksItsRule(UnaryOperator<Draft> change, String message) {
        Draft draft = change.apply(new Draft());
        assertThatThrownBy(draft::build)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(message);
    }

    @Test
    void acceptsTheLimits() {
        Draft draft = new Draft();
        draft.gamma = 1;
        draft.gaeLambda = 0;
        draft.learningRate = Schedule.linear(1e-3);
        draft.clipRange = Schedule.linear(0.2);
        draft.clipRangeVf = Schedule.linear(0.2);
        draft.batchSize = 2;
        assertThatCode(draft::build).doesNotThrowAnyException();
    }

    @Test
    void defaultsAreTheReferenceImplementations() {
        assertThat(new Draft().build()).isEqualTo(PpoHyperparameters.DEFAULTS);
    }

    @Test
    void aMiniBatchHoldsNoMoreThanARolloutCollects() {
        Draft draft = new Draft();
        draft.rolloutSteps = 8;
        draft.batchSize = 33;
        PpoHyperparameters hyperparameters = draft.build();
        assertThatThrownBy(() -> hyperparameters.checkWith(4))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("batch_size must be at most rollout_steps times envs = 8 * 4 = 32, but was 33");
        assertThatCode(() -> hyperparameters.checkWith(5)).doesNotThrowAnyException();
        assertThatThrownBy(() -> hyperparameters.checkWith(Integer.MAX_VALUE))
                .hasMessageStartingWith("rollout_steps times envs must be at most 2^28");
    }

    @Test
    void saysWhatTheLastMiniBatchHolds() {
        Draft draft = new Draft();
        draft.rolloutSteps = 8;
        draft.batchSize = 32;
        assertThat(draft.build().remainder(4)).isZero();
        assertThat(draft.build().remainder(5)).isEqualTo(8);
    }

    @Test
    void settingsAreTheSchedulesAtAPointOfTheRun() {
        Draft draft = new Draft();
        draft.learningRate = Schedule.linear(1e-3);
        draft.clipRange = Schedule.linear(0.2, 0.1);
        draft.targetKl = 0.02;
        UpdateSettings half = UpdateSettings.at(draft.build(), 0.5);
        assertThat(half.learningRate()).isEqualTo(5e-4);
        assertThat(half.clipRange()).isCloseTo(0.15, org.assertj.core.api.Assertions.within(1e-15));
        assertThat(half.clipRangeVf()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(half.maxKl()).isEqualTo(0.03);
        // Beyond the planned end, the reference implementation's learning rate becomes negative.
        assertThat(UpdateSettings.at(draft.build(), -0.1).learningRate()).isZero();
        assertThat(UpdateSettings.at(draft.build(), 1.1).learningRate()).isEqualTo(1e-3);
        draft.targetKl = null;
        draft.clipRangeVf = Schedule.constant(0.3);
        assertThat(UpdateSettings.at(draft.build(), 1).maxKl()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(UpdateSettings.at(draft.build(), 1).clipRangeVf()).isEqualTo(0.3);
    }
}
