package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import jakarta.jms.JMSContext;
import jakarta.jms.MapMessage;
import jakarta.jms.Session;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.console.view.Body;
import org.readpast.console.view.Links;

/** What the pages show, and what they say where something is not there. */
class PagesTest {

    private static final Pattern NEXT = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"");

    static Stream<String> products() {
        return Stage.products();
    }

    @Test
    void what_is_silenced_is_shown_apart(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("silenced"),
                "dead-letters DLQ 2999-01-01T00:00:00Z <ticket> 4711\npoison orders 2020-01-01T00:00:00Z gone\n");
        try (Stage stage = new Stage(Stage.H2);
                Console console = Console.start(new Settings(
                        stage.url,
                        "readpast",
                        InetAddress.getLoopbackAddress(),
                        0,
                        null,
                        Set.of(),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        1,
                        file,
                        null))) {
            stage.die("failing", "DLQ", 2);
            Caller caller = new Caller(console.uri());
            caller.signIn(Stage.OPERATOR, Stage.PASSWORD);
            assertThat(caller.page("/"))
                    .contains("Nothing is wrong", "Until 2999-01-01 00:00:00 UTC: &lt;ticket&gt; 4711")
                    .contains("poison orders: was silenced until 2020-01-01 00:00:00 UTC, which is over (gone)")
                    .doesNotContain("class=\"finding");
            Files.writeString(file, "not understood");
            assertThat(caller.page("/")).contains("Nothing is silenced: ", "line 1", "class=\"finding warning");
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void every_view_shows_what_is_there(String product) throws Exception {
        try (Stage stage = new Stage(product);
                JMSContext context = stage.factory().createContext(Session.SESSION_TRANSACTED)) {
            context.createSharedDurableConsumer(context.createTopic("news"), "reader", "n = 1")
                    .close();
            context.createProducer().setProperty("JMSXGroupID", "g-1").send(context.createQueue("orders"), "one");
            context.createProducer().send(context.createQueue("orders"), "two");
            context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("orders"), "later");
            context.commit();
            context.createConsumer(context.createQueue("orders")).receive(10_000);
            stage.die("failing", "DLQ", 2);

            Caller caller = stage.signedIn(Stage.OPERATOR);
            assertThat(caller.page("/")).contains("dead-letters", "2 dead letters from failing");
            assertThat(caller.page("/queues"))
                    .contains(">orders<", ">DLQ<", ">news<", "queue", "subscription", "topic");
            assertThat(caller.page("/queues")).contains("aria-label=\"from 2 to 2, at most 2, within 0 s\"");
            assertThat(caller.page("/dead-letters")).contains(">DLQ<", "failing");
            assertThat(caller.page("/consumers"))
                    .contains("orders", "pid " + ProcessHandle.current().pid());
            assertThat(caller.page("/subscriptions")).contains("reader", "news", "n = 1");
            assertThat(caller.page("/leases")).contains("No message is claimed by lease.");
            assertThat(caller.page("/groups")).contains("g-1");
            int orders = stage.id("orders");
            String messages = caller.page("/messages?queue=" + orders);
            assertThat(messages).contains("g-1", "text, ", "ID:");
            if (stage.isH2()) {
                assertThat(messages).contains("in a transaction is not known");
            } else {
                assertThat(messages).contains("in the transaction of ");
            }
            assertThat(messages.split("href=\"message[?]", -1)).hasSize(3);
            assertThat(caller.page("/messages?queue=" + orders + "&later=yes")).contains("due at ");
            assertThat(caller.page("/messages?queue=" + stage.id("DLQ")))
                    .contains("it failed &amp; failed (from failing)");
            context.rollback();
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void one_message_has_its_headers_properties_and_body(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.jms(context -> {
                context.createProducer()
                        .setJMSType("order")
                        .setJMSCorrelationID("c-1")
                        .setJMSReplyTo(context.createQueue("replies"))
                        .setPriority(7)
                        .setProperty("region", "north")
                        .setProperty("count", 12)
                        .send(context.createQueue("json"), "{\"a\":[1,2.50]}");
                context.createProducer().send(context.createQueue("xml"), "<a><b>c</b></a>");
                context.createProducer().send(context.createQueue("bytes"), new byte[] {1, 2, 'r', 'p'});
                context.createProducer().send(context.createQueue("object"), new java.util.ArrayList<>(List.of("x")));
                context.createProducer().send(context.createQueue("large"), "x".repeat(200_000));
                MapMessage map = mapOf(context);
                context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("map"), map);
            });
            Caller caller = stage.signedIn(Stage.OPERATOR);
            assertThat(first(caller, stage.id("json"), ""))
                    .contains("JMSType", ">order<", ">c-1<", "queue://replies", ">7<", "region", "north", ">12<")
                    .contains("JSON, 14 bytes", "  \"a\" : [\n    1,\n    2.50\n  ]");
            assertThat(first(caller, stage.id("xml"), "")).contains("XML, ", "&lt;a&gt;\n", "&lt;b&gt;c&lt;/b&gt;");
            assertThat(first(caller, stage.id("bytes"), "")).contains("bytes, as hex", "01 02 72 70", "..rp");
            assertThat(first(caller, stage.id("object"), ""))
                    .contains("serialized object, not read, as hex", "ac ed 00 05");
            String large = first(caller, stage.id("large"), "");
            assertThat(large).contains("195 KiB, of which the beginning is shown");
            assertThat(large.length()).isBetween(Body.MOST, Body.MOST + 10_000);
            assertThat(first(caller, stage.id("map"), "&later=yes")).contains("map, ", "key", "value", "due at ");
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void the_history_of_a_queue_and_of_a_dead_letter_are_shown(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("kept", 3);
            // Who knows the queue already learns of its history some time later.
            stage.awaitNobody();
            stage.run("UPDATE readpast.destination SET history = 1 WHERE name = 'kept'");
            Caller caller = stage.signedIn(Stage.OPERATOR);
            assertThat(caller.page("/history")).contains("No queue that keeps a history had anything to keep.");
            stage.jms(context -> {
                var consumer = context.createConsumer(context.createQueue("kept"));
                for (int message = 0; message < 3; message++) {
                    assertThat(consumer.receive(10_000)).isNotNull();
                }
            });
            stage.die("failing", "DLQ", 2);
            String history = caller.page("/history");
            assertThat(history)
                    .containsPattern("(?s)>kept</a></td><td>queue</td><td class=\"number\">3</td>"
                            + "<td class=\"number\">0</td><td class=\"number\">0</td><td class=\"number\">\\d+</td>");
            if (stage.isH2()) {
                assertThat(history).contains("Not known: this database does not show it");
            } else {
                assertThat(history).contains("They did nothing.");
            }
            assertThat(caller.page("/dead-letters"))
                    .contains("The first dead letters in DLQ", "<td>it failed &amp; failed</td>", "<td>failing</td>");
            assertThat(first(caller, stage.id("DLQ"), ""))
                    .containsPattern("(?s)<h2>History</h2>.*Given up because</dt><dd>it failed &amp; failed</dd>");
        }
    }

    private static MapMessage mapOf(JMSContext context) {
        try {
            MapMessage map = context.createMapMessage();
            map.setString("key", "value");
            return map;
        } catch (jakarta.jms.JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The page of the first message of a queue. */
    private static String first(Caller caller, int queue, String more) throws Exception {
        Matcher link =
                Pattern.compile("href=\"(message[?][^\"]+)\"").matcher(caller.page("/messages?queue=" + queue + more));
        assertThat(link.find()).isTrue();
        return caller.page(link.group(1).replace("&amp;", "&"));
    }

    @ParameterizedTest
    @MethodSource("products")
    void a_long_queue_is_shown_page_by_page_from_a_key(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("long", 250);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            List<Integer> sizes = new ArrayList<>();
            String path = "/messages?queue=" + stage.id("long");
            while (path != null) {
                String page = caller.page(path);
                sizes.add(page.split("href=\"message[?]", -1).length - 1);
                Matcher next = NEXT.matcher(page);
                path = next.find() ? next.group(1).replace("&amp;", "&") : null;
            }
            assertThat(sizes).containsExactly(100, 100, 50);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void a_selector_filters_a_queue_page_by_page_and_says_how_far_it_is(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("filtered", 250);
            stage.jms(context -> context.createProducer()
                    .setProperty("number", 1000)
                    .setDeliveryDelay(3_600_000)
                    .send(context.createQueue("filtered"), "later"));
            Caller caller = stage.signedIn(Stage.OPERATOR);
            int queue = stage.id("filtered");
            String where = "number >= 120 AND JMSPriority = 4";
            String first = caller.page(Links.messages(queue, false, where, null));
            assertThat(first)
                    .contains("value=\"number >= 120 AND JMSPriority = 4\"", "Searched 220 of about 250.")
                    .contains(">Next page<");
            assertThat(first.split("href=\"message[?]", -1)).hasSize(101);
            Matcher next = NEXT.matcher(first);
            assertThat(next.find()).isTrue();
            String second = caller.page(next.group(1).replace("&amp;", "&"));
            assertThat(second)
                    .contains("Searched 250 of about 250, to the end.")
                    .doesNotContain("rel=\"next\"");
            assertThat(second.split("href=\"message[?]", -1)).hasSize(31);
            assertThat(caller.page(Links.messages(queue, true, "number = 1000", null)))
                    .contains("Searched 1 of about 1, to the end.", "due at ");
            assertThat(caller.page(Links.messages(queue, false, "number = 1000", null)))
                    .contains("Searched 250 of about 250, to the end.", "None of these matches.");

            HttpResponse<String> wrong = caller.get(Links.messages(queue, false, "number >", null));
            assertThat(wrong.statusCode()).isEqualTo(400);
            assertThat(wrong.body())
                    .contains("role=\"alert\">The selector: ", "aria-invalid=\"true\"", "value=\"number >\"")
                    .doesNotContain("href=\"message?");
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void ten_thousand_queues_are_shown_a_hundred_at_a_time_and_found_by_name(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            String name = "LPAD(CAST(x AS varchar), 5, '0')";
            stage.run("INSERT INTO readpast.destination (kind, name) SELECT 'Q', 'many.' || " + name
                    + (stage.isH2() ? " FROM SYSTEM_RANGE(1, 10000) r(x)" : " FROM generate_series(1, 10000) r(x)")
                            .replace("r(x)", stage.isH2() ? "" : "AS r(x)"));
            stage.send("many.09999", 3);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String first = caller.page("/queues");
            assertThat(first).contains("many.00001", "many.00100").doesNotContain("many.00101");
            Matcher next = NEXT.matcher(first);
            assertThat(next.find()).isTrue();
            assertThat(caller.page(next.group(1).replace("&amp;", "&")))
                    .contains("many.00101", "many.00200")
                    .doesNotContain("many.00100<", "many.00201");
            assertThat(caller.page("/queues?contains=9999"))
                    .contains("many.09999", ">3<")
                    .doesNotContain("many.09998");
        }
    }

    /** Without a right on destination a page of them is not known, but what the view has is. */
    @Test
    void who_may_see_the_depths_alone_leafs_through_them_too() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.run("INSERT INTO readpast.destination (kind, name)"
                    + " SELECT 'Q', 'many.' || LPAD(CAST(x AS varchar), 3, '0') FROM generate_series(1, 250) AS r(x)");
            stage.run("REVOKE SELECT ON readpast.destination FROM readpast_observe, " + Stage.READER);
            Caller reader = stage.signedIn(Stage.READER);
            String page = reader.page("/queues");
            assertThat(page).contains("many.001<", "many.100<").doesNotContain("many.101<");
            for (String first : List.of("many.101<", "many.201<")) {
                Matcher next = NEXT.matcher(page);
                assertThat(next.find()).isTrue();
                page = reader.page(next.group(1).replace("&amp;", "&"));
                assertThat(page).contains(first).doesNotContain("many.100<");
            }
            assertThat(page).doesNotContainPattern(NEXT);
            assertThat(reader.page("/queues?contains=24"))
                    .contains("many.024<", "many.240<")
                    .doesNotContain("many.001<");
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void what_is_gone_while_a_page_is_open_is_said_to_be_gone(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("gone", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            int id = stage.id("gone");
            Matcher link = Pattern.compile("href=\"(message[?][^\"]+)\"").matcher(caller.page("/messages?queue=" + id));
            assertThat(link.find()).isTrue();
            stage.run("DELETE FROM readpast.message");
            HttpResponse<String> message = caller.get(link.group(1).replace("&amp;", "&"));
            assertThat(message.statusCode()).isEqualTo(404);
            assertThat(message.body()).contains("not there any more");
            stage.run("DELETE FROM readpast.destination WHERE name = 'gone'");
            assertThat(caller.get("/messages?queue=" + id).statusCode()).isEqualTo(404);
            caller.page("/queues");
            HttpResponse<String> act = caller.act(Integer.toString(id), "hold", "waiting", "sure", "yes");
            assertThat(act.statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void an_address_that_no_page_makes_is_an_error_and_no_failure(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            stage.send("q", 1);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            for (String path : List.of(
                    "/messages",
                    "/messages?queue=x",
                    "/messages?queue=99999999999",
                    "/messages?queue=1&id=1&due=yesterday",
                    "/messages?queue=1&id=1&later=yes",
                    "/messages?queue=1&where=a%3D1&searched=x",
                    "/messages?queue=1&where=%00%27",
                    "/message?queue=1",
                    "/message?queue=1&id=1&priority=99999999999",
                    "/message?queue=1&id=1&priority=99999",
                    "/queues?kind=Q&name=%27%3B+DROP+TABLE+message",
                    "/queues?contains=%00",
                    "/nothing",
                    "/static/../console.css")) {
                assertThat(caller.get(path).statusCode()).as(path).isIn(200, 400, 404);
            }
        }
    }

    @Test
    void a_reader_sees_and_is_not_offered_what_he_may_not_do() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("orders", 1);
            Caller reader = stage.signedIn(Stage.READER);
            assertThat(reader.page("/queues")).contains(">orders<", ">1<");
            String messages = reader.page("/messages?queue=" + stage.id("orders"));
            assertThat(messages)
                    .contains("Missing: GRANT SELECT ON readpast.message")
                    .doesNotContain("<button name=\"action\"");
            stage.run("GRANT SELECT ON readpast.message, readpast.shared_body TO " + Stage.READER);
            assertThat(reader.page("/messages?queue=" + stage.id("orders")))
                    .contains("ID:")
                    .doesNotContain("name=\"action\"", "type=\"checkbox\" name=\"message\"");
            Caller operator = stage.signedIn(Stage.OPERATOR);
            assertThat(operator.page("/messages?queue=" + stage.id("orders")))
                    .contains("name=\"action\"", "type=\"checkbox\" name=\"message\"");
        }
    }

    @Test
    void of_a_body_of_a_hundred_megabytes_the_beginning_is_read() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.send("large", 1);
            stage.run("UPDATE readpast.message SET body = convert_to(repeat('0123456789', 10000000), 'UTF8'),"
                    + " body_length = 100000000");
            Caller caller = stage.signedIn(Stage.OPERATOR);
            String page = first(caller, stage.id("large"), "");
            assertThat(page).contains("text, 97656 KiB, of which the beginning is shown");
            assertThat(page.length()).isBetween(Body.MOST, Body.MOST + 10_000);
        }
    }

    @Test
    void a_database_that_went_away_is_signed_in_to_again() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/");
            stage.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'readpast-console' AND datname = current_database()");
            // Each of the two connections is found broken once.
            assertThat(caller.get("/leases").statusCode()).isEqualTo(503);
            assertThat(caller.get("/leases").statusCode()).isEqualTo(503);
            HttpResponse<String> after = caller.get("/leases");
            assertThat(after.statusCode()).isEqualTo(303);
            assertThat(after.headers().firstValue("Location")).contains("sign-in");
            caller.signIn(Stage.OPERATOR, Stage.PASSWORD);
            caller.page("/leases");
        }
    }

    @Test
    void h2_offers_no_action_since_it_has_no_procedures() throws Exception {
        assumeThat(Stage.products()).contains(Stage.H2);
        try (Stage stage = new Stage(Stage.H2)) {
            stage.send("orders", 1);
            assertThat(stage.signedIn(Stage.OPERATOR).page("/messages?queue=" + stage.id("orders")))
                    .doesNotContain("name=\"action\"");
        }
    }
}
