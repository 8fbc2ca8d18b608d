package dev.holdfast.rl.api.checkpoint;

import java.nio.file.Path;

/**
 * Writes and reads checkpoints.
 *
 * <p><em>Threads.</em> Safe for concurrent use on different files.
 */
public interface CheckpointStore {
    /**
     * Writes a checkpoint so that at every instant, whatever happens, the file is either the old one whole or the new one whole.
     * Equal checkpoints give equal bytes.
     *
     * @param checkpoint what to write
     * @param file where, replaced if it exists
     * @throws CheckpointException if it can't be written; an existing file is unchanged then
     */
    void save(Checkpoint checkpoint, Path file);

    /**
     * Reads a checkpoint and checks all of it before anything is returned.
     *
     * @param file where it is
     * @return the checkpoint
     * @throws CheckpointException if it is missing, damaged, of a newer format, or inconsistent; the message says what and where
     */
    Checkpoint load(Path file);
}
