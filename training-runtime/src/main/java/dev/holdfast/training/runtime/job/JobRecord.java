package dev.holdfast.training.runtime.job;

import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.checkpoint.DurableFiles;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.config.TrainingConfig;
import dev.holdfast.training.runtime.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be known of a job to find it again after this process has died.
 *
 * @param config in force
 * @param controlFile through which it is instructed
 * @param log what it prints
 * @param logStart where its part of the log begins
 * @param startMillis when it was started, in milliseconds since 1970
 * @param resumedFrom the steps of the checkpoint that it went on from; 0 for a new run
 */
record JobRecord(
        String jobId,
        List<String> command,
        TrainingConfig config,
        Path controlFile,
        Path log,
        long logStart,
        long startMillis,
        long resumedFrom) {
    private static final Logger LOG = LoggerFactory.getLogger(JobRecord.class);

    JobRecord {
        command = List.copyOf(command);
    }

    Path model() {
        return config.get(Fields.MODEL).orElseThrow();
    }

    /** A job that another process had started, perhaps an earlier life of this one. */
    record Saved(JobRecord job, long pid, long processStartMillis) {}

    /** Writes the record of a job that was just started. */
    void save(Path file, TrainerProcess process) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("job_id", jobId);
        map.put("pid", process.pid());
        map.put("process_start_ms", process.startMillis());
        map.put("start_ms", startMillis);
        map.put("control_file", controlFile);
        map.put("log", log);
        map.put("log_start", logStart);
        map.put("resumed_from", resumedFrom);
        map.put("command", command);
        map.put("config", config.toMap());
        write(file, map);
    }

    /** Writes a JSON object for other processes, whole or not at all. */
    static void write(Path file, Map<String, ?> object) {
        new DurableFiles().write(file, (JsonText.write(object) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a record; empty if there is none, or something else. */
    static Optional<Saved> read(Path file) {
        try {
            Map<String, @Nullable Object> map =
                    JsonText.object(Files.readString(file)).orElse(Map.of());
            TrainingConfig.Builder config = TrainingConfig.builder();
            for (Map.Entry<?, ?> setting : ((Map<?, ?>) get(map, "config", Map.class)).entrySet()) {
                String text = String.valueOf(setting.getValue());
                // A path that wasn't given has no text, and a schedule written in Java has none either.
                if (!text.isEmpty() && !text.equals("custom")) {
                    config.text(String.valueOf(setting.getKey()), text);
                }
            }
            List<String> command = new ArrayList<>();
            ((List<?>) get(map, "command", List.class)).forEach(argument -> command.add(String.valueOf(argument)));
            JobRecord job = new JobRecord(
                    get(map, "job_id", String.class),
                    command,
                    config.build(),
                    Path.of(get(map, "control_file", String.class)),
                    Path.of(get(map, "log", String.class)),
                    whole(map, "log_start"),
                    whole(map, "start_ms"),
                    whole(map, "resumed_from"));
            job.model();
            return Optional.of(new Saved(job, whole(map, "pid"), whole(map, "process_start_ms")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException | InvalidConfigurationException | NoSuchElementException e) {
            LOG.warn("{} is no record of a job, and is left alone: {}", file, e.toString());
            return Optional.empty();
        }
    }

    private static long whole(Map<String, @Nullable Object> map, String key) {
        return get(map, key, Number.class).longValue();
    }

    private static <T> T get(Map<String, @Nullable Object> map, String key, Class<T> type) {
        Object value = map.get(key);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(key + " must be a " + type.getSimpleName() + ", but was " + value);
        }
        return type.cast(value);
    }
}
