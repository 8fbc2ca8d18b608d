package dev.holdfast.rl.api.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.EnvironmentException;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Finding;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Report;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiBinary;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EnvironmentCheckerTest {
    @Test
    void findsNothingInAnEnvironmentThatKeepsItsContract() {
        Report report = EnvironmentChecker.check(Corridor::new);
        assertThat(report.findings()).isEmpty();
        assertThat(report).hasToString("the environment keeps its contract");
        assertThatCode(report::throwIfErrors).doesNotThrowAnyException();
    }

    /** It may hand out the same array again and again: callers copy. */
    @Test
    void allowsReusedArrays() {
        assertThat(EnvironmentChecker.check(() -> new Corridor() {
                            private final float[] observation = new float[2];
                            private final boolean[] mask = new boolean[3];

                            @Override
                            protected float[] observation() {
                                System.arraycopy(super.observation(), 0, observation, 0, 2);
                                return observation;
                            }

                            @Override
                            public boolean[] actionMask() {
                                System.arraycopy(super.actionMask(), 0, mask, 0, 3);
                                return mask;
                            }
                        })
                        .findings())
                .isEmpty();
    }

    private static List<Space> actionSpaces() {
        return List.of(
                new Discrete(5),
                new MultiDiscrete(2, 1, 3),
                new MultiBinary(4),
                Box.of(-2, 3, 2),
                Box.unbounded(3),
                new Box(new int[] {2}, new float[] {100, Float.NEGATIVE_INFINITY}, new float[] {101, -5}));
    }

    @ParameterizedTest
    @MethodSource("actionSpaces")
    void givesActionsOfTheActionSpace(Space space) {
        List<String> problems = new ArrayList<>();
        Report report = EnvironmentChecker.check(() -> new Corridor() {
            @Override
            public Space actionSpace() {
                return space;
            }

            @Override
            public Step step(Action action) {
                String problem = space.problem(action.toArray(), 0);
                if (problem != null) {
                    problems.add(problem);
                }
                return super.step(Action.of(random.nextInt(3)));
            }

            @Override
            protected float[] observation() {
                position = Math.max(position, 0);
                return super.observation();
            }

            @Override
            public boolean[] actionMask() {
                return null;
            }
        });
        assertThat(problems).isEmpty();
        assertThat(report.findings(Severity.ERROR)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("maskedSpaces")
    void givesActionsThatAreValidUnderTheMask(Space space) {
        int branches = space.size();
        int choices = space instanceof MultiDiscrete multi ? multi.featureSize() : 2 * branches;
        List<String> problems = new ArrayList<>();
        EnvironmentChecker.check(() -> new Corridor() {
            private boolean[] mask = new boolean[choices];

            @Override
            public Space actionSpace() {
                return space;
            }

            @Override
            public Step step(Action action) {
                int start = 0;
                for (int branch = 0; branch < branches; branch++) {
                    if (!mask[start + action.index(branch)]) {
                        problems.add(action + " under " + Arrays.toString(mask));
                    }
                    start += space instanceof MultiDiscrete multi ? multi.branches()[branch] : 2;
                }
                return super.step(Action.of(1));
            }

            @Override
            public boolean[] actionMask() {
                mask = new boolean[choices];
                for (int i = 0; i < choices; i++) {
                    mask[i] = (i + steps) % 2 == 0;
                }
                return mask;
            }
        });
        assertThat(problems).isEmpty();
    }

    private static List<Space> maskedSpaces() {
        return List.of(new MultiDiscrete(2, 3, 2), new MultiBinary(3));
    }

    // ---- one broken environment a rule

    @Test
    void aSupplierThatGivesNothing() {
        error(() -> null, "the environment must not be null", "it was null", 0, 0);
    }

    @Test
    void aSupplierThatThrows() {
        Report report = EnvironmentChecker.check(() -> {
            throw new IllegalStateException("no licence");
        });
        Finding finding = report.findings().get(0);
        assertThat(finding.rule()).isEqualTo("creating the environment must not throw");
        assertThat(finding.detail()).isEqualTo("it threw java.lang.IllegalStateException: no licence");
        assertThatThrownBy(report::throwIfErrors)
                .isInstanceOf(EnvironmentException.class)
                .hasMessage(finding.toString())
                .hasRootCauseMessage("no licence");
    }

    @Test
    void aSupplierThatGivesTheSameEnvironmentAgain() {
        Corridor only = new Corridor();
        error(() -> only, "each environment must be a new one", "the supplier gave the same one again", 0, 0);
    }

    @Test
    void aMissingSpace() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public Space actionSpace() {
                return null;
            }
        };
        error(broken, "actionSpace must not be null", "it was null", 0, 0);
    }

    @Test
    void aSpaceThatChanges() {
        Supplier<Environment> broken = () -> new Corridor() {
            private int asked = 4;

            @Override
            public Space actionSpace() {
                return new Discrete(asked++ == 4 ? 3 : 2);
            }
        };
        error(broken, "actionSpace must always be the same", "it was Discrete(3) and then Discrete(2)");
    }

    @Test
    void aSpaceThatDiffersBetweenInstances() {
        AtomicInteger made = new AtomicInteger();
        Supplier<Environment> broken = () -> {
            float high = made.incrementAndGet();
            return new Corridor() {
                @Override
                public Space observationSpace() {
                    return Box.of(0, high, 2);
                }
            };
        };
        error(
                broken,
                "observationSpace must always be the same",
                "it was Box(0.0..1.0, [2]) and then Box(0.0..2.0, [2])",
                0,
                0);
    }

    @Test
    void anObservationThatIsMissing() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public float[] reset(long seed) {
                return null;
            }
        };
        error(broken, "reset's observation must not be null", "it was null", 1, 0);
    }

    @Test
    void anObservationOfTheWrongLength() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            protected float[] observation() {
                return new float[] {position / 7f};
            }
        };
        error(
                broken,
                "the observation must have as many elements as the observation space",
                "it had 1, not the 2 of Box(0.0..1.0, [2])",
                1,
                0);
    }

    @Test
    void anObservationThatIsNotANumber() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            protected float[] observation() {
                return new float[] {position / 7f, steps == 3 ? Float.NaN : 0};
            }
        };
        error(broken, "the observation must be a value of the observation space", "element 1 is NaN", 1, 3);
    }

    @Test
    void anObservationOutOfItsSpace() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            protected float[] observation() {
                return new float[] {position / 7f, steps};
            }
        };
        error(
                broken,
                "the observation must be a value of the observation space",
                "element 1 must be in [0.0, 1.0], but was 2.0",
                1,
                2);
    }

    @Test
    void aMissingStep() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public Step step(Action action) {
                return null;
            }
        };
        error(broken, "the step must not be null", "it was null", 1, 1);
    }

    @Test
    void aRewardThatIsNotFinite() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public Step step(Action action) {
                Step step = super.step(action);
                return new Step(step.observation(), 1.0 / (steps - 4), step.terminated(), step.truncated());
            }
        };
        error(broken, "the reward must be finite", "it was Infinity", 1, 4);
    }

    @Test
    void aStepThatThrows() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public Step step(Action action) {
                if (steps == 5) {
                    throw new ArithmeticException("division");
                }
                return super.step(action);
            }
        };
        error(broken, "step must not throw", "it threw java.lang.ArithmeticException: division", 1, 6);
    }

    @Test
    void aStepThatRefusesAnActionThatTheMaskAllows() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public Step step(Action action) {
                if (action.index() == 2 && steps == 1) {
                    throw new IllegalArgumentException("no way ahead");
                }
                return super.step(action);
            }
        };
        error(broken, "step must not throw", "IllegalArgumentException: no way ahead, after action [2.0]");
    }

    /** The trainer gives every step the same array. */
    @Test
    void aStepThatKeepsItsAction() {
        Supplier<Environment> broken = () -> new Corridor() {
            private Action last = Action.of(1);

            @Override
            public float[] reset(long seed) {
                last = Action.of(1);
                return super.reset(seed);
            }

            @Override
            public Step step(Action action) {
                Step step = super.step(action);
                double change = Math.abs(action.index() - last.index());
                last = action;
                return new Step(step.observation(), -change, step.terminated(), step.truncated());
            }
        };
        error(
                broken,
                "step must not keep its action, which the caller reuses: keep its toArray()",
                "the reward was -1.0 the first time and -0.0 the second");
    }

    @Test
    void neverStepsAfterTheEndOfAnEpisode() {
        assertThat(EnvironmentChecker.check(() -> new Corridor() {
                            private boolean over = true;

                            @Override
                            public float[] reset(long seed) {
                                over = false;
                                return super.reset(seed);
                            }

                            @Override
                            public Step step(Action action) {
                                assertThat(over).isFalse();
                                Step step = super.step(action);
                                over = step.done();
                                return step;
                            }

                            @Override
                            public void restoreState(byte[] state) {
                                over = false;
                                super.restoreState(state);
                            }
                        })
                        .findings())
                .isEmpty();
    }

    @Test
    void aCloseThatThrows() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public void close() {
                throw new IllegalStateException("open");
            }
        };
        error(broken, "close must not throw", "it threw java.lang.IllegalStateException: open");
    }

    @Test
    void aMaskOfTheWrongLength() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public boolean[] actionMask() {
                return new boolean[] {true, true};
            }
        };
        error(broken, "the action mask must have one element per choice", "it had 2, not the 3 of Discrete(3)", 1, 0);
    }

    @Test
    void aMaskWithoutAValidAction() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public boolean[] actionMask() {
                return new boolean[] {steps < 2, false, false};
            }
        };
        error(
                broken,
                "the action mask must leave at least one valid action in each branch",
                "branch 0 had none: [false, false, false]",
                1,
                2);
    }

    @Test
    void aMaskThatIsThereOnlySometimes() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public boolean[] actionMask() {
                return steps < 2 ? super.actionMask() : null;
            }
        };
        error(broken, "actionMask must return null always or never", "it returned null after a mask", 1, 2);
    }

    @Test
    void aMaskThatIsAnotherWhenAskedAgain() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public boolean[] actionMask() {
                return new boolean[] {random.nextBoolean(), random.nextBoolean(), true};
            }
        };
        error(broken, "actionMask must give the same when asked again", "it gave [");
    }

    @Test
    void aMaskForNumbers() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public Space actionSpace() {
                return Box.of(-1, 1, 1);
            }
        };
        error(broken, "Box actions can't be masked", "actionMask returned 3 elements", 1, 0);
    }

    @Test
    void randomnessThatDoesNotComeFromTheSeed() {
        AtomicLong global = new AtomicLong();
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public float[] reset(long seed) {
                return super.reset(global.incrementAndGet());
            }
        };
        Finding finding = error(
                broken, "another instance must give the same episode for the same seed and actions", "the first time");
        assertThat(finding.seed()).isEqualTo(1);
    }

    @Test
    void randomnessThatIsNotSeededAnew() {
        Supplier<Environment> broken = () -> new Corridor() {
            private long seed = 42;

            @Override
            public float[] reset(long given) {
                return super.reset(seed++);
            }
        };
        error(
                broken,
                "a reset must forget what came before it, and take all randomness from its seed",
                "the first time",
                1,
                0);
    }

    @Test
    void aResetThatForgetsTooLittle() {
        Supplier<Environment> broken = () -> new Corridor() {
            private int episodes;

            @Override
            public float[] reset(long seed) {
                float[] observation = super.reset(seed);
                observation[1] = Math.min(1, episodes++ / 500f);
                return observation;
            }
        };
        error(
                broken,
                "a reset must forget what came before it, and take all randomness from its seed",
                "element 1 of the observation was 0.0 the first time and",
                1,
                0);
    }

    @Test
    void aStateThatForgetsSomething() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public void restoreState(byte[] state) {
                super.restoreState(state);
                random.reseed(1);
            }
        };
        error(broken, "a fresh environment must go on from a saved state as the saved one did", "the first time");
    }

    @Test
    void aStateThatForgetsTheMask() {
        Supplier<Environment> broken = () -> new Corridor() {
            private boolean started;

            @Override
            public float[] reset(long seed) {
                started = true;
                return super.reset(seed);
            }

            @Override
            public boolean[] actionMask() {
                return started ? super.actionMask() : new boolean[] {true, false, false};
            }
        };
        error(
                broken,
                "restoreState must bring back the action mask",
                "it was [true, true, true] and is [true, false, false]",
                1,
                0);
    }

    @Test
    void aRestoreThatForgetsTooLittle() {
        Supplier<Environment> broken = () -> new Corridor() {
            private int taken;

            @Override
            public Step step(Action action) {
                taken++;
                return super.step(action);
            }

            @Override
            public float[] reset(long seed) {
                taken = 0;
                return super.reset(seed);
            }

            @Override
            protected float[] observation() {
                return new float[] {position / 7f, Math.min(1, taken / 50f)};
            }
        };
        error(broken, "restoreState must forget what came before it", "element 1 of the observation", 1, 1);
    }

    @Test
    void aSaveThatChangesTheFuture() {
        Supplier<Environment> broken = () -> new Corridor() {
            @Override
            public byte[] saveState() {
                byte[] state = super.saveState();
                random.nextLong();
                return state;
            }
        };
        error(broken, "saveState must change nothing", "the first time");
    }

    @Test
    void aStateThatIsNotACopy() {
        Supplier<Environment> broken = () -> new Corridor() {
            private byte[] state = new byte[40];

            @Override
            public byte[] saveState() {
                state = super.saveState();
                return state;
            }

            @Override
            public Step step(Action action) {
                Step step = super.step(action);
                state[39]++;
                return step;
            }
        };
        error(broken, "saveState must give an array of its own", "it changed later");
    }

    @Test
    void aStateThatCannotBeRestored() {
        class Forgetful implements Environment {
            private final Corridor corridor = new Corridor();

            @Override
            public Space observationSpace() {
                return corridor.observationSpace();
            }

            @Override
            public Space actionSpace() {
                return corridor.actionSpace();
            }

            @Override
            public float[] reset(long seed) {
                return corridor.reset(seed);
            }

            @Override
            public Step step(Action action) {
                return corridor.step(action);
            }

            @Override
            public boolean[] actionMask() {
                return corridor.actionMask();
            }

            @Override
            public byte[] saveState() {
                return corridor.saveState();
            }
        }
        error(Forgetful::new, "restoreState must not throw", "saves a state but has no restoreState", 1, 0);
    }

    // ---- warnings

    @Test
    void noStateToSave() {
        warning(
                () -> new Corridor() {
                    @Override
                    public byte[] saveState() {
                        return null;
                    }
                },
                "saveState should give a state",
                "it gave null: a resumed run starts new episodes, and so differs from one that was never stopped");
    }

    @Test
    void episodesWithoutEnd() {
        warning(
                () -> new Corridor() {
                    @Override
                    public Step step(Action action) {
                        Step step = super.step(action);
                        steps = 0;
                        position = Math.min(position, 6);
                        return new Step(step.observation(), step.reward(), false, false);
                    }
                },
                "an episode should end some time",
                "none did within 10000 steps");
    }

    @Test
    void largeObservations() {
        warning(
                () -> new Corridor() {
                    @Override
                    public Space observationSpace() {
                        return Box.unbounded(2);
                    }

                    @Override
                    protected float[] observation() {
                        return new float[] {position, 60f * steps};
                    }
                },
                "observations should be about as large as 1",
                "one element was as large as 1200.0; consider normalising observations");
    }

    /** Nothing random in it, or a seed that is ignored: there is no telling. */
    @Test
    void episodesThatAreTheSameForEverySeed() {
        warning(
                () -> new Corridor() {
                    @Override
                    public float[] reset(long seed) {
                        return super.reset(42);
                    }
                },
                "the seed should make a difference",
                "the same actions gave the same episode with the seeds 1 to 4, which is right only if nothing in it is"
                        + " random");
    }

    @ParameterizedTest
    @CsvSource({"0, 500", "-20, Infinity", "100, 101", "-0.01, 0.01"})
    void boundsOfActionsThatDoNotSuitAPolicy(float low, float high) {
        warning(
                () -> new Corridor() {
                    @Override
                    public Space actionSpace() {
                        return Box.of(low, high, 2);
                    }

                    @Override
                    public Step step(Action action) {
                        return super.step(Action.of(1 + random.nextInt(2)));
                    }

                    @Override
                    public boolean[] actionMask() {
                        return null;
                    }
                },
                "Box actions should be about as large as 1",
                "element 0 is in [" + low + ", " + high + "]; consider EnvironmentWrapper.scaleAction(-1, 1)");
    }

    @Test
    void aReturnThatIsAlwaysTheSame() {
        warning(
                () -> new Corridor() {
                    @Override
                    public Step step(Action action) {
                        Step step = super.step(action);
                        position = Math.min(position, 6);
                        return new Step(step.observation(), -1, false, steps == 20);
                    }
                },
                "random actions should make a difference to the return",
                "each of 10000 steps paid -1.0, and no episode was shorter or longer");
    }

    /** As in CartPole: what differs is how long an episode lasts. */
    @Test
    void aConstantRewardIsFineWhereEpisodesDiffer() {
        assertThat(EnvironmentChecker.check(() -> new Corridor() {
                            @Override
                            public Step step(Action action) {
                                Step step = super.step(action);
                                return new Step(step.observation(), 1, step.terminated(), step.truncated());
                            }
                        })
                        .findings())
                .isEmpty();
    }

    @Test
    void slowStepsAndResets() {
        AtomicLong clock = new AtomicLong();
        Supplier<Environment> slow = () -> new Corridor() {
            @Override
            public float[] reset(long seed) {
                clock.addAndGet(250_000_000);
                return super.reset(seed);
            }

            @Override
            public Step step(Action action) {
                clock.addAndGet(12_500_000);
                return super.step(action);
            }
        };
        Report report = new EnvironmentCheck(slow, clock::get).run();
        assertThat(report.findings(Severity.ERROR)).isEmpty();
        assertThat(report.findings().stream().map(Finding::rule))
                .containsExactly("a reset should be quick", "a step should be quick");
        assertThat(report.findings().stream().map(Finding::detail))
                .containsExactly("it took 250.0 ms on average", "it took 12.5 ms on average");
    }

    @Test
    void aWarningAloneDoesNotThrow() {
        Report report = EnvironmentChecker.check(() -> new Corridor() {
            @Override
            public byte[] saveState() {
                return null;
            }
        });
        assertThatCode(report::throwIfErrors).doesNotThrowAnyException();
        assertThat(report.toString()).startsWith("WARNING: saveState should give a state: it gave null");
    }

    @Test
    void closesEveryEnvironment() {
        AtomicInteger open = new AtomicInteger();
        Supplier<Environment> counted = () -> {
            open.incrementAndGet();
            return new Corridor() {
                @Override
                public void close() {
                    open.decrementAndGet();
                }
            };
        };
        EnvironmentChecker.check(counted);
        assertThat(open).hasValue(0);
    }

    private static Finding error(Supplier<Environment> broken, String rule, String detail) {
        Report report = EnvironmentChecker.check(broken);
        List<Finding> errors = report.findings(Severity.ERROR);
        assertThat(errors).as(report.toString()).isNotEmpty();
        assertThat(errors.get(0).rule()).isEqualTo(rule);
        assertThat(errors.get(0).detail()).contains(detail);
        assertThatThrownBy(report::throwIfErrors)
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(rule);
        return errors.get(0);
    }

    private static void error(Supplier<Environment> broken, String rule, String detail, long seed, long step) {
        Finding finding = error(broken, rule, detail);
        assertThat(finding.seed()).isEqualTo(seed);
        assertThat(finding.step()).isEqualTo(step);
    }

    private static void warning(Supplier<Environment> odd, String rule, String detail) {
        Report report = EnvironmentChecker.check(odd);
        assertThat(report.findings()).as(report.toString()).hasSize(1);
        Finding finding = report.findings().get(0);
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.rule()).isEqualTo(rule);
        assertThat(finding.detail()).isEqualTo(detail);
    }
}
