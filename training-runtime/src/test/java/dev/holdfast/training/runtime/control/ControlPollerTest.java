package dev.holdfast.training.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlPollerTest {
    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong();
    private final RunControl control = new RunControl();
    private final List<String> heard = new ArrayList<>();

    private ControlPoller poller(ControlFile file, double maxWallSeconds) {
        return new ControlPoller(control, file, maxWallSeconds, now::get, new ControlPoller.Listener() {
            @Override
            public void paused() {
                heard.add("paused");
                // What another thread would do while this one stands still.
                whilePaused.run();
            }

            @Override
            public void resumed() {
                heard.add("resumed");
            }

            @Override
            public void stopRequested(String source) {
                heard.add("stop " + source);
            }
        });
    }

    private Runnable whilePaused = () -> {};

    @Test
    void nothingIsAsked() {
        assertThat(poller(null, 0).getAsBoolean()).isFalse();
        assertThat(heard).isEmpty();
    }

    @Test
    void theFirstStopCountsAndIsAnnouncedOnce() {
        ControlPoller poller = poller(null, 0);
        assertThat(control.requestStop("SIGTERM")).isTrue();
        assertThat(control.requestStop("SIGINT")).isFalse();
        assertThat(poller.getAsBoolean()).isTrue();
        assertThat(poller.getAsBoolean()).isTrue();
        assertThat(heard).containsExactly("stop SIGTERM");
    }

    @Test
    void standsStillUntilResumed() {
        whilePaused = control::resume;
        control.pause();
        assertThat(poller(null, 0).getAsBoolean()).isFalse();
        assertThat(heard).containsExactly("paused", "resumed");
    }

    @Test
    void aStopEndsAPause() {
        whilePaused = () -> control.requestStop("application");
        control.pause();
        assertThat(poller(null, 0).getAsBoolean()).isTrue();
        assertThat(heard).containsExactly("paused", "stop application");
    }

    @Test
    void stopsAtTheWallClockLimit() {
        ControlPoller poller = poller(null, 2.5);
        now.set(TimeUnit.MILLISECONDS.toNanos(2499));
        assertThat(poller.getAsBoolean()).isFalse();
        now.set(TimeUnit.MILLISECONDS.toNanos(2500));
        assertThat(poller.getAsBoolean()).isTrue();
        assertThat(heard).containsExactly("stop max_wall_s");
    }

    @Test
    @DisplayName("B29 a missing, half-written, foreign or huge control file is no instruction; stop overrides paused")
    void controlFile() throws IOException {
        Path path = folder.resolve("control.json");
        ControlFile file = new ControlFile(path);
        assertThat(file.read()).isEqualTo(ControlFile.Instruction.NONE);
        for (String nothing :
                List.of("", "{\"paused\": tr", "[1]", "null", "\"stop\"", "{\"paused\"" + " ".repeat(70_000))) {
            Files.writeString(path, nothing);
            assertThat(file.read()).as(nothing.strip()).isEqualTo(ControlFile.Instruction.NONE);
        }
        Files.writeString(path, "{\"paused\": true}");
        assertThat(file.read()).isEqualTo(ControlFile.Instruction.PAUSE);
        Files.writeString(path, "{\"paused\": true, \"stop\": true}");
        assertThat(file.read()).isEqualTo(ControlFile.Instruction.STOP);
        Files.writeString(path, "{\"paused\": false, \"stop\": false}");
        assertThat(file.read()).isEqualTo(ControlFile.Instruction.RUN);
        Files.delete(path);
        Files.createDirectory(path);
        assertThat(file.read()).as("a folder").isEqualTo(ControlFile.Instruction.NONE);
    }

    @Test
    void followsTheControlFileButOnlyItsChanges() throws IOException {
        Path path = folder.resolve("control.json");
        ControlPoller poller = poller(new ControlFile(path), 0);
        Files.writeString(path, "{\"paused\": false}");
        assertThat(poller.getAsBoolean()).isFalse();

        // An application's pause is not undone by a file that says nothing new.
        control.pause();
        whilePaused = () -> {
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            control.resume();
        };
        assertThat(poller.getAsBoolean()).isFalse();
        assertThat(heard).containsExactly("paused", "resumed");

        heard.clear();
        Files.writeString(path, "{\"paused\": true}");
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        whilePaused = () -> {
            write(path, "{\"paused\": true, \"stop\": true}");
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        };
        assertThat(poller.getAsBoolean()).isTrue();
        assertThat(heard).containsExactly("paused", "stop control_file");
    }

    private static void write(Path path, String text) {
        try {
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void anInterruptIsAStop() {
        control.pause();
        Thread.currentThread().interrupt();
        assertThat(poller(null, 0).getAsBoolean()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(heard).containsExactly("paused", "stop interrupt");
    }
}
