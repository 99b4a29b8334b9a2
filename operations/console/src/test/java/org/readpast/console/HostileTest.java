package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.console.view.Links;

/** What stands in messages, names and addresses is text, wherever it is shown. */
class HostileTest {

    static Stream<String> products() {
        return Stage.products();
    }

    @ParameterizedTest
    @MethodSource("products")
    void nothing_in_any_field_is_taken_for_html(String product) throws Exception {
        try (Stage stage = new Stage(product);
                Hostile hostile = new Hostile(stage)) {
            Caller caller = stage.signedIn(Stage.OPERATOR);
            StringBuilder all = new StringBuilder();
            for (String path : hostile.pages()) {
                String page = caller.page(path);
                isText(path, page);
                all.append(page);
            }
            List<String> fields = new ArrayList<>(List.of(
                    "topic",
                    "sub",
                    "selector",
                    "type",
                    "correlation",
                    "reply",
                    "group",
                    "queue",
                    "body",
                    "reason",
                    "property",
                    "value",
                    "id",
                    "worker",
                    "search",
                    "where",
                    "xml",
                    "dying"));
            if (!stage.isH2()) {
                fields.addAll(List.of("process", "host"));
            }
            for (String field : fields) {
                assertThat(all.toString()).as(field).containsPattern("(?s)" + field + ".{0,120}" + "&lt;img src=x");
            }
        }
    }

    private static void isText(String path, String page) {
        assertThat(page.split("<script", -1)).as(path).hasSize(2);
        assertThat(page.split("</title>", -1)).as(path).hasSize(2);
        assertThat(page).as(path).doesNotContain("<img", "\"'>");
    }

    @ParameterizedTest
    @MethodSource("products")
    void what_somebody_sends_back_is_text_too(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("orders", 1);
            String queue = Integer.toString(stage.id("orders"));
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/queues");
            List<HttpResponse<String>> answers = List.of(
                    caller.form(
                            "/act",
                            "queue",
                            queue,
                            "action",
                            "move",
                            "target",
                            Hostile.PAYLOAD,
                            "which",
                            "waiting",
                            "message",
                            "waiting:" + Hostile.PAYLOAD),
                    caller.act(queue, "delete", "chosen", "message", "waiting:" + Hostile.PAYLOAD),
                    caller.act(queue, "delete", "waiting", "where", "a = '" + Hostile.PAYLOAD.replace("'", "''") + "'"),
                    caller.act(queue, "hold", "waiting", "where", Hostile.PAYLOAD),
                    caller.get(Links.messages(stage.id("orders"), false, Hostile.PAYLOAD, null)),
                    caller.form("/act", "queue", Hostile.PAYLOAD, "action", Hostile.PAYLOAD),
                    caller.get("/job?job=" + Links.encode(Hostile.PAYLOAD)),
                    caller.get("/message?queue=" + Links.encode(Hostile.PAYLOAD)),
                    caller.get("/" + Links.encode(Hostile.PAYLOAD)));
            for (HttpResponse<String> answer : answers) {
                assertThat(answer.statusCode()).isIn(200, 400, 404);
                if (answer.headers().firstValue("Content-Type").orElse("").startsWith("text/html")) {
                    isText(answer.uri().toString(), answer.body());
                } else {
                    assertThat(answer.body()).doesNotContain("<");
                }
            }
            Caller stranger = stage.caller();
            HttpResponse<String> refused = stranger.post(
                    "/sign-in", List.of(Map.entry("login", Hostile.PAYLOAD), Map.entry("password", Hostile.PAYLOAD)));
            assertThat(refused.statusCode()).isEqualTo(403);
            isText("/sign-in", refused.body());
        }
    }

    @Test
    void times_that_no_calendar_has_break_no_page() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 2);
            stage.jms(context ->
                    context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("orders"), "later"));
            stage.run("UPDATE readpast.message SET expires_at = 'infinity', enqueued_at = '-infinity'");
            stage.run("UPDATE readpast.delayed_message SET due_at = 'infinity', enqueued_at = 'infinity'");
            Caller caller = stage.signedIn(Stage.OPERATOR);
            int queue = stage.id("orders");
            String page = caller.page("/messages?queue=" + queue);
            assertThat(page).contains("+294276-12-31 23:59:59");
            Matcher link = Pattern.compile("href=\"(message[?][^\"]+)\"").matcher(page);
            assertThat(link.find()).isTrue();
            caller.page(link.group(1).replace("&amp;", "&"));
            for (String path : List.of(
                    "/messages?later=yes&queue=" + queue,
                    "/",
                    "/queues",
                    "/dead-letters",
                    "/consumers",
                    "/leases",
                    "/groups")) {
                caller.page(path);
            }
        }
    }

    @Test
    void a_login_with_a_hostile_name_is_text() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            stage.run("CREATE USER \"" + Hostile.PAYLOAD.replace("\"", "\"\"").replace("\"\"", "") + "\" PASSWORD '"
                    + Stage.PASSWORD + "' ADMIN");
            Caller caller = stage.signedIn(Hostile.PAYLOAD.replace("\"", ""));
            String page = caller.page("/");
            isText("/", page);
            assertThat(page).contains(Hostile.ESCAPED);
        }
    }

    @Test
    void no_page_has_a_place_where_text_is_not_escaped() throws Exception {
        try (Stream<Path> templates = Files.list(Path.of("src", "main", "jte"))) {
            for (Path template : templates.toList()) {
                assertThat(Files.readString(template)).as(template.toString()).doesNotContain("$unsafe");
            }
        }
        assertThat(Files.readString(Path.of("src", "main", "resources", "org", "readpast", "console", "console.js")))
                .doesNotContain("innerHTML =", "insertAdjacentHTML", "document.write", "eval(");
    }
}
