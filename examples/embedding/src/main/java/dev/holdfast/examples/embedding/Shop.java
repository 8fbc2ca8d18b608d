package dev.holdfast.examples.embedding;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.MultiDiscrete;
import dev.holdfast.rl.api.space.Space;

/** A shop reorders one product every evening, for four weeks. What doesn't fit on the shelf is thrown away. */
class Shop implements Environment {
    final RandomStream random = new RandomStream(0);
    int day;
    int stock;

    @Override
    public Space observationSpace() {
        return new MultiDiscrete(21, 7); // items in stock, day of the week
    }

    @Override
    public Space actionSpace() {
        return new Discrete(11); // items to order
    }

    @Override
    public float[] reset(long seed) {
        random.reseed(seed);
        day = 0;
        stock = 10;
        return new float[] {stock, day};
    }

    @Override
    public Step step(Action order) {
        stock = Math.min(stock + order.index(), 20);
        int demand = day % 7 < 5 ? random.nextInt(5) : 5 + random.nextInt(6); // more at the weekend
        int sold = Math.min(stock, demand);
        stock -= sold;
        day++;
        double profit = 5 * sold - 2 * order.index() - 0.5 * stock;
        return new Step(new float[] {stock, day % 7}, profit, false, day == 28);
    }
}
