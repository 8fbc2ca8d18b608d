package dev.holdfast.rl.backend.dl4j;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A native library, loaded or not.
 *
 * @param name what was loaded
 * @param failure why nothing was, in one line; null if it was
 */
record Native(String name, @Nullable String failure) {
    /**
     * Loads a library, after setting what JavaCPP and ND4J read when they are loaded, unless the user has set it.
     *
     * @param loader loads it and returns what it is; may throw whatever there is when natives are missing
     */
    static Native load(Supplier<String> loader) {
        // JavaCPP would count the memory of the whole process against limits that it derives from the size of Java's
        // heap.
        setUnlessSet("org.bytedeco.javacpp.maxphysicalbytes", "0");
        setUnlessSet("org.bytedeco.javacpp.maxbytes", "0");
        setUnlessSet("org.nd4j.log.initialization", "false");
        try {
            return new Native(loader.get(), null);
        } catch (LinkageError | RuntimeException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return new Native("", cause.toString().lines().findFirst().orElse(""));
        }
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
