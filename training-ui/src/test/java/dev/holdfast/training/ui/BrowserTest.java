package dev.holdfast.training.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.job.StateQuery;
import dev.holdfast.training.runtime.job.TrainingJobs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** The page in Chromium, against the real server and the real trainer. Screenshots go to {@code target/screenshots}. */
class BrowserTest {
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static @Nullable ChromeDriver browser;

    @TempDir
    private Path folder;

    private TrainingJobs jobs;
    private TrainingPage page;

    @BeforeAll
    static void openBrowser() throws IOException {
        browser = Browser.open();
        Files.createDirectories(SCREENSHOTS);
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.quit();
        }
    }

    @BeforeEach
    void openPage() {
        jobs = TrainingJobs.in(folder).open();
        page = new TrainingPage(jobs, 0, null);
        browser.manage().window().setSize(new Dimension(1400, 1100));
        browser.get(page.startUri());
        awaitText("#status", text -> !text.isEmpty());
    }

    @AfterEach
    void closePage() {
        if (jobs.stop()) {
            await(
                    "the trainer has ended",
                    () -> ((Map<?, ?>) jobs.snapshot(StateQuery.DEFAULT)
                                    .orElseThrow()
                                    .get("process"))
                            .get("terminal")
                            .equals(true));
        }
        browser.get("about:blank");
        page.close();
        jobs.close();
    }

    private static WebElement element(String selector) {
        return browser.findElement(By.cssSelector(selector));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds(condition)) {
            assertThat(System.nanoTime()).as("waited until %s", what).isLessThan(end);
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (StaleElementReferenceException e) {
            // The page has renewed it meanwhile.
            return false;
        }
    }

    private static void awaitText(String selector, Predicate<String> condition) {
        await(
                selector + " shows what is expected",
                () -> condition.test(element(selector).getText()));
    }

    private static void awaitStatus(String status) {
        await("the status is " + status, () -> status.equals(element("#status").getDomAttribute("data-status")));
    }

    private static void click(String selector) {
        await(
                selector + " can be clicked",
                () -> element(selector).isEnabled() && element(selector).isDisplayed());
        element(selector).click();
    }

    private static int points() {
        String points = element("#chart-return").getDomAttribute("data-points");
        return points == null || points.isEmpty() ? 0 : Integer.parseInt(points);
    }

    private static long lastStep() {
        String last = element("#chart-return").getDomAttribute("data-last");
        return last == null || last.isEmpty() ? 0 : (long) Double.parseDouble(last);
    }

    private static void choose(String selector, String value) {
        await(
                selector + " offers " + value,
                () -> !browser.findElements(By.cssSelector(selector + " option[value=\"" + value + "\"]"))
                        .isEmpty());
        element(selector + " option[value=\"" + value + "\"]").click();
    }

    private static void type(String selector, String text) {
        WebElement field = element(selector);
        field.clear();
        field.sendKeys(text);
    }

    private static void screenshot(String name) {
        try {
            Files.write(SCREENSHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startFromPreset() {
        choose("#preset", "Line-v0 tuned");
        type("#field-timesteps", "100000000");
        click("#start");
        awaitStatus("running");
        await("points are drawn", () -> points() > 2);
    }

    @Test
    @DisplayName(
            "a run is started from a preset, its curve grows, stands still while paused, goes on, is stopped, saved and resumed")
    void wholeLife() {
        screenshot("1-empty");
        startFromPreset();
        int points = points();
        await("the curve grows", () -> points() > points);
        screenshot("2-running");

        click("#pause");
        awaitStatus("paused");
        long total = (long) jobs.snapshot(StateQuery.DEFAULT).orElseThrow().get("metric_total");
        // The reader holds the newest point until the trainer is silent.
        await("all that was printed is drawn", () -> points() >= total);
        int still = points();
        screenshot("3-paused");
        browser.navigate().refresh();
        awaitStatus("paused");
        await("nothing is lost by a reload", () -> points() == still);

        click("#resume");
        awaitStatus("running");
        await("the curve goes on", () -> points() > still);
        click("#stop");
        awaitStatus("stopped");
        Object model = jobs.snapshot(StateQuery.DEFAULT).orElseThrow().get("model");
        assertThat(Path.of((String) model)).exists();
        await("recovery is offered", () -> element("#recovery-resume").isDisplayed());
        screenshot("4-stopped");
        long before = lastStep();

        click("#recovery-resume");
        awaitStatus("running");
        await("the resumed curve goes on behind the earlier one", () -> lastStep() > before);
        assertThat(points()).isGreaterThanOrEqualTo(still);
    }

    @Test
    @DisplayName("a wrong value is shown at its field")
    void wrongValue() {
        choose("#preset", "Line-v0 tuned");
        type("#field-timesteps", "10");
        click("#start");
        await(
                "the error is at rollout_steps",
                () -> element("#error-rollout_steps").isDisplayed());
        assertThat(element("#error-rollout_steps").getText()).contains("rollout_steps must be at most timesteps");
        assertThat(element("#field-rollout_steps").getDomAttribute("aria-invalid"))
                .isEqualTo("true");
        screenshot("5-wrong-value");
        assertThat(jobs.snapshot(StateQuery.DEFAULT)).isEmpty();
    }

    @Test
    @DisplayName("a crash of the trainer is shown with its reason, and recovery is offered")
    void crash() {
        choose("#preset", "Line-v0 tuned");
        await(
                "the environment's own parameter is a field",
                () -> element("#field-env_args-breaks_at").isDisplayed());
        type("#field-env_args-breaks_at", "5000");
        click("#start");
        awaitStatus("failed");
        awaitText("#failure", text -> text.contains("the line is broken"));
        await("recovery is offered", () -> element("#recovery-resume").isDisplayed());
        screenshot("6-failed");
    }

    @Test
    @DisplayName("earlier runs are listed, laid over the curves and offered for download; the log can be searched")
    void earlierRuns() {
        for (int i = 1; i <= 2; i++) {
            jobs.start(Map.of("env", "Line-v0", "timesteps", 640, "rollout_steps", 64, "seed", i));
            await(
                    "the run has ended",
                    () -> jobs.snapshot(StateQuery.DEFAULT)
                            .orElseThrow()
                            .get("status")
                            .equals("exited"));
        }
        browser.navigate().refresh();
        awaitStatus("exited");
        await("both runs are listed", () -> overlays().size() == 2);
        for (int i = 0; i < 2; i++) {
            int row = i;
            // The rows are renewed whenever one is chosen.
            overlays().get(row).click();
            await("run " + row + " is chosen", () -> overlays().get(row).isSelected());
        }
        await("the model is offered", () -> element("#download-model").isDisplayed());
        assertThat(element("#download-csv").getDomAttribute("href")).contains("file=csv");
        awaitText("#log", text -> text.contains("ep_rew_mean"));
        type("#log-search", "approx_kl");
        await("other lines are hidden", () -> !element("#log").getText().contains("time_elapsed  "));
        assertThat(element("#log-count").getText()).containsPattern("[1-9]");
        screenshot("10-earlier-runs");
    }

    private static List<WebElement> overlays() {
        return browser.findElements(By.cssSelector("#runs input[type=checkbox]"));
    }

    @Test
    @DisplayName("the preview shows a judgement; in Chinese too; dark; and nothing is wider than 380 pixels")
    void previewLanguageAndWidth() {
        choose("#scenario", "kl-spike");
        awaitText("#judgement", text -> text.contains("KL"));
        assertThat(element("#preview-banner").isDisplayed()).isTrue();
        screenshot("7-preview");
        choose("#theme", "dark");
        screenshot("8-dark");
        choose("#language", "zh-CN");
        awaitText("#start", text -> !text.isEmpty() && text.codePoints().allMatch(Character::isIdeographic));
        awaitText("#judgement", text -> text.contains("策略变化过快"));
        browser.manage().window().setSize(new Dimension(380, 900));
        JavascriptExecutor script = browser;
        await(
                "the page fits",
                () -> Boolean.TRUE.equals(script.executeScript(
                        "return document.documentElement.scrollWidth <= document.documentElement.clientWidth")));
        screenshot("9-narrow-chinese");
        choose("#theme", "auto");
        choose("#language", "en");
    }
}
