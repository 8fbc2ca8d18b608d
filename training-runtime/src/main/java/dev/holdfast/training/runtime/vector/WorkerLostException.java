package dev.holdfast.training.runtime.vector;

/** A worker has failed in a way that another one in its place may not: it ended, was ended, or its environment threw an exception. */
final class WorkerLostException extends Exception {
    private static final long serialVersionUID = 1;

    WorkerLostException(String reason) {
        super(reason);
    }
}
