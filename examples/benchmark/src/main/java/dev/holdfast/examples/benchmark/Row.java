package dev.holdfast.examples.benchmark;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A number that was measured, for programs that read results.
 *
 * @param part {@code forward}, {@code update}, {@code workers}, {@code training} or {@code start}
 * @param subject the network, the number of environments, the setting, or which start
 * @param configuration what is done beside training, or what a step costs; empty elsewhere
 * @param variant by which backend or kind of vector environment
 * @param kernel the backend's kernel; empty where none was measured by itself
 * @param threads on how many threads
 * @param batchSize the number of samples of a call; null elsewhere
 * @param quantity what the number is, with its unit
 * @param forks the samples of each JVM
 */
record Row(
        String part,
        String subject,
        String configuration,
        String variant,
        String kernel,
        int threads,
        @Nullable Integer batchSize,
        String quantity,
        List<List<Double>> forks) {
    static final String HEADER =
            "part,subject,configuration,variant,kernel,threads,batch_size,quantity,forks,median,min,max";

    String csv() {
        Summary summary = Summary.ofForks(forks);
        return String.join(
                ",",
                part,
                subject,
                configuration,
                variant,
                // A backend may say anything here.
                '"' + kernel.replace("\"", "\"\"") + '"',
                Integer.toString(threads),
                batchSize == null ? "" : batchSize.toString(),
                quantity,
                Integer.toString(forks.size()),
                Text.format("%.5g", summary.median()),
                Text.format("%.5g", summary.min()),
                Text.format("%.5g", summary.max()));
    }
}
