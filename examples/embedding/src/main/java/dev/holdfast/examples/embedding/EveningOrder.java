package dev.holdfast.examples.embedding;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.policy.Policy;
import dev.holdfast.training.runtime.checkpoint.ZipCheckpointStore;
import java.nio.file.Path;

/** Asks a policy that was trained in {@link Storeroom} what to order. */
public final class EveningOrder {
    private EveningOrder() {}

    /**
     * Runs the example.
     *
     * @param args the model's file, the items in stock, and the day of the week, 0 for Monday
     */
    public static void main(String[] args) {
        Policy policy = new ZipCheckpointStore().load(Path.of(args[0])).policy();
        int stock = Integer.parseInt(args[1]);
        int day = Integer.parseInt(args[2]);
        Action order = policy.act(new float[] {stock, day}, Storeroom.ordersThatFit(stock), null);
        System.out.println("Order " + order.index());
    }
}
