package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.PpoBackend;
import java.util.ArrayList;
import java.util.List;

/**
 * What is compared: a backend, of which the one in Java counts as two (in SIMD instructions and in plain loops), or the policy that
 * acts in Java whatever the backend.
 *
 * @param name its name in results
 * @param backend the backend's name, or {@link #ACTING}
 * @param simd whether the JVM has the Vector API
 */
record Variant(String name, String backend, boolean simd) {
    /** Stands for {@link dev.holdfast.rl.api.policy.MlpPolicy}. */
    static final String ACTING = "acting policy";

    private static final String JAVA = "java";

    static Variant javaSimd() {
        return new Variant("java SIMD", JAVA, true);
    }

    static Variant javaLoops() {
        return new Variant("java plain loops", JAVA, false);
    }

    /** Returns what a backend is compared as; the one that the launcher script starts is the first. */
    static List<Variant> of(String backend, boolean simdAvailable) {
        if (backend.equals(JAVA)) {
            return simdAvailable ? List.of(javaSimd(), javaLoops()) : List.of(javaLoops());
        }
        return List.of(new Variant(backend, backend, simdAvailable));
    }

    static Variant acting(boolean simdAvailable) {
        return new Variant(ACTING, ACTING, simdAvailable);
    }

    boolean isJava() {
        return backend.equals(JAVA);
    }

    boolean isActing() {
        return backend.equals(ACTING);
    }

    boolean isNative() {
        return !isJava() && !isActing();
    }

    /** Returns those of some numbers of threads that this can make use of. */
    List<Integer> threads(List<Integer> numbers, List<PpoBackend> backends) {
        boolean many = backends.stream()
                .anyMatch(each ->
                        each.name().equals(backend) && each.capabilities().contains(Capability.THREADS));
        return numbers.stream().filter(number -> many || number == 1).toList();
    }

    /** Returns the JVM options that the launcher script gives, and those without which natives make a newer JVM print warnings. */
    List<String> jvmOptions(int javaVersion) {
        List<String> options = new ArrayList<>();
        if (simd) {
            options.addAll(List.of("--add-modules", ChildJvm.SIMD_MODULE));
        }
        if (isNative()) {
            options.add("--enable-native-access=ALL-UNNAMED");
            if (javaVersion >= 23) {
                options.add("--sun-misc-unsafe-memory-access=allow");
            }
        }
        return options;
    }

    @Override
    public String toString() {
        return name;
    }
}
