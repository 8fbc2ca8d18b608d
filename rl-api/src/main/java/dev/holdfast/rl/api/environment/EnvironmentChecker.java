package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.EnvironmentException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks an environment before an hour of training is lost on it. It plays with random valid actions and reports what breaks the
 * contract of {@link Environment}, and what will make learning harder than need be:
 *
 * <pre>{@code
 * EnvironmentChecker.check(MyEnvironment::new).throwIfErrors();
 * }</pre>
 *
 * <p>Errors: a call throws; spaces change; an observation is null, of the wrong length, NaN or out of its space; a reward isn't
 * finite; a mask is of the wrong length, leaves a branch without a valid action (whatever may be chosen in its parent, if it has one),
 * is there only sometimes, or is another when asked again; the same seed and actions give another episode, in the same or in a fresh
 * instance, or where the caller reuses its action; a saved state doesn't lead to the same future. Warnings: no episode ends;
 * observations or bounds of actions are large; random actions make no difference to the reward; the seed makes none; a reset or a step
 * is slow; there is no state to save.
 *
 * <p>Episodes have the seeds 1, 2, 3 …, which are also the seeds of the {@link dev.holdfast.rl.api.random.RandomStream} named
 * {@code actions} that each episode's actions come from. Nothing else is random: a finding comes again.
 */
public final class EnvironmentChecker {
    private EnvironmentChecker() {}

    /**
     * Checks environments. Takes up to 10,000 steps in one of them and some hundreds in each of about ten others; no new
     * step begins after about 20 seconds in the first.
     *
     * @param environments makes a new environment at each call; the checker closes it
     * @return what was found
     */
    public static Report check(Supplier<? extends Environment> environments) {
        return new EnvironmentCheck(environments, System::nanoTime).run();
    }

    /** How bad a finding is. */
    public enum Severity {
        /** The contract is broken: training fails, or can't be repeated or resumed. */
        ERROR,
        /** Training may work, but worse than it could. */
        WARNING
    }

    /**
     * The first breach of a rule.
     *
     * @param severity how bad it is
     * @param rule the rule
     * @param seed the seed of the episode
     * @param step the number of steps after that episode's reset
     * @param detail what was seen instead
     * @param cause what the environment threw, if it did
     */
    public record Finding(
            Severity severity,
            String rule,
            long seed,
            long step,
            String detail,
            @Nullable Throwable cause) {
        @Override
        public String toString() {
            return severity + ": " + rule + ": " + detail + " (seed " + seed + ", step " + step + ")";
        }
    }

    /**
     * What a check found.
     *
     * @param findings one finding a rule, in the order of appearance; empty if all is well
     */
    public record Report(List<Finding> findings) {
        /** Copies. */
        public Report {
            findings = List.copyOf(findings);
        }

        /**
         * Returns the findings of one severity.
         *
         * @param severity which
         * @return possibly empty
         */
        public List<Finding> findings(Severity severity) {
            return findings.stream()
                    .filter(finding -> finding.severity() == severity)
                    .toList();
        }

        /**
         * Throws if there are errors; warnings alone do nothing.
         *
         * @throws EnvironmentException with one line a finding; its cause is what the environment threw, if it did
         */
        public void throwIfErrors() {
            List<Finding> errors = findings(Severity.ERROR);
            if (!errors.isEmpty()) {
                throw new EnvironmentException(0, toString(), errors.get(0).cause());
            }
        }

        /** Returns one line a finding. */
        @Override
        public String toString() {
            return findings.isEmpty()
                    ? "the environment keeps its contract"
                    : findings.stream().map(Finding::toString).collect(Collectors.joining("\n"));
        }
    }
}
