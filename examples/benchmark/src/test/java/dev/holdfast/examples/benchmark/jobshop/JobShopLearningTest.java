package dev.holdfast.examples.benchmark.jobshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.environments.jobshop.Instances;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.training.runtime.Trainer;
import dev.holdfast.training.runtime.cli.Holdfast;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A policy that learned ft06 in some seconds, played and drawn. */
class JobShopLearningTest {
    @TempDir
    private static Path folder;

    private static Path model;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void learn() {
        model = Trainer.of(TrainingConfig.builder()
                        .set(Fields.ENV, "job-shop")
                        .set(Fields.STAGE, 3)
                        .set(Fields.TIMESTEPS, 49_152L)
                        .set(Fields.SEED, 1L)
                        .set(Fields.EVAL_EPISODES, 0)
                        .set(Fields.MODEL, Optional.of(folder.resolve("ft06.zip")))
                        .build())
                .build()
                .train()
                .model();
    }

    private int execute(String... arguments) {
        CommandLine commandLine = Holdfast.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }

    /** The optimum is 55. */
    @Test
    void solvesFt06Within5Percent() {
        JobShopInstance ft06 = Objects.requireNonNull(Instances.all().get("ft06"));
        Play play = Play.of(model);
        assertThat(play.greedy(ft06).makespan()).isLessThanOrEqualTo(57);
        assertThat(play.bestOf(64, ft06, 0).makespan()).isEqualTo(55);
    }

    /** Any instance: it has the same spaces. */
    @Test
    void ganttDrawsAScheduleOfAnyInstance() throws IOException {
        Path chart = folder.resolve("la01.svg");
        assertThat(execute(
                        "gantt", model.toString(), "--instance", "la01", "--samples", "2", "--out", chart.toString()))
                .isZero();
        assertThat(out.toString())
                .matches("la01: makespan \\d+, \\d+\\.\\d % above the best known, 666; drawn to .*la01.svg\\R");
        assertThat(Files.readString(chart)).startsWith("<svg").contains("machine 4");
    }

    @Test
    void ganttRefusesWhatItCannotPlay() {
        assertThat(execute("gantt", model.toString(), "--instance", "la41")).isEqualTo(2);
        assertThat(execute("gantt", model.toString(), "--samples", "-1")).isEqualTo(2);
        Path cartPole = Trainer.of(TrainingConfig.builder()
                        .set(Fields.ENV, "CartPole-v1")
                        .set(Fields.TIMESTEPS, 256L)
                        .set(Fields.EVAL_EPISODES, 0)
                        .set(Fields.MODEL, Optional.of(folder.resolve("cart/cart.zip")))
                        .build())
                .build()
                .train()
                .model();
        assertThat(execute("gantt", cartPole.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "holdfast: instance must be the name of a public instance, but was la41",
                        "holdfast: samples must be at least 0, but was -1",
                        "holdfast: model must be of the environment job-shop, but was CartPole-v1");
    }
}
