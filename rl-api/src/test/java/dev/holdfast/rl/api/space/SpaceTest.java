package dev.holdfast.rl.api.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.testing.Golden;
import java.util.Arrays;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SpaceTest {
    private static final float INF = Float.POSITIVE_INFINITY;

    private static Stream<Arguments> encodings() {
        return Stream.of(
                Arguments.of("Box (2,3)", Box.unbounded(2, 3)),
                Arguments.of("Discrete(5)", new Discrete(5)),
                Arguments.of("MultiDiscrete([3,2,4])", new MultiDiscrete(3, 2, 4)),
                Arguments.of("MultiBinary(4)", new MultiBinary(4)));
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void encodesLikeTheReferenceImplementation(String name, Space space) {
        for (JsonNode golden : Golden.load("preprocess").required("cases")) {
            if (golden.required("name").textValue().startsWith(name)) {
                float[] observations = Golden.floats(golden.required("obs"));
                float[] expected = Golden.floats(golden.required("features"));
                int rows = observations.length / space.size();
                assertThat(expected).hasSize(rows * space.featureSize());
                // What an earlier value left behind must be overwritten.
                float[] features = new float[expected.length];
                Arrays.fill(features, 7);
                for (int row = 0; row < rows; row++) {
                    assertThat(space.problem(observations, row * space.size())).isNull();
                    space.encode(observations, row * space.size(), features, row * space.featureSize());
                }
                assertThat(features).isEqualTo(expected);
                return;
            }
        }
        throw new AssertionError("no golden case " + name);
    }

    private static Stream<Arguments> problems() {
        return Stream.of(
                Arguments.of(new Discrete(3), new float[] {2}, null),
                Arguments.of(new Discrete(3), new float[] {3}, "must be an integer in [0, 2], but was 3.0"),
                Arguments.of(new Discrete(3), new float[] {-1}, "must be an integer in [0, 2], but was -1.0"),
                Arguments.of(new Discrete(3), new float[] {0.5f}, "must be an integer in [0, 2], but was 0.5"),
                Arguments.of(new Discrete(3), new float[] {Float.NaN}, "must be an integer in [0, 2], but was NaN"),
                Arguments.of(new MultiDiscrete(2, 3), new float[] {1, 2}, null),
                Arguments.of(
                        new MultiDiscrete(2, 3),
                        new float[] {2, 2},
                        "branch 0 must be an integer in [0, 1], but was 2.0"),
                Arguments.of(
                        new MultiDiscrete(2, 3),
                        new float[] {1, 3},
                        "branch 1 must be an integer in [0, 2], but was 3.0"),
                Arguments.of(
                        new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0),
                        new float[] {1, 3},
                        "branch 1 must be an integer in [0, 2], but was 3.0"),
                Arguments.of(new MultiBinary(2), new float[] {1, 0}, null),
                Arguments.of(new MultiBinary(2), new float[] {1, 0.5f}, "bit 1 must be 0 or 1, but was 0.5"),
                Arguments.of(new MultiBinary(2), new float[] {Float.NaN, 0}, "bit 0 must be 0 or 1, but was NaN"),
                Arguments.of(Box.of(-1, 2, 2), new float[] {-1, 2}, null),
                Arguments.of(Box.of(-1, 2, 2), new float[] {0, 2.5f}, "element 1 must be in [-1.0, 2.0], but was 2.5"),
                Arguments.of(Box.unbounded(2), new float[] {0, Float.MAX_VALUE}, null),
                Arguments.of(Box.unbounded(2), new float[] {0, Float.NaN}, "element 1 is NaN"),
                Arguments.of(Box.unbounded(2), new float[] {INF, 0}, "element 0 is Infinity"));
    }

    @ParameterizedTest
    @MethodSource("problems")
    void saysWhatIsWrongWithAValue(Space space, float[] value, String problem) {
        float[] shifted = new float[value.length + 2];
        System.arraycopy(value, 0, shifted, 2, value.length);
        assertThat(space.problem(shifted, 2)).isEqualTo(problem);
    }

    private static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake(() -> new Discrete(0), "Discrete n must be in [1, 2^24], but was 0"),
                mistake(() -> new Discrete((1 << 24) + 1), "Discrete n must be in [1, 2^24], but was 16777217"),
                mistake(() -> new MultiDiscrete(), "MultiDiscrete branches must not be empty, but was []"),
                mistake(
                        () -> new MultiDiscrete(2, 0),
                        "MultiDiscrete branches must have at least 1 choice each, but was [2, 0]"),
                mistake(
                        () -> new MultiDiscrete(1 << 24, 1),
                        "MultiDiscrete branches must have at most 2^24 choices in all, but was 16777217"),
                mistake(
                        () -> new ConditionalDiscrete(new MultiDiscrete(2, 3), -1),
                        "ConditionalDiscrete parents must have one for each of 2 branches, but was [-1]"),
                mistake(
                        () -> new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 1),
                        "ConditionalDiscrete parents must be earlier branches, or -1 for none, but was [-1, 1]"),
                mistake(
                        () -> new ConditionalDiscrete(new MultiDiscrete(2, 3), -2, 0),
                        "ConditionalDiscrete parents must be earlier branches, or -1 for none, but was [-2, 0]"),
                mistake(
                        () -> new ConditionalDiscrete(new MultiDiscrete(1 << 12, 1 << 12), -1, 0),
                        "ConditionalDiscrete must have at most 2^24 logits in all, but was 16781312"),
                mistake(() -> new MultiBinary(0), "MultiBinary n must be in [1, 2^24], but was 0"),
                mistake(() -> Box.of(0, 1), "Box shape must have at least one dimension, but was []"),
                mistake(() -> Box.of(0, 1, 2, 0), "Box shape must have positive dimensions, but was [2, 0]"),
                mistake(() -> Box.of(0, 1, -1), "Box shape must have positive dimensions, but was [-1]"),
                mistake(
                        () -> new Box(new int[] {2}, new float[1], new float[2]),
                        "Box low must have 2 elements, but was 1"),
                mistake(
                        () -> new Box(new int[] {2}, new float[2], new float[3]),
                        "Box high must have 2 elements, but was 3"),
                mistake(
                        () -> Box.of(1, 0, 2),
                        "Box bounds must be numbers with low <= high, but was 1.0 and 0.0 at element 0"),
                mistake(
                        () -> new Box(new int[] {2}, new float[2], new float[] {1, Float.NaN}),
                        "Box bounds must be numbers with low <= high, but was 0.0 and NaN at element 1"));
    }

    private static Arguments mistake(ThrowingCallable creation, String message) {
        return Arguments.of(creation, message);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void refusesWhatIsNoSpace(ThrowingCallable creation, String message) {
        assertThatThrownBy(creation)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(message);
    }

    @Test
    void areEqualIfTheyHoldTheSameValues() {
        assertThat(Box.of(0, 1, 2, 3)).isEqualTo(Box.of(0, 1, 2, 3)).hasSameHashCodeAs(Box.of(0, 1, 2, 3));
        assertThat(Box.of(0, 1, 2, 3)).isNotEqualTo(Box.of(0, 1, 3, 2));
        assertThat(Box.of(0, 1, 2)).isNotEqualTo(Box.of(0, 2, 2)).isNotEqualTo(Box.of(-1, 1, 2));
        assertThat(new MultiDiscrete(2, 3))
                .isEqualTo(new MultiDiscrete(2, 3))
                .hasSameHashCodeAs(new MultiDiscrete(2, 3));
        assertThat(new MultiDiscrete(2, 3)).isNotEqualTo(new MultiDiscrete(3, 2));
        ConditionalDiscrete dependent = new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0);
        assertThat(dependent)
                .isEqualTo(new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0))
                .hasSameHashCodeAs(new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, 0))
                .isNotEqualTo(new ConditionalDiscrete(new MultiDiscrete(2, 3), -1, -1))
                .isNotEqualTo(new ConditionalDiscrete(new MultiDiscrete(2, 2), -1, 0));
        assertThat(new Discrete(2)).isEqualTo(new Discrete(2)).isNotEqualTo(new MultiBinary(2));
    }

    @Test
    void cannotBeChangedFromOutside() {
        int[] branches = {2, 3};
        MultiDiscrete multi = new MultiDiscrete(branches);
        branches[0] = 9;
        multi.branches()[1] = 9;
        assertThat(multi).isEqualTo(new MultiDiscrete(2, 3));

        int[] parents = {-1, 0};
        ConditionalDiscrete dependent = new ConditionalDiscrete(multi, parents);
        parents[1] = -1;
        dependent.parents()[1] = -1;
        assertThat(dependent).isEqualTo(new ConditionalDiscrete(multi, -1, 0));

        float[] low = {0, 0};
        float[] high = {1, 1};
        int[] shape = {2};
        Box box = new Box(shape, low, high);
        low[0] = 5;
        high[0] = 5;
        shape[0] = 5;
        box.low()[1] = 5;
        box.high()[1] = 5;
        box.shape()[0] = 5;
        assertThat(box).isEqualTo(Box.of(0, 1, 2));
    }

    @Test
    void aDependentBranchHasARowForEachChoiceOfItsParent() {
        ConditionalDiscrete space = new ConditionalDiscrete(new MultiDiscrete(4, 3, 2, 5), -1, 0, -1, 1);
        assertThat(new int[] {space.start(0), space.start(1), space.start(2), space.start(3)})
                .containsExactly(0, 4, 4 + 4 * 3, 4 + 4 * 3 + 2);
        assertThat(space.maskSize()).isEqualTo(4 + 4 * 3 + 2 + 3 * 5);
        assertThat(space.size()).isEqualTo(4);
        assertThat(space.featureSize()).isEqualTo(4 + 3 + 2 + 5);
    }

    @Test
    void aBoxMovesValuesIntoItsBounds() {
        Box box = new Box(new int[] {3}, new float[] {-1, 0, -INF}, new float[] {1, 3, INF});
        float[] values = {99, -2, 4, 1e30f};
        box.clip(values, 1);
        assertThat(values).containsExactly(99, -1, 3, 1e30f);
    }

    @Test
    void haveShortTexts() {
        assertThat(new Discrete(4)).hasToString("Discrete(4)");
        assertThat(new MultiBinary(3)).hasToString("MultiBinary(3)");
        assertThat(new MultiDiscrete(3, 2)).hasToString("MultiDiscrete([3, 2])");
        assertThat(new ConditionalDiscrete(new MultiDiscrete(3, 2), -1, 0))
                .hasToString("ConditionalDiscrete([3, 2], parents [-1, 0])");
        assertThat(Box.of(-1, 1, 2)).hasToString("Box(-1.0..1.0, [2])");
        assertThat(new Box(new int[] {2}, new float[2], new float[] {1, 2}))
                .hasToString("Box(own bounds per element, [2])");
    }
}
