package dev.holdfast.examples.benchmark;

import dev.holdfast.rl.api.environment.Environment;
import dev.holdfast.rl.api.environment.EnvironmentOptions;
import dev.holdfast.rl.api.environment.EnvironmentProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes {@link BusyEnvironment} for the worker processes of {@link SteppingProbe}, and for nobody else. */
public final class BusyProvider implements EnvironmentProvider {
    /** Creates a provider; {@link java.util.ServiceLoader} does so. */
    public BusyProvider() {}

    /** Makes this provider known to JVMs that have a folder on their class path; it isn't one of a user's environments. */
    static void announceIn(Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(EnvironmentProvider.class.getName()), BusyProvider.class.getName());
    }

    @Override
    public String name() {
        return "Busy-v0";
    }

    @Override
    public String description() {
        return "A step that takes as long as its action says";
    }

    @Override
    public Environment create(EnvironmentOptions options) {
        return new BusyEnvironment();
    }
}
