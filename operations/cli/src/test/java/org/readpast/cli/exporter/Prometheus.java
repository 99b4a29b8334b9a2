package org.readpast.cli.exporter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Prometheus of its own for a test, where one is installed: it scrapes one exporter and evaluates rules every second. */
record Prometheus(Process process, URI uri) implements AutoCloseable {

    private static final String COMMAND = "prometheus";
    private static final Pattern LISTENING = Pattern.compile("msg=\"Listening on\" address=127\\.0\\.0\\.1:(\\d+)");

    static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, COMMAND)));
    }

    static Prometheus start(Path folder, URI metrics, Path rules) throws IOException {
        Path configuration = Files.writeString(
                folder.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: readpast
                    static_configs: [{targets: ["%s"]}]
                """.formatted(rules.toAbsolutePath(), metrics.getAuthority()));
        Process process = new ProcessBuilder(
                        COMMAND,
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=127.0.0.1:0")
                .redirectErrorStream(true)
                .start();
        BufferedReader log =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            said.append(line).append('\n');
            Matcher port = LISTENING.matcher(line);
            if (port.find()) {
                Thread rest = new Thread(() -> log.lines().forEach(unread -> {}), COMMAND);
                rest.setDaemon(true);
                rest.start();
                return new Prometheus(process, URI.create("http://127.0.0.1:" + port.group(1) + "/api/v1/"));
            }
        }
        throw new IOException("Prometheus did not start: " + said);
    }

    private JsonNode ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(path + ": " + response.body());
        }
        return new ObjectMapper().readTree(response.body()).get("data");
    }

    /** The series that an expression gives now. */
    JsonNode query(String expression) throws IOException, InterruptedException {
        return ask("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .get("result");
    }

    JsonNode rules() throws IOException, InterruptedException {
        return ask("rules").at("/groups/0/rules");
    }

    @Override
    public void close() {
        process.destroy();
    }
}
