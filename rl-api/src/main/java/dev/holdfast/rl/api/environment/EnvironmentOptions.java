package dev.holdfast.rl.api.environment;

import dev.holdfast.rl.api.InvalidConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a user chose for an environment, checked against its provider's declarations and completed with defaults.
 *
 * @param arguments one text for each declared parameter
 * @param problem the number of the problem, 1 to {@link EnvironmentProvider#problems()}
 * @param stage the number of the stage, 1 to the number of {@link EnvironmentProvider#stages()}
 * @param rewardProfile one of {@link EnvironmentProvider#rewardProfiles()}
 */
public record EnvironmentOptions(Map<String, String> arguments, int problem, int stage, String rewardProfile) {
    /** Copies. */
    public EnvironmentOptions {
        arguments = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }

    /**
     * Checks a user's choice and completes it.
     *
     * @param provider the environment
     * @param given the arguments that the user gave
     * @param problem the problem's number
     * @param stage the stage's number
     * @param rewardProfile the reward profile's name; empty for the first
     * @return the options
     * @throws InvalidConfigurationException naming what is not declared or out of range
     */
    public static EnvironmentOptions of(
            EnvironmentProvider provider, Map<String, String> given, int problem, int stage, String rewardProfile) {
        List<Parameter> declared = provider.parameters();
        List<String> names = declared.stream().map(Parameter::name).toList();
        for (String name : given.keySet()) {
            if (!names.contains(name)) {
                throw new InvalidConfigurationException("env_args: environment " + provider.name()
                        + " has no parameter '" + name + "'; it has " + (names.isEmpty() ? "none" : names));
            }
        }
        Map<String, String> arguments = new LinkedHashMap<>();
        for (Parameter parameter : declared) {
            String value = given.getOrDefault(parameter.name(), parameter.defaultValue());
            parameter.check(value);
            arguments.put(parameter.name(), value);
        }
        inRange("problem", problem, provider.problems().size(), provider);
        inRange("stage", stage, provider.stages().size(), provider);
        List<String> profiles = provider.rewardProfiles();
        String profile = rewardProfile.isEmpty() ? profiles.get(0) : rewardProfile;
        if (!profiles.contains(profile)) {
            throw new InvalidConfigurationException("reward_profile must be one of " + profiles + " for environment "
                    + provider.name() + ", but was '" + profile + "'");
        }
        return new EnvironmentOptions(arguments, problem, stage, profile);
    }

    private static void inRange(String name, int value, int count, EnvironmentProvider provider) {
        if (value < 1 || value > count) {
            throw new InvalidConfigurationException(
                    name + " must be in [1, " + count + "] for environment " + provider.name() + ", but was " + value);
        }
    }

    /**
     * Returns an argument that is a whole number.
     *
     * @param name the parameter's name
     * @return its value
     */
    public int integer(String name) {
        return Math.toIntExact(Long.parseLong(text(name).strip()));
    }

    /**
     * Returns an argument that is a number.
     *
     * @param name the parameter's name
     * @return its value
     */
    public double number(String name) {
        return Double.parseDouble(text(name).strip());
    }

    /**
     * Returns an argument that is a switch.
     *
     * @param name the parameter's name
     * @return its value
     */
    public boolean flag(String name) {
        return Boolean.parseBoolean(text(name));
    }

    /**
     * Returns an argument's text.
     *
     * @param name the parameter's name
     * @return its value
     * @throws IllegalArgumentException if the provider doesn't declare it
     */
    public String text(String name) {
        String value = arguments.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the provider declares no parameter '" + name + "'; it declares " + arguments.keySet());
        }
        return value;
    }
}
