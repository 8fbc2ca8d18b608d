package dev.holdfast.rl.api.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.rl.api.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    @Test
    void constantNeverChanges() {
        assertThat(Schedule.constant(3e-4).at(1)).isEqualTo(3e-4);
        assertThat(Schedule.constant(3e-4).at(0)).isEqualTo(3e-4);
    }

    @Test
    void linearGoesInAStraightLine() {
        Schedule schedule = Schedule.linear(0.2, 0.1);
        assertThat(schedule.at(1)).isCloseTo(0.2, within(1e-15));
        assertThat(schedule.at(0.5)).isCloseTo(0.15, within(1e-15));
        assertThat(schedule.at(0)).isEqualTo(0.1);
        assertThat(Schedule.linear(0.001).at(0.25)).isEqualTo(0.00025);
        assertThat(Schedule.linear(0.001).at(0)).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.1 | 0.1",
                "3e-4 | 3.0E-4",
                " 1 | 1.0",
                "linear(0.001) | linear(0.001)",
                "linear( 0.2 , 0.1 ) | linear(0.2,0.1)",
                "linear(0.2,0) | linear(0.2)",
                "lin_0.001 | linear(0.001)"
            })
    void isReadFromTextAndWrittenBack(String text, String canonical) {
        Schedule schedule = Schedule.parse(text, "learning_rate");
        assertThat(schedule.text()).isEqualTo(canonical);
        assertThat(Schedule.parse(schedule.text(), "learning_rate")).isEqualTo(schedule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "fast", "linear", "linear()", "linear(1,2,3)", "linear(1,)", "linear(1", "lin_", "lin_x"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> Schedule.parse(text, "clip_range"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("clip_range must be a number, linear(start) or linear(start,end), but was '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "1e999", "-Infinity", "linear(NaN)", "linear(1,Infinity)", "lin_NaN"})
    void refusesWhatIsNotFinite(String text) {
        assertThatThrownBy(() -> Schedule.parse(text, "clip_range"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("clip_range must be finite, but was '" + text + "'");
    }

    @Test
    void aUsersOwnCannotBeReadBack() {
        Schedule own = progress -> progress * progress;
        assertThat(own.text()).isEqualTo("custom");
        assertThatThrownBy(() -> Schedule.parse("custom", "learning_rate"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "learning_rate was a schedule written in Java, which no file can hold: pass it again in Java");
        assertThatThrownBy(() -> new Schedule.Unavailable("learning_rate", 0.1).at(1))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "learning_rate was a schedule written in Java, which no file can hold: pass it again in Java");
        assertThat(new Schedule.Unavailable("learning_rate", 0.1).text()).isEqualTo("custom");
    }
}
