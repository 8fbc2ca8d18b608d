package dev.holdfast.examples.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.embedding.ShopExample;
import dev.holdfast.examples.environments.CartPoleProvider;
import dev.holdfast.examples.launcher.Page.Block;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide to an environment of one's own, taken at its word: its files in an empty folder, its commands, its output. */
class GuideTest {
    private static final String SERVICES = "META-INF/services/dev.holdfast.rl.api.environment.EnvironmentProvider";

    @TempDir
    Path project;

    private Page guide;
    private Path sources;
    private Path classes;

    @BeforeEach
    void copyEveryFile() throws IOException {
        guide = Page.of(Page.ROOT.resolve("docs/how-to/your-own-environment.md"));
        sources = Files.createDirectories(project.resolve("src/main/java/shop"));
        classes = Files.createDirectories(project.resolve("target/classes"));
        for (Block block : guide.blocks()) {
            if (block.language().equals("java")) {
                String name = block.before().replaceAll(".*/| -->", "");
                Files.writeString(sources.resolve(name), "package shop;\n\n" + String.join("\n", block.lines()));
            }
        }
        Path services = classes.resolve(SERVICES);
        Files.createDirectories(services.getParent());
        Files.writeString(services, "shop.StoreroomProvider\n");
        assertThat(guide.lines()).contains("shop.StoreroomProvider");
        compile();
    }

    private void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (Stream<Path> files = Files.list(sources);
                StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            manager,
                            null,
                            List.of("--release", "17", "-d", classes.toString(), "-cp", libraries()),
                            null,
                            manager.getJavaFileObjectsFromPaths(files.toList()))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    /** The class path of this test without the examples: the guide's project doesn't have them. */
    private static String libraries() {
        List<Path> examples = Stream.of(ShopExample.class, CartPoleProvider.class)
                .map(type -> Path.of(
                        type.getProtectionDomain().getCodeSource().getLocation().getPath()))
                .toList();
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !examples.contains(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void theCheckerSaysWhatTheGuideSays() throws Exception {
        assertThat(guide.lines()).containsSequence(java("shop.CheckShop"));

        replace("CheckShop.java", "Shop::new", "() -> new Storeroom(0)");
        assertThat(guide.lines()).containsSequence(java("shop.CheckShop"));

        replace("CheckShop.java", "() -> new Storeroom(0)", "Shop::new");
        replace("Shop.java", "Math.min(stock + order.index(), 20)", "stock + order.index()");
        assertThat(guide.lines()).containsSequence(java("shop.CheckShop"));
    }

    private void replace(String file, String old, String replacement) throws IOException {
        Path source = sources.resolve(file);
        String text = Files.readString(source);
        assertThat(text).contains(old);
        Files.writeString(source, text.replace(old, replacement));
        compile();
    }

    @Test
    void theCommandKnowsTheEnvironmentAndTheApplicationUsesItsPolicy() throws Exception {
        assertThat(guide.lines()).containsSequence(holdfast("envs"));

        String model = "runs/Storeroom-v0_1/Storeroom-v0.zip";
        assertThat(holdfast("train", "--env", "Storeroom-v0", "--env-arg", "delivery_cost=10"))
                .contains("Model: " + model)
                .contains("  train longer:  holdfast train --resume --model " + model + " --timesteps 40960");
        assertThat(holdfast("enjoy", model, "--episodes", "100"))
                .singleElement()
                .asString()
                .matches("100 episodes: mean return 1[0-9]{2}\\.\\d\\d .*");
        assertThat(java("shop.EveningOrder", model, "18", "5"))
                .singleElement()
                .asString()
                .matches("Order [012]");
    }

    @Test
    void workersMakeTheEnvironment() throws Exception {
        assertThat(holdfast(
                        "train", "--env", "Storeroom-v0", "--envs", "2", "--vec-env", "process", "--timesteps", "256"))
                .contains("Model: runs/Storeroom-v0_1/Storeroom-v0.zip");
    }

    private List<String> holdfast(String... arguments) throws Exception {
        return java("dev.holdfast.training.runtime.cli.Holdfast", arguments);
    }

    /** Runs a program in the project's folder and returns what it prints. */
    private List<String> java(String main, String... arguments) throws Exception {
        Path errors = project.resolve("errors.txt");
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx256m",
                                        "-XX:+UseSerialGC",
                                        "-cp",
                                        classes + File.pathSeparator + libraries(),
                                        main),
                                Stream.of(arguments))
                        .toList())
                .directory(project.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            List<String> output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
