package dev.holdfast.training.runtime.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMStartEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds a child JVM at places in its code, through the debugger's interface of the JDK: what is tested is the product itself, and no
 * test depends on how fast a machine is. Only the thread that has come to a place stands still; signals, say, are still handled.
 */
final class Breakpoints implements AutoCloseable {
    /**
     * A call of a method.
     *
     * @param method with the name of its class, below {@code dev.holdfast}; all of that name, if there are several
     * @param number which call, from 1, counted from the place before
     */
    record Place(String method, int number) {
        String type() {
            return "dev.holdfast." + method.substring(0, method.lastIndexOf('.'));
        }

        String name() {
            return method.substring(method.lastIndexOf('.') + 1);
        }
    }

    private final ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(candidate -> candidate.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    private final Map<String, Connector.Argument> arguments = connector.defaultArguments();
    private final String address;
    private @Nullable VirtualMachine machine;
    private @Nullable EventSet stopped;

    Breakpoints() throws IOException, IllegalConnectorArgumentsException {
        arguments.get("localAddress").setValue("127.0.0.1");
        arguments.get("timeout").setValue(Long.toString(ChildTrainer.PATIENCE_SECONDS * 1000));
        address = connector.startListening(arguments);
    }

    /** Returns the options of a JVM that is to be held. */
    List<String> jvmOptions() {
        return List.of("-agentlib:jdwp=transport=dt_socket,suspend=y,address=" + address);
    }

    /** Lets the JVM run to the last of some places, past the others in their order. */
    void runTo(List<Place> places) throws Exception {
        VirtualMachine child = connector.accept(arguments);
        machine = child;
        next(child, VMStartEvent.class);
        for (Place place : places) {
            List<ReferenceType> types = child.classesByName(place.type());
            if (types.isEmpty()) {
                ClassPrepareRequest loaded = child.eventRequestManager().createClassPrepareRequest();
                loaded.addClassFilter(place.type());
                loaded.enable();
                types = List.of(next(child, ClassPrepareEvent.class).referenceType());
                loaded.disable();
            }
            List<Location> locations = types.get(0).methodsByName(place.name()).stream()
                    .map(Method::location)
                    .toList();
            assertThat(locations).as("%s", place).isNotEmpty();
            for (Location location : locations) {
                BreakpointRequest request = child.eventRequestManager().createBreakpointRequest(location);
                request.addCountFilter(place.number());
                request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                request.enable();
            }
            next(child, BreakpointEvent.class);
            child.eventRequestManager().deleteAllBreakpoints();
        }
    }

    /** Lets the JVM go on until something happens. */
    private <E extends Event> E next(VirtualMachine child, Class<E> expected) throws InterruptedException {
        if (stopped != null) {
            stopped.resume();
        }
        stopped = child.eventQueue().remove(ChildTrainer.PATIENCE_SECONDS * 1000);
        assertThat(stopped).as("it never came to this").isNotNull();
        Event event = stopped.iterator().next();
        assertThat(event).isInstanceOf(expected);
        return expected.cast(event);
    }

    /** Lets the JVM go on, if it still lives, and never holds it again. */
    void release() {
        try {
            if (machine != null) {
                machine.dispose();
            }
        } catch (VMDisconnectedException e) {
            // It has ended.
        }
    }

    @Override
    public void close() throws IOException, IllegalConnectorArgumentsException {
        connector.stopListening(arguments);
    }
}
