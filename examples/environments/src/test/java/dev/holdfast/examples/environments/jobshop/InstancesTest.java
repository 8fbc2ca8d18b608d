package dev.holdfast.examples.environments.jobshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstancesTest {
    @Test
    void allFamiliesAreThere() {
        assertThat(Instances.all())
                .hasSize(3 + 40 + 5 + 10 + 20 + 4 + 80)
                .containsKeys(
                        "ft06", "ft10", "ft20", "la01", "la40", "abz5", "abz9", "orb01", "orb10", "swv01", "swv20")
                .containsKeys("yn1", "yn4", "ta01", "ta80");
        assertThat(Instances.all().values())
                .allSatisfy(instance ->
                        assertThat(Instances.all().get(instance.name())).isSameAs(instance));
    }

    /** The first and the last job of ft06, as Fisher and Thompson printed them. */
    @Test
    void operationsAreInTheJobsOrder() {
        JobShopInstance ft06 = Instances.all().get("ft06");
        assertThat(ft06.jobs()).isEqualTo(6);
        assertThat(ft06.machines()).isEqualTo(6);
        int[] machines = {2, 0, 1, 3, 5, 4, 1, 3, 5, 0, 4, 2};
        int[] durations = {1, 3, 6, 7, 3, 6, 3, 3, 9, 10, 4, 1};
        for (int place = 0; place < 6; place++) {
            assertThat(ft06.machine(place)).isEqualTo(machines[place]);
            assertThat(ft06.duration(place)).isEqualTo(durations[place]);
            assertThat(ft06.machine(30 + place)).isEqualTo(machines[6 + place]);
            assertThat(ft06.duration(30 + place)).isEqualTo(durations[6 + place]);
            assertThat(ft06.operation(5, machines[6 + place])).isEqualTo(30 + place);
        }
    }

    @ParameterizedTest
    @CsvSource({"ft06,55,55", "ft10,930,930", "la01,666,666", "la40,1222,1222", "ta01,1231,1231", "swv06,1591,1678"})
    void boundsAreThosePublished(String name, int lower, int upper) {
        assertThat(Instances.all().get(name).lowerBound()).hasValue(lower);
        assertThat(Instances.all().get(name).upperBound()).hasValue(upper);
    }

    @Test
    void boundsThatAreNotListedAreEmpty() {
        assertThat(Instances.all().values())
                .filteredOn(instance -> instance.upperBound().isEmpty())
                .hasSize(10)
                .allSatisfy(instance -> assertThat(instance.lowerBound()).isEqualTo(OptionalInt.empty()))
                .extracting(JobShopInstance::name)
                .startsWith("ta71")
                .endsWith("ta80");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            problem a 2 2 - -;0 1 1 1;1 1 0 1    | an instance must begin with "instance NAME JOBS MACHINES LOWER UPPER", but there was "problem a 2 2 - -"
            instance a 2 2 -;0 1 1 1;1 1 0 1     | an instance must begin with "instance NAME JOBS MACHINES LOWER UPPER", but there was "instance a 2 2 -"
            instance a 2 2 - -;0 1 1 1           | a: job 1 must have 4 numbers, a machine and a duration for each operation, but had 0
            instance a 2 2 - -;0 1 1;1 1 0 1     | a: job 0 must have 4 numbers, a machine and a duration for each operation, but had 3
            instance a 2 2 - -;0 1 1 1;0 1 0 1   | a: job 1 must visit each of the machines 0 to 1 once
            instance a 2 2 - -;0 1 2 1;0 1 1 1   | a: job 0 must visit each of the machines 0 to 1 once
            instance a 2 2 - -;0 1 1 -1;0 1 1 1  | a: the duration of operation 1 of job 0 must be at least 0, but was -1
            instance a 1 2 - -;0 0 1 0           | a: some operation must take time
            instance a 1 1 5 4;0 4               | a: the lower bound 5 must be at most the upper bound 4
            instance a 1 1 - -;0 4;instance a 1 1 - -;0 4 | there must be one instance of a name, but there are two of a
            """)
    void wrongFilesAreRefused(String file, String message) {
        assertThatThrownBy(() -> Instances.parse(List.of(file.split(";", -1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
