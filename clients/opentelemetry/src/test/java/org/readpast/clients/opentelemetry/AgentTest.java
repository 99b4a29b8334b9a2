package org.readpast.clients.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenTelemetry's agent, as docs/observing.md has it, in an application that is in a JVM of its own. */
@Tag("extended")
class AgentTest {

    private static final int PRODUCER = 4;
    private static final int CONSUMER = 5;

    @TempDir
    Path folder;

    /** @param parent empty for none */
    private record Span(String scope, String name, int kind, String trace, String id, String parent) {}

    @Test
    void each_receive_follows_its_send_in_one_trace_and_empty_queues_leave_no_span() throws Exception {
        List<Span> spans = spans();

        assertThat(spans).extracting(Span::scope).containsOnly("io.opentelemetry.jms-3.0");
        assertThat(spans)
                .extracting(Span::name)
                .containsExactlyInAnyOrder(
                        "classic publish",
                        "classic receive",
                        "questions publish",
                        "questions process",
                        "(temporary) publish",
                        "(temporary) receive",
                        "simplified publish",
                        "simplified receive");
        assertFollows(spans, "classic publish", "classic receive");
        assertFollows(spans, "questions publish", "questions process");
        assertFollows(spans, "questions process", "(temporary) publish");
        assertFollows(spans, "(temporary) publish", "(temporary) receive");
        assertFollows(spans, "simplified publish", "simplified receive");
    }

    private static void assertFollows(List<Span> spans, String first, String second) {
        Span before = named(spans, first);
        Span after = named(spans, second);
        assertThat(after.parent()).as(second).isEqualTo(before.id());
        assertThat(after.trace()).as(second).isEqualTo(before.trace());
        assertThat(before.kind()).isEqualTo(first.endsWith("publish") ? PRODUCER : CONSUMER);
    }

    private static Span named(List<Span> spans, String name) {
        return spans.stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<Span> spans() throws Exception {
        Path output = folder.resolve("output");
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:"
                                + Path.of("target", "agent", "opentelemetry-javaagent.jar")
                                        .toAbsolutePath(),
                        "-Dotel.traces.exporter=experimental-otlp/stdout",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none",
                        "-Dotel.instrumentation.jdbc.enabled=false",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Application.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(application.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            application.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output);
        assertThat(application.exitValue()).as(String.join("\n", lines)).isZero();
        List<Span> spans = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("{")) {
                read(new ObjectMapper().readTree(line), spans);
            }
        }
        return spans;
    }

    private static void read(JsonNode exported, List<Span> spans) {
        for (JsonNode scope : exported.findValues("scopeSpans")) {
            for (JsonNode one : scope) {
                for (JsonNode span : one.path("spans")) {
                    spans.add(new Span(
                            one.path("scope").path("name").asText(),
                            span.path("name").asText(),
                            span.path("kind").asInt(),
                            span.path("traceId").asText(),
                            span.path("spanId").asText(),
                            span.path("parentSpanId").asText()));
                }
            }
        }
    }
}
