package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.backend.PpoBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured, in order: what is compared comes close together.
 *
 * @param calls forward passes and updates
 * @param trainings whole training runs
 * @param starts with what the command is started
 */
record Plan(List<Call> calls, List<Training> trainings, List<Variant> starts) {
    private static final String START = "start";

    /** Returns what can be chosen. */
    static List<String> names() {
        return Stream.of(
                        Stream.of(Work.values()).map(Work::toString),
                        Setting.ALL.stream().map(Setting::name),
                        Stream.of(START))
                .flatMap(names -> names)
                .toList();
    }

    /**
     * Makes a plan. Where nothing is chosen, everything is measured, but only one setting with backends other than {@code java}: their
     * runs take much longer, and tell little more.
     *
     * @param chosen some of {@link #names}; none for everything
     * @param simdAvailable whether this Java has the Vector API
     */
    static Plan of(List<String> chosen, List<PpoBackend> backends, List<Integer> threads, boolean simdAvailable) {
        List<Variant> variants = backends.stream()
                .flatMap(backend -> Variant.of(backend.name(), simdAvailable).stream())
                .toList();
        List<Call> calls = new ArrayList<>();
        for (Work work : Work.values()) {
            if (isChosen(work.toString(), chosen)) {
                List<Variant> all = new ArrayList<>(variants);
                if (work == Work.FORWARD) {
                    all.add(0, Variant.acting(simdAvailable));
                }
                for (Net net : Net.values()) {
                    for (int number : threads) {
                        all.stream()
                                .filter(variant ->
                                        variant.threads(threads, backends).contains(number))
                                .forEach(variant -> calls.add(new Call(work, net, variant, number)));
                    }
                }
            }
        }
        List<Training> trainings = new ArrayList<>();
        for (Setting setting : Setting.ALL) {
            if (isChosen(setting.name(), chosen)) {
                for (Variant variant : variants) {
                    if (variant.isJava() || !chosen.isEmpty() || setting.equals(Setting.COMPARED)) {
                        variant.threads(threads, backends)
                                .forEach(number -> trainings.add(new Training(setting, variant, number, false)));
                    }
                }
                variants.stream()
                        .filter(Variant::isJava)
                        .limit(1)
                        .forEach(variant -> trainings.add(new Training(setting, variant, threads.get(0), true)));
            }
        }
        // As the launcher script starts it.
        List<Variant> starts = variants.stream()
                .filter(variant -> variant.simd() == simdAvailable && isChosen(START, chosen))
                .toList();
        return new Plan(calls, trainings, starts);
    }

    private static boolean isChosen(String name, List<String> chosen) {
        return chosen.isEmpty() || chosen.contains(name);
    }
}
