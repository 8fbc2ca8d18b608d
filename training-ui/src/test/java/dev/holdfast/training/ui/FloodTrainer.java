package dev.holdfast.training.ui;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prints as many points at once as its first argument says, then one every 200 ms whose step count is the time, until it is stopped. */
final class FloodTrainer {
    private FloodTrainer() {}

    static List<String> command(int points) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                FloodTrainer.class.getName(),
                Integer.toString(points)));
    }

    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        Path control = Path.of(options.get(options.indexOf("--control-file") + 1));
        StringBuilder flood = new StringBuilder();
        for (int i = 1; i <= Integer.parseInt(arguments[0]); i++) {
            flood.append(point(i));
        }
        System.out.print(flood);
        while (!Files.exists(control) || !Files.readString(control).contains("\"stop\": true")) {
            Thread.sleep(200);
            System.out.print(point(System.currentTimeMillis()));
        }
        System.out.println("{\"event\": \"stop_requested\"}");
    }

    private static String point(long timesteps) {
        double wave = Math.sin(timesteps / 1e3);
        return "{\"event\": \"progress\", \"timesteps\": " + timesteps + ", \"ep_rew_mean\": " + 200 * wave
                + ", \"ep_len_mean\": 100, \"value_loss\": " + Math.abs(wave)
                + ", \"approx_kl\": 0.01, \"entropy_loss\": -0.5,"
                + " \"explained_variance\": 0.9, \"fps\": 5000}\n";
    }
}
