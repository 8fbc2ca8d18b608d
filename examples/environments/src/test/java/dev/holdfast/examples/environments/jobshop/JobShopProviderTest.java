package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.environment.EnvironmentChecker;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.Environments;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobShopProviderTest {
    private static JobShopEnvironment create(Map<String, String> arguments, int problem, int stage, String reward) {
        JobShopProvider provider = new JobShopProvider();
        return (JobShopEnvironment) provider.create(EnvironmentOptions.of(provider, arguments, problem, stage, reward));
    }

    @Test
    void isFoundByName() {
        assertThat(Environments.named("job-shop")).isInstanceOf(JobShopProvider.class);
    }

    @ParameterizedTest
    @CsvSource({
        "1,1,time",
        "1,3,balanced",
        "2,2,balanced",
        "2,3,time",
        "3,1,time",
        "3,3,time",
        "4,2,time",
        "4,3,balanced"
    })
    void keepsTheContractOfEnvironments(int problem, int stage, String reward) {
        assertThat(EnvironmentChecker.check(() -> create(Map.of(), problem, stage, reward))
                        .findings(Severity.ERROR))
                .isEmpty();
    }

    @Test
    void spacesAreTheSameForAllProblemsAndStages() {
        JobShopEnvironment any = create(Map.of(), 1, 1, "time");
        for (int problem = 1; problem <= 4; problem++) {
            for (int stage = 1; stage <= 3; stage++) {
                JobShopEnvironment environment = create(Map.of("instance", "ta80"), problem, stage, "balanced");
                assertThat(environment.observationSpace()).isEqualTo(any.observationSpace());
                assertThat(environment.actionSpace()).isEqualTo(any.actionSpace());
            }
        }
    }

    /** Plays some episodes and returns the sizes of their instances. */
    private static Set<String> sizes(JobShopEnvironment environment) {
        Set<String> sizes = new LinkedHashSet<>();
        RandomStream random = new RandomStream(1);
        for (int i = 0; i < 40; i++) {
            Cases.randomEpisode(environment, random);
            Schedule schedule = environment.schedule();
            int jobs = schedule.tasks().stream().mapToInt(Task::job).max().orElse(0) + 1;
            int machines =
                    schedule.tasks().stream().mapToInt(Task::machine).max().orElse(0) + 1;
            sizes.add(jobs + "x" + machines);
        }
        return sizes;
    }

    @ParameterizedTest
    @CsvSource({
        "1,1,10x5,6x5",
        "1,2,10x5,10x5",
        "1,3,10x5,10x5",
        "2,1,12x11,6x6",
        "2,2,12x11,10x10",
        "2,3,12x11,12x11",
        "4,1,7x3,6x3",
        "4,3,7x3,7x3"
    })
    void stagesLimitTheSize(int problem, int stage, String size, String expected) {
        String[] numbers = size.split("x", -1);
        Map<String, String> arguments = Map.of("instance", "la01", "jobs", numbers[0], "machines", numbers[1]);

        assertThat(sizes(create(arguments, problem, stage, ""))).containsExactly(expected);
    }

    @Test
    void sizesAreMixedInProblem3() {
        Map<String, String> arguments = Map.of("jobs", "7", "machines", "6");

        assertThat(sizes(create(arguments, 3, 1, ""))).containsExactlyInAnyOrder("5x5", "5x6", "6x5", "6x6");
        assertThat(sizes(create(arguments, 3, 3, "")))
                .containsExactlyInAnyOrder("5x5", "5x6", "6x5", "6x6", "7x5", "7x6");
        assertThat(sizes(create(Map.of("jobs", "3", "machines", "2"), 3, 3, "")))
                .containsExactly("3x2");
    }

    /** No operation takes longer than 99, unless a repair takes its time. */
    @ParameterizedTest
    @CsvSource({"1,3,false", "2,3,false", "3,3,false", "4,1,false", "4,2,false", "4,3,true"})
    void machinesBreakDownInTheLastStageOfProblem4Alone(int problem, int stage, boolean down) {
        JobShopEnvironment environment = create(Map.of("uptime", "50", "repair", "200"), problem, stage, "");
        Cases.randomEpisode(environment, new RandomStream(1));
        assertThat(environment.schedule().tasks().stream().anyMatch(task -> task.end() - task.start() > 99))
                .isEqualTo(down);
    }

    @Test
    void instancesOfTheFirstStagesAreDrawnAnewAndTheLastOneIsTheInstanceItself() {
        JobShopEnvironment drawn = create(Map.of(), 1, 1, "");
        assertThat(drawn.reset(1)).isNotEqualTo(drawn.reset(2));
        JobShopEnvironment itself = create(Map.of(), 1, 3, "");
        assertThat(itself.reset(1)).isEqualTo(itself.reset(2));
        Cases.randomEpisode(itself, new RandomStream(1));
        assertThat(ScheduleValidator.faults(Cases.FT06, itself.schedule())).isEmpty();
    }

    @Test
    @DisplayName("B4: a problem or stage outside its range is rejected by name")
    void problemsAndStagesHaveRanges() {
        assertThatThrownBy(() -> create(Map.of(), 5, 1, ""))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("problem must be in [1, 4] for environment job-shop, but was 5");
        assertThatThrownBy(() -> create(Map.of(), 1, 9, ""))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("stage must be in [1, 3] for environment job-shop, but was 9");
    }

    @Test
    void unknownInstancesAndRewardsAreNamed() {
        assertThatThrownBy(() -> create(Map.of("instance", "la41"), 1, 1, ""))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "environment parameter instance must be one of ft06, ft10, ft20, la01 to la40, abz5 to abz9, orb01 to"
                                + " orb10, swv01 to swv20, yn1 to yn4 and ta01 to ta80, but was 'la41'");
        assertThatThrownBy(() -> create(Map.of(), 1, 1, "money"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("reward_profile must be one of [time, balanced] for environment job-shop, but was 'money'");
    }
}
