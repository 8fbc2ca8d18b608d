package dev.holdfast.examples.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be reached.
 *
 * @param what the number
 * @param atLeast true if it is to be at least the target, false if at most
 * @param target the target
 * @param measured what was measured
 */
record Goal(String what, boolean atLeast, double target, double measured) {
    private static final double HAND_OVER_MICROSECONDS = 15;
    private static final String DJL = "djl";
    private static final String DL4J = "dl4j";

    boolean reached() {
        return atLeast ? measured >= target : measured <= target;
    }

    /** Returns the goals of which there are measurements. */
    static List<Goal> of(
            List<CallResult> calls, List<SteppingResult> steppings, List<SpeedResult> speed, List<StartResult> starts) {
        List<Goal> goals = new ArrayList<>();
        String loops = Variant.javaLoops().name();
        addRatio(goals, calls, Net.SMALL, 64, DJL, loops, 1.8);
        addRatio(goals, calls, Net.SMALL, 64, DL4J, loops, 0.6);
        addRatio(goals, calls, Net.MIDDLE, 2048, DL4J, DJL, 1.4);
        // A worker for each processor, or as many as were measured.
        AgainstSync.of(VecEnv.PROCESS, steppings).stream()
                .filter(workers -> workers.environments() <= workers.processors())
                .max(Comparator.comparingInt(AgainstSync::environments))
                .ifPresent(workers -> goals.add(new Goal(
                        "hand-over, " + Text.count(workers.environments(), "worker") + " on "
                                + Text.count(workers.processors(), "processor") + ": microseconds",
                        false,
                        HAND_OVER_MICROSECONDS,
                        workers.handOver().median())));
        for (SpeedResult result : speed) {
            Training training = result.training();
            Double goal = training.setting().goals().get(training.variant().name());
            if (goal != null) {
                goals.add(new Goal(training + ": times the reference's speed", true, goal, result.ratio()));
            }
        }
        for (StartResult result : starts) {
            if (result.variant().isJava()) {
                goals.add(new Goal(
                        "start, " + result.variant() + ": seconds to the first rollout learned",
                        false,
                        1.5,
                        result.firstRolloutSeconds().median()));
                Summary peak = result.peakMegabytes();
                if (peak != null) {
                    goals.add(new Goal(
                            "start, " + result.variant() + ": MB of memory at the peak", false, 200, peak.median()));
                }
            }
        }
        return goals;
    }

    private static void addRatio(
            List<Goal> goals, List<CallResult> calls, Net net, int size, String one, String other, double target) {
        Double time = update(calls, net, size, one);
        Double otherTime = update(calls, net, size, other);
        if (time != null && otherTime != null) {
            String what = "update, " + net + ", batch size " + size + ", 1 thread: time of " + one + " / " + other;
            goals.add(new Goal(what, false, target, time / otherTime));
        }
    }

    private static @Nullable Double update(List<CallResult> calls, Net net, int size, String variant) {
        Optional<CallResult> result = calls.stream()
                .filter(each -> each.call().work() == Work.UPDATE
                        && each.call().net() == net
                        && each.call().threads() == 1
                        && each.call().variant().name().equals(variant))
                .findFirst();
        return result.map(each -> each.summary(size).median()).orElse(null);
    }
}
