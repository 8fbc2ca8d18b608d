package dev.holdfast.rl.api.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.environment.EnvironmentChecker.Finding;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.ConditionalDiscrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the checker says of masks whose second branch depends on the choice in the first. */
class ConditionalMaskCheckTest {
    /** Five steps to and fro: gate 1 alone leads to place 0, either gate to place 1, none to place 2. */
    private static class Gates implements Environment {
        int steps;
        private int place;

        @Override
        public Space observationSpace() {
            return Box.of(0, 1, 1);
        }

        @Override
        public Space actionSpace() {
            return new ConditionalDiscrete(new MultiDiscrete(3, 2), -1, 0);
        }

        @Override
        public float[] reset(long seed) {
            steps = 0;
            place = 0;
            return new float[] {place};
        }

        @Override
        public Step step(Action action) {
            if (action.index(0) == 2 || (action.index(0) == 0 && action.index(1) == 0)) {
                throw new IllegalArgumentException("no way through " + action);
            }
            steps++;
            place = action.index(0);
            return new Step(new float[] {place}, place, steps == 5, false);
        }

        @Override
        public boolean[] actionMask() {
            return new boolean[] {true, true, false, /* */ false, true, /* */ true, true, /* */ false, false};
        }
    }

    @Test
    void isRightWhereEveryPossibleChoiceLeavesAnother() {
        assertThat(EnvironmentChecker.check(Gates::new).findings(Severity.ERROR))
                .isEmpty();
    }

    @Test
    void namesTheChoiceAfterWhichNothingIsValid() {
        List<Finding> errors = EnvironmentChecker.check(() -> new Gates() {
                    @Override
                    public boolean[] actionMask() {
                        boolean[] mask = super.actionMask();
                        mask[4] = steps < 2;
                        return mask;
                    }
                })
                .findings(Severity.ERROR);
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0).rule())
                .isEqualTo("the action mask must leave at least one valid action in each branch");
        assertThat(errors.get(0).detail())
                .startsWith("branch 1 after choice 0 in branch 0 had none: [true, true, false, false, false, true,");
        assertThat(errors.get(0).step()).isEqualTo(2);
    }

    @Test
    void saysHowLongTheMaskMustBe() {
        List<Finding> errors = EnvironmentChecker.check(() -> new Gates() {
                    @Override
                    public boolean[] actionMask() {
                        return new boolean[] {true, true, false, true, true};
                    }
                })
                .findings(Severity.ERROR);
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0).detail())
                .isEqualTo("it had 5, not the 9 of ConditionalDiscrete([3, 2], parents [-1, 0])");
    }
}
