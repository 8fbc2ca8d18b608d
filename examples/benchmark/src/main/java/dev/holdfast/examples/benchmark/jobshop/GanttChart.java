package dev.holdfast.examples.benchmark.jobshop;

import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.examples.environments.jobshop.Schedule;
import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import dev.holdfast.rl.api.Require;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.ImageIO;

/** A schedule as a picture: a row for each machine, a bar for each operation, a colour for each job. Equal schedules give equal files. */
final class GanttChart {
    private static final int LEFT = 90;
    private static final int RIGHT = 20;
    private static final int TOP = 40;
    private static final int BOTTOM = 40;
    private static final int ROW = 30;
    private static final int BAR = 24;
    private static final int WIDTH = 1000;
    private static final int FONT_SIZE = 12;
    private static final int TEXT_WIDTH = 7;

    private final String title;
    private final Schedule schedule;
    private final int machines;

    GanttChart(String title, Schedule schedule) {
        this.title = title;
        this.schedule = schedule;
        machines = schedule.tasks().stream().mapToInt(Task::machine).max().orElse(0) + 1;
    }

    /** Returns what there is to say about a schedule in one line. */
    static String title(JobShopInstance instance, Schedule schedule) {
        String found = instance + ": makespan " + schedule.makespan();
        if (instance.upperBound().isEmpty()) {
            return found;
        }
        int best = instance.upperBound().getAsInt();
        return String.format(
                Locale.ROOT,
                "%s, %.1f %% above the best known, %d",
                found,
                Gap.percent(schedule.makespan(), best),
                best);
    }

    /**
     * Writes the picture.
     *
     * @param file ends in {@code .svg} or {@code .png}; replaced if it is there
     */
    void write(Path file) throws IOException {
        boolean svg = file.toString().endsWith(".svg");
        Require.that(svg || file.toString().endsWith(".png"), "a chart's file", "must end in .svg or .png", file);
        if (svg) {
            Files.writeString(file, svg());
        } else {
            ImageIO.write(image(), "png", file.toFile());
        }
    }

    private int height() {
        return TOP + machines * ROW + BOTTOM;
    }

    private String svg() {
        SvgCanvas canvas = new SvgCanvas();
        draw(canvas);
        return canvas.document(height());
    }

    private BufferedImage image() {
        BufferedImage image = new BufferedImage(WIDTH, height(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT_SIZE));
        draw(new ImageCanvas(graphics));
        graphics.dispose();
        return image;
    }

    private void draw(Canvas canvas) {
        int end = Math.max(1, schedule.makespan());
        canvas.rectangle(0, 0, WIDTH, height(), 0xFFFFFF);
        canvas.text(LEFT, TOP / 2 + FONT_SIZE / 2, title, 0x000000);
        int bottom = TOP + machines * ROW;
        int step = tick(end);
        for (int time = 0; time <= end; time += step) {
            canvas.rectangle(x(time, end), TOP, 1, machines * ROW + 4, 0xDDDDDD);
            String label = Integer.toString(time);
            canvas.text(x(time, end) - label.length() * TEXT_WIDTH / 2, bottom + 20, label, 0x444444);
        }
        for (int machine = 0; machine < machines; machine++) {
            canvas.text(10, TOP + machine * ROW + 20, "machine " + machine, 0x444444);
        }
        for (Task task : schedule.tasks()) {
            int from = x(task.start(), end);
            int width = Math.max(1, x(task.end(), end) - from - 1);
            int y = TOP + task.machine() * ROW + (ROW - BAR) / 2;
            canvas.rectangle(from, y, width, BAR, color(task.job()));
            String label = Integer.toString(task.job());
            int room = label.length() * TEXT_WIDTH;
            if (room < width) {
                canvas.text(from + (width - room) / 2, y + BAR - 8, label, 0x000000);
            }
        }
        canvas.rectangle(x(end, end), TOP, 2, machines * ROW + 4, 0xA63603);
    }

    private static int x(int time, int end) {
        return LEFT + (int) ((long) (WIDTH - LEFT - RIGHT) * time / end);
    }

    /** Returns the smallest of 1, 2, 5, 10, 20 … that leaves at most 12 ticks. */
    private static int tick(int end) {
        int step = 1;
        for (int i = 0; end / step > 12; i++) {
            step = i % 3 == 1 ? step / 2 * 5 : step * 2;
        }
        return step;
    }

    /** Hues in golden sections of the circle: neighbours differ, and any number of jobs has its own. */
    private static int color(int job) {
        double hue = job * 0.618034;
        return Color.HSBtoRGB((float) (hue - Math.floor(hue)), 0.45f, 0.95f) & 0xFFFFFF;
    }

    private interface Canvas {
        void rectangle(int x, int y, int width, int height, int rgb);

        /** Writes a text that begins at x, on a line at y. */
        void text(int x, int y, String text, int rgb);
    }

    private static final class SvgCanvas implements Canvas {
        private final StringBuilder elements = new StringBuilder();

        @Override
        public void rectangle(int x, int y, int width, int height, int rgb) {
            elements.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                    x,
                    y,
                    width,
                    height,
                    rgb));
        }

        @Override
        public void text(int x, int y, String text, int rgb) {
            elements.append(String.format(
                    Locale.ROOT, "<text x=\"%d\" y=\"%d\" fill=\"#%06x\">%s</text>\n", x, y, rgb, escaped(text)));
        }

        private static String escaped(String text) {
            return text.replace("&", "&amp;").replace("<", "&lt;");
        }

        String document(int height) {
            return String.format(
                            Locale.ROOT,
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                    + " font-family=\"sans-serif\" font-size=\"%d\">\n",
                            WIDTH,
                            height,
                            WIDTH,
                            height,
                            FONT_SIZE)
                    + elements
                    + "</svg>\n";
        }
    }

    private static final class ImageCanvas implements Canvas {
        private final Graphics2D graphics;

        ImageCanvas(Graphics2D graphics) {
            this.graphics = graphics;
        }

        @Override
        public void rectangle(int x, int y, int width, int height, int rgb) {
            graphics.setColor(new Color(rgb));
            graphics.fillRect(x, y, width, height);
        }

        @Override
        public void text(int x, int y, String text, int rgb) {
            graphics.setColor(new Color(rgb));
            graphics.drawString(text, x, y);
        }
    }
}
