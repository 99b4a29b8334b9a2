package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls the console as a browser does, with a cookie and a form's token, and shows what came. */
final class Caller {

    static {
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

    private final HttpClient client;
    private final URI base;
    private String cookie;
    private String token = "";

    Caller(URI base) {
        this(base, HttpClient.newHttpClient());
    }

    Caller(URI base, HttpClient client) {
        this.base = base;
        this.client = client;
    }

    String cookie() {
        return cookie;
    }

    void useCookie(String other) {
        cookie = other;
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(base.resolve(path)).GET(), headers);
    }

    /** Sends a form; each field is a name and a value. */
    HttpResponse<String> post(String path, List<Map.Entry<String, String>> fields, String... headers)
            throws IOException, InterruptedException {
        List<String> encoded = new ArrayList<>();
        for (Map.Entry<String, String> field : fields) {
            encoded.add(field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8));
        }
        String origin = base.toString().replaceFirst("/$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(String.join("&", encoded)));
        if (!List.of(headers).contains("Origin")) {
            request.header("Origin", origin);
        }
        return send(request, headers);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String... headers)
            throws IOException, InterruptedException {
        for (int at = 0; at < headers.length; at += 2) {
            request.setHeader(headers[at], headers[at + 1]);
        }
        if (cookie != null) {
            request.header("Cookie", cookie);
        }
        HttpResponse<String> response =
                client.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString());
        response.headers()
                .firstValue("Set-Cookie")
                .ifPresent(set -> cookie = set.substring(0, set.indexOf(';') < 0 ? set.length() : set.indexOf(';')));
        Matcher found = TOKEN.matcher(response.body());
        if (found.find()) {
            token = found.group(1);
        }
        return response;
    }

    /** Names and values of headers by turns. */
    HttpResponse<String> trySignIn(String login, String password, String... headers)
            throws IOException, InterruptedException {
        return post("/sign-in", List.of(Map.entry("login", login), Map.entry("password", password)), headers);
    }

    void signIn(String login, String password) throws IOException, InterruptedException {
        HttpResponse<String> response = trySignIn(login, password);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
    }

    /** A page that is there. */
    String page(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    /** Each form for an action has the id of its job: one of its own unless the fields have it. */
    private static List<Map.Entry<String, String>> fieldsOf(String path, String... fields) {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        if (path.equals("/act") && !List.of(fields).contains("job")) {
            all.add(Map.entry("job", UUID.randomUUID().toString()));
        }
        return all;
    }

    /** Sends a form of the page that was shown last; names and values by turns. */
    HttpResponse<String> form(String path, String... fields) throws IOException, InterruptedException {
        List<Map.Entry<String, String>> all = fieldsOf(path, fields);
        for (int at = 0; at < fields.length; at += 2) {
            all.add(Map.entry(fields[at], fields[at + 1]));
        }
        all.add(Map.entry("csrf", token));
        return post(path, all);
    }

    /** The same with an Origin and headers, names and values by turns; a token among the fields stands in for the page's. */
    HttpResponse<String> formAs(String origin, String path, String[] headers, String... fields)
            throws IOException, InterruptedException {
        List<Map.Entry<String, String>> all = fieldsOf(path, fields);
        for (int at = 0; at < fields.length; at += 2) {
            all.add(Map.entry(fields[at], fields[at + 1]));
        }
        if (!List.of(fields).contains("csrf")) {
            all.add(Map.entry("csrf", token));
        }
        List<String> sent = new ArrayList<>(List.of(headers));
        sent.addAll(List.of("Origin", origin));
        return post(path, all, sent.toArray(String[]::new));
    }

    /** Sends the form that orders an action with messages of a queue; more names and values by turns. */
    HttpResponse<String> act(String queue, String action, String which, String... more)
            throws IOException, InterruptedException {
        List<String> fields = new ArrayList<>(List.of("queue", queue, "action", action, "which", which));
        fields.addAll(List.of(more));
        return form("/act", fields.toArray(String[]::new));
    }
}
