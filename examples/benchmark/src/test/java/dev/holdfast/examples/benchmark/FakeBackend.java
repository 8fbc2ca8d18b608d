package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.Capability;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.PpoBackend;
import dev.holdfast.rl.api.backend.PpoLearner;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Stands for a native backend that knows one thread, and computes in Java. */
public final class FakeBackend implements PpoBackend {
    @Override
    public String name() {
        return "fake";
    }

    @Override
    public String description() {
        return "the Java backend under another name";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.THREADS));
    }

    @Override
    public List<Device> devices() {
        return java().devices();
    }

    @Override
    public PpoLearner createLearner(LearnerRequest request) {
        // What natives write to standard output must not be taken for a result.
        System.out.println("a greeting from native code");
        return java().createLearner(request);
    }

    private static PpoBackend java() {
        return Backends.named("java");
    }
}
