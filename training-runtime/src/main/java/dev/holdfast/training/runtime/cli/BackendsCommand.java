package dev.holdfast.training.runtime.cli;

import dev.holdfast.rl.api.backend.Backends;
import dev.holdfast.rl.api.backend.Device;
import dev.holdfast.rl.api.backend.PpoBackend;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "backends",
        description = "Lists the backends on the class path with their devices, and why one is not usable.",
        mixinStandardHelpOptions = true)
final class BackendsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<PpoBackend> backends = Backends.all();
        if (backends.isEmpty()) {
            out.println("There is no backend on the class path; dev.holdfast:rl-backend-java is one.");
        }
        for (PpoBackend backend : backends) {
            out.println(backend.name() + "  " + backend.description());
            for (Device device : backend.devices()) {
                out.println("  " + device.name() + "  " + (device.usable() ? "usable: " : "not usable: ")
                        + device.detail());
            }
        }
        return 0;
    }
}
