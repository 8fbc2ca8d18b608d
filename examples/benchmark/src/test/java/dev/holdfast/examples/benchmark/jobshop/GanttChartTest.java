package dev.holdfast.examples.benchmark.jobshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.examples.environments.jobshop.DispatchingRule;
import dev.holdfast.examples.environments.jobshop.Instances;
import dev.holdfast.examples.environments.jobshop.JobShopInstance;
import dev.holdfast.examples.environments.jobshop.Schedule;
import dev.holdfast.examples.environments.jobshop.Schedule.Task;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.rl.api.random.RandomStream;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class GanttChartTest {
    /** 890 pixels are 89 units of time: ten for each. */
    private static final Schedule SCHEDULE =
            new Schedule(List.of(new Task(0, 0, 0, 0, 20), new Task(0, 1, 1, 20, 89), new Task(1, 0, 1, 5, 12)));

    @TempDir
    private Path folder;

    @Test
    void barsAreWhereTheTasksAre() throws Exception {
        Path file = folder.resolve("chart.svg");
        new GanttChart("a < b", SCHEDULE).write(file);

        Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        assertThat(bars(svg)).containsExactly("90 43 199 24", "290 73 689 24", "140 73 69 24");
        assertThat(svg.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("a < b");
        assertThat(svg.getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 1000 140");
    }

    private static List<String> bars(Document svg) {
        NodeList rectangles = svg.getElementsByTagName("rect");
        return java.util.stream.IntStream.range(0, rectangles.getLength())
                .mapToObj(i -> (Element) rectangles.item(i))
                .filter(rectangle -> rectangle.getAttribute("height").equals("24"))
                .map(rectangle -> String.join(
                        " ",
                        rectangle.getAttribute("x"),
                        rectangle.getAttribute("y"),
                        rectangle.getAttribute("width"),
                        rectangle.getAttribute("height")))
                .toList();
    }

    @Test
    void imageShowsTheSame() throws IOException {
        Path file = folder.resolve("chart.png");
        new GanttChart("title", SCHEDULE).write(file);

        BufferedImage image = ImageIO.read(file.toFile());
        assertThat(image.getWidth()).isEqualTo(1000);
        assertThat(image.getHeight()).isEqualTo(140);
        // Job 0 has the same colour on both machines, job 1 another one; where nothing happens there is white.
        assertThat(image.getRGB(100, 45)).isEqualTo(image.getRGB(900, 75)).isNotEqualTo(image.getRGB(150, 75));
        assertThat(image.getRGB(500, 45)).isEqualTo(0xFFFFFFFF);
    }

    @Test
    void equalSchedulesGiveEqualFiles() throws IOException {
        JobShopInstance la01 = Objects.requireNonNull(Instances.all().get("la01"));
        Schedule schedule = DispatchingRule.MWKR.schedule(la01, 0, new RandomStream(0));
        for (String name : List.of("1.svg", "2.svg", "1.png", "2.png")) {
            new GanttChart(GanttChart.title(la01, schedule), schedule).write(folder.resolve(name));
        }
        assertThat(folder.resolve("1.svg")).hasSameBinaryContentAs(folder.resolve("2.svg"));
        assertThat(folder.resolve("1.png")).hasSameBinaryContentAs(folder.resolve("2.png"));
        assertThat(Files.readString(folder.resolve("1.svg")))
                .contains(">la01: makespan 735, 10.4 % above the best known, 666<");
    }

    @Test
    void otherFormatsAreRefused() {
        Path file = folder.resolve("chart.gif");
        assertThatThrownBy(() -> new GanttChart("title", SCHEDULE).write(file))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("a chart's file must end in .svg or .png, but was " + file);
    }
}
