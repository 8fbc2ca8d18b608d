package dev.holdfast.examples.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.random.RandomStream;
import dev.holdfast.training.runtime.Evaluation;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.TrainingResult;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopExampleTest {
    /** What the best policy earns in four weeks on average, from 10 items on a Monday. */
    private static final double OPTIMUM = optimum();

    @TempDir
    Path folder;

    @Test
    void learnsToOrderAndGoesOnWhenStartedAgain() {
        assertThat(OPTIMUM).isBetween(280.0, 280.5);
        assertThat(randomOrders()).isBetween(20.0, 40.0);

        TrainingResult first = ShopExample.train(folder);
        assertThat(first.isFinished()).isTrue();
        assertThat(meanReturn(first)).isGreaterThan(0.9 * OPTIMUM);
        // The weekend sells 5 to 10 items a day, a Wednesday at most 4.
        assertThat(first.policy().act(new float[] {3, 5}).index()).isGreaterThan(3);
        assertThat(first.policy().act(new float[] {5, 2}).index()).isLessThan(3);

        TrainingResult again = ShopExample.train(folder);
        assertThat(again.timesteps()).isEqualTo(first.timesteps());
        assertThat(again.evaluation()).isEqualTo(first.evaluation());
    }

    @Test
    void storeroomIsKnownByNameAndNeverOverflows() {
        TrainingConfig config = TrainingConfig.builder()
                .set(Fields.ENV, "Storeroom-v0")
                .set(Fields.MODEL, Optional.of(folder.resolve("storeroom.zip")))
                .build();
        TrainingResult result = Trainer.of(config).build().train();
        assertThat(meanReturn(result)).isGreaterThan(0.9 * OPTIMUM);

        try (Storeroom storeroom = new Storeroom(0)) {
            storeroom.reset(1);
            storeroom.stock = 18;
            RandomStream random = new RandomStream(1);
            for (int i = 0; i < 200; i++) {
                Action order = result.policy().act(new float[] {18, 0}, storeroom.actionMask(), random);
                assertThat(order.index()).isBetween(0, 2);
            }
        }
    }

    @Test
    void storeroomGoesOnFromItsSavedState() {
        try (Storeroom original = new Storeroom(0);
                Storeroom restored = new Storeroom(0)) {
            original.reset(5);
            original.step(Action.of(4));
            restored.restoreState(original.saveState());
            for (int day = 1; day < 28; day++) {
                assertThat(restored.step(Action.of(3)))
                        .usingRecursiveComparison()
                        .isEqualTo(original.step(Action.of(3)));
                assertThat(restored.actionMask()).isEqualTo(original.actionMask());
            }
        }
    }

    private static double meanReturn(TrainingResult result) {
        Evaluation evaluation = Objects.requireNonNull(result.evaluation());
        return evaluation.meanReturn();
    }

    private static double randomOrders() {
        RandomStream random = new RandomStream(7);
        int episodes = 1000;
        double profit = 0;
        try (Shop shop = new Shop()) {
            for (int episode = 0; episode < episodes; episode++) {
                shop.reset(episode);
                for (int day = 0; day < 28; day++) {
                    profit += shop.step(Action.of(random.nextInt(11))).reward();
                }
            }
        }
        return profit / episodes;
    }

    /** Backward induction over the 28 days; ordering more than fits is never best. */
    private static double optimum() {
        double[] next = new double[21];
        for (int day = 27; day >= 0; day--) {
            boolean weekend = day % 7 >= 5;
            int least = weekend ? 5 : 0;
            int demands = weekend ? 6 : 5;
            double[] now = new double[21];
            for (int stock = 0; stock <= 20; stock++) {
                now[stock] = Double.NEGATIVE_INFINITY;
                for (int order = 0; order <= Math.min(10, 20 - stock); order++) {
                    double mean = -2 * order;
                    for (int demand = least; demand < least + demands; demand++) {
                        int sold = Math.min(stock + order, demand);
                        int left = stock + order - sold;
                        mean += (5 * sold - 0.5 * left + next[left]) / demands;
                    }
                    now[stock] = Math.max(now[stock], mean);
                }
            }
            next = now;
        }
        return next[10];
    }
}
