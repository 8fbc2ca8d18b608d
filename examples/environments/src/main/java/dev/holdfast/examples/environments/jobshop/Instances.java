package dev.holdfast.examples.environments.jobshop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The public benchmark instances that everyone compares with: ft, la, abz, orb, swv, yn and ta, 162 of them.
 *
 * <p>They are read from a text file. An instance there is a line {@code instance NAME JOBS MACHINES LOWER UPPER}, bounds of the
 * optimal makespan or {@code -}, then a line a job: machine and duration of each of its operations in order. Lines that begin with
 * {@code #} are comments.
 */
public final class Instances {
    /** Read when it is first asked for. */
    private static final class Holder {
        static final Map<String, JobShopInstance> ALL = load();
    }

    private Instances() {}

    /**
     * Returns all of them.
     *
     * @return by name, in the file's order
     */
    public static Map<String, JobShopInstance> all() {
        return Holder.ALL;
    }

    private static Map<String, JobShopInstance> load() {
        InputStream file =
                Objects.requireNonNull(Instances.class.getResourceAsStream("instances.txt"), "instances.txt");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return parse(reader.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, JobShopInstance> parse(List<String> lines) {
        Map<String, JobShopInstance> instances = new LinkedHashMap<>();
        Iterator<String> rest =
                lines.stream().filter(line -> !line.startsWith("#")).iterator();
        while (rest.hasNext()) {
            JobShopInstance instance = parse(rest.next(), rest);
            if (instances.put(instance.name(), instance) != null) {
                throw new IllegalArgumentException(
                        "there must be one instance of a name, but there are two of " + instance);
            }
        }
        return Collections.unmodifiableMap(instances);
    }

    private static JobShopInstance parse(String header, Iterator<String> rest) {
        String[] words = header.split(" ", -1);
        if (words.length != 6 || !words[0].equals("instance")) {
            throw new IllegalArgumentException(
                    "an instance must begin with \"instance NAME JOBS MACHINES LOWER UPPER\", but there was \"" + header
                            + "\"");
        }
        String name = words[1];
        int jobs = Integer.parseInt(words[2]);
        int machines = Integer.parseInt(words[3]);
        int[] machine = new int[jobs * machines];
        int[] duration = new int[jobs * machines];
        for (int job = 0; job < jobs; job++) {
            int[] numbers = numbers(rest.hasNext() ? rest.next() : "");
            if (numbers.length != 2 * machines) {
                throw new IllegalArgumentException(name + ": job " + job + " must have " + 2 * machines
                        + " numbers, a machine and a duration for each operation, but had " + numbers.length);
            }
            for (int place = 0; place < machines; place++) {
                machine[job * machines + place] = numbers[2 * place];
                duration[job * machines + place] = numbers[2 * place + 1];
            }
        }
        return new JobShopInstance(name, jobs, machines, machine, duration, bound(words[4]), bound(words[5]));
    }

    private static int[] numbers(String line) {
        return Arrays.stream(line.split(" ", -1))
                .filter(word -> !word.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private static OptionalInt bound(String word) {
        return word.equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(word));
    }
}
