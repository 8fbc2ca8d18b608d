package dev.holdfast.examples.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.examples.launcher.Page.Block;
import dev.holdfast.training.runtime.cli.Holdfast;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.metrics.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The documentation says what the code says.
 *
 * <p>The tables that are generated from the code are written anew by {@code mvn verify -Ddocs.update=true}, which still fails where
 * they were out of date.
 */
class DocumentationTest {
    private static List<Page> pages() throws IOException {
        return Page.all();
    }

    /** A block of Java says where it comes from and stands there word for word, but for indentation. */
    @ParameterizedTest
    @MethodSource("pages")
    void javaIsCompiledCode(Page page) throws IOException {
        Pattern from = Pattern.compile("<!-- from (\\S+) -->");
        for (Block block : page.blocks()) {
            if (block.language().equals("java")) {
                Matcher source = from.matcher(block.before());
                assertThat(source.matches())
                        .as("the line before\n%s\nnames its source", String.join("\n", block.lines()))
                        .isTrue();
                List<String> code = stripped(Files.readAllLines(Page.ROOT.resolve(source.group(1))));
                assertThat(code).as(source.group(1)).containsSequence(stripped(block.lines()));
            }
        }
    }

    private static List<String> stripped(List<String> lines) {
        return lines.stream().map(String::strip).toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Page page) throws IOException {
        for (String link : page.links()) {
            if (link.startsWith("https://")) {
                continue;
            }
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]);
            assertThat(target.normalize()).as("link %s", link).exists();
            if (parts.length == 2) {
                assertThat(Page.of(target).anchors()).as("anchors of %s", link).contains(parts[1]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void commandsHaveOptionsThatExist(Page page) {
        for (Block block : page.blocks()) {
            for (String line : block.lines()) {
                if (block.language().equals("sh") && line.matches("(\\./)?holdfast .*")) {
                    String[] words = line.replaceFirst(" +#.*", "").split(" +");
                    String[] arguments = Arrays.stream(words)
                            .skip(1)
                            .map(word -> word.replace("'", ""))
                            .toArray(String[]::new);
                    assertThatCode(() -> Holdfast.commandLine().parseArgs(arguments))
                            .as(line)
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    @Test
    void everyOptionOfTrainIsListed() throws IOException {
        List<String> text = new ArrayList<>();
        String group = "";
        for (ConfigField<?> field : Fields.ALL) {
            if (!field.group().equals(group)) {
                group = field.group();
                text.addAll(List.of(
                        "",
                        "### " + group,
                        "",
                        "| option | values | default | on `--resume` | meaning |",
                        "|---|---|---|---|---|"));
            }
            text.add(row(field));
        }
        text.add("");
        check("docs/reference/command-line.md", text);
    }

    private static <T> String row(ConfigField<T> field) {
        String flag = field.kind() == ConfigField.Kind.PAIRS ? "--env-arg" : field.flag();
        String value = field.format(field.defaultValue());
        return cells(
                "`" + flag + "`",
                field.range(),
                value.isEmpty() || field == Fields.ENV ? "" : "`" + value + "`",
                switch (field.onResume()) {
                    case NEW_VALUE_HOLDS -> "may change";
                    case NEVER_KEPT -> "for one call";
                    case CHECKPOINT_HOLDS -> "kept";
                    case MUST_BE_SAME -> "must be the same";
                },
                field.help());
    }

    @Test
    void everyMetricIsListed() throws IOException {
        List<String> text = new ArrayList<>(List.of("", "| metric | meaning |", "|---|---|"));
        for (Metric metric : Metric.values()) {
            text.add(cells("`" + metric.key() + "`", metric.definition()));
        }
        text.add("");
        check("docs/reference/metrics.md", text);
    }

    private static String cells(String... cells) {
        return Arrays.stream(cells)
                .map(cell -> cell.replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static void check(String file, List<String> text) throws IOException {
        Page page = Page.of(Page.ROOT.resolve(file));
        List<String> written = page.generated();
        if (Boolean.getBoolean("docs.update")) {
            page.replaceGenerated(text);
        }
        assertThat(written)
                .as("the generated part of %s; mvn verify -Ddocs.update=true writes it anew", file)
                .isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void dependenciesHaveTheCurrentVersion(Page page) throws IOException {
        Matcher current =
                Pattern.compile("<version>(.*)</version>").matcher(Files.readString(Page.ROOT.resolve("pom.xml")));
        assertThat(current.find()).isTrue();
        Pattern dependency = Pattern.compile(
                "<groupId>dev\\.holdfast</groupId>\\s*<artifactId>.*</artifactId>\\s*<version>(.*)</version>");
        assertThat(dependency.matcher(String.join("\n", page.lines())).results().map(match -> match.group(1)))
                .allMatch(current.group(1)::equals);
    }
}
