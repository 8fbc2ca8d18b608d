package dev.holdfast.training.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.rl.api.HoldfastException;
import dev.holdfast.rl.api.InvalidConfigurationException;
import dev.holdfast.training.runtime.job.ConfigSchema;
import dev.holdfast.training.runtime.job.DemoJobs;
import dev.holdfast.training.runtime.job.JobConflictException;
import dev.holdfast.training.runtime.job.StateQuery;
import dev.holdfast.training.runtime.job.TrainingJobs;
import dev.holdfast.training.runtime.json.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the training page and its HTTP API on the loopback interface.
 *
 * <p>Whoever wants in needs the token of {@link #startUri}, which is made anew each time: it is exchanged for a cookie, or sent as {@code
 * Authorization: Bearer}. Requests that name another host, or come from another page, are refused; actions take POST with a JSON body
 * alone.
 *
 * <p><em>Threads.</em> Every request has one of its own, a daemon, so that a slow one blocks no other; up to {@value #THREADS}.
 */
public final class TrainingPage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingPage.class);
    private static final int THREADS = 256;
    private static final int LARGEST_BODY = 1 << 20;
    private static final int POINTS = 2_000;
    private static final String COOKIE = "holdfast";
    private static final String API = "/api/train/";
    private static final String JSON = "application/json";
    private static final String JSON_UTF8 = "application/json; charset=utf-8";
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final TrainingJobs jobs;
    private final @Nullable Locale language;
    private final Map<String, Assets.Asset> assets = new Assets().all();
    private final String token;
    private final HttpServer server;
    private final ExecutorService executor;
    private final CompletableFuture<String> schema;

    /** What a request is answered with. */
    private static final class Answer {
        final int status;
        final String type;
        final byte[] content;
        final Map<String, String> headers;

        Answer(int status, String type, byte[] content, Map<String, String> headers) {
            this.status = status;
            this.type = type;
            this.content = content;
            this.headers = headers;
        }

        static Answer text(int status, String type, String text) {
            return new Answer(status, type, text.getBytes(StandardCharsets.UTF_8), Map.of());
        }

        static Answer json(int status, Object value) {
            return text(status, JSON_UTF8, JsonText.write(value));
        }
    }

    /**
     * Begins to serve.
     *
     * @param jobs what is shown and controlled; not closed with this
     * @param port of the loopback interface; 0 for any that is free
     * @param language of all texts; null for what each browser asks for
     * @throws HoldfastException if the port is in use; the message names {@code --ui-port}
     */
    public TrainingPage(TrainingJobs jobs, int port, @Nullable Locale language) {
        this.jobs = jobs;
        this.language = language;
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        try {
            server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 0);
        } catch (BindException e) {
            throw new HoldfastException(
                    "--ui-port must be a free port, but " + port + " is in use: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new HoldfastException("the page can't be served at port " + port + ": " + e.getMessage(), e);
        }
        AtomicInteger number = new AtomicInteger();
        executor = new ThreadPoolExecutor(0, THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "holdfast-page-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        // At once: backends take their time to say which devices they have.
        schema = CompletableFuture.supplyAsync(() -> JsonText.write(describe(jobs)), executor);
        server.setExecutor(executor);
        server.createContext("/", this::handle);
        server.start();
    }

    private static Map<String, Object> describe(TrainingJobs jobs) {
        Map<String, Object> all = new LinkedHashMap<>(ConfigSchema.describe());
        all.put("outputs", jobs.folder());
        String version = TrainingPage.class.getPackage().getImplementationVersion();
        all.put("version", version == null ? "" : version);
        return all;
    }

    /**
     * Returns the address at which the page opens.
     *
     * @return with the token: for the user alone
     */
    public String startUri() {
        return "http://127.0.0.1:" + port() + "/?token=" + token;
    }

    /**
     * Returns the port.
     *
     * @return of the loopback interface
     */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return server.getAddress();
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            Locale locale = Texts.choose(language, exchange.getRequestHeaders().getFirst("Accept-Language"));
            Answer answer;
            try {
                answer = answer(exchange, locale);
            } catch (HttpError e) {
                answer = error(e);
            } catch (JobConflictException e) {
                answer = error(new HttpError(409, e.message(locale), e.field()));
            } catch (HoldfastException e) {
                LOG.warn("{} failed: {}", exchange.getRequestURI(), e.getMessage());
                answer = error(new HttpError(503, String.valueOf(e.getMessage())));
            } catch (RuntimeException e) {
                LOG.error("{} failed in a way that it should not", exchange.getRequestURI(), e);
                answer = error(new HttpError(500, "the page has a fault; its log says more"));
            }
            send(exchange, answer);
        } catch (IOException e) {
            LOG.debug("a browser went away", e);
        }
    }

    private static Answer error(HttpError error) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", String.valueOf(error.getMessage()));
        if (!error.field().isEmpty()) {
            body.put("field", error.field());
        }
        return Answer.json(error.status(), body);
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", answer.type);
        exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.getResponseHeaders().set("X-Frame-Options", "DENY");
        exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        answer.headers.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status, head || answer.content.length == 0 ? -1 : answer.content.length);
        if (!head && answer.content.length > 0) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer.content);
            }
        }
    }

    private Answer answer(HttpExchange exchange, Locale locale) throws HttpError, IOException {
        requireOurs(exchange);
        String path = Objects.requireNonNullElse(exchange.getRequestURI().getPath(), "");
        Query query = new Query(exchange.getRequestURI().getRawQuery());
        if (path.startsWith(API)) {
            return api(exchange, path.substring(API.length()), query, locale);
        }
        requireMethod(exchange, "GET", "HEAD");
        String given = query.text("token");
        if (path.equals("/") && given != null) {
            return exchangeToken(given);
        } else if (path.equals("/texts.json")) {
            return Answer.json(200, Texts.describe(locale));
        }
        Assets.Asset asset = assets.get(path);
        if (asset == null) {
            throw new HttpError(404, "there is nothing at this path");
        }
        return Answer.text(200, asset.type(), asset.text());
    }

    /** Refuses what a foreign page, or a foreign name for this machine, sends here (DNS rebinding, cross-site requests). */
    private void requireOurs(HttpExchange exchange) throws HttpError {
        List<String> hosts = List.of("127.0.0.1:" + port(), "localhost:" + port());
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null || !hosts.contains(host.toLowerCase(Locale.ROOT))) {
            throw new HttpError(403, "the host must be 127.0.0.1:" + port());
        }
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        if (origin != null && hosts.stream().noneMatch(ours -> origin.equals("http://" + ours))) {
            throw new HttpError(403, "the origin must be this page");
        }
    }

    private Answer exchangeToken(String given) throws HttpError {
        if (!isToken(given)) {
            throw new HttpError(403, "the token must be that of the address which was printed at the start");
        }
        return new Answer(
                303,
                "text/plain; charset=utf-8",
                new byte[0],
                Map.of(
                        "Location",
                        "/",
                        "Set-Cookie",
                        cookieName() + "=" + token + "; HttpOnly; SameSite=Strict; Path=/"));
    }

    /** Cookies don't know ports: two pages at once must not take each other's. */
    private String cookieName() {
        return COOKIE + "-" + port();
    }

    private boolean isToken(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private void requireToken(HttpExchange exchange) throws HttpError {
        List<String> cookies = exchange.getRequestHeaders().getOrDefault("Cookie", Collections.emptyList());
        boolean allowed = cookies.stream()
                .flatMap(header -> Arrays.stream(header.split(";", -1)))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(cookieName() + "="))
                .anyMatch(cookie -> isToken(cookie.substring(cookieName().length() + 1)));
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (!allowed && (authorization == null || !isToken(authorization.replaceFirst("^Bearer ", "")))) {
            throw new HttpError(401, "open the address that was printed at the start: it has the token");
        }
    }

    private static void requireMethod(HttpExchange exchange, String... allowed) throws HttpError {
        if (!List.of(allowed).contains(exchange.getRequestMethod())) {
            exchange.getResponseHeaders().set("Allow", String.join(", ", allowed));
            throw new HttpError(405, "the method must be " + String.join(" or ", allowed));
        }
    }

    private Answer api(HttpExchange exchange, String action, Query query, Locale locale) throws HttpError, IOException {
        requireToken(exchange);
        switch (action) {
            case "schema", "state", "runs", "run", "download" -> requireMethod(exchange, "GET", "HEAD");
            case "start", "pause", "resume", "stop" -> requireMethod(exchange, "POST");
            default -> throw new HttpError(404, "there is no such action");
        }
        return switch (action) {
            case "schema" -> Answer.text(200, JSON_UTF8, schema.join());
            case "state" -> state(query, locale);
            case "runs" -> Answer.json(200, Map.of("runs", jobs.runs()));
            case "run" -> run(query);
            case "download" -> download(query);
            case "start" -> start(body(exchange), locale);
            case "pause" -> instructed(exchange, "paused", jobs::pause);
            case "resume" -> instructed(exchange, "resumed", jobs::resume);
            default -> instructed(exchange, "stopped", jobs::stop);
        };
    }

    private Answer state(Query query, Locale locale) throws HttpError {
        StateQuery state;
        try {
            state = new StateQuery(
                    query.integer("log_tail", StateQuery.DEFAULT.logTail()),
                    query.number("after_metric", 0),
                    query.integer("metric_limit", StateQuery.DEFAULT.metricLimit()),
                    locale);
            if ("1".equals(query.text("preview"))) {
                String scenario = query.text("scenario");
                return job(DemoJobs.snapshot(scenario == null ? DemoJobs.SCENARIOS.get(0) : scenario, state));
            }
        } catch (InvalidConfigurationException e) {
            throw new HttpError(400, String.valueOf(e.getMessage()));
        }
        return job(jobs.snapshot(state).orElse(null));
    }

    private static Answer job(@Nullable Map<String, @Nullable Object> job) {
        return Answer.json(200, Collections.singletonMap("job", job));
    }

    private Answer run(Query query) throws HttpError {
        String name = query.required("run");
        try {
            return Answer.json(200, Map.of("run", name, "metrics", jobs.points(name, POINTS)));
        } catch (InvalidConfigurationException e) {
            throw new HttpError(404, String.valueOf(e.getMessage()));
        }
    }

    private Answer download(Query query) throws HttpError, IOException {
        Path file;
        try {
            file = jobs.file(query.required("run"), query.required("file"));
        } catch (InvalidConfigurationException e) {
            throw new HttpError(404, String.valueOf(e.getMessage()));
        }
        String name = String.valueOf(file.getFileName()).replaceAll("[^A-Za-z0-9._-]", "_");
        return new Answer(
                200,
                name.endsWith(".csv") ? "text/csv; charset=utf-8" : "application/zip",
                Files.readAllBytes(file),
                Map.of("Content-Disposition", "attachment; filename=\"" + name + "\""));
    }

    private Answer start(Map<String, @Nullable Object> settings, Locale locale) throws HttpError {
        try {
            jobs.start(settings);
        } catch (InvalidConfigurationException e) {
            throw HttpError.ofConfiguration(String.valueOf(e.getMessage()));
        }
        return job(jobs.snapshot(StateQuery.DEFAULT.in(locale)).orElse(null));
    }

    /** Does what is asked of the job. */
    private interface Instruction {
        boolean give();
    }

    private static Answer instructed(HttpExchange exchange, String key, Instruction instruction)
            throws HttpError, IOException {
        body(exchange);
        return Answer.json(200, Map.of(key, instruction.give()));
    }

    private static Map<String, @Nullable Object> body(HttpExchange exchange) throws HttpError, IOException {
        String type = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Content-Type"), "");
        // A form of a foreign page can't have this type; another script would have to ask first, and gets no answer.
        if (!type.split(";", -1)[0].strip().equalsIgnoreCase(JSON)) {
            throw new HttpError(415, "Content-Type must be " + JSON + ", but was '" + type + "'");
        }
        try (InputStream in = exchange.getRequestBody()) {
            byte[] bytes = in.readNBytes(LARGEST_BODY + 1);
            if (bytes.length > LARGEST_BODY) {
                throw new HttpError(413, "the body must be at most " + LARGEST_BODY + " bytes");
            }
            return JsonText.object(new String(bytes, StandardCharsets.UTF_8))
                    .orElseThrow(() -> new HttpError(400, "the body must be a JSON object"));
        }
    }

    /** Serves no more. A running job goes on. */
    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
