package dev.holdfast.examples.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A Markdown table whose columns also line up as plain text. */
final class TextTable {
    private final boolean[] right;
    private final List<String[]> rows = new ArrayList<>();

    /** Creates a table; a column whose title begins with {@code >} is flush right. */
    TextTable(String... titles) {
        right = new boolean[titles.length];
        String[] names = new String[titles.length];
        for (int i = 0; i < titles.length; i++) {
            right[i] = titles[i].startsWith(">");
            names[i] = right[i] ? titles[i].substring(1) : titles[i];
        }
        rows.add(names);
    }

    void row(String... cells) {
        rows.add(cells);
    }

    List<String> lines() {
        int[] widths = new int[right.length];
        // The shortest rule of a column that is flush right is "-:".
        Arrays.fill(widths, 2);
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder("|");
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - row[i].length());
                line.append(' ')
                        .append(right[i] ? padding + row[i] : row[i] + padding)
                        .append(" |");
            }
            lines.add(line.toString());
        }
        StringBuilder rule = new StringBuilder("|");
        for (int i = 0; i < widths.length; i++) {
            rule.append(' ')
                    .append("-".repeat(widths[i] - 1))
                    .append(right[i] ? ":" : "-")
                    .append(" |");
        }
        lines.add(1, rule.toString());
        return lines;
    }
}
