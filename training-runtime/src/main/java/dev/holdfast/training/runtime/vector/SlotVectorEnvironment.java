package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.VectorEnvironment;
import dev.holdfast.rl.api.space.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Environments in this JVM. How they are stepped, one after the other or in threads, is the subclass's affair. */
abstract class SlotVectorEnvironment implements VectorEnvironment {
    private final Buffers buffers;
    private final List<EnvironmentSlot> slots = new ArrayList<>();
    private final boolean[] missed;

    SlotVectorEnvironment(int count, EnvironmentSource source) {
        missed = new boolean[count];
        Environment first = source.create();
        buffers = new Buffers(count, first.observationSpace(), first.actionSpace());
        try {
            slots.add(new EnvironmentSlot(0, 0, first, buffers));
            for (int i = 1; i < count; i++) {
                slots.add(new EnvironmentSlot(i, i, source.create(), buffers));
            }
        } catch (RuntimeException e) {
            slots.forEach(EnvironmentSlot::close);
            throw e;
        }
    }

    /** Steps the environments {@code from} to {@code to - 1}. */
    final void step(float[] actions, int from, int to) {
        for (int i = from; i < to; i++) {
            slots.get(i).step(actions);
        }
    }

    @Override
    public final int count() {
        return slots.size();
    }

    @Override
    public final Space observationSpace() {
        return buffers.observationSpace;
    }

    @Override
    public final Space actionSpace() {
        return buffers.actionSpace;
    }

    @Override
    public final boolean masked() {
        return buffers.masks != null;
    }

    @Override
    public final void reset(long seed) {
        slots.forEach(slot -> slot.reset(seed));
    }

    @Override
    public final float[] observations() {
        return buffers.observations;
    }

    @Override
    public final boolean @Nullable [] masks() {
        return buffers.masks;
    }

    @Override
    public final float[] rewards() {
        return buffers.rewards;
    }

    @Override
    public final boolean[] terminated() {
        return buffers.terminated;
    }

    @Override
    public final boolean[] truncated() {
        return buffers.truncated;
    }

    @Override
    public final boolean[] missed() {
        return missed;
    }

    @Override
    public final float[] finalObservations() {
        return buffers.finalObservations;
    }

    @Override
    public final List<EnvironmentState> save() {
        return slots.stream().map(EnvironmentSlot::save).toList();
    }

    @Override
    public final void restore(List<EnvironmentState> states, float[] observations) {
        if (states.size() != slots.size()) {
            throw new IllegalArgumentException(
                    "there must be " + slots.size() + " environment states, but there are " + states.size());
        }
        for (int i = 0; i < slots.size(); i++) {
            slots.get(i).restore(states.get(i), observations);
        }
    }

    @Override
    public void close() {
        slots.forEach(EnvironmentSlot::close);
    }
}
