package dev.holdfast.examples.backends;

import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.LearnerRequest;
import dev.holdfast.rl.api.backend.LearnerState;
import dev.holdfast.rl.api.backend.PpoLearner;
import dev.holdfast.rl.api.network.Activation;
import dev.holdfast.rl.api.network.Initializer;
import dev.holdfast.rl.api.network.NetworkSpec;
import dev.holdfast.rl.api.policy.MlpPolicy;
import dev.holdfast.rl.api.ppo.MiniBatch;
import dev.holdfast.rl.api.ppo.UpdateSettings;
import dev.holdfast.rl.api.ppo.UpdateStatistics;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32;

/** A fixed sequence of gradient steps, wide enough that a native library would use several threads if it were allowed to. */
final class Updates implements AutoCloseable {
    private static final int BATCH = 256;

    private static final NetworkSpec SPEC =
            NetworkSpec.of(Box.unbounded(8), new Discrete(6), true, Activation.TANH, 256, 256);
    private static final UpdateSettings SETTINGS =
            new UpdateSettings(1e-3, 0.2, Double.POSITIVE_INFINITY, 0.01, 0.5, 0.5, true, Double.POSITIVE_INFINITY);

    private final RandomStream random = new RandomStream(1, "updates");
    private final MlpPolicy policy = new MlpPolicy(SPEC, BATCH);
    private final MiniBatch batch = new MiniBatch(SPEC, BATCH);
    private final PpoLearner learner;

    Updates(String backend) {
        policy.setWeights(Initializer.weights(SPEC, 1));
        learner = Backends.named(backend).createLearner(new LearnerRequest(SPEC, "cpu", 1, BATCH, 1));
    }

    /** Learns from samples of the first policy. */
    void step() {
        batch.size(BATCH);
        fill(batch.features());
        boolean[] masks = Objects.requireNonNull(batch.masks());
        for (int i = 0; i < masks.length; i++) {
            masks[i] = i % 6 == 0 || random.nextInt(2) == 0;
        }
        policy.act(BATCH, batch.features(), masks, random, batch.actions(), batch.values(), batch.logProbabilities());
        fill(batch.advantages());
        fill(batch.returns());
        learner.update(batch, SETTINGS, new UpdateStatistics());
    }

    private void fill(float[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
    }

    LearnerState state() {
        return learner.exportState();
    }

    /** Returns a checksum of every bit of the weights. */
    long checksum() {
        CRC32 crc = new CRC32();
        learner.exportState().weights().forEach(tensor -> {
            for (float weight : tensor.floats()) {
                int bits = Float.floatToRawIntBits(weight);
                for (int shift = 0; shift < 32; shift += 8) {
                    crc.update(bits >> shift);
                }
            }
        });
        return crc.getValue();
    }

    @Override
    public void close() {
        learner.close();
    }

    /** Takes ten steps with each of the named backends, one backend after the other, and prints the checksums. */
    public static void main(String[] backends) {
        Arrays.stream(backends).forEach(backend -> {
            try (Updates updates = new Updates(backend)) {
                for (int i = 0; i < 10; i++) {
                    updates.step();
                }
                System.out.println(backend + " " + updates.checksum());
            }
        });
    }
}
