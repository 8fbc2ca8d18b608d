package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.backend.PpoBackend;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured, in order: what is compared comes close together.
 *
 * @param calls forward passes and updates
 * @param steppings steps of vector environments
 * @param trainings whole training runs
 * @param starts with what the command is started
 */
record Plan(List<Call> calls, List<Stepping> steppings, List<Training> trainings, List<Variant> starts) {
    private static final String WORKERS = "workers";
    private static final String START = "start";

    /** Returns what can be chosen. */
    static List<String> names() {
        return Stream.of(
                        Stream.of(Work.values()).map(Work::toString),
                        Setting.ALL.stream().map(Setting::name),
                        Stream.of(WORKERS, START))
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
                // The one that needs nothing else comes first.
                .sorted(Comparator.comparing(Variant::isNative))
                .toList();
        List<Call> calls = new ArrayList<>();
        for (Work work : Work.values()) {
            for (Net net : Net.values()) {
                for (int number : threads) {
                    Stream.concat(
                                    Stream.of(Variant.acting(simdAvailable)).filter(acting -> work == Work.FORWARD),
                                    variants.stream())
                            .filter(variant -> isChosen(work.toString(), chosen)
                                    && variant.threads(threads, backends).contains(number))
                            .forEach(variant -> calls.add(new Call(work, net, variant, number)));
                }
            }
        }
        List<Training> trainings = new ArrayList<>();
        for (Setting setting : Setting.ALL) {
            if (isChosen(setting.name(), chosen)) {
                variants.stream()
                        .filter(variant -> variant.isJava() || !chosen.isEmpty() || setting.equals(Setting.COMPARED))
                        .forEach(variant -> variant.threads(threads, backends)
                                .forEach(number -> trainings.add(new Training(setting, variant, number, false))));
                variants.stream()
                        .filter(Variant::isJava)
                        .limit(1)
                        .forEach(variant -> trainings.add(new Training(setting, variant, threads.get(0), true)));
            }
        }
        if (isChosen(WORKERS, chosen)) {
            variants.stream()
                    .filter(Variant::isJava)
                    .limit(1)
                    .forEach(variant -> Setting.WORKERS.forEach(
                            setting -> trainings.add(new Training(setting, variant, threads.get(0), false))));
        }
        // As the launcher script starts it.
        List<Variant> starts = variants.stream()
                .filter(variant -> isChosen(START, chosen) && variant.simd() == simdAvailable)
                .toList();
        return new Plan(calls, isChosen(WORKERS, chosen) ? Stepping.ALL : List.of(), trainings, starts);
    }

    private static boolean isChosen(String name, List<String> chosen) {
        return chosen.isEmpty() || chosen.contains(name);
    }
}
