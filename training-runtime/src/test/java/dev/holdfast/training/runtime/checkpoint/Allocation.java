package dev.holdfast.training.runtime.checkpoint;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much memory reading a file may take. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** Returns how many bytes this thread has ever allocated, those that are garbage by now too. */
    static long bytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Returns what reading a file may allocate, buffers and garbage included. */
    static long limit(long fileLength) {
        return (8 << 20) + 64 * fileLength;
    }
}
