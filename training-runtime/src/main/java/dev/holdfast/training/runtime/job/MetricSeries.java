package dev.holdfast.training.runtime.job;

import dev.holdfast.training.runtime.metrics.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The points of a run, in columns. A point has a number, its cursor, which it keeps. Once there are {@value #CAPACITY}, every second one is
 * given up, so that memory stays bounded however long a run is.
 */
final class MetricSeries {
    static final int CAPACITY = 100_000;
    /** The name of the axis in a point. */
    static final String TIMESTEPS = "timesteps";

    private static final List<String> COLUMNS = Arrays.stream(Metric.values())
            .filter(metric -> metric != Metric.TOTAL_TIMESTEPS)
            .map(Metric::shortKey)
            .toList();

    private final int capacity;
    private long[] numbers = new long[64];
    private long[] steps = new long[64];
    private final double[][] columns = new double[COLUMNS.size()][64];
    private int size;
    private long total;

    /**
     * An answer to "what is new".
     *
     * @param points in the order of time
     * @param offset the number of the first, or of the one to come
     * @param end the cursor to ask with next
     */
    record Slice(List<Map<String, Number>> points, long offset, long end) {}

    MetricSeries() {
        this(CAPACITY);
    }

    MetricSeries(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a point; values that are no metric of the catalogue are left out. */
    void add(long timesteps, Map<String, Double> values) {
        if (size == capacity) {
            thinOut();
        }
        if (size == steps.length) {
            int length = Math.min(capacity, 2 * size);
            numbers = Arrays.copyOf(numbers, length);
            steps = Arrays.copyOf(steps, length);
            for (int i = 0; i < columns.length; i++) {
                columns[i] = Arrays.copyOf(columns[i], length);
            }
        }
        numbers[size] = total++;
        steps[size] = timesteps;
        for (int i = 0; i < columns.length; i++) {
            columns[i][size] = values.getOrDefault(COLUMNS.get(i), Double.NaN);
        }
        size++;
    }

    /** Adds what the last point doesn't say yet. */
    void complete(Map<String, Double> values) {
        for (int i = 0; i < columns.length; i++) {
            Double value = values.get(COLUMNS.get(i));
            if (value != null && Double.isNaN(columns[i][size - 1])) {
                columns[i][size - 1] = value;
            }
        }
    }

    private void thinOut() {
        int kept = 0;
        // From the second one on, so that the newest stays.
        for (int i = 1; i < size; i += 2) {
            numbers[kept] = numbers[i];
            steps[kept] = steps[i];
            for (double[] column : columns) {
                column[kept] = column[i];
            }
            kept++;
        }
        size = kept;
    }

    /** How many points there have been. */
    long total() {
        return total;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The steps of the last point; 0 if there is none. */
    long lastTimesteps() {
        return size == 0 ? 0 : steps[size - 1];
    }

    /** The last value of a metric that is known; NaN if none is. */
    double last(Metric metric) {
        double[] values = lastKnown(metric, 1);
        return values.length == 0 ? Double.NaN : values[0];
    }

    /** How many values of a metric are known. */
    int known(Metric metric) {
        double[] column = column(metric);
        int known = 0;
        for (int i = 0; i < size; i++) {
            if (!Double.isNaN(column[i])) {
                known++;
            }
        }
        return known;
    }

    private double[] column(Metric metric) {
        return columns[COLUMNS.indexOf(metric.shortKey())];
    }

    /** The last known values of a metric, the oldest first. */
    double[] lastKnown(Metric metric, int limit) {
        double[] column = column(metric);
        double[] found = new double[Math.min(limit, size)];
        int from = found.length;
        for (int i = size - 1; i >= 0 && from > 0; i--) {
            if (!Double.isNaN(column[i])) {
                found[--from] = column[i];
            }
        }
        return Arrays.copyOfRange(found, from, found.length);
    }

    /**
     * Returns the points from a number on. If there are more than the limit, each pair of points of the answer stands for a stretch of
     * them, and has the smallest and the largest value of each metric in it: no peak is lost.
     */
    Slice from(long number, int limit) {
        int first = Arrays.binarySearch(numbers, 0, size, number);
        first = first < 0 ? -first - 1 : first;
        int count = size - first;
        List<Map<String, Number>> points = new ArrayList<>(Math.min(count, limit));
        if (count <= limit) {
            for (int i = first; i < size; i++) {
                points.add(point(i, i, false));
            }
        } else if (limit == 1) {
            points.add(point(size - 1, size - 1, false));
        } else {
            int pairs = limit / 2;
            for (int pair = 0; pair < pairs; pair++) {
                int begin = first + (int) ((long) count * pair / pairs);
                int last = first + (int) ((long) count * (pair + 1) / pairs) - 1;
                points.add(point(begin, last, false));
                points.add(point(begin, last, true));
            }
        }
        return new Slice(points, count == 0 ? total : numbers[first], total);
    }

    private Map<String, Number> point(int from, int to, boolean largest) {
        Map<String, Number> point = new LinkedHashMap<>();
        point.put(TIMESTEPS, steps[largest ? to : from]);
        for (int i = 0; i < columns.length; i++) {
            double[] column = columns[i];
            double extreme = Double.NaN;
            for (int j = from; j <= to; j++) {
                double value = column[j];
                if (!(largest ? value <= extreme : value >= extreme) && !Double.isNaN(value)) {
                    extreme = value;
                }
            }
            if (!Double.isNaN(extreme)) {
                point.put(COLUMNS.get(i), number(extreme));
            }
        }
        return point;
    }

    private static Number number(double value) {
        long whole = (long) value;
        if (whole == value) {
            return whole;
        }
        return value;
    }
}
