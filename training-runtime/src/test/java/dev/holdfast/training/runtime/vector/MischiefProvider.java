package dev.holdfast.training.runtime.vector;

import dev.holdfast.rl.api.environment.Action;
import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import dev.holdfast.rl.api.environment.Parameter;
import dev.holdfast.rl.api.environment.Step;
import dev.holdfast.rl.api.space.Box;
import dev.holdfast.rl.api.space.Discrete;
import dev.holdfast.rl.api.space.Space;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An environment that counts its steps, and does what a file in a folder is named after: the first environment that finds one deletes
 * it and does it, so that each is done once.
 */
public final class MischiefProvider implements EnvironmentProvider {
    @Override
    public String name() {
        return "Mischief-v0";
    }

    @Override
    public String description() {
        return "fails in every way there is";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Parameter.text("folder", "", "Where the files are that say what to do"));
    }

    /** Has one environment do something at its next call. */
    static void plan(Path folder, String what) {
        try {
            Files.createFile(folder.resolve(what));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        Path folder = Path.of(options.text("folder"));
        if (taken(folder, "create_throws")) {
            throw new IllegalStateException("not today");
        }
        if (taken(folder, "create_sleeps")) {
            sleep(700);
        }
        return new Environment() {
            private int steps;

            @Override
            public Space observationSpace() {
                return Box.of(0, 1000, 1);
            }

            @Override
            public Space actionSpace() {
                return new Discrete(2);
            }

            @Override
            public float[] reset(long seed) {
                if (taken(folder, "reset_throws")) {
                    throw new IllegalStateException("no new episode");
                }
                steps = 0;
                return new float[1];
            }

            @Override
            public Step step(Action action) {
                misbehave(folder);
                steps++;
                return new Step(new float[] {steps}, action.index(), false, steps == 500);
            }

            @Override
            public byte @Nullable [] saveState() {
                if (taken(folder, "save_exits")) {
                    Runtime.getRuntime().halt(5);
                }
                return new byte[] {(byte) (steps >> 8), (byte) steps};
            }

            @Override
            public void restoreState(byte[] state) {
                steps = (state[0] << 8) + (state[1] & 0xff);
            }
        };
    }

    private static boolean taken(Path folder, String what) {
        try {
            return Files.deleteIfExists(folder.resolve(what));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void misbehave(Path folder) {
        if (taken(folder, "throw")) {
            throw new IllegalStateException("oops");
        } else if (taken(folder, "exit")) {
            System.err.println("about to exit");
            System.exit(3);
        } else if (taken(folder, "overflow")) {
            overflow(0);
        } else if (taken(folder, "exhaust")) {
            exhaust();
        } else if (taken(folder, "hang")) {
            sleep(Long.MAX_VALUE);
        } else if (taken(folder, "print")) {
            print();
        }
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    private static void exhaust() {
        List<byte[]> kept = new ArrayList<>();
        while (!kept.isEmpty() || kept.add(new byte[1])) {
            kept.add(new byte[1 << 24]);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Also as a native library would, past Java's streams. */
    private static void print() {
        System.out.println("hello");
        // Not closed: it is not ours.
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        try {
            for (int i = 0; i < 100; i++) {
                out.write("garbage".getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
