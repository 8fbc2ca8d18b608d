package dev.holdfast.examples.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Says which variant is the fastest at which size. */
final class Crossover {
    private Crossover() {}

    /**
     * Neighbouring sizes of which the same is to be said.
     *
     * @param fastest the fastest variant; several if their ranges overlap with that of the fastest
     */
    private record Segment(List<String> fastest, List<Integer> sizes) {}

    /**
     * Compares.
     *
     * @param sizes in ascending order
     * @param times by variant: the time at each of these sizes
     * @return half a sentence or more
     */
    static String describe(List<Integer> sizes, Map<String, List<Summary>> times) {
        List<Segment> segments = segments(sizes, times);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            boolean last = i == segments.size() - 1;
            String where = segments.size() == 1
                    ? "at every size"
                    : last && i > 0 ? "from " + segment.sizes().get(0) + " on" : "at " + Text.and(segment.sizes());
            parts.add(
                    segment.fastest().size() == 1
                            ? segment.fastest().get(0) + " is fastest " + where
                            : "no clear winner " + where + " (" + Text.and(segment.fastest()) + ")");
        }
        return String.join("; ", parts);
    }

    /**
     * Returns from which size on one is faster than another one. Times between two sizes are taken to lie on a straight line.
     *
     * @param sizes in ascending order
     * @param times the one's time at each of these sizes
     * @param others the other one's
     * @return empty if it isn't faster at the largest size
     */
    static OptionalDouble fasterFrom(List<Integer> sizes, List<Double> times, List<Double> others) {
        int first = sizes.size();
        while (first > 0 && times.get(first - 1) < others.get(first - 1)) {
            first--;
        }
        if (first == sizes.size()) {
            return OptionalDouble.empty();
        }
        if (first == 0) {
            return OptionalDouble.of(sizes.get(0));
        }
        double loss = times.get(first - 1) - others.get(first - 1);
        double gain = others.get(first) - times.get(first);
        int before = sizes.get(first - 1);
        return OptionalDouble.of(before + (sizes.get(first) - before) * loss / (loss + gain));
    }

    private static List<Segment> segments(List<Integer> sizes, Map<String, List<Summary>> times) {
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            List<String> fastest = fastest(i, times);
            Segment before = segments.isEmpty() ? null : segments.get(segments.size() - 1);
            if (before == null || !before.fastest().equals(fastest)) {
                before = new Segment(fastest, new ArrayList<>());
                segments.add(before);
            }
            before.sizes().add(sizes.get(i));
        }
        return segments;
    }

    private static List<String> fastest(int index, Map<String, List<Summary>> times) {
        Summary best = times.values().stream()
                .map(each -> each.get(index))
                .min(Comparator.comparingDouble(Summary::median))
                .orElseThrow();
        return times.entrySet().stream()
                .filter(each -> each.getValue().get(index).min() <= best.max())
                .map(Map.Entry::getKey)
                .toList();
    }
}
