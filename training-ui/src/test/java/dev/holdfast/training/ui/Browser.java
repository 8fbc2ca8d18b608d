package dev.holdfast.training.ui;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Chromium, where there is one. */
final class Browser {
    private Browser() {}

    /** Opens one without a window; skips the test, and says so, if there is none. */
    static ChromeDriver open() {
        Optional<Path> chromium = firstOf("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
        Optional<Path> driver = firstOf("/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver");
        if (chromium.isEmpty() || driver.isEmpty()) {
            String reason =
                    "the tests in a browser are skipped: there is no Chromium with chromedriver here (Debian: apt-get install"
                            + " chromium chromium-driver)";
            System.out.println(reason);
            assumeTrue(false, reason);
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow().toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--window-size=1400,1100",
                "--lang=en");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.orElseThrow().toFile())
                .build();
        return new ChromeDriver(service, options);
    }

    private static Optional<Path> firstOf(String... paths) {
        return Stream.of(paths).map(Path::of).filter(Files::isExecutable).findFirst();
    }
}
