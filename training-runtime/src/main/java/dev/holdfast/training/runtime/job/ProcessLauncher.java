package dev.holdfast.training.runtime.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** How processes are started and found; a test may put its own here. */
interface ProcessLauncher {
    /**
     * Starts a process in a process group of its own, so that a Ctrl+C at this one's terminal doesn't reach it.
     *
     * @param log what it prints is appended to this file, so that it lives on if this process ends
     * @throws IOException if it can't be started
     */
    TrainerProcess start(List<String> command, Path log) throws IOException;

    /**
     * Finds a process again.
     *
     * @param startMillis when it was started; another process may have its number by now
     * @return empty if it doesn't live any more
     */
    Optional<TrainerProcess> find(long pid, long startMillis);
}
