package dev.holdfast.training.runtime.cli;

import dev.holdfast.training.runtime.control.RunControl;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TERM and INT ask a run to stop: the first one requests it, the second one says that the save is under way, the third one ends
 * the JVM at once.
 *
 * <p>Java has no public way to handle a signal but a shutdown hook, which can't make the exit code 0. {@code sun.misc.Signal} (of
 * the supported module {@code jdk.unsupported}) can; it is reached by reflection, since {@code javac} warns of it in a way that
 * can't be silenced.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    static void install(RunControl control, Consumer<String> tell) {
        AtomicInteger count = new AtomicInteger();
        handle("TERM", 15, control, tell, count);
        handle("INT", 2, control, tell, count);
    }

    private static void handle(
            String name, int number, RunControl control, Consumer<String> tell, AtomicInteger count) {
        InvocationHandler handler = (proxy, method, args) -> {
            if (!method.getName().equals("handle")) {
                // Of Object's methods, the JDK calls none that matters here.
                return method.getName().equals("equals")
                        ? proxy == args[0]
                        : method.getName().equals("hashCode") ? 0 : name;
            }
            switch (count.incrementAndGet()) {
                case 1 -> {
                    control.requestStop("SIG" + name);
                    tell.accept("SIG" + name + ": stopping after the step in progress, then saving");
                }
                case 2 ->
                    tell.accept("SIG" + name + ": the save is under way; a third signal ends at once and may lose it");
                default -> Runtime.getRuntime().halt(128 + number);
            }
            return null;
        };
        try {
            Class<?> signalClass = Class.forName("sun.misc.Signal");
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handlerClass}, handler);
            signalClass
                    .getMethod("handle", signalClass, handlerClass)
                    .invoke(null, signalClass.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.warn(
                    "SIG{} can't be handled on this system, so it will end the run without saving: {}",
                    name,
                    e.toString());
        }
    }
}
