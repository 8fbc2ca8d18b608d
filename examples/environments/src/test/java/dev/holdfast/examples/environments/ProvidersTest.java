package dev.holdfast.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentChecker;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Finding;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Report;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.EnvironmentProvider.ConfigProfile;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.ppo.Schedule;
import dev.holdfast.rl.api.space.Discrete;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProvidersTest {
    private static Environment create(String name, Map<String, String> arguments) {
        EnvironmentProvider provider = Environments.named(name);
        return provider.create(EnvironmentOptions.of(provider, arguments, 1, 1, ""));
    }

    @Test
    void areFoundByName() {
        assertThat(Environments.all())
                .extracting(EnvironmentProvider::name)
                .contains(
                        "Acrobot-v1",
                        "CartPole-v1",
                        "FrozenLake-v1",
                        "InvalidAction-v0",
                        "LunarLander-v3",
                        "LunarLanderContinuous-v3",
                        "MountainCar-v0",
                        "MountainCarContinuous-v0",
                        "Pendulum-v1",
                        "Taxi-v3");
    }

    static List<Arguments> variants() {
        return List.of(
                arguments("Acrobot-v1", Map.of()),
                arguments("CartPole-v1", Map.of()),
                arguments("FrozenLake-v1", Map.of()),
                arguments("FrozenLake-v1", Map.of("map_name", "8x8", "is_slippery", "false")),
                arguments("InvalidAction-v0", Map.of()),
                arguments("LunarLander-v3", Map.of()),
                arguments("LunarLander-v3", Map.of("gravity", "-1.6")),
                arguments("LunarLanderContinuous-v3", Map.of()),
                arguments("MountainCar-v0", Map.of()),
                arguments("MountainCarContinuous-v0", Map.of()),
                arguments("Pendulum-v1", Map.of()),
                arguments("Taxi-v3", Map.of()),
                arguments("Taxi-v3", Map.of("action_mask", "true", "is_rainy", "true")));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void keepTheContractOfEnvironments(String name, Map<String, String> parameters) {
        Report report = EnvironmentChecker.check(() -> create(name, parameters));

        assertThat(report.findings(Severity.ERROR)).isEmpty();
        assertThat(report.findings(Severity.WARNING))
                .extracting(Finding::rule)
                .doesNotContain("saveState should give a state");
    }

    @Test
    void argumentsReachTheEnvironment() {
        try (Environment cartPole = create("CartPole-v1", Map.of("max_steps", "2"));
                Environment invalidAction =
                        create("InvalidAction-v0", Map.of("size", "10", "invalid", "7", "episode_length", "1"))) {
            cartPole.reset(1);
            assertThat(cartPole.step(Action.of(0)).truncated()).isFalse();
            assertThat(cartPole.step(Action.of(0)).truncated()).isTrue();

            invalidAction.reset(1);
            boolean[] mask = invalidAction.actionMask();
            assertThat(mask).hasSize(10);
            assertThat(invalidAction.actionSpace()).isEqualTo(new Discrete(10));
            assertThat(invalidAction.step(Action.of(0)).truncated()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CartPole-v1      | max_steps      | 0     | environment parameter max_steps must be a whole number in [1, 1000000], but was '0'
            CartPole-v1      | max_steps      | many  | environment parameter max_steps must be a whole number in [1, 1000000], but was 'many'
            CartPole-v1      | gravity        | 9     | env_args: environment CartPole-v1 has no parameter 'gravity'; it has [max_steps]
            InvalidAction-v0 | size           | 1     | environment parameter size must be a whole number in [2, 10000], but was '1'
            InvalidAction-v0 | size           | 60    | environment parameter invalid must be below size = 60, but was 60: the action that pays is never masked; lower invalid or raise size
            InvalidAction-v0 | invalid        | -1    | environment parameter invalid must be a whole number in [0, 9999], but was '-1'
            InvalidAction-v0 | invalid        | 80    | environment parameter invalid must be below size = 80, but was 80: the action that pays is never masked; lower invalid or raise size
            InvalidAction-v0 | episode_length | 0     | environment parameter episode_length must be a whole number in [1, 1000000], but was '0'
            LunarLander-v3   | gravity        | -13   | environment parameter gravity must be a number in [-12.0, 0.0], but was '-13'
            LunarLander-v3   | gravity        | 0.1   | environment parameter gravity must be a number in [-12.0, 0.0], but was '0.1'
            """)
    void wrongArgumentsAreNamed(String environment, String parameter, String value, String message) {
        assertThatThrownBy(() -> create(environment, Map.of(parameter, value)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(message);
    }

    @Test
    void profilesAreTheReferencesSettings() {
        assertThat(Environments.named("CartPole-v1").configProfiles())
                .extracting(ConfigProfile::name)
                .containsExactly("tuned", "reference");
        Map<String, String> tuned =
                Environments.named("CartPole-v1").configProfiles().get(0).settings();
        assertThat(Schedule.parse(tuned.get("learning_rate"), "learning_rate")).isEqualTo(Schedule.linear(0.001));
        assertThat(Schedule.parse(tuned.get("clip_range"), "clip_range")).isEqualTo(Schedule.linear(0.2));
        assertThat(Environments.named("InvalidAction-v0").configProfiles())
                .extracting(ConfigProfile::name)
                .containsExactly("tuned");
    }
}
