package dev.holdfast.examples.benchmark;

import java.util.List;

/**
 * Work that is measured at all its batch sizes.
 *
 * @param work what is called
 * @param net with which network
 * @param variant by what
 * @param threads on how many threads
 */
record Call(Work work, Net net, Variant variant, int threads) {
    /** Returns the arguments of {@link CallProbe}. */
    List<String> arguments(Effort effort) {
        return List.of(
                work.name(),
                variant.backend(),
                net.toString(),
                Integer.toString(threads),
                Double.toString(effort.warmupSeconds()),
                Integer.toString(effort.samples()),
                Double.toString(effort.sampleSeconds()));
    }

    @Override
    public String toString() {
        return work + ", " + net + ", " + variant + ", " + Text.count(threads, "thread");
    }
}
