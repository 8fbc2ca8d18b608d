package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The makespans that methods reached for instances. */
final class Results {
    private final Map<String, Map<JobShopInstance, Double>> makespans = new LinkedHashMap<>();

    void add(String method, JobShopInstance instance, double makespan) {
        makespans.computeIfAbsent(method, name -> new LinkedHashMap<>()).put(instance, makespan);
    }

    /** Returns the methods that have a result for each of some instances, in the order in which they came. */
    List<String> methods(Collection<JobShopInstance> instances) {
        return makespans.entrySet().stream()
                .filter(entry -> entry.getValue().keySet().containsAll(instances))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns a makespan that is there. */
    double makespan(String method, JobShopInstance instance) {
        Double makespan = makespans.getOrDefault(method, Map.of()).get(instance);
        if (makespan == null) {
            throw new IllegalArgumentException("there is no makespan of " + method + " for " + instance);
        }
        return makespan;
    }

    /** Returns the shortest makespan of all methods. */
    double best(JobShopInstance instance) {
        return methods(List.of(instance)).stream()
                .mapToDouble(method -> makespan(method, instance))
                .min()
                .orElseThrow();
    }

    /** Returns how far above a reference a method is, in percent and in the mean of instances. */
    double meanGap(String method, Collection<JobShopInstance> instances, ToDoubleFunction<JobShopInstance> reference) {
        return instances.stream()
                .mapToDouble(instance -> Gap.percent(makespan(method, instance), reference.applyAsDouble(instance)))
                .average()
                .orElseThrow();
    }

    /** Returns how far above the best makespan known a method is, in percent and in the mean of instances. */
    double meanGap(String method, Collection<JobShopInstance> instances) {
        return meanGap(method, instances, instance -> instance.upperBound().orElseThrow());
    }
}
