package dev.holdfast.rl.api.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentOptionsTest {
    /** An environment with a parameter of each kind. */
    private static final class Provider implements EnvironmentProvider {
        @Override
        public String name() {
            return "Lake-v1";
        }

        @Override
        public String description() {
            return "a lake";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(
                    Parameter.integer("size", 8, 4, 64, ""),
                    Parameter.number("wind", 0.5, -1, 1, ""),
                    Parameter.flag("icy", false, ""));
        }

        @Override
        public List<String> problems() {
            return List.of("first", "second");
        }

        @Override
        public List<String> rewardProfiles() {
            return List.of("sparse", "dense");
        }

        @Override
        public Environment create(EnvironmentOptions options) {
            throw new AssertionError("not created in this test");
        }
    }

    private static EnvironmentOptions of(Map<String, String> given, int problem, int stage, String profile) {
        return EnvironmentOptions.of(new Provider(), given, problem, stage, profile);
    }

    @Test
    void completesWhatWasGivenWithDefaults() {
        EnvironmentOptions options = of(Map.of("size", " 16", "icy", "true"), 2, 1, "");
        assertThat(options.integer("size")).isEqualTo(16);
        assertThat(options.number("wind")).isEqualTo(0.5);
        assertThat(options.flag("icy")).isTrue();
        assertThat(options.arguments()).containsOnlyKeys("size", "wind", "icy");
        assertThat(options.problem()).isEqualTo(2);
        assertThat(options.rewardProfile()).isEqualTo("sparse");
        assertThat(of(Map.of(), 1, 1, "dense").rewardProfile()).isEqualTo("dense");
    }

    @Test
    void namesWhatIsNotDeclared() {
        refused(
                () -> of(Map.of("depth", "3"), 1, 1, ""),
                "env_args: environment Lake-v1 has no parameter 'depth'; it has [size, wind, icy]");
        refused(
                () -> of(Map.of("size", "3"), 1, 1, ""),
                "environment parameter size must be a whole number in [4, 64], but was '3'");
        refused(() -> of(Map.of(), 3, 1, ""), "problem must be in [1, 2] for environment Lake-v1, but was 3");
        refused(() -> of(Map.of(), 1, 0, ""), "stage must be in [1, 1] for environment Lake-v1, but was 0");
        refused(
                () -> of(Map.of(), 1, 1, "rich"),
                "reward_profile must be one of [sparse, dense] for environment Lake-v1, but was 'rich'");
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable choice, String message) {
        assertThatThrownBy(choice)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(message);
    }

    @Test
    void anEnvironmentMayOnlyAskForWhatItDeclared() {
        assertThatThrownBy(() -> of(Map.of(), 1, 1, "").text("depth"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the provider declares no parameter 'depth'; it declares [size, wind, icy]");
    }

    @Test
    void cannotBeChanged() {
        EnvironmentOptions options = of(Map.of(), 1, 1, "");
        assertThatThrownBy(() -> options.arguments().put("size", "5"))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void namesTheEnvironmentsThatAreThere() {
        assertThatThrownBy(() -> Environments.named("Lake-v1"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("env must be one of " + names() + ", but was 'Lake-v1'");
    }

    @Test
    void namesAClassThatIsNoProvider(@TempDir Path folder) throws IOException {
        Path services = folder.resolve("META-INF/services/" + EnvironmentProvider.class.getName());
        Files.createDirectories(services.getParent());
        Files.writeString(services, "shop.Lake");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            assertThatThrownBy(Environments::all)
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageStartingWith("META-INF/services must name public classes with a public constructor")
                    .hasMessageEndingWith("Provider shop.Lake not found");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static List<String> names() {
        return Environments.all().stream().map(EnvironmentProvider::name).toList();
    }
}
