package dev.holdfast.training.runtime.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Behaves as a trainer does, seen from outside, without training. Its first argument says how. */
final class StubTrainer {
    private StubTrainer() {}

    /** The command line of a stub that behaves in a way. */
    static List<String> command(String way) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx32m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StubTrainer.class.getName(), way));
        return command;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        // An option that isn't given names the first argument, which is no file.
        Path control = Path.of(options.get(options.indexOf("--control-file") + 1));
        Path model = Path.of(options.get(options.indexOf("--model") + 1));
        switch (arguments[0]) {
            case "finish" -> {
                train(model);
                System.out.println("{\"event\": \"metadata\", \"timesteps\": 128}");
            }
            case "fail" -> {
                train(model);
                System.out.println("holdfast: something broke");
                System.exit(3);
            }
            case "obey" -> obey(control);
            case "ignore" -> {
                train(model);
                // A child, which must not outlive it.
                Process child = new ProcessBuilder(command("sleep")).inheritIO().start();
                System.out.println("{\"event\": \"child\"}");
                child.waitFor();
            }
            case "sleep" -> {
                System.out.println("CHILD " + ProcessHandle.current().pid());
                Thread.sleep(Long.MAX_VALUE);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void train(Path model) throws IOException {
        String stem = model.getFileName().toString().replace(".zip", "");
        Files.writeString(
                model.resolveSibling(stem + "_env0.monitor.csv"),
                "#{\"t_start\": 1.0, \"env_id\": \"stub\"}\nr,l,t\n1.5,10,0.5\n2.5,10,1.0\n");
        for (int steps = 32; steps <= 128; steps += 32) {
            progress(steps);
        }
    }

    private static void progress(int steps) {
        System.out.println("{\"event\": \"progress\", \"timesteps\": " + steps + ", \"ep_rew_mean\": " + steps / 10.0
                + ", \"fps\": 50, \"start_timesteps\": 0}");
    }

    private static void event(String event) {
        System.out.println("{\"event\": \"" + event + "\", \"timesteps\": 1}");
    }

    private static void obey(Path control) throws Exception {
        boolean paused = false;
        for (int steps = 32; ; ) {
            String text = Files.exists(control) ? Files.readString(control) : "";
            if (text.contains("\"stop\": true")) {
                event("stop_requested");
                event("saved_after_stop");
                event("metadata");
                return;
            }
            boolean pause = text.contains("\"paused\": true");
            if (pause != paused) {
                paused = pause;
                event(paused ? "paused" : "resumed");
            }
            if (!paused) {
                progress(steps);
                steps += 32;
            }
            Thread.sleep(5);
        }
    }
}
