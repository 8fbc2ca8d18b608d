package dev.holdfast.build;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import java.util.function.Predicate;
import javax.tools.Diagnostic;

/**
 * A javac plugin that drops one warning: "using incubating module(s)".
 *
 * <p>Before JDK 25 javac has no option against it, so that a module compiled against {@code jdk.incubator.vector} could not
 * be compiled with {@code -Werror}. Every other diagnostic passes unchanged. The javac internals used here are reached by
 * reflection; {@code .mvn/jvm.config} exports them, for Error Prone too.
 */
public final class QuietIncubatorPlugin implements Plugin {
    private static final String CODE = "compiler.warn.incubating.modules";

    /** For javac, which finds the plugin by ServiceLoader. */
    public QuietIncubatorPlugin() {}

    @Override
    public String getName() {
        return "QuietIncubator";
    }

    @Override
    public void init(JavacTask task, String... args) {
        try {
            Object context = task.getClass().getMethod("getContext").invoke(task);
            Class<?> logType = Class.forName("com.sun.tools.javac.util.Log");
            Object log = logType.getMethod("instance", context.getClass()).invoke(null, context);
            Predicate<Diagnostic<?>> dropped =
                    diagnostic -> diagnostic.getCode().equals(CODE);
            // Holds back what the predicate accepts until asked to report it, which nobody does.
            Class.forName("com.sun.tools.javac.util.Log$DeferredDiagnosticHandler")
                    .getConstructor(logType, Predicate.class)
                    .newInstance(log, dropped);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this javac is not one that QuietIncubatorPlugin knows", e);
        }
    }
}
