package dev.holdfast.training.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.job.StateQuery;
import dev.holdfast.training.runtime.job.TrainingJobs;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;

/** How fast the page and its API are: prints figures, asserts none. Run by {@code -Pfaults}. */
@Tag("faults")
class PageSpeedTest {
    private static final int STORED = 100_000;
    private static final int CLIENTS = 20;

    @TempDir
    private Path folder;

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    private static Map<String, Object> job(TrainingJobs jobs) {
        return jobs.snapshot(StateQuery.DEFAULT).orElseThrow();
    }

    private static void end(TrainingJobs jobs) throws InterruptedException {
        jobs.stop();
        await(() -> ((Map<?, ?>) job(jobs).get("process")).get("terminal").equals(true));
    }

    private static void print(String what, String unit, double[] values) {
        Arrays.sort(values);
        System.out.printf(
                Locale.ROOT,
                "%s: median %.2f %s, 99th percentile %.2f, largest %.2f, of %d%n",
                what,
                values[values.length / 2],
                unit,
                values[(int) (values.length * 0.99)],
                values[values.length - 1],
                values.length);
    }

    @Test
    @DisplayName(
            "latency of the state with 100,000 points and 20 clients; time until the page is usable and until a point is on screen")
    void latency() throws Exception {
        try (TrainingJobs jobs = TrainingJobs.in(folder)
                        .trainer(FloodTrainer.command(STORED))
                        .open();
                TrainingPage page = new TrainingPage(jobs, 0, null)) {
            jobs.start(Map.of("env", "Line-v0"));
            await(() -> (long) job(jobs).get("metric_total") > STORED);
            // Warm.
            poll(page, 300, 0, "");
            print(
                    "state, news of the last second, 20 clients, 20 requests a second each",
                    "ms",
                    poll(page, 400, 50, ""));
            print(
                    "state, the whole run thinned to 2,000 points, 20 clients, one request a second each",
                    "ms",
                    poll(page, 20, 1_000, "&metric_limit=2000"));
            browse(page);
            end(jobs);
        }
    }

    /** The times of some requests of each client, in milliseconds. */
    private static double[] poll(TrainingPage page, int requests, int pauseMillis, String more) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<List<Double>>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int delay = i * pauseMillis / CLIENTS;
                Callable<List<Double>> client = () -> {
                    Client own = new Client(page);
                    Thread.sleep(delay);
                    List<Double> times = new ArrayList<>();
                    for (int j = 0; j < requests; j++) {
                        String cursor = more.isEmpty() ? "" + STORED : "0";
                        long start = System.nanoTime();
                        HttpResponse<String> response =
                                own.get("/api/train/state?log_tail=200&after_metric=" + cursor + more);
                        times.add((System.nanoTime() - start) / 1e6);
                        assertThat(response.statusCode()).isEqualTo(200);
                        Thread.sleep(pauseMillis);
                    }
                    return times;
                };
                all.add(executor.submit(client));
            }
            List<Double> times = new ArrayList<>();
            for (Future<List<Double>> one : all) {
                times.addAll(one.get());
            }
            return times.stream().mapToDouble(Double::doubleValue).toArray();
        } finally {
            executor.shutdownNow();
        }
    }

    private static void browse(TrainingPage page) throws InterruptedException {
        ChromeDriver browser = Browser.open();
        try {
            double[] usable = new double[15];
            for (int i = 0; i < usable.length; i++) {
                browser.get(page.startUri());
                await(() -> usable(browser) > 0);
                usable[i] = usable(browser);
            }
            print("page usable after opening", "ms", usable);
            double[] shown = new double[30];
            String last = "";
            for (int i = 0; i < shown.length; ) {
                String now = browser.findElement(By.id("chart-return")).getDomAttribute("data-last");
                if (now != null && !now.equals(last) && Double.parseDouble(now) > STORED) {
                    if (!last.isEmpty()) {
                        shown[i++] = System.currentTimeMillis() - Double.parseDouble(now);
                    }
                    last = now;
                }
                Thread.sleep(5);
            }
            print("age of the newest point when it comes on screen", "ms", shown);
        } finally {
            browser.quit();
        }
    }

    private static double usable(ChromeDriver browser) {
        Object mark = browser.executeScript(
                "const marks = performance.getEntriesByName('usable'); return marks.length ? marks[0].startTime : 0;");
        return ((Number) mark).doubleValue();
    }

    @Test
    @DisplayName("the speed of a training run with 20 clients that ask once a second, and without, by turns")
    void trainingSpeed() throws Exception {
        try (TrainingJobs jobs = TrainingJobs.in(folder).open();
                TrainingPage page = new TrainingPage(jobs, 0, null)) {
            jobs.start(Map.of("env", "Line-v0", "timesteps", 1_000_000_000, "rollout_steps", 2_048));
            await(() -> (long) job(jobs).get("metric_total") > 10);
            double[] ratios = new double[7];
            for (int i = 0; i < ratios.length; i++) {
                double alone = speed(jobs);
                AtomicBoolean enough = new AtomicBoolean();
                ExecutorService executor = Executors.newFixedThreadPool(CLIENTS);
                for (int j = 0; j < CLIENTS; j++) {
                    int delay = j * 50;
                    executor.execute(() -> {
                        try {
                            Client client = new Client(page);
                            Thread.sleep(delay);
                            Object cursor = 0;
                            while (!enough.get()) {
                                Map<?, ?> answer = Client.object(
                                        client.get("/api/train/state?log_tail=500&after_metric=" + cursor));
                                cursor = Client.part(answer, "job").get("metric_end");
                                Thread.sleep(1_000);
                            }
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    });
                }
                double watched = speed(jobs);
                enough.set(true);
                executor.shutdown();
                executor.awaitTermination(1, TimeUnit.MINUTES);
                ratios[i] = watched / alone;
                System.out.printf(Locale.ROOT, "%.0f steps/s alone, %.0f watched%n", alone, watched);
            }
            print("speed watched by 20 clients / alone", "", ratios);
            end(jobs);
        }
    }

    private static double speed(TrainingJobs jobs) throws InterruptedException {
        long steps = steps(jobs);
        long start = System.nanoTime();
        Thread.sleep(8_000);
        return (steps(jobs) - steps) / ((System.nanoTime() - start) / 1e9);
    }

    private static long steps(TrainingJobs jobs) {
        return (long) ((Map<?, ?>) job(jobs).get("process")).get("done_steps");
    }
}
