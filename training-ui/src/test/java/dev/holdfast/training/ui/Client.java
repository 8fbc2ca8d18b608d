package dev.holdfast.training.ui;

import dev.holdfast.training.runtime.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** A browser of the API that has the token. */
final class Client {
    private final HttpClient http = HttpClient.newHttpClient();
    private final TrainingPage page;
    final String cookie;

    Client(TrainingPage page) throws IOException, InterruptedException {
        this.page = page;
        HttpResponse<String> answer =
                http.send(HttpRequest.newBuilder(URI.create(page.startUri())).build(), BodyHandlers.ofString());
        cookie = answer.headers().firstValue("Set-Cookie").orElse("").split(";", -1)[0];
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + path))
                .header("Cookie", cookie);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path));
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static Map<String, Object> object(HttpResponse<String> response) {
        return JsonText.object(response.body()).orElseThrow(() -> new AssertionError(response.body()));
    }

    static Map<?, ?> part(Map<?, ?> object, String key) {
        return (Map<?, ?>) object.get(key);
    }

    Map<?, ?> job() {
        return part(object(get("/api/train/state")), "job");
    }
}
