package dev.holdfast.rl.backend.djl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens when PyTorch is first needed. */
class StartTest {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    Path folder;

    @Test
    void loadsNothingBeforeDevicesAreAskedFor() throws Exception {
        String cache = System.getProperty("ENGINE_CACHE_DIR", folder.toString());
        String output = Probe.run(List.of("-DENGINE_CACHE_DIR=" + cache), CLASS_PATH, "start");
        assertThat(output).startsWith("djl, offline null").contains("created, offline true, pytorch-2.7.1");
    }

    @Test
    void saysInOneLineThatItsFolderCannotBeWritten() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        String output = Probe.run(List.of("-DENGINE_CACHE_DIR=" + file.resolve("cache")), CLASS_PATH, "start");
        assertRefused(output);
        assertThat(output).contains(file.resolve("cache") + " (environment variable ENGINE_CACHE_DIR)");
    }

    @Test
    void saysInOneLineWhichArtifactIsMissing() throws Exception {
        String withoutNatives = Arrays.stream(CLASS_PATH.split(File.pathSeparator))
                .filter(entry -> !entry.contains("pytorch-native-cpu"))
                .collect(Collectors.joining(File.pathSeparator));
        assertRefused(Probe.run(List.of("-DENGINE_CACHE_DIR=" + folder), withoutNatives, "start"));
    }

    private static void assertRefused(String output) {
        List<String> lines = output.lines().toList();
        assertThat(lines).as(output).hasSize(3);
        assertThat(lines.get(1))
                .startsWith("[Device[name=cpu, usable=false, detail=PyTorch's native libraries can't be");
        assertThat(lines.get(2))
                .startsWith("refused: device must be one of [auto] for backend djl here, but was cpu: PyTorch's native")
                .contains("ai.djl.pytorch:pytorch-native-cpu:2.7.1 with classifier ");
    }
}
