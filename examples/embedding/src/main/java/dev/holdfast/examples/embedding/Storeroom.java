package dev.holdfast.examples.embedding;

import java.nio.ByteBuffer;

/** The shop with a storeroom that must not overflow: orders that don't fit are masked. It saves its state. */
final class Storeroom extends Shop {
    @Override
    public boolean[] actionMask() {
        boolean[] fits = new boolean[11];
        for (int items = 0; items <= 10; items++) {
            fits[items] = stock + items <= 20;
        }
        return fits;
    }

    @Override
    public byte[] saveState() {
        ByteBuffer state = ByteBuffer.allocate(6 * Long.BYTES).putLong(day).putLong(stock);
        for (long word : random.state()) {
            state.putLong(word);
        }
        return state.array();
    }

    @Override
    public void restoreState(byte[] saved) {
        ByteBuffer state = ByteBuffer.wrap(saved);
        day = (int) state.getLong();
        stock = (int) state.getLong();
        random.restore(new long[] {state.getLong(), state.getLong(), state.getLong(), state.getLong()});
    }
}
