package dev.holdfast.examples.environments;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.nio.ByteBuffer;

/**
 * A lookup that is hard without masks: the observation is the state, the action that equals it pays 1 and every other one 0, and
 * at each step some of the other actions, drawn afresh, are invalid. The next state is uniform, whatever the action. The
 * environment has no end of its own, so that an episode is truncated.
 *
 * <p>A saved state, big-endian:
 * <pre>
 *   byte  0              32      36      40              40 + size
 *         | long[4]      | int   | int   | byte[size]    |
 *         | random state | steps | state | mask, 1 valid |
 * </pre>
 */
final class InvalidAction implements Environment {
    private static final int HEADER_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES;

    private final int size;
    private final int invalid;
    private final int episodeLength;
    private final Discrete space;
    private final RandomStream random = new RandomStream(0);
    private int steps;
    private int state;
    private boolean[] mask = new boolean[0];

    InvalidAction(int size, int invalid, int episodeLength) {
        this.size = size;
        this.invalid = invalid;
        this.episodeLength = episodeLength;
        space = new Discrete(size);
    }

    @Override
    public Space observationSpace() {
        return space;
    }

    @Override
    public Space actionSpace() {
        return space;
    }

    @Override
    public float[] reset(long seed) {
        random.reseed(seed);
        steps = 0;
        drawState();
        return new float[] {state};
    }

    @Override
    public Step step(Action action) {
        double reward = action.index() == state ? 1 : 0;
        steps++;
        drawState();
        return new Step(new float[] {state}, reward, false, steps >= episodeLength);
    }

    /** Draws the state and which actions are invalid there, every subset of the wrong ones being as likely. */
    private void drawState() {
        state = random.nextInt(size);
        mask = new boolean[size];
        // Selection sampling (Knuth, The Art of Computer Programming, 3.4.2, algorithm S) goes through the wrong
        // actions.
        int left = size - 1;
        int leftInvalid = invalid;
        for (int action = 0; action < size; action++) {
            if (action == state) {
                mask[action] = true;
            } else if (random.nextInt(left--) < leftInvalid) {
                leftInvalid--;
            } else {
                mask[action] = true;
            }
        }
    }

    @Override
    public boolean[] actionMask() {
        return mask;
    }

    @Override
    public byte[] saveState() {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES + size);
        for (long word : random.state()) {
            buffer.putLong(word);
        }
        buffer.putInt(steps).putInt(state);
        for (boolean valid : mask) {
            buffer.put((byte) (valid ? 1 : 0));
        }
        return buffer.array();
    }

    @Override
    public void restoreState(byte[] saved) {
        SavedState.requireLength(saved, HEADER_BYTES + size, InvalidActionProvider.NAME);
        ByteBuffer buffer = ByteBuffer.wrap(saved);
        random.restore(new long[] {buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong()});
        steps = buffer.getInt();
        state = buffer.getInt();
        mask = new boolean[size];
        for (int action = 0; action < size; action++) {
            mask[action] = buffer.get() == 1;
        }
    }
}
