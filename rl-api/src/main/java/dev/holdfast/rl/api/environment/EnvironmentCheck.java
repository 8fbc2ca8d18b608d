package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.environment.EnvironmentChecker.Finding;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Report;
import dev.holdfast.rl.api.environment.EnvironmentChecker.Severity;
import dev.holdfast.rl.api.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run of the {@link EnvironmentChecker}. */
final class EnvironmentCheck {
    private static final int STEPS = 10_000;
    private static final long MAX_NANOS = 20_000_000_000L;
    /** So many resets and steps are recorded, to be played again. */
    private static final int RECORDED = 400;
    /** After how many resets and steps states are saved. */
    private static final List<Integer> SAVED_AFTER = List.of(1, 2, 9, 50, 200);
    /** How far the futures of saved states are compared. */
    private static final int FUTURE = 150;

    private static final String DETERMINISTIC =
            "another instance must give the same episode for the same seed and actions";
    private static final String FORGETFUL =
            "a reset must forget what came before it, and take all randomness from its seed";
    private static final String KEEPS_NO_ACTION =
            "step must not keep its action, which the caller reuses: keep its toArray()";

    /** So many other seeds are tried with the actions of the first episode. */
    private static final int OTHER_SEEDS = 3;

    /** A reset (without action) or a step, with what it led to. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Move(long seed, long step, float @Nullable [] action, Moment moment) {
        Moment play(EnvironmentProbe probe) {
            return play(probe, seed);
        }

        Moment play(EnvironmentProbe probe, long otherSeed) {
            return action == null ? probe.reset(otherSeed) : probe.step(action);
        }
    }

    private final Supplier<? extends Environment> environments;
    private final LongSupplier nanos;
    private final List<Finding> findings = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();

    EnvironmentCheck(Supplier<? extends Environment> environments, LongSupplier nanos) {
        this.environments = environments;
        this.nanos = nanos;
    }

    Report run() {
        try (EnvironmentProbe first = probe()) {
            explore(first);
            playAgain(first);
            if (findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR)) {
                saveAndRestore();
            }
        } catch (EnvironmentProbe.Stopped e) {
            // The reason is among the findings.
        }
        return new Report(findings);
    }

    private EnvironmentProbe probe() {
        return new EnvironmentProbe(environments, findings);
    }

    /** Plays with random actions and records the beginning. */
    private void explore(EnvironmentProbe probe) {
        PlayStatistics statistics = new PlayStatistics();
        long end = nanos.getAsLong() + MAX_NANOS;
        for (long seed = 1; statistics.steps() < STEPS && nanos.getAsLong() < end; seed++) {
            RandomStream random = new RandomStream(seed, "actions");
            long before = nanos.getAsLong();
            Moment moment = probe.reset(seed);
            statistics.reset(nanos.getAsLong() - before);
            record(new Move(seed, 0, null, moment));
            for (long step = 1; !moment.done() && statistics.steps() < STEPS && nanos.getAsLong() < end; step++) {
                float[] action = probe.randomAction(moment, random);
                before = nanos.getAsLong();
                moment = probe.step(action);
                statistics.step(moment, nanos.getAsLong() - before);
                record(new Move(seed, step, action, moment));
            }
        }
        probe.checkSpaces(probe);
        statistics.warn(probe);
    }

    private void record(Move move) {
        if (moves.size() < RECORDED) {
            moves.add(move);
        }
    }

    /** Plays the recorded moves again, in a fresh environment and then in the first one, and the first episode with other seeds. */
    private void playAgain(EnvironmentProbe first) {
        try (EnvironmentProbe fresh = probe()) {
            if (fresh.isSame(first)) {
                fresh.error("each environment must be a new one", "the supplier gave the same one again");
                return;
            }
            fresh.checkSpaces(first);
            if (same(fresh, 0, moves.size(), DETERMINISTIC) && same(first, 0, moves.size(), FORGETFUL)) {
                tryOtherSeeds(first);
                fresh.reuseActions();
                same(fresh, 0, moves.size(), KEEPS_NO_ACTION);
            }
        }
    }

    private void tryOtherSeeds(EnvironmentProbe probe) {
        long first = moves.get(0).seed;
        long last = first + OTHER_SEEDS;
        for (long seed = first + 1; seed <= last; seed++) {
            for (Move move : moves) {
                // An action is taken only where all was the same before, its mask too.
                if (move.seed == first && move.moment.difference(move.play(probe, seed)) != null) {
                    return;
                }
            }
        }
        probe.warning(
                "the seed should make a difference",
                "the same actions gave the same episode with the seeds " + first + " to " + last
                        + ", which is right only if nothing in it is random");
    }

    private void saveAndRestore() {
        for (int now : SAVED_AFTER) {
            if (now <= moves.size() && !moves.get(now - 1).moment.done()) {
                saveAndRestore(now, Math.min(moves.size(), now + FUTURE));
            }
        }
    }

    private void saveAndRestore(int now, int end) {
        Move last = moves.get(now - 1);
        try (EnvironmentProbe saved = probe();
                EnvironmentProbe fresh = probe()) {
            same(saved, 0, now, DETERMINISTIC);
            byte[] state = saved.saveState();
            if (state == null) {
                saved.warning(
                        "saveState should give a state",
                        "it gave null: a resumed run starts new episodes, and so differs from one that was never stopped");
                return;
            }
            byte[] copy = state.clone();
            same(saved, now, end, "saveState must change nothing");
            if (!Arrays.equals(state, copy)) {
                saved.error("saveState must give an array of its own", "it changed later");
            }
            restore(fresh, last, copy);
            same(fresh, now, end, "a fresh environment must go on from a saved state as the saved one did");
            restore(saved, last, copy);
            same(saved, now, end, "restoreState must forget what came before it");
        }
    }

    private static void restore(EnvironmentProbe probe, Move last, byte[] state) {
        probe.restoreState(state, last.seed, last.step);
        boolean[] mask = probe.mask();
        if (!Arrays.equals(mask, last.moment.mask())) {
            probe.error(
                    "restoreState must bring back the action mask",
                    "it was " + Arrays.toString(last.moment.mask()) + " and is " + Arrays.toString(mask));
        }
    }

    /** Plays recorded moves and reports the first that leads elsewhere than it did. */
    private boolean same(EnvironmentProbe probe, int from, int to, String rule) {
        for (Move move : moves.subList(from, to)) {
            String difference = move.moment.difference(move.play(probe));
            if (difference != null) {
                probe.error(rule, difference);
                return false;
            }
        }
        return true;
    }
}
