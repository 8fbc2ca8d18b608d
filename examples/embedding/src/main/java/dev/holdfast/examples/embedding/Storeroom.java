package dev.holdfast.examples.embedding;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Step;
import java.nio.ByteBuffer;

/** The shop with a storeroom that must not overflow: orders that don't fit are masked. A delivery has its price. */
final class Storeroom extends Shop {
    private final double deliveryCost;

    Storeroom(double deliveryCost) {
        this.deliveryCost = deliveryCost;
    }

    @Override
    public Step step(Action order) {
        Step step = super.step(order);
        double cost = order.index() > 0 ? deliveryCost : 0;
        return new Step(step.observation(), step.reward() - cost, step.terminated(), step.truncated());
    }

    @Override
    public boolean[] actionMask() {
        return ordersThatFit(stock);
    }

    static boolean[] ordersThatFit(int stock) {
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
