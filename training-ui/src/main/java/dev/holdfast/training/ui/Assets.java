package dev.holdfast.training.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** The files of the page: these, and no other. */
final class Assets {
    private static final String UPLOT = "/META-INF/resources/webjars/uplot/";
    private static final String UPLOT_POM = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";

    private final Map<String, Asset> assets = new HashMap<>();

    /** A file in memory. */
    record Asset(String type, String text) {}

    Assets() {
        add("/", "index.html", "text/html; charset=utf-8");
        add("/app.js", "app.js", "text/javascript; charset=utf-8");
        add("/charts.js", "charts.js", "text/javascript; charset=utf-8");
        add("/style.css", "style.css", "text/css; charset=utf-8");
        String dist = UPLOT + version() + "/dist/";
        add("/uplot.js", dist + "uPlot.iife.min.js", "text/javascript; charset=utf-8");
        add("/uplot.css", dist + "uPlot.min.css", "text/css; charset=utf-8");
    }

    private static String version() {
        try (InputStream in = open(UPLOT_POM)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String path, String resource, String type) {
        try (InputStream in = open(resource)) {
            assets.put(path, new Asset(type, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String resource) throws IOException {
        InputStream in = Assets.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IOException(resource + " is missing from the class path");
        }
        return in;
    }

    Map<String, Asset> all() {
        return assets;
    }
}
