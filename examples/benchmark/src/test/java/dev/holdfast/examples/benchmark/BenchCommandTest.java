package dev.holdfast.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.cli.Holdfast;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int execute(String... arguments) {
        CommandLine commandLine = Holdfast.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }

    @Test
    void isACommandOfHoldfast() {
        assertThat(execute("bench", "--help")).isZero();
        assertThat(out.toString()).contains("--quick").contains(Plan.names());
    }

    @Test
    void refusesToRunNothing() {
        assertThat(execute("bench", "--forks", "0", "--out", folder.toString())).isEqualTo(2);
        assertThat(err).hasToString("holdfast: forks must be at least 1, but was 0" + System.lineSeparator());
    }

    @Test
    void refusesAnUnknownName() {
        assertThat(execute("bench", "--only", "masked-1,acrobot", "--out", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("holdfast: only must be among forward, update, cartpole-default, cartpole-tuned, masked-1,"
                        + " masked-8, cartpole-wide, workers, start, but was acrobot" + System.lineSeparator());
    }

    @Test
    void refusesABackendThatIsNotThere() {
        assertThat(execute("bench", "--backends", "java,abacus", "--out", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("holdfast: backends must be among fake, java, but was abacus" + System.lineSeparator());
    }

    @Test
    void refusesNoThreads() {
        assertThat(execute("bench", "--threads", "1,0", "--out", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("holdfast: threads must be in [1, 1024], but was 0" + System.lineSeparator());
    }

    @Test
    void refusesAFileForAFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(execute("bench", "--out", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("out must be a folder, but was " + file);
    }
}
