package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.distribution.ActionDistribution;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Finding;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Space;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One environment under test: every call's result is checked and copied, and the first breach of each rule is reported. */
final class EnvironmentProbe implements AutoCloseable {
    /** Thrown after a breach beyond which nothing can be tested; it has been reported already. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super(null, null, false, false);
        }
    }

    private final List<Finding> findings;
    private final Environment environment;
    private final Space observationSpace;
    private final Space actionSpace;
    private @Nullable Boolean masked;
    private long seed;
    private long step;
    private String lastAction = "";
    /** The floats of one action for all steps; null if each gets an action of its own. */
    private float @Nullable [] reused;

    EnvironmentProbe(Supplier<? extends Environment> environments, List<Finding> findings) {
        this.findings = findings;
        environment = require(call("creating the environment", environments::get), "the environment");
        observationSpace = require(call("observationSpace", environment::observationSpace), "observationSpace");
        actionSpace = require(call("actionSpace", environment::actionSpace), "actionSpace");
    }

    Space observationSpace() {
        return observationSpace;
    }

    Space actionSpace() {
        return actionSpace;
    }

    /** From now on all steps get the same action, with other floats, as in training. */
    void reuseActions() {
        reused = new float[actionSpace.size()];
    }

    boolean isSame(EnvironmentProbe other) {
        return environment == other.environment;
    }

    Moment reset(long newSeed) {
        seed = newSeed;
        step = 0;
        float[] observation = call("reset", () -> environment.reset(newSeed));
        return moment(require(observation, "reset's observation"), 0, false, false);
    }

    Moment step(float[] action) {
        step++;
        lastAction = Arrays.toString(action);
        float[] given = reused == null ? new float[action.length] : reused;
        System.arraycopy(action, 0, given, 0, action.length);
        Step result = require(call("step", () -> environment.step(Action.wrap(given))), "the step");
        if (!Double.isFinite(result.reward())) {
            error("the reward must be finite", "it was " + result.reward());
        }
        return moment(
                require(result.observation(), "the step's observation"),
                result.reward(),
                result.terminated(),
                result.truncated());
    }

    private Moment moment(float[] observation, double reward, boolean terminated, boolean truncated) {
        if (observation.length != observationSpace.size()) {
            error(
                    "the observation must have as many elements as the observation space",
                    "it had " + observation.length + ", not the " + observationSpace.size() + " of "
                            + observationSpace);
        } else {
            String problem = observationSpace.problem(observation, 0);
            if (problem != null) {
                error("the observation must be a value of the observation space", problem);
            }
        }
        boolean[] mask = terminated || truncated ? null : mask();
        return new Moment(observation.clone(), reward, terminated, truncated, mask);
    }

    /** Returns the current mask, checked and copied. */
    boolean @Nullable [] mask() {
        boolean[] mask = call("actionMask", environment::actionMask);
        if (masked != null && masked != (mask != null)) {
            error(
                    "actionMask must return null always or never",
                    mask == null ? "it returned null after a mask" : "it returned a mask after null");
            throw new Stopped();
        }
        masked = mask != null;
        if (mask == null) {
            return null;
        }
        if (actionSpace instanceof Box) {
            error("Box actions can't be masked", "actionMask returned " + mask.length + " elements");
            throw new Stopped();
        }
        ActionDistribution distribution = ActionDistribution.of(actionSpace, true);
        if (mask.length != distribution.maskSize()) {
            error(
                    "the action mask must have one element per choice",
                    "it had " + mask.length + ", not the " + distribution.maskSize() + " of " + actionSpace);
            throw new Stopped();
        }
        String branch = distribution.emptyBranch(mask, 0);
        if (branch != null) {
            error(
                    "the action mask must leave at least one valid action in each branch",
                    branch + " had none: " + Arrays.toString(mask));
            throw new Stopped();
        }
        boolean[] first = mask.clone();
        boolean[] second = call("actionMask", environment::actionMask);
        if (!Arrays.equals(first, second)) {
            error(
                    "actionMask must give the same when asked again",
                    "it gave " + Arrays.toString(first) + " and then " + Arrays.toString(second));
        }
        return first;
    }

    /** Draws one of the valid actions. */
    float[] randomAction(Moment moment, RandomStream random) {
        float[] action = new float[actionSpace.size()];
        if (actionSpace instanceof Box box) {
            for (int i = 0; i < action.length; i++) {
                double low = box.low()[i];
                double high = box.high()[i];
                double range = high - low;
                action[i] =
                        (float) (Double.isInfinite(range) ? random.nextGaussian() : low + range * random.nextDouble());
            }
            box.clip(action, 0);
        } else {
            ActionDistribution distribution = ActionDistribution.of(actionSpace, moment.mask() != null);
            float[] equalLogits = new float[distribution.parameterCount()];
            distribution.sample(equalLogits, 0, new float[0], moment.mask(), 0, random, action, 0);
        }
        return action;
    }

    byte @Nullable [] saveState() {
        return call("saveState", environment::saveState);
    }

    /** Restores a state that was saved after so many steps of an episode of that seed. */
    void restoreState(byte[] state, long ofSeed, long ofStep) {
        seed = ofSeed;
        step = ofStep;
        lastAction = "(before the state was saved)";
        call("restoreState", () -> {
            environment.restoreState(state.clone());
            return state;
        });
    }

    /** Checks that the spaces are still those that another probe, or this one, saw at its beginning. */
    void checkSpaces(EnvironmentProbe other) {
        same("observationSpace", other.observationSpace, call("observationSpace", environment::observationSpace));
        same("actionSpace", other.actionSpace, call("actionSpace", environment::actionSpace));
    }

    private void same(String name, Space expected, @Nullable Space actual) {
        if (!expected.equals(actual)) {
            error(name + " must always be the same", "it was " + expected + " and then " + actual);
        }
    }

    void error(String rule, String detail) {
        report(Severity.ERROR, rule, describe(detail), null);
    }

    private String describe(String detail) {
        return step == 0 ? detail : detail + ", after action " + lastAction;
    }

    void warning(String rule, String detail) {
        report(Severity.WARNING, rule, detail, null);
    }

    private void report(Severity severity, String rule, String detail, @Nullable Throwable cause) {
        if (findings.stream().noneMatch(finding -> finding.rule().equals(rule))) {
            findings.add(new Finding(severity, rule, seed, step, detail, cause));
        }
    }

    private <T> T require(@Nullable T value, String name) {
        if (value == null) {
            error(name + " must not be null", "it was null");
            throw new Stopped();
        }
        return value;
    }

    private <T extends @Nullable Object> T call(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            report(Severity.ERROR, what + " must not throw", describe("it threw " + e), e);
            throw new Stopped();
        }
    }

    @Override
    public void close() {
        call("close", () -> {
            environment.close();
            return seed;
        });
    }
}
