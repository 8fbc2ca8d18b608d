package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.benchmark.jobshop.Training.General;
import dev.holdfast.examples.environments.jobshop.DispatchingRule;
import dev.holdfast.examples.environments.jobshop.Instances;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.examples.environments.jobshop.Schedule;
import dev.holdfast.rl.api.random.RandomStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Trains policies for the job shop and compares them with dispatching rules, on public instances and on random ones. Arguments, all
 * optional: the folder to write to, and the number of general policies.
 *
 * <p>A general policy has learned from random instances alone. The first one is trained on for each of the compared instances.
 */
public final class JobShopTable {
    static final String TUNED = "tuned";

    private static final List<Double> DELAYS = List.of(0.0, 1.0);
    private static final int RANDOM_ROUNDS = 10;
    private static final List<Integer> RANDOM_SIZES = List.of(6, 10, 15);

    private final Effort effort;
    private final Consumer<String> progress;
    private final Training training;
    private final Results results = new Results();

    private JobShopTable(Effort effort, Path runs, Consumer<String> progress) {
        this.effort = effort;
        this.progress = progress;
        training = new Training(runs, effort);
    }

    /**
     * Runs the command.
     *
     * @param arguments folder and number of general policies, both optional
     * @throws IOException if the results can't be written
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "docs/results/job-shop");
        String seeds = arguments.length > 1 ? arguments[1] : "3";
        if (arguments.length > 2 || !seeds.matches("[1-9]\\d?")) {
            System.err.println("usage: job-shop-table.sh [folder [number of general policies, 1 to 99]]");
            System.exit(2);
        }
        make(Effort.full(Integer.parseInt(seeds)), Path.of("runs/job-shop-table"), System.out::println)
                .write(folder);
    }

    /**
     * Makes the table; uses all processors.
     *
     * @param runs where the trained models go; those of an earlier table are replaced
     * @param progress is told what begins
     */
    static Report make(Effort effort, Path runs, Consumer<String> progress) {
        return new JobShopTable(effort, runs, progress).make();
    }

    private Report make() {
        long start = System.nanoTime();
        List<JobShopInstance> known = Instances.all().values().stream()
                .filter(instance -> instance.upperBound().isPresent())
                .toList();
        known.forEach(this::addRules);

        progress.accept(effort.seeds() + " general policies");
        List<General> generals = LongStream.range(0, effort.seeds())
                .parallel()
                .mapToObj(training::general)
                .toList();
        List<Play> plays =
                generals.stream().map(general -> Play.of(general.model())).toList();
        known.forEach(instance -> addGreedy(plays, instance));
        effort.tuned().forEach(instance -> addSampled(general(0), plays.get(0), instance));

        progress.accept(effort.tuned().size() + " tuned policies");
        List<Play> tuned = effort.tuned().parallelStream()
                .map(instance -> training.tuned(instance, generals.get(0).model()))
                .map(Play::of)
                .toList();
        for (int i = 0; i < tuned.size(); i++) {
            JobShopInstance instance = effort.tuned().get(i);
            results.add(TUNED, instance, tuned.get(i).greedy(instance).makespan());
            addSampled(TUNED, tuned.get(i), instance);
        }
        Schedule chart = tuned.get(0).bestOf(effort.samples(), effort.tuned().get(0), 0);

        progress.accept("random instances");
        Map<Integer, List<JobShopInstance>> random = new LinkedHashMap<>();
        for (int size : RANDOM_SIZES) {
            RandomStream stream = new RandomStream(size, "table");
            List<JobShopInstance> drawn = Stream.generate(() -> JobShopInstance.random(size, size, stream))
                    .limit(effort.randomInstances())
                    .toList();
            random.put(size, drawn);
            for (JobShopInstance instance : drawn) {
                addRules(instance);
                addGreedy(plays, instance);
                addSampled(general(0), plays.get(0), instance);
            }
        }
        return new Report(effort, results, known, generals, random, chart, (System.nanoTime() - start) / 60e9);
    }

    private void addRules(JobShopInstance instance) {
        for (double delay : DELAYS) {
            for (DispatchingRule rule : DispatchingRule.values()) {
                int rounds = rule == DispatchingRule.RANDOM ? RANDOM_ROUNDS : 1;
                double makespan = IntStream.range(0, rounds)
                        .map(seed -> Play.checked(instance, rule.schedule(instance, delay, new RandomStream(seed)))
                                .makespan())
                        .average()
                        .orElseThrow();
                results.add(rule(rule, delay), instance, makespan);
            }
        }
    }

    private void addGreedy(List<Play> plays, JobShopInstance instance) {
        for (int seed = 0; seed < plays.size(); seed++) {
            results.add(
                    general(seed), instance, plays.get(seed).greedy(instance).makespan());
        }
    }

    private void addSampled(String method, Play play, JobShopInstance instance) {
        results.add(
                sampled(method),
                instance,
                play.bestOf(effort.samples(), instance, 0).makespan());
    }

    static List<String> rules() {
        return DELAYS.stream()
                .flatMap(delay -> Stream.of(DispatchingRule.values()).map(rule -> rule(rule, delay)))
                .toList();
    }

    private static String rule(DispatchingRule rule, double delay) {
        return rule + (delay == 0 ? " non-delay" : " active");
    }

    static String general(long seed) {
        return "general " + seed;
    }

    static String sampled(String method) {
        return method + " sampled";
    }
}
