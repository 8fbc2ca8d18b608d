package dev.holdfast.rl.api.backend;

import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A device that a backend knows.
 *
 * @param name {@code cpu}, {@code gpu:0} …, or {@code gpu} for any of those that are not there
 * @param usable whether a learner can be created on it
 * @param detail what it is if usable, and otherwise why it isn't and what would make it so
 */
public record Device(String name, boolean usable, String detail) {
    /**
     * Chooses the device for a learner.
     *
     * @param backend the backend
     * @param requested {@code cpu}, {@code gpu} (the first one), {@code gpu:N}, or {@code auto} (the first usable one of {@link
     *     PpoBackend#devices})
     * @return a usable device
     * @throws InvalidConfigurationException if the device doesn't exist or isn't usable; the message says why, and what is usable
     */
    public static Device choose(PpoBackend backend, String requested) {
        List<Device> devices = backend.devices();
        if (requested.equals("auto")) {
            return devices.stream().filter(Device::usable).findFirst().orElseThrow(() -> refusal(backend, requested));
        }
        String name = requested.equals("gpu") ? "gpu:0" : requested;
        return find(devices, name).filter(Device::usable).orElseThrow(() -> refusal(backend, requested));
    }

    private static Optional<Device> find(List<Device> devices, String name) {
        return devices.stream().filter(device -> device.name().equals(name)).findFirst();
    }

    private static InvalidConfigurationException refusal(PpoBackend backend, String requested) {
        List<Device> devices = backend.devices();
        String usable = Stream.concat(
                        Stream.of("auto"),
                        devices.stream().filter(Device::usable).map(Device::name))
                .collect(Collectors.joining(", ", "[", "]"));
        String reason = find(devices, requested.equals("gpu") ? "gpu:0" : requested)
                .or(() -> requested.startsWith("gpu") ? find(devices, "gpu") : Optional.empty())
                .map(device -> ": " + device.detail())
                .orElse(", which there isn't");
        return new InvalidConfigurationException("device must be one of " + usable + " for backend " + backend.name()
                + " here, but was " + requested + reason);
    }
}
