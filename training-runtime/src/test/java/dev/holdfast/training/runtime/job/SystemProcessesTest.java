package dev.holdfast.training.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.training.runtime.vector.WorkerProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemProcessesTest {
    @TempDir
    private Path folder;

    private TrainerProcess sleeper(SystemProcesses processes) throws IOException {
        return processes.start(StubTrainer.command("sleep"), folder.resolve("log"));
    }

    @Test
    @DisplayName("B31/B32: on Windows the tree is killed by taskkill with the process id; what fails is no failure")
    void windows() throws IOException {
        List<List<String>> tools = new ArrayList<>();
        SystemProcesses processes = new SystemProcesses(true, command -> {
            tools.add(command);
            throw new IOException("there is no taskkill here");
        });
        TrainerProcess process = sleeper(processes);
        process.killTree();
        assertThat(tools).containsExactly(List.of("taskkill", "/F", "/T", "/PID", Long.toString(process.pid())));
        WorkerProcesses.await("it has ended", () -> !process.isAlive());
        process.killTree();
    }

    @Test
    @DisplayName("B32: where there are no process groups, the kill doesn't fail")
    void noGroups() throws IOException {
        SystemProcesses processes = new SystemProcesses(false, command -> {
            throw new IOException("there is no kill here");
        });
        TrainerProcess process = sleeper(processes);
        process.killTree();
        WorkerProcesses.await("it has ended", () -> !process.isAlive());
        assertThat(process.exitCode()).isNotNull();
    }

    @Test
    @DisplayName("a process is found again by its number and its start; not by another start")
    void find() throws IOException {
        SystemProcesses processes = new SystemProcesses();
        TrainerProcess process = sleeper(processes);
        long pid = process.pid();
        long start = process.startMillis();
        TrainerProcess found = processes.find(pid, start).orElseThrow();
        assertThat(found.isAlive()).isTrue();
        assertThat(found.exitCode()).isNull();
        assertThat(processes.find(pid, start - 60_000)).isEmpty();
        found.killTree();
        WorkerProcesses.await("it has ended", () -> !process.isAlive());
        assertThat(processes.find(pid, start)).isEmpty();
    }
}
