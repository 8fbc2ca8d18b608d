package dev.holdfast.rl.api.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ParameterTest {
    private static final Parameter SIZE = Parameter.integer("size", 8, 4, 64, "the side of the board");
    private static final Parameter WIND = Parameter.number("wind", 0.5, -1, 1, "how strong it blows");
    private static final Parameter ICY = Parameter.flag("icy", false, "whether the ground is slippery");
    private static final Parameter MAP = Parameter.choice("map", List.of("small", "large"), "which map");
    private static final Parameter NAME = Parameter.text("name", "", "anything");

    private static Stream<Arguments> mistakes() {
        String size = "environment parameter size must be a whole number in [4, 64], but was ";
        String wind = "environment parameter wind must be a number in [-1.0, 1.0], but was ";
        return Stream.of(
                Arguments.of(SIZE, "3", size + "'3'"),
                Arguments.of(SIZE, "65", size + "'65'"),
                Arguments.of(SIZE, "8.5", size + "'8.5'"),
                Arguments.of(SIZE, "99999999999999999999", size + "'99999999999999999999'"),
                Arguments.of(SIZE, "", size + "''"),
                Arguments.of(WIND, "2", wind + "'2'"),
                Arguments.of(WIND, "NaN", wind + "'NaN'"),
                Arguments.of(WIND, "strong", wind + "'strong'"),
                Arguments.of(ICY, "yes", "environment parameter icy must be true or false, but was 'yes'"),
                Arguments.of(MAP, "huge", "environment parameter map must be one of [small, large], but was 'huge'"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void refusesAValueThatBreaksItsRule(Parameter parameter, String value, String message) {
        assertThatThrownBy(() -> parameter.check(value))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(message);
    }

    @Test
    void acceptsWhatIsAllowed() {
        assertThatCode(() -> {
                    SIZE.check("4");
                    SIZE.check(" 64 ");
                    WIND.check("-1");
                    WIND.check("1e-3");
                    ICY.check("true");
                    MAP.check("large");
                    NAME.check("whatever");
                })
                .doesNotThrowAnyException();
    }

    @Test
    void aDefaultMustBeAllowed() {
        assertThatThrownBy(() -> Parameter.integer("size", 3, 4, 64, ""))
                .isInstanceOf(InvalidConfigurationException.class);
        assertThat(MAP.defaultValue()).isEqualTo("small");
    }
}
