package dev.holdfast.examples.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Results, to be written down as a page with charts for people, as JSON and CSV for programs.
 *
 * @param machine where they were measured
 * @param effort how much was measured
 * @param calls of forward passes and updates, in the order in which they are shown
 * @param steppings of steps of vector environments
 * @param speed of whole training runs
 * @param starts of the command
 * @param peakFlops floating-point operations per second that one core can do; null if not measured
 */
record BenchmarkReport(
        Map<String, String> machine,
        Effort effort,
        List<CallResult> calls,
        List<SteppingResult> steppings,
        List<SpeedResult> speed,
        List<StartResult> starts,
        @Nullable Summary peakFlops) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("results.json"), json());
        Files.writeString(folder.resolve("results.csv"), csv());
        Files.writeString(folder.resolve("summary.md"), new ReportPage(this).markdown());
        Charts.write(this, folder);
    }

    List<CallResult> calls(Work work) {
        return calls.stream().filter(result -> result.call().work() == work).toList();
    }

    /** Returns the variants in the order in which they are shown. */
    List<Variant> variants() {
        return Stream.of(
                        calls.stream().map(result -> result.call().variant()),
                        speed.stream().map(result -> result.training().variant()),
                        starts.stream().map(StartResult::variant))
                .flatMap(variants -> variants)
                .distinct()
                .toList();
    }

    /** Returns the goals of which there are measurements. */
    List<Goal> goals() {
        return Goal.of(calls, steppings, speed, starts);
    }

    /** Returns the kernel of each variant, by name. */
    Map<String, String> kernels() {
        Map<String, String> kernels = new LinkedHashMap<>();
        calls.forEach(result -> kernels.putIfAbsent(result.call().variant().name(), result.kernel()));
        speed.forEach(result -> kernels.putIfAbsent(result.training().variant().name(), result.kernel()));
        return kernels;
    }

    /** Returns a line for each network and kind of work, and for each number of environments: what is fastest at which size. */
    List<String> crossovers() {
        List<String> lines = new ArrayList<>();
        for (Work work : Work.values()) {
            Map<String, Map<String, List<Summary>>> groups = new LinkedHashMap<>();
            for (CallResult result : calls(work)) {
                Call call = result.call();
                groups.computeIfAbsent(
                                work + ", " + call.net() + ", " + Text.count(call.threads(), "thread"),
                                group -> new LinkedHashMap<>())
                        .put(call.variant().name(), result.summaries());
            }
            addCrossovers(lines, groups, work.sizes());
        }
        Map<String, Map<String, List<Summary>>> groups = new LinkedHashMap<>();
        for (SteppingResult result : steppings) {
            groups.computeIfAbsent(result.stepping().subject(), group -> new LinkedHashMap<>())
                    .put(result.stepping().kind().toString(), result.summaries());
        }
        addCrossovers(lines, groups, Stepping.COSTS);
        return lines;
    }

    private static void addCrossovers(
            List<String> lines, Map<String, Map<String, List<Summary>>> groups, List<Integer> sizes) {
        groups.values().removeIf(times -> times.size() < 2);
        groups.forEach((group, times) -> lines.add(group + ": " + Crossover.describe(sizes, times)));
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (CallResult result : calls) {
            Call call = result.call();
            for (int size : call.work().sizes()) {
                rows.add(new Row(
                        call.work().toString(),
                        call.net().toString(),
                        "",
                        call.variant().name(),
                        result.kernel(),
                        call.threads(),
                        size,
                        "microseconds",
                        result.microseconds(size)));
            }
        }
        for (SteppingResult result : steppings) {
            Stepping stepping = result.stepping();
            for (int cost : Stepping.COSTS) {
                result.numbers(cost)
                        .forEach((quantity, forks) ->
                                rows.add(row(stepping, cost + " microseconds a step", quantity, forks)));
            }
            result.idleNumbers().forEach((quantity, forks) -> rows.add(row(stepping, "idle", quantity, forks)));
        }
        for (SpeedResult result : speed) {
            result.numbers()
                    .forEach((quantity, forks) -> rows.add(new Row(
                            "training",
                            result.training().setting().name(),
                            result.training().configuration(),
                            result.training().variant().name(),
                            result.kernel(),
                            result.training().threads(),
                            null,
                            quantity,
                            forks)));
        }
        for (StartResult result : starts) {
            result.numbers()
                    .forEach((quantity, forks) -> rows.add(new Row(
                            "start",
                            result.configuration(),
                            "",
                            result.variant().name(),
                            "",
                            1,
                            null,
                            quantity,
                            forks)));
        }
        return rows;
    }

    private static Row row(Stepping stepping, String configuration, String quantity, List<List<Double>> forks) {
        return new Row(
                "workers", stepping.subject(), configuration, stepping.kind().toString(), "", 1, null, quantity, forks);
    }

    String csv() {
        return Stream.concat(Stream.of(Row.HEADER), rows().stream().map(Row::csv))
                        .collect(Collectors.joining("\n"))
                + "\n";
    }

    String json() throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.set("machine", JSON.valueToTree(machine));
        root.set("effort", JSON.valueToTree(effort));
        root.set("kernels", JSON.valueToTree(kernels()));
        root.set("peak_flops_of_one_core", JSON.valueToTree(peakFlops));
        ObjectNode settings = root.putObject("settings");
        for (SpeedResult result : speed) {
            Setting setting = result.training().setting();
            settings.putObject(setting.name())
                    .put("timesteps", result.timesteps())
                    .put("reference_steps_per_second", setting.reference())
                    .set("config", JSON.valueToTree(setting.config()));
        }
        ArrayNode goals = root.putArray("goals");
        goals().forEach(goal -> goals.addObject()
                .put("what", goal.what())
                .put(goal.atLeast() ? "at_least" : "at_most", goal.target())
                .put("measured", goal.measured())
                .put("reached", goal.reached()));
        ArrayNode workers = root.putArray("workers");
        AgainstSync.of(VecEnv.PROCESS, steppings).forEach(each -> {
            ObjectNode node =
                    workers.addObject().put("environments", each.environments()).put("processors", each.processors());
            node.set("hand_over_microseconds", JSON.valueToTree(each.handOver()));
            each.fasterFrom().ifPresent(cost -> node.put("faster_from_microseconds", cost));
        });
        root.set("fastest", JSON.valueToTree(crossovers()));
        root.set("results", JSON.valueToTree(rows()));
        return JSON.writeValueAsString(root) + "\n";
    }
}
