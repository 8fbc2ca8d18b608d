package dev.holdfast.training.runtime.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes of the operating system. */
final class SystemProcesses implements ProcessLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(SystemProcesses.class);
    private static final long TOOL_SECONDS = 10;
    /** The start of a process is known by way of the time at which the machine was started, which is rounded and corrected. */
    private static final long SAME_START_MILLIS = 2_000;

    /** A session, and with it a process group, of its own: by setsid, or by perl, which macOS has; the process keeps its number. */
    private static final String LAUNCHER = """
            if command -v setsid >/dev/null 2>&1; then exec setsid "$@"; fi
            if command -v perl >/dev/null 2>&1; then exec perl -e 'use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV' "$@"; fi
            exec "$@"
            """;

    private final boolean windows;
    private final Tool tool;

    /** Runs a command to its end. */
    interface Tool {
        void run(List<String> command) throws IOException;
    }

    SystemProcesses() {
        this(System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows"), SystemProcesses::runTool);
    }

    SystemProcesses(boolean windows, Tool tool) {
        this.windows = windows;
        this.tool = tool;
    }

    @Override
    public TrainerProcess start(List<String> command, Path log) throws IOException {
        List<String> whole = new ArrayList<>();
        if (!windows) {
            whole.addAll(List.of("/bin/sh", "-c", LAUNCHER, "sh"));
        }
        whole.addAll(command);
        Process process = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        // Nothing is typed; a trainer must not wait for it.
        process.getOutputStream().close();
        return new SystemProcess(process.toHandle(), process);
    }

    @Override
    public Optional<TrainerProcess> find(long pid, long startMillis) {
        return ProcessHandle.of(pid)
                .map(handle -> (TrainerProcess) new SystemProcess(handle, null))
                .filter(process ->
                        Math.abs(process.startMillis() - startMillis) <= SAME_START_MILLIS && process.isAlive());
    }

    private final class SystemProcess implements TrainerProcess {
        private final ProcessHandle handle;
        private final @Nullable Process child;

        SystemProcess(ProcessHandle handle, @Nullable Process child) {
            this.handle = handle;
            this.child = child;
        }

        @Override
        public long pid() {
            return handle.pid();
        }

        @Override
        public long startMillis() {
            return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        }

        @Override
        public boolean isAlive() {
            // A child's handle may see the end before its exit code is known.
            return child != null ? child.isAlive() : handle.isAlive() && !isZombie();
        }

        /** Whether it has ended, and whoever should take notice of that doesn't: for Java it lives then. */
        private boolean isZombie() {
            try {
                String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
                return stat.startsWith(") Z", stat.lastIndexOf(')'));
            } catch (IOException e) {
                // There is no such file system, or no such process.
                return false;
            }
        }

        @Override
        public @Nullable Integer exitCode() {
            return child == null || child.isAlive() ? null : child.exitValue();
        }

        @Override
        public void killTree() {
            List<ProcessHandle> all = new ArrayList<>(handle.descendants().toList());
            all.add(handle);
            String pid = Long.toString(pid());
            attempt(
                    windows
                            ? List.of("taskkill", "/F", "/T", "/PID", pid)
                            : List.of("/bin/sh", "-c", "kill -s KILL -- -" + pid));
            // Where there are no process groups, and those that left the group.
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private void attempt(List<String> command) {
        try {
            tool.run(command);
        } catch (IOException e) {
            LOG.debug("{} failed", command, e);
        }
    }

    private static void runTool(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(TOOL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
