package dev.holdfast.training.ui;

import static dev.holdfast.training.ui.Client.object;
import static dev.holdfast.training.ui.Client.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.training.runtime.cli.Holdfast;
import dev.holdfast.training.runtime.config.ConfigField;
import dev.holdfast.training.runtime.config.Fields;
import dev.holdfast.training.runtime.job.TrainingJobs;
import dev.holdfast.training.runtime.json.JsonText;
import dev.holdfast.training.runtime.metrics.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The HTTP API, with the real trainer in a child process. */
class TrainingPageTest {
    private static final String FOREVER =
            "{\"env\": \"Line-v0\", \"timesteps\": 100000000, \"config_profile\": \"tuned\", \"net_arch\": \"4\"}";

    @TempDir
    private Path folder;

    private TrainingJobs jobs;
    private TrainingPage page;
    private Client client;

    @BeforeEach
    void open() throws Exception {
        jobs = TrainingJobs.in(folder).open();
        page = new TrainingPage(jobs, 0, null);
        client = new Client(page);
    }

    @AfterEach
    void close() {
        if (jobs.stop()) {
            await(job -> part(job, "process").get("terminal").equals(true));
        }
        page.close();
        jobs.close();
    }

    private Map<?, ?> await(Predicate<Map<?, ?>> condition) {
        long end = System.nanoTime() + 300_000_000_000L;
        while (true) {
            Map<?, ?> job = client.job();
            if (condition.test(job)) {
                return job;
            }
            assertThat(System.nanoTime())
                    .as("waited for five minutes; the job is %s", job)
                    .isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private Map<?, ?> awaitStatus(String status) {
        return await(job -> job.get("status").equals(status));
    }

    private static String error(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        return (String) object(response).get("error");
    }

    private String startError(String field, String config) {
        HttpResponse<String> response = client.post("/api/train/start", config);
        String error = error(response, 409);
        assertThat(object(response)).containsEntry("field", field);
        assertThat(error).contains(field);
        return error;
    }

    @Test
    @DisplayName("B35: the page's files are served, with a strict policy; any other path is 404 with a JSON error")
    void assets() throws IOException {
        for (String path :
                List.of("/", "/app.js", "/charts.js", "/style.css", "/uplot.js", "/uplot.css", "/texts.json")) {
            HttpResponse<String> response = client.get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            assertThat(response.body()).as(path).isNotEmpty();
            assertThat(response.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'")
                    .doesNotContain("unsafe");
            assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(response.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
        }
        for (String path : List.of("/nothing", "/index.html", "/app.js/", "/api", "/%2e%2e/pom.xml")) {
            error(client.get(path), 404);
        }
        assertThat(raw("GET /../pom.xml HTTP/1.1\r\nHost: 127.0.0.1:" + page.port() + "\r\nConnection: close\r\n\r\n"))
                .contains("404")
                .contains("{\"error\":");
    }

    @Test
    @DisplayName(
            "B1, B2: the schema holds every field with its default and group, and every metric of a progress record")
    void schema() {
        Map<String, Object> schema = object(client.get("/api/train/schema"));
        List<Map<?, ?>> fields = maps(schema.get("fields"));
        List<?> groups = maps(schema.get("groups")).stream()
                .map(group -> group.get("key"))
                .toList();
        assertThat((Object) fields.stream().map(field -> field.get("key")).toList())
                .isEqualTo(Fields.ALL.stream().map(ConfigField::key).toList());
        for (Map<?, ?> field : fields) {
            assertThat(groups.contains(field.get("group"))).isTrue();
            ConfigField<?> declared = Fields.named((String) field.get("key")).orElseThrow();
            Object shown = field.get("default");
            if (!shown.equals(Map.of()) && !shown.equals("")) {
                assertThat((Object) declared.parse(shown.toString())).isEqualTo(declared.defaultValue());
            }
        }
        List<?> metrics = maps(schema.get("metrics")).stream()
                .map(metric -> metric.get("key"))
                .toList();
        assertThat(Arrays.stream(Metric.values()).map(Metric::shortKey).toList())
                .isEqualTo(metrics);
        assertThat(maps(schema.get("environments")).get(0).get("name")).isEqualTo("Line-v0");
        assertThat(maps(schema.get("backends")).get(0).get("available")).isEqualTo(true);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<?, ?>> maps(Object list) {
        return (List<Map<?, ?>>) list;
    }

    @Test
    @DisplayName("B3: a preset can be submitted as it is, and gives a command with --progress-json and --model")
    void preset() {
        Map<?, ?> preset =
                maps(object(client.get("/api/train/schema")).get("presets")).get(0);
        HttpResponse<String> response = client.post("/api/train/start", JsonText.write(preset.get("config")));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        List<?> command = (List<?>) part(object(response), "job").get("command");
        assertThat(command.contains("--progress-json") && command.contains("--model"))
                .isTrue();
    }

    @Test
    @DisplayName(
            "B16, B36: previews are whole jobs below 100 % with reward points; an unknown scenario is an error that repeats it")
    void preview() {
        client.post("/api/train/start", FOREVER);
        Map<?, ?> real = client.job();
        for (Object scenario : (List<?>) object(client.get("/api/train/schema")).get("scenarios")) {
            HttpResponse<String> response = client.get("/api/train/state?preview=1&scenario=" + scenario);
            Map<?, ?> job = part(object(response), "job");
            assertThat(job.keySet().equals(real.keySet())).isTrue();
            assertThat(job.get("preview")).isEqualTo(true);
            assertThat((Double) part(job, "process").get("percent")).isLessThan(100);
            assertThat((Integer) part(job, "convergence").get("reward_points")).isPositive();
            assertThat(response.body()).doesNotContain("NaN");
        }
        Map<?, ?> spike = part(object(client.get("/api/train/state?preview=1&scenario=kl-spike")), "job");
        assertThat((String) part(spike, "convergence").get("status")).contains("KL");
        assertThat(error(client.get("/api/train/state?preview=1&scenario=sunny"), 400))
                .contains("sunny");
    }

    @Test
    @DisplayName("B37: a wrong parameter is named; a body that is no object is 400; an unknown action is 404")
    void badRequests() {
        assertThat(error(client.get("/api/train/state?log_tail=abc"), 400)).contains("log_tail");
        assertThat(error(client.get("/api/train/state?log_tail=0"), 400)).contains("log_tail");
        assertThat(error(client.get("/api/train/state?metric_limit=999999"), 400))
                .contains("metric_limit");
        assertThat(error(client.get("/api/train/state?after_metric=-1"), 400)).contains("after_metric");
        for (String body : List.of("", "[]", "3", "{", "null", "{}{}", "{\"a\":1,\"a\":2}", "[".repeat(100_000))) {
            error(client.post("/api/train/start", body), 400);
        }
        error(client.post("/api/train/start", " ".repeat(1_100_000)), 413);
        error(client.post("/api/train/explode", "{}"), 404);
        error(client.get("/api/train/start"), 405);
        error(client.post("/api/train/state", "{}"), 405);
        error(client.send(client.request("/api/train/stop").POST(BodyPublishers.ofString("{}"))), 415);
        error(client.get("/api/train/run?run=../x"), 404);
        error(client.get("/api/train/run"), 400);
        error(client.get("/api/train/download?run=a&file=csv"), 404);
    }

    @Test
    @DisplayName(
            "B38, B39, B40: start, pause, resume, stop; a second start is refused while one runs, and is another job afterwards")
    void lifecycle() {
        assertThat(object(client.get("/api/train/state"))).containsEntry("job", null);
        assertThat(object(client.post("/api/train/stop", "{}"))).isEqualTo(Map.of("stopped", false));
        Map<?, ?> started = part(object(client.post("/api/train/start", FOREVER)), "job");
        assertThat(started.get("status")).isEqualTo("running");
        assertThat(started.get("pid")).isNotNull();
        await(job -> ((Number) job.get("metric_total")).longValue() > 0);
        assertThat(error(client.post("/api/train/start", FOREVER), 409)).contains("already running");
        assertThat(object(client.post("/api/train/pause", "{}"))).isEqualTo(Map.of("paused", true));
        awaitStatus("paused");
        assertThat(error(
                        client.send(client.request("/api/train/start")
                                .header("Content-Type", "application/json")
                                .header("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.5")
                                .POST(BodyPublishers.ofString(FOREVER))),
                        409))
                .contains("已有训练任务");
        assertThat(object(client.post("/api/train/resume", "{}"))).isEqualTo(Map.of("resumed", true));
        awaitStatus("running");
        assertThat(object(client.post("/api/train/stop", "{}"))).isEqualTo(Map.of("stopped", true));
        Map<?, ?> stopped = awaitStatus("stopped");
        assertThat(part(stopped, "recovery").get("can_resume")).isEqualTo(true);
        assertThat(object(client.post("/api/train/stop", "{}"))).isEqualTo(Map.of("stopped", false));

        assertThat(client.post("/api/train/start", "{\"env\": \"Line-v0\", \"timesteps\": 128, \"rollout_steps\": 64}")
                        .statusCode())
                .isEqualTo(200);
        Map<?, ?> ended = awaitStatus("exited");
        assertThat(ended.get("job_id")).isNotEqualTo(started.get("job_id"));
        assertThat(part(ended, "process").get("percent")).isEqualTo(100.0);
        assertThat(part(ended, "process").get("label")).isEqualTo("Ended normally");

        List<Map<?, ?>> runs = maps(object(client.get("/api/train/runs")).get("runs"));
        assertThat(runs).hasSize(2);
        Object run = runs.get(0).get("run");
        assertThat(maps(object(client.get("/api/train/run?run=" + run)).get("metrics")))
                .hasSize(2);
        assertThat(client.get("/api/train/download?run=" + run + "&file=csv").body())
                .contains("time/total_timesteps");
        assertThat(client.get("/api/train/download?run=" + run + "&file=model").statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("B41: a configuration that isn't allowed is 409 and names the field")
    void invalidConfiguration() {
        startError("rollout_steps", "{\"env\": \"Line-v0\", \"timesteps\": 10}");
        startError("vec_env", "{\"env\": \"Line-v0\", \"vec_env\": \"carrier\"}");
        startError("model", "{\"env\": \"Line-v0\", \"model\": \"\"}");
        startError("problem", "{\"env\": \"Line-v0\", \"problem\": 5}");
        assertThat(startError(
                        "resume", "{\"env\": \"Line-v0\", \"resume\": true, \"force\": true, \"model\": \"m.zip\"}"))
                .contains("exclude each other");
        HttpResponse<String> parameter =
                client.post("/api/train/start", "{\"env\": \"Line-v0\", \"env_args\": {\"breaks_at\": \"x\"}}");
        assertThat(error(parameter, 409)).contains("breaks_at");
        assertThat(object(parameter)).containsEntry("field", "env_args");
    }

    @Test
    @DisplayName("a crash of the trainer is shown, with its reason and what can be recovered")
    void crash() {
        client.post(
                "/api/train/start",
                "{\"env\": \"Line-v0\", \"env_args\": {\"breaks_at\": 1000}, \"config_profile\": \"tuned\"}");
        Map<?, ?> failed = awaitStatus("failed");
        assertThat((String) failed.get("failure")).contains("the line is broken");
        assertThat(part(failed, "recovery").get("can_resume")).isEqualTo(true);
    }

    @Test
    @DisplayName("B42: the server listens on 127.0.0.1 alone")
    void loopback() {
        assertThat(page.address().getAddress().getHostAddress()).isEqualTo("127.0.0.1");
    }

    @Test
    @DisplayName("B43: a port in use is an error that names --ui-port")
    void portInUse() {
        assertThatThrownBy(() -> new TrainingPage(jobs, page.port(), null))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("--ui-port")
                .hasMessageContaining(Integer.toString(page.port()));
    }

    @Test
    @DisplayName("B44: --print-schema and --print-preview print JSON and return 0; a wrong value is named")
    void printing() {
        assertThat(JsonText.object(run(0, "ui", "--print-schema"))).isPresent();
        assertThat(JsonText.object(run(0, "ui", "--print-preview", "kl-spike"))).isPresent();
        assertThat(run(0, "ui", "--print-preview", "--lang", "zh-CN")).contains("正在学习");
        assertThat(run(2, "ui", "--print-preview", "sunny")).contains("sunny");
        assertThat(run(2, "ui", "--print-schema", "--ui-port", "70000")).contains("--ui-port");
        assertThat(run(2, "ui", "--print-schema", "--lang", "fr")).contains("--lang");
    }

    private static String run(int code, String... arguments) {
        StringWriter out = new StringWriter();
        CommandLine command =
                Holdfast.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        command.getSubcommands()
                .values()
                .forEach(sub -> sub.setOut(new PrintWriter(out)).setErr(new PrintWriter(out)));
        assertThat(command.execute(arguments)).isEqualTo(code);
        return out.toString();
    }

    @Test
    @DisplayName(
            "without the token the API is closed; foreign hosts and origins are refused; the token becomes a strict cookie")
    void security() throws IOException {
        String host = "Host: 127.0.0.1:" + page.port() + "\r\nConnection: close\r\n";
        assertThat(raw("GET /api/train/state HTTP/1.1\r\n" + host + "\r\n")).startsWith("HTTP/1.1 401");
        assertThat(raw("GET /api/train/state HTTP/1.1\r\n" + host + "Cookie: " + client.cookie + "x\r\n\r\n"))
                .startsWith("HTTP/1.1 401");
        String token = page.startUri().substring(page.startUri().indexOf('=') + 1);
        assertThat(raw("GET /api/train/state HTTP/1.1\r\n" + host + "Authorization: Bearer " + token + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        assertThat(raw("GET / HTTP/1.1\r\nHost: evil.example:" + page.port() + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(
                        raw(
                                "POST /api/train/stop HTTP/1.1\r\n" + host + "Cookie: " + client.cookie
                                        + "\r\nOrigin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 403");
        assertThat(raw("GET /?token=wrong HTTP/1.1\r\n" + host + "\r\n")).startsWith("HTTP/1.1 403");
        assertThat(raw("GET /?token=" + token + " HTTP/1.1\r\n" + host + "\r\n"))
                .startsWith("HTTP/1.1 303")
                .contains("HttpOnly; SameSite=Strict");
    }

    @Test
    @DisplayName("requests that never end don't block others")
    void slowRequests() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                Socket socket = new Socket(page.address().getAddress(), page.port());
                slow.add(socket);
                socket.getOutputStream()
                        .write(("POST /api/train/start HTTP/1.1\r\nHost: 127.0.0.1:" + page.port() + "\r\nCookie: "
                                        + client.cookie
                                        + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
                                .getBytes(StandardCharsets.UTF_8));
            }
            assertThat(client.get("/api/train/state").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    @DisplayName("10,000 requests at random are answered with 2xx, 303 or 4xx, never with 5xx")
    void fuzz() {
        Random random = new Random(1);
        List<String> paths = List.of(
                "/",
                "/app.js",
                "/texts.json",
                "/api/train/state",
                "/api/train/schema",
                "/api/train/start",
                "/api/train/pause",
                "/api/train/resume",
                "/api/train/stop",
                "/api/train/runs",
                "/api/train/run",
                "/api/train/download",
                "/api/train/",
                "/api",
                "/x");
        List<String> names =
                List.of("log_tail", "after_metric", "metric_limit", "preview", "scenario", "run", "file", "token", "");
        List<String> values = List.of(
                "1",
                "0",
                "-1",
                "abc",
                "99999999999999999999",
                "kl-spike",
                "csv",
                "model",
                "..%2F..%2Fetc",
                "%00",
                "%zz",
                "%",
                "a%C0%AE",
                "");
        List<String> bodies = List.of(
                "{}",
                "",
                "[]",
                "{\"env\": 3}",
                "{\"env\": \"Line-v0\", \"timesteps\": \"x\"}",
                "{\"env\": {\"a\": []}}",
                "{\"env_args\": [1]}",
                "{\"env\": \"Line-v0\", \"env_args\": {\"\": \"\"}}",
                "{\"\": 1}",
                "\u0000",
                "{\"model\": \"\\u0000\"}",
                "{\"seed\": 1e400}",
                "{\"seed\": 1.5}",
                "{\"resume\": true, \"model\": \"/proc/1/x.zip\"}",
                "{\"env\": null}",
                "{\"env\": \"Line-v0\", \"learning_rate\": \"linear(\"}",
                "{\"env\":\"Line-v0\",\"model\":\"resume.zip\"}");
        List<String> types = List.of(
                "application/json", "application/json; charset=x", "text/plain", "application/x-www-form-urlencoded");
        List<String> methods = List.of("GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH");
        for (int i = 0; i < 10_000; i++) {
            StringBuilder target = new StringBuilder(pick(paths, random));
            for (int j = random.nextInt(4); j > 0; j--) {
                target.append(target.indexOf("?") < 0 ? '?' : '&')
                        .append(pick(names, random))
                        .append('=')
                        .append(pick(values, random));
            }
            String body = pick(bodies, random);
            String request = pick(methods, random) + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + page.port()
                    + "\r\nConnection: close\r\nCookie: " + (random.nextInt(10) == 0 ? "a=b" : client.cookie)
                    + "\r\nAccept-Language: " + pick(values, random) + "\r\nContent-Type: " + pick(types, random)
                    + "\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
            if (random.nextInt(20) == 0) {
                char[] damaged = request.toCharArray();
                damaged[random.nextInt(damaged.length)] = (char) random.nextInt(256);
                request = new String(damaged);
                // A damaged length may promise more than comes; the answer is then that of a connection that ends.
            }
            String answer = raw(request);
            assertThat(answer.isEmpty() || answer.matches("(?s)HTTP/1\\.1 (2..|303|4..) .*"))
                    .as("request %d: %s\nanswer: %s", i, request, answer)
                    .isTrue();
        }
        assertThat(client.job()).isNull();
        assertThat(client.get("/api/train/state").statusCode()).isEqualTo(200);
    }

    private static String pick(List<String> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    /** What a socket is answered that sends this and nothing more. */
    private String raw(String request) {
        try (Socket socket = new Socket(page.address().getAddress(), page.port());
                OutputStream out = socket.getOutputStream();
                InputStream in = socket.getInputStream()) {
            out.write(request.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // Closed without an answer.
            return "";
        }
    }
}
