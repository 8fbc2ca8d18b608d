package dev.holdfast.training.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.network.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpisodeStatisticsTest {
    private static final boolean[] NONE = {false, false};

    private static float[] rewards(float... rewards) {
        return rewards;
    }

    private static void episode(EpisodeStatistics statistics, float reward) {
        statistics.step(rewards(reward), new boolean[] {true});
    }

    @Test
    void knowsNoMeansBeforeAnEpisodeIsOver() {
        EpisodeStatistics statistics = new EpisodeStatistics(2, 100);
        statistics.step(rewards(1, 2), NONE);

        assertThat(statistics.meanReturn()).isNaN();
        assertThat(statistics.meanLength()).isNaN();
        assertThat(statistics.finishedEpisodes()).containsExactly(0, 0);
    }

    @Test
    void sumsEachEnvironmentByItself() {
        EpisodeStatistics statistics = new EpisodeStatistics(2, 100);
        statistics.step(rewards(1, 10), NONE);
        statistics.step(rewards(2, 20), new boolean[] {false, true});
        statistics.step(rewards(4, 40), new boolean[] {true, false});

        assertThat(statistics.finishedReturn(0)).isEqualTo(7);
        assertThat(statistics.finishedLength(0)).isEqualTo(3);
        assertThat(statistics.finishedReturn(1)).isEqualTo(30);
        assertThat(statistics.finishedLength(1)).isEqualTo(2);
        assertThat(statistics.meanReturn()).isEqualTo(18.5);
        assertThat(statistics.meanLength()).isEqualTo(2.5);
        assertThat(statistics.finishedEpisodes()).containsExactly(1, 1);

        statistics.step(rewards(1, 2), new boolean[] {false, true});
        assertThat(statistics.finishedReturn(1)).isEqualTo(42);
        assertThat(statistics.finishedEpisodes()).containsExactly(1, 2);
    }

    @Test
    void sumsInDoublePrecision() {
        EpisodeStatistics statistics = new EpisodeStatistics(1, 100);
        statistics.step(rewards(1 << 24), new boolean[] {false});
        episode(statistics, 1);

        assertThat(statistics.finishedReturn(0)).isEqualTo((1 << 24) + 1);
    }

    @Test
    void forgetsTheOldestEpisodes() {
        EpisodeStatistics statistics = new EpisodeStatistics(1, 3);
        for (int reward : new int[] {100, 1, 2, 6}) {
            episode(statistics, reward);
        }

        assertThat(statistics.meanReturn()).isEqualTo(3);
        assertThat(statistics.finishedEpisodes()).containsExactly(4);
    }

    @Test
    void dropsAnEpisodeThatWasCut() {
        EpisodeStatistics statistics = new EpisodeStatistics(2, 100);
        statistics.step(rewards(5, 6), NONE);
        statistics.abandonEpisode(0);
        statistics.step(rewards(1, 1), new boolean[] {true, true});

        assertThat(statistics.finishedReturn(0)).isEqualTo(1);
        assertThat(statistics.finishedLength(0)).isEqualTo(1);
        assertThat(statistics.finishedReturn(1)).isEqualTo(7);
    }

    @Test
    void goesOnFromItsStateToTheLastBit() {
        // Sums of these depend on the order in which they are added, so a ring that is read from another place would
        // show.
        float[] rewards = {0x1p53f, 1, -0x1p53f, 3, 0.1f, 0x1p52f, 7, -0x1p52f};
        EpisodeStatistics unbroken = new EpisodeStatistics(1, 5);
        EpisodeStatistics interrupted = new EpisodeStatistics(1, 5);
        for (float reward : rewards) {
            unbroken.step(rewards(0.5f), new boolean[] {false});
            interrupted.step(rewards(0.5f), new boolean[] {false});
            List<Tensor> state = new ArrayList<>(interrupted.exportState());
            state.add(0, new Tensor("another", new int[0], new float[1]));
            interrupted = new EpisodeStatistics(1, 5);
            interrupted.importState(state);
            episode(unbroken, reward);
            episode(interrupted, reward);

            assertThat(interrupted.meanReturn()).isEqualTo(unbroken.meanReturn());
            assertThat(interrupted.meanLength())
                    .isEqualTo(unbroken.meanLength())
                    .isEqualTo(2);
            assertThat(interrupted.finishedEpisodes()).isEqualTo(unbroken.finishedEpisodes());
            assertThat(interrupted.exportState()).isEqualTo(unbroken.exportState());
        }
    }

    @Test
    void keepsTheNewestEpisodesInASmallerWindow() {
        EpisodeStatistics large = new EpisodeStatistics(1, 100);
        for (int reward : new int[] {100, 2, 4}) {
            episode(large, reward);
        }
        EpisodeStatistics small = new EpisodeStatistics(1, 2);
        small.importState(large.exportState());

        assertThat(small.meanReturn()).isEqualTo(3);
    }

    @Test
    void refusesAStateThatDoesNotFit() {
        EpisodeStatistics one = new EpisodeStatistics(1, 100);
        EpisodeStatistics two = new EpisodeStatistics(2, 100);
        episode(one, 5);
        List<Tensor> state = one.exportState();

        assertThatThrownBy(() -> two.importState(state))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tensor episodes.returns must have the shape [2], but has [1]");
        assertThatThrownBy(() -> one.importState(state.subList(0, 4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the tensor episodes.recent_lengths is missing");
        List<Tensor> wrongType = new ArrayList<>(state.subList(0, 4));
        wrongType.add(new Tensor("episodes.recent_lengths", new int[] {1}, new float[1]));
        assertThatThrownBy(() -> one.importState(wrongType))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("episodes.recent_lengths");
        assertThat(one.exportState()).isEqualTo(state);
    }

    @Test
    void refusesImpossibleSizes() {
        assertThatThrownBy(() -> new EpisodeStatistics(0, 100))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("but was 0");
        assertThatThrownBy(() -> new EpisodeStatistics(1, 0))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("but was 0");
    }
}
