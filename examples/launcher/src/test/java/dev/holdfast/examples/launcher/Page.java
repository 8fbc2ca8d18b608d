package dev.holdfast.examples.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page of the documentation. */
record Page(Path file, List<String> lines) {
    /** The folder of the whole project. */
    static final Path ROOT = root();

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");

    /**
     * A block of code.
     *
     * @param before the line before it
     * @param language what stands behind the fence
     */
    record Block(String before, String language, List<String> lines) {}

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("holdfast"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    static Page of(Path file) throws IOException {
        return new Page(file, Files.readAllLines(file));
    }

    static List<Page> all() throws IOException {
        List<Page> pages = new ArrayList<>(List.of(of(ROOT.resolve("README.md")), of(ROOT.resolve("CHANGELOG.md"))));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
                pages.add(of(file));
            }
        }
        return pages;
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        int start = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith("```")) {
                continue;
            }
            if (start < 0) {
                start = i;
            } else {
                String before = start == 0 ? "" : lines.get(start - 1);
                blocks.add(new Block(before, lines.get(start).substring(3), lines.subList(start + 1, i)));
                start = -1;
            }
        }
        return blocks;
    }

    List<String> links() {
        return prose().flatMap(line -> LINK.matcher(line).results())
                .map(match -> match.group(1))
                .toList();
    }

    /** The anchors of the headings, as GitHub makes them. */
    Set<String> anchors() {
        Pattern heading = Pattern.compile("#+ (.*)");
        return prose().map(heading::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private Stream<String> prose() {
        List<String> prose = new ArrayList<>();
        boolean code = false;
        for (String line : lines) {
            if (line.startsWith("```")) {
                code = !code;
            } else if (!code) {
                prose.add(line);
            }
        }
        return prose.stream();
    }

    /** Returns the lines between two comments. */
    List<String> generated() {
        return lines.subList(lines.indexOf("<!-- generated -->") + 1, lines.indexOf("<!-- end of generated -->"));
    }

    void replaceGenerated(List<String> text) throws IOException {
        List<String> changed = new ArrayList<>(lines.subList(0, lines.indexOf("<!-- generated -->") + 1));
        changed.addAll(text);
        changed.addAll(lines.subList(lines.indexOf("<!-- end of generated -->"), lines.size()));
        Files.writeString(file, String.join("\n", changed) + "\n");
    }

    @Override
    public String toString() {
        return ROOT.relativize(file).toString();
    }
}
