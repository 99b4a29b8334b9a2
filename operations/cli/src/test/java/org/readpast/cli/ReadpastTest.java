package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.BytesMessage;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import picocli.CommandLine;

/**
 * Commands as processes: the launcher with the one jar, as they are shipped. A command that has run so, on PostgreSQL, runs in this JVM
 * from then on, unless it is told something by the environment; on H2 all do.
 */
class ReadpastTest {

    private static final Path LAUNCHER =
            Path.of("target", "readpast", "readpast").toAbsolutePath();
    private static final ObjectMapper JSON = new ObjectMapper();

    private static EmbeddedPostgres server;

    /** The commands that have run as processes. */
    private static final Set<String> SHOWN = new HashSet<>();

    /** The classes that a command needs, as the JVM has them in memory, so that processes start sooner. */
    @TempDir
    private static Path classes;

    @TempDir
    Path folder;

    private String url;
    private boolean inThisJvm;

    @BeforeAll
    static void startServer() throws IOException {
        // As databases are of whose settings nothing is to be said; so is the file of H2 below.
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    @BeforeAll
    static void archiveClasses() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString(), "queues", "--url", "jdbc:h2:mem:none")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put("READPAST_JAVA_OPTIONS", "-XX:ArchiveClassesAtExit=" + classes.resolve("classes.jsa"));
        assertThat(builder.start().waitFor(5, TimeUnit.MINUTES)).isTrue();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    private record Outcome(int code, String out, String err) {
        JsonNode json() throws IOException {
            return JSON.readTree(out);
        }
    }

    private void onPostgres() throws Exception {
        String name = "cli_" + Long.toString(System.nanoTime(), 36);
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        url = server.getJdbcUrl("postgres", name);
        install();
    }

    private void onH2() {
        inThisJvm = true;
        url = "jdbc:h2:" + folder.resolve("messages").toString().replace('\\', '/') + ";WRITE_DELAY=0;USER=sa";
        install();
    }

    private ReadpastConnectionFactory factory() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    private void install() {
        factory().createContext().close();
    }

    private Outcome readpast(String... arguments) throws Exception {
        return readpast(Map.of("READPAST_URL", url), "", arguments);
    }

    private Outcome readpast(Map<String, String> environment, String input, String... arguments) throws Exception {
        return mayRunInThisJvm(environment, arguments)
                ? inThisJvm(input, arguments)
                : asProcess(environment, input, arguments);
    }

    private boolean mayRunInThisJvm(Map<String, String> environment, String... arguments) {
        if (inThisJvm) {
            return true;
        }
        boolean isFirst = arguments.length == 0 || SHOWN.add(arguments[0]);
        return !isFirst && environment.equals(Map.of("READPAST_URL", url));
    }

    private Outcome inThisJvm(String input, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                Readpast.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            int code = line.execute(
                    Stream.concat(Stream.of(arguments), Stream.of("--url", url)).toArray(String[]::new));
            return new Outcome(code, out.toString(), err.toString());
        } finally {
            System.setIn(before);
        }
    }

    private Outcome asProcess(Map<String, String> environment, String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("READPAST_JAVA_OPTIONS", "-XX:SharedArchiveFile=" + classes.resolve("classes.jsa"));
        Process process = builder.start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static void done(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.err()).isZero();
    }

    private void prepare(String database) throws Exception {
        if (database.equals("H2")) {
            onH2();
        } else {
            onPostgres();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void a_message_is_sent_looked_at_copied_and_received(String database) throws Exception {
        prepare(database);
        done(readpast("create", "orders"));
        done(readpast("create", "audit"));
        Outcome sent = readpast("send", "orders", "hello", "--property", "region=north", "--type", "order", "--json");
        done(sent);
        String id = sent.json().get("message").asText();
        Outcome piped = readpast(Map.of("READPAST_URL", url), "from a pipe", "send", "orders", "--priority", "7");
        done(piped);

        Outcome browsed = readpast("browse", "orders", "--json");
        assertThat(browsed.json()).hasSize(2);
        assertThat(browsed.json().get(0).get("text").asText()).isEqualTo("from a pipe");
        assertThat(readpast("browse", "orders", "--where", "region = 'north'").out())
                .contains(id)
                .contains("hello");

        JsonNode shown = readpast("show", "orders", id).json();
        assertThat(shown.get("body").asText()).isEqualTo("hello");
        assertThat(shown.get("properties").get("region").get("value").asText()).isEqualTo("north");
        assertThat(readpast("show", "orders", "ID:none").code()).isEqualTo(1);

        Outcome copied = readpast("copy", "orders", "audit");
        if (database.equals("H2")) {
            assertThat(copied.code()).as(copied.err()).isEqualTo(2);
        } else {
            done(copied);
            JsonNode queues = readpast("queues", "--json").json();
            assertThat(queues.findValuesAsText("depth")).containsOnly("2");
        }

        Outcome received = readpast("receive", "orders", "--most", "5", "--wait", "300");
        assertThat(received.out()).isEqualTo("from a pipe\nhello\n");
        assertThat(readpast("receive", "orders", "--wait", "100").code()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void what_is_exported_comes_back_as_it_was(String database) throws Exception {
        prepare(database);
        try (JMSContext context = factory().createContext()) {
            MapMessage map = context.createMapMessage();
            map.setLong("amount", 4711);
            map.setBytes("raw", new byte[] {1, 2});
            map.setByteProperty("level", (byte) 3);
            map.setJMSCorrelationID("c1");
            map.setJMSReplyTo(context.createTopic("answers"));
            context.createProducer().setPriority(8).send(context.createQueue("orders"), map);
            BytesMessage bytes = context.createBytesMessage();
            bytes.writeBytes(new byte[] {0, -1, 127});
            context.createProducer().send(context.createQueue("orders"), bytes);
            StreamMessage stream = context.createStreamMessage();
            stream.writeInt(5);
            stream.writeString(null);
            context.createProducer().send(context.createQueue("orders"), stream);
            context.createProducer()
                    .setTimeToLive(3_600_000)
                    .send(context.createQueue("orders"), context.createMessage());
        }
        Path file = folder.resolve("orders.jsonl");
        done(readpast("export", "orders", "--to", file.toString()));
        assertThat(Files.readAllLines(file)).hasSize(4);
        assertThat(readpast("export", "orders", "--to", file.toString()).code()).isEqualTo(7);
        done(readpast("import", "again", "--from", file.toString(), "--create"));
        try (JMSContext context = factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("again"))) {
            MapMessage map = (MapMessage) consumer.receive(10_000);
            assertThat(map.getObject("amount")).isEqualTo(4711L);
            assertThat(map.getBytes("raw")).containsExactly(1, 2);
            assertThat(map.getObjectProperty("level")).isEqualTo((byte) 3);
            assertThat(map.getJMSCorrelationID()).isEqualTo("c1");
            assertThat(map.getJMSReplyTo()).hasToString("topic://answers");
            assertThat(map.getJMSPriority()).isEqualTo(8);
            assertThat(((BytesMessage) consumer.receive(10_000)).getBodyLength())
                    .isEqualTo(3);
            StreamMessage stream = (StreamMessage) consumer.receive(10_000);
            assertThat(stream.readObject()).isEqualTo(5);
            assertThat(stream.readObject()).isNull();
            Message empty = consumer.receive(10_000);
            assertThat(empty.getJMSExpiration()).isPositive();
        }
        Outcome broken = readpast(
                Map.of("READPAST_URL", url), "{\"bodyType\":\"text\",\"body\":\"x\"}\nno JSON\n", "import", "orders");
        assertThat(broken.code()).isEqualTo(2);
        assertThat(broken.err()).contains("line 2").contains("nothing was imported");
        assertThat(readpast("browse", "orders", "--json").json()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void what_has_no_json_is_not_received(String database) throws Exception {
        prepare(database);
        try (JMSContext context = factory().createContext()) {
            context.createProducer()
                    .send(context.createQueue("orders"), "first")
                    .send(context.createQueue("orders"), context.createObjectMessage("kept"));
        }
        Outcome received = readpast("receive", "orders", "--most", "5", "--wait", "60000");
        assertThat(received.code()).isEqualTo(7);
        assertThat(received.out()).isEqualTo("first\n");
        assertThat(received.err()).contains("is an object message", "stays in orders");
        try (JMSContext context = factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            assertThat(consumer.receiveBody(String.class, 60_000)).isEqualTo("kept");
        }
    }

    /** As whoever may send can make a terminal do something, or show text in another order. */
    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void no_control_character_of_a_message_is_printed(String database) throws Exception {
        prepare(database);
        String hostile = "a\u001b[2J\u007f\u009b31m\u202e\u2066\u200d\r\nb";
        try (JMSContext context = factory().createContext()) {
            context.createProducer()
                    .setJMSType(hostile)
                    .setProperty("p", hostile)
                    .send(context.createQueue("orders"), hostile);
        }
        Outcome browsed = readpast("browse", "orders");
        Outcome json = readpast("browse", "orders", "--json");
        Outcome shown =
                readpast("show", "orders", json.json().get(0).get("message").asText());
        Outcome exported = readpast("export", "orders");
        for (Outcome outcome : List.of(browsed, json, shown, exported)) {
            done(outcome);
            assertThat(outcome.out()).containsPattern("a.+b").doesNotContainPattern("[\\p{Cc}\\p{Cf}&&[^\\n]]");
        }
        assertThat(json.json().get(0).get("text").asText()).isEqualTo(hostile);
        assertThat(shown.json().get("body").asText()).isEqualTo(hostile);
        assertThat(exported.json().get("properties").get("p").get("value").asText())
                .isEqualTo(hostile);
    }

    /** As whoever may send can make a spreadsheet of an operator run something. */
    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void exported_csv_has_no_formula_in_it(String database) throws Exception {
        prepare(database);
        List<String> hostile = List.of("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1");
        try (JMSContext context = factory().createContext()) {
            for (String text : hostile) {
                context.createProducer()
                        .setJMSCorrelationID(text)
                        .setJMSType(text)
                        .setProperty("p", text)
                        .send(context.createQueue("orders"), text);
            }
            context.createProducer().send(context.createQueue("orders"), "two\nlines, \"quoted\"");
        }
        Outcome exported = readpast("export", "orders", "--csv");
        done(exported);
        List<Map<String, String>> rows = new ArrayList<>();
        try (MappingIterator<Map<String, String>> read = new CsvMapper()
                .readerForMapOf(String.class)
                .with(CsvSchema.emptySchema().withHeader())
                .readValues(exported.out())) {
            read.forEachRemaining(rows::add);
        }
        assertThat(rows).hasSize(hostile.size() + 1);
        for (int i = 0; i < hostile.size(); i++) {
            assertThat(rows.get(i))
                    .containsEntry("body", "'" + hostile.get(i))
                    .containsEntry("correlationId", "'" + hostile.get(i))
                    .containsEntry("type", "'" + hostile.get(i))
                    .containsEntry("bodyType", "text");
        }
        assertThat(rows.get(hostile.size()))
                .containsEntry("body", "two\nlines, \"quoted\"")
                .containsEntry("priority", "4");
    }

    @Test
    void messages_are_moved_held_and_deleted() throws Exception {
        onPostgres();
        done(readpast("create", "orders", "--maximum-attempts", "3"));
        done(readpast("create", "later"));
        try (JMSContext context = factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            for (int i = 0; i < 2500; i++) {
                context.createProducer()
                        .setProperty("even", Integer.toString(i % 2))
                        .send(context.createQueue("orders"), "" + i);
            }
            context.commit();
        }
        assertThat(readpast("move", "orders", "later", "--property", "even=0", "--dry-run")
                        .out())
                .isEqualTo("would move: 1250 messages of orders\n");
        assertThat(readpast("move", "orders", "later", "--property", "even=0", "--json")
                        .json()
                        .get("messages")
                        .asInt())
                .isEqualTo(1250);
        assertThat(readpast("move", "orders", "later", "--property", "even=0").code())
                .isEqualTo(1);
        assertThat(readpast("hold", "later", "--most", "1").out()).isEqualTo("hold: 1 message of later\n");
        assertThat(readpast("release", "later").out()).isEqualTo("release: 1 message of later\n");
        String id = readpast("browse", "later", "--most", "1", "--json")
                .json()
                .get(0)
                .get("message")
                .asText();
        assertThat(readpast("delete", "later", id, "--yes").out()).isEqualTo("purge: 1 message of later\n");

        Outcome asked = readpast("purge", "orders");
        assertThat(asked.code()).isEqualTo(6);
        assertThat(asked.err())
                .contains("Delete ALL messages of orders for good?")
                .contains("--yes");
        assertThat(readpast("drop", "orders", "--yes").code()).isEqualTo(5);
        assertThat(readpast("purge", "orders", "--yes").out()).isEqualTo("purge: 1250 messages of orders\n");
        // A factory that is closed waits until its JVM is no longer registered as a consumer of the queue.
        try (ReadpastConnectionFactory factory = factory();
                JMSContext context = factory.createContext()) {
            context.createConsumer(context.createQueue("orders")).close();
            Outcome refused = readpast("drop", "orders", "--yes");
            assertThat(refused.code()).isEqualTo(5);
            assertThat(refused.err())
                    .contains("consumed from")
                    .contains(String.valueOf(ProcessHandle.current().pid()));
        }
        done(readpast("drop", "orders", "--yes"));
        assertThat(readpast("queues", "--json").json().findValuesAsText("name")).containsExactly("later");
        assertThat(readpast("expire", "later", "--yes").out()).isEqualTo("expire: 1249 messages of later\n");

        JsonNode audit = readpast("audit", "--queue", "later", "--json").json();
        assertThat(audit.findValuesAsText("action"))
                .containsExactly("expire", "expire", "purge", "release", "hold", "move", "move");
        assertThat(audit.findValuesAsText("messages")).containsExactly("249", "1000", "1", "1", "1", "250", "1000");
        assertThat(audit.findValuesAsText("login")).containsOnly("postgres");
        assertThat(audit.findValuesAsText("for")).containsOnly(System.getProperty("user.name"));
        assertThat(readpast("audit", "--most", "1").out())
                .startsWith("time")
                .contains("expire", "later")
                .hasLineCount(2);
        onH2();
        Outcome none = readpast("audit");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("H2 has no procedures for repair");
    }

    @Test
    void a_move_that_the_database_cuts_off_loses_nothing_and_goes_on() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders'), readpast.create_queue('later')");
        run("SELECT readpast.send('orders', 'text ' || i) FROM generate_series(1, 20000) i");
        cutOff("move", "orders", "later");
        long moved = count("later");
        assertThat(moved).isLessThan(20_000);
        assertThat(count("orders")).isEqualTo(20_000 - moved);
        assertThat(readpast("move", "orders", "later").out())
                .isEqualTo("move: " + (20_000 - moved) + " messages of orders\n");
        assertThat(count("later")).isEqualTo(20_000);
    }

    @Test
    void copies_are_made_once_each_though_it_stopped_in_between() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders'), readpast.create_queue('later')");
        run("SELECT readpast.send('orders', 'text ' || i, json_build_object('number', i), priority => i % 10)"
                + " FROM generate_series(1, 2500) i");
        assertThat(readpast("copy", "orders", "later", "--dry-run").out())
                .isEqualTo("would copy: 2500 messages of orders\n");
        Outcome some = readpast("copy", "orders", "later", "--most", "1200");
        assertThat(some.out()).isEqualTo("copy: 1200 messages of orders\n");
        String place = some.err().strip().replace("To go on: --after ", "");
        JsonNode rest =
                readpast("copy", "orders", "later", "--after", place, "--json").json();
        assertThat(rest.get("messages").asInt()).isEqualTo(1300);
        assertThat(rest.get("after").isNull()).isTrue();
        assertThat(count("orders")).isEqualTo(2500);
        assertThat(count("later")).isEqualTo(2500);
        assertThat(readpast("export", "later").out().lines().distinct()).hasSize(2500);

        assertThat(readpast("copy", "orders", "later", "--where", "number <= 10")
                        .out())
                .isEqualTo("copy: 10 messages of orders\n");
        assertThat(readpast("copy", "orders", "orders").code()).isEqualTo(2);
        assertThat(readpast("copy", "orders", "none").code()).isEqualTo(5);
        assertThat(readpast("copy", "orders", "later", "--id", "ID:1").code()).isEqualTo(2);
    }

    @Test
    void a_selector_chooses_what_is_repaired() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders'), readpast.create_queue('later')");
        run(
                "SELECT readpast.send('orders', 'text ' || i, json_build_object('number', i, 'region', CASE i % 3 WHEN 0 THEN 'north' ELSE 'south' END),"
                        + " priority => i % 10) FROM generate_series(1, 3000) i");
        String where = "region LIKE 'nor%' AND number <= 1500 AND JMSPriority BETWEEN 0 AND 4";
        assertThat(readpast("move", "orders", "later", "--where", where, "--dry-run")
                        .out())
                .isEqualTo("would move: 250 messages of orders\n");
        JsonNode moved =
                readpast("move", "orders", "later", "--where", where, "--json").json();
        assertThat(moved.get("messages").asInt()).isEqualTo(250);
        assertThat(moved.get("searched").asInt()).isEqualTo(3000);
        assertThat(moved.get("after").isNull()).isTrue();
        assertThat(readpast("move", "orders", "later", "--where", where).code()).isEqualTo(1);

        long began = System.nanoTime();
        assertThat(readpast("hold", "later", "--most", "5", "--rate", "2").out())
                .isEqualTo("hold: 5 messages of later\n");
        assertThat(readpast("release", "later", "--where", "number > 0", "--rate", "2")
                        .out())
                .isEqualTo("release: 5 messages of later\n");
        assertThat(System.nanoTime() - began)
                .as("five, two a second, twice")
                .isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(4));
        assertThat(readpast("hold", "later", "--rate", "0").code()).isEqualTo(2);
        Outcome held = readpast("hold", "later", "--where", "number > 0", "--most", "100");
        assertThat(held.out()).isEqualTo("hold: 100 messages of later\n");
        assertThat(held.err()).startsWith("To go on: --after ");
        String place = held.err().strip().replace("To go on: --after ", "");
        assertThat(readpast("purge", "later", "--where", "number > 0", "--after", place, "--yes")
                        .out())
                .isEqualTo("purge: 150 messages of later\n");
        assertThat(readpast("release", "later", "--where", "number IS NOT NULL").out())
                .isEqualTo("release: 100 messages of later\n");
        assertThat(readpast("expire", "later", "--where", "number > 0", "--yes").out())
                .isEqualTo("expire: 100 messages of later\n");

        assertThat(readpast("move", "none", "later", "--where", where).code()).isEqualTo(5);
        Outcome wrong = readpast("move", "orders", "later", "--where", "region = ");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--where");
        assertThat(readpast("move", "orders", "later", "--where", where, "--type", "t")
                        .code())
                .isEqualTo(2);
        assertThat(readpast("move", "orders", "later", "--after", "4/1").code()).isEqualTo(2);
        assertThat(readpast("move", "orders", "later", "--where", where, "--after", "here")
                        .code())
                .isEqualTo(2);
        onH2();
        assertThat(readpast("move", "orders", "later", "--where", where).code()).isEqualTo(2);
    }

    @Test
    void chosen_dead_letters_go_back() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders', maximum_attempts => 1, dead_letter_queue => 'dead')");
        run("SELECT readpast.send('orders', 'text', json_build_object('number', i)) FROM generate_series(1, 4) i");
        run("SELECT readpast.fail(claim_token, 'no kettle') FROM readpast.claim('orders', 4, 60, 'w')");
        run("SELECT readpast.send('dead', 'no dead letter', json_build_object('number', 4))");
        String where = "number > 2 AND JMS_READPAST_DeadLetterReason LIKE '%kettle%'";
        assertThat(readpast("retry", "dead", "--where", where).out()).isEqualTo("retry: 2 messages of dead\n");
        assertThat(readpast("browse", "orders", "--json").json()).hasSize(2);
    }

    @Test
    void a_search_that_the_database_cuts_off_says_where_to_go_on() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders'), readpast.create_queue('later')");
        run(
                "SELECT readpast.send('orders', 'text ' || i, json_build_object('number', i)) FROM generate_series(1, 30000) i");
        Path err = folder.resolve("err");
        cutOff(err, "move", "orders", "later", "--where", "number > 0");
        long moved = count("later");
        assertThat(moved).isLessThan(30_000);
        assertThat(count("orders")).isEqualTo(30_000 - moved);
        String said = Files.readString(err);
        assertThat(said).contains("of at least 10001, chosen");
        String place = said.replaceFirst("(?s).*--after (\\S+).*", "$1");
        assertThat(readpast("move", "orders", "later", "--where", "number > 0", "--after", place)
                        .out())
                .isEqualTo("move: " + (30_000 - moved) + " messages of orders\n");
        assertThat(count("later")).isEqualTo(30_000);
    }

    @Test
    void a_copy_that_is_interrupted_says_where_to_go_on() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders'), readpast.create_queue('later')");
        run("SELECT readpast.send('orders', 'text ' || i) FROM generate_series(1, 2500) i");
        Path err = folder.resolve("err");
        stop(err, Process::destroy, "copy", "orders", "later");
        String said = Files.readString(err);
        assertThat(said).contains("to go on: --after ");
        String place = said.replaceFirst("(?s).*--after (\\S+).*", "$1");
        done(readpast("copy", "orders", "later", "--after", place));
        assertThat(readpast("queues", "--json").json().findValuesAsText("depth"))
                .containsExactly("2500", "2500");
    }

    private void cutOff(String... arguments) throws Exception {
        cutOff(null, arguments);
    }

    /** Ends the session of a command that moves messages to the queue "later". */
    private void cutOff(Path errors, String... arguments) throws Exception {
        int code = stop(
                errors,
                process -> run(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                                + " AND wait_event_type = 'Lock'"),
                arguments);
        assertThat(code).isEqualTo(3);
    }

    private interface Stop {
        void end(Process process) throws Exception;
    }

    /**
     * Runs a command that puts messages into the queue "later", and stops it when it has done a batch. It waits for a lock then, so that it
     * cannot be over before.
     *
     * @param errors where its errors go; null for nowhere
     * @return its exit code
     */
    private int stop(Path errors, Stop stop, String... arguments) throws Exception {
        run("CREATE FUNCTION public.waits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF (SELECT count(*) FROM readpast.message m JOIN readpast.destination d USING (destination_id)"
                + " WHERE d.name = 'later') > 1000 THEN PERFORM pg_advisory_xact_lock(1); END IF; RETURN NULL; END $$;"
                + " CREATE TRIGGER waits AFTER INSERT OR UPDATE ON readpast.message"
                + " FOR EACH STATEMENT EXECUTE FUNCTION public.waits()");
        int code;
        try (Connection holder = DriverManager.getConnection(url);
                Statement statement = holder.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(1)");
            Process process = start(errors, arguments);
            await().atMost(1, TimeUnit.MINUTES)
                    .until(
                            () -> count("later") > 0
                                    && !"0"
                                            .equals(
                                                    one(
                                                            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")));
            stop.end(process);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            code = process.exitValue();
        }
        run("DROP TRIGGER waits ON readpast.message");
        return code;
    }

    /**
     * @param errors where its errors go; null for nowhere
     */
    private Process start(Path errors, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(
                        errors == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(errors.toFile()));
        builder.environment().put("READPAST_URL", url);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    /** Texts that differ, of a queue. */
    private long count(String queue) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT count(DISTINCT m.body) FROM readpast.message m JOIN readpast.destination d"
                                + " ON d.destination_id = m.destination_id WHERE d.name = '" + queue + "'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void a_jvm_is_disconnected_and_its_messages_go_to_others() throws Exception {
        onPostgres();
        try (JMSContext stuck = factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            stuck.createProducer().send(stuck.createQueue("orders"), "held");
            stuck.commit();
            JMSConsumer consumer = stuck.createConsumer(stuck.createQueue("orders"));
            assertThat(consumer.receiveBody(String.class, 20_000)).isEqualTo("held");
            String name =
                    one("SELECT max(application_name) FROM pg_stat_activity WHERE application_name LIKE 'readpast %'"
                            + " AND state = 'idle in transaction' AND datname = current_database()");
            String whom = name.substring(name.lastIndexOf(' ') + 1);
            assertThat(readpast("receive", "orders", "--wait", "100").code()).isEqualTo(1);

            assertThat(readpast("disconnect", "1@nowhere", "--yes").code()).isEqualTo(5);
            assertThat(readpast("disconnect", whom).code()).isEqualTo(6);
            assertThat(readpast("disconnect", whom, "--dry-run").out()).contains("idle in transaction", name);
            Outcome ended = readpast("disconnect", whom, "--yes");
            done(ended);
            assertThat(ended.out()).contains("ended session ").contains(name);
            // PostgreSQL has told the session to end, which lets go of the message a moment later.
            assertThat(readpast("receive", "orders", "--wait", "60000").out()).isEqualTo("held\n");
            assertThatThrownBy(stuck::commit).isInstanceOf(JMSRuntimeException.class);
        }
        onH2();
        assertThat(readpast("disconnect", "1", "--yes").code()).isEqualTo(2);
    }

    @Test
    void one_session_is_ended_by_its_number() throws Exception {
        onPostgres();
        try (Connection victim = DriverManager.getConnection(url);
                Statement statement = victim.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            Outcome ended = readpast("disconnect", row.getString(1), "--yes", "--json");
            done(ended);
            assertThat(ended.json().get("ended").get(0).asInt()).isEqualTo(row.getInt(1));
            assertThat(victim.isValid(20)).isFalse();
        }
    }

    private String one(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void dead_letters_go_back() throws Exception {
        onPostgres();
        ReadpastConnectionFactory factory = factory();
        factory.setProperty("redelivery.maximumDeliveries", "1");
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            context.createProducer().send(context.createQueue("orders"), "cursed");
            context.commit();
            assertThat(consumer.receive(10_000)).isNotNull();
            context.rollback();
            assertThat(consumer.receive(500)).isNull();
        }
        Outcome doctor = readpast("doctor", "--json");
        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.json()).hasSize(1);
        assertThat(doctor.json().get(0).get("cause").asText()).isEqualTo("dead-letters");
        assertThat(readpast("doctor").out()).startsWith("WARNING dead-letters: DLQ: 1 dead letter from orders");
        assertThat(readpast("dead-letters").out()).contains("DLQ").contains("orders");
        assertThat(readpast("retry", "DLQ").out()).isEqualTo("retry: 1 message of DLQ\n");
        assertThat(readpast("receive", "orders").out()).isEqualTo("cursed\n");
        assertThat(readpast("doctor").out()).startsWith("Nothing is wrong");
    }

    private void makeDeadLetter() throws Exception {
        try (ReadpastConnectionFactory factory = factory()) {
            factory.setProperty("redelivery.maximumDeliveries", "1");
            try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
                context.createProducer().send(context.createQueue("orders"), "cursed");
                context.commit();
                assertThat(context.createConsumer(context.createQueue("orders")).receive(10_000))
                        .isNotNull();
                context.rollback();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void a_finding_is_silenced_until_a_time(String database) throws Exception {
        prepare(database);
        makeDeadLetter();
        Path file = folder.resolve("silenced");
        Files.writeString(file, "dead-letters DLQ* 2999-01-01T00:00:00Z ticket 4711\n");
        Outcome quiet = readpast("doctor", "--silenced", file.toString());
        assertThat(quiet.code()).as(quiet.err()).isZero();
        assertThat(quiet.out()).startsWith("Nothing is wrong").endsWith("Silenced: 1. --all shows them.\n");
        assertThat(quiet.err()).isEmpty();
        Outcome all = readpast("doctor", "--all", "--silenced", file.toString());
        assertThat(all.code()).isZero();
        assertThat(all.out())
                .startsWith("silenced WARNING dead-letters: DLQ: 1 dead letter from orders")
                .contains("Silenced until 2999-01-01T00:00:00Z: ticket 4711");
        JsonNode json =
                readpast("doctor", "--json", "--silenced", file.toString()).json();
        assertThat(json.get(0).get("silenced_until").asText()).isEqualTo("2999-01-01T00:00:00Z");
        assertThat(json.get(0).get("silenced_why").asText()).isEqualTo("ticket 4711");
        JsonNode status =
                readpast("status", "--json", "--silenced", file.toString()).json();
        assertThat(status.get("findings").asInt()).isZero();
        assertThat(status.get("silenced").asInt()).isEqualTo(1);

        Files.writeString(file, "dead-letters DLQ 2020-01-01T00:00:00Z ticket 4711\n");
        Outcome over = readpast("doctor", "--silenced", file.toString());
        assertThat(over.code()).isEqualTo(1);
        assertThat(over.out()).startsWith("WARNING dead-letters");
        assertThat(over.err()).contains("2020-01-01T00:00:00Z, which is over: dead-letters DLQ, ticket 4711");

        Files.writeString(file, "dead-letters DLQ soon ticket 4711\n");
        for (String command : List.of("doctor", "status", "exporter", "console")) {
            Outcome bad = readpast(command, "--silenced", file.toString());
            assertThat(bad.code()).isEqualTo(2);
            assertThat(bad.err()).contains("silenced, line 1: 'soon' is no time");
        }
    }

    @Test
    void the_environment_or_the_configuration_names_what_is_silenced() throws Exception {
        onPostgres();
        String missing = folder.resolve("missing").toString();
        Outcome environment = readpast(Map.of("READPAST_URL", url, "READPAST_SILENCED", missing), "", "doctor");
        assertThat(environment.code()).isEqualTo(2);
        assertThat(environment.err())
                .contains("file of silenced findings cannot be read")
                .contains(missing);
        Path config = Files.writeString(folder.resolve("readpast.properties"), "silenced=" + missing + "\n");
        assertThat(readpast("doctor", "--config", config.toString()).err()).contains(missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void looks(String database) throws Exception {
        prepare(database);
        try (JMSContext context = factory().createContext()) {
            context.setClientID("warehouse");
            context.createDurableConsumer(context.createTopic("prices"), "stock")
                    .close();
        }
        Outcome status = readpast("status");
        done(status);
        assertThat(status.out()).contains("subscriptions      1");
        assertThat(readpast("status", "--json").json().get("findings").asInt()).isZero();
        assertThat(readpast("subscriptions", "--json").json().get(0).get("name").asText())
                .isEqualTo("stock");
        for (String look : List.of("clients", "consumers", "leases", "groups", "history", "schema")) {
            Outcome outcome = readpast(look, "--json");
            done(outcome);
            assertThat(outcome.json().isArray()).isTrue();
        }
        Outcome watched = readpast("watch", "--times", "2", "--every", "1");
        done(watched);
        assertThat(watched.out().lines().filter(line -> line.startsWith("name")))
                .hasSize(2);
        done(readpast("drop", "stock", "--subscription", "--client-id", "warehouse", "--yes"));
        assertThat(readpast("subscriptions", "--json").json()).isEmpty();
    }

    @Test
    void what_is_held_is_counted_behind_many_that_are_delayed() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders'), readpast.create_queue('kept')");
        run("SELECT readpast.send('orders', 'x', delay_millis => 3600000) FROM generate_series(1, 10001)");
        run("SELECT readpast.send('kept', 'x')");
        done(readpast("hold", "kept"));
        JsonNode status = readpast("status", "--json").json();
        assertThat(status.get("held").asText()).isEqualTo("1");
        assertThat(status.get("delayed").asText()).isEqualTo("10000+");
        run("SELECT readpast.create_queue('claimed')");
        run("SELECT readpast.send('claimed', 'x') FROM generate_series(1, 10001)");
        run("SELECT count(*) FROM readpast.claim('claimed', 10000, 3600, 'w')");
        assertThat(readpast("status", "--json").json().get("claimed by lease").asText())
                .isEqualTo("10000+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void pause_holds_a_queue_back_until_it_is_resumed(String database) throws Exception {
        prepare(database);
        done(readpast("create", "orders"));
        done(readpast("send", "orders", "hello"));
        try (JMSContext context = factory().createContext()) {
            done(readpast("pause", "orders", "--what", "both"));
            assertThat(readpast("queues").out()).contains("sending and receiving");
            assertThat(readpast("doctor").out())
                    .contains("orders")
                    .contains("An administrator has paused sending and receiving");
            Outcome refused = readpast("send", "orders", "more");
            assertThat(refused.code()).isEqualTo(7);
            assertThat(refused.err()).contains("paused");
            assertThat(readpast("receive", "orders", "--wait", "100").code()).isEqualTo(1);
            if (!database.equals("H2")) {
                assertThat(context.createConsumer(context.createQueue("orders")).receiveNoWait())
                        .isNull();
                run("INSERT INTO readpast.presence (instance, host, process, provider_version)"
                        + " VALUES ('00000000-0000-0000-0000-000000000000', 'app-9', 'pid 1', '0.0.9')");
                Outcome incomplete = readpast("pause", "orders", "--wait", "0", "--json");
                assertThat(incomplete.code()).isEqualTo(1);
                assertThat(incomplete.json().get("not_yet").toString()).contains("app-9");
            }
            done(readpast("resume", "orders"));
        }
        assertThat(readpast("receive", "orders", "--wait", "10000").out()).isEqualTo("hello\n");
        assertThat(readpast("pause", "none").code()).isEqualTo(5);
        assertThat(readpast("resume", "none").code()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void bench_measures_and_leaves_nothing(String database) throws Exception {
        prepare(database);
        if (database.equals("H2")) {
            url = url.replace("WRITE_DELAY=0", "WRITE_DELAY=500");
        } else {
            run("ALTER DATABASE " + url.replaceFirst(".*/(\\w+)[?].*", "$1") + " SET synchronous_commit = off");
        }
        Outcome outcome = readpast("bench", "--messages", "25", "--sessions", "2", "--batch", "10", "--json");
        done(outcome);
        JsonNode json = outcome.json();
        assertThat(json.get("database").asText()).startsWith(database);
        assertThat(json.get("durable").asText())
                .startsWith(database.equals("H2") ? "no: DELAYED_WRITES" : "no: SYNCHRONOUS_COMMIT off");
        assertThat(json.get("measured").findValuesAsText("what"))
                .containsExactly(
                        "send one by one",
                        "receive one by one",
                        "send 10 in a transaction",
                        "receive 10 in a transaction");
        for (JsonNode row : json.get("measured")) {
            assertThat(row.get("messages").asInt()).isEqualTo(25);
            assertThat(row.get("per_second").asDouble()).isPositive();
            assertThat(row.get("median_ms").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(row.get("p99_ms").asDouble());
        }
        assertThat(readpast("queues", "--json").json()).isEmpty();
        assertThat(readpast("bench", "--sessions", "0").code()).isEqualTo(2);
        Outcome elsewhere = readpast("bench", "--schema", "elsewhere");
        assertThat(elsewhere.code()).isNotZero();
        assertThat(elsewhere.err()).contains("elsewhere").doesNotContain("could not be removed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void bench_says_whether_one_database_carries_a_plan(String database) throws Exception {
        prepare(database);
        String[] bench = {"bench", "--seconds", "1", "--sessions", "2", "--batch", "5", "--json", "--plan"};
        Outcome little = readpast(with(bench, "1"));
        done(little);
        JsonNode json = little.json();
        assertThat(json.get("databases").asInt()).isEqualTo(1);
        assertThat(json.get("words").toString()).contains("1 messages a second fit into one database");
        List<String> tried = new ArrayList<>();
        for (JsonNode row : json.get("measured")) {
            tried.add(row.get("together").asText() + " " + row.get("sessions").asText());
            assertThat(row.get("per_second").asLong()).isPositive();
        }
        assertThat(tried).contains("1 1", "1 2", "5 1", "5 2");
        Outcome much = readpast(with(bench, "1000000000"));
        assertThat(much.code()).isEqualTo(1);
        assertThat(much.json().get("databases").asInt()).isGreaterThan(1);
        assertThat(much.json().get("words").toString()).contains("do not fit into one database");
        assertThat(readpast("queues", "--json").json()).isEmpty();
        assertThat(readpast("bench", "--plan", "0").code()).isEqualTo(2);
    }

    @Test
    void bench_that_is_interrupted_names_the_queue_that_it_leaves() throws Exception {
        onPostgres();
        Path errors = folder.resolve("errors");
        Process process = start(errors, "bench", "--messages", "1000000");
        await().atMost(1, TimeUnit.MINUTES).until(() -> !"0".equals(one("SELECT count(*) FROM readpast.message")));
        String queue = one("SELECT name FROM readpast.destination WHERE name LIKE 'readpast-bench%'");
        process.destroy();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(errors)).contains("readpast purge " + queue, "readpast drop " + queue);
    }

    private static String[] with(String[] arguments, String last) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = last;
        return all;
    }

    @Test
    void bad_input_is_told_apart() throws Exception {
        onPostgres();
        assertThat(readpast().code()).isEqualTo(2);
        assertThat(readpast("quues").code()).isEqualTo(2);
        Outcome unknown = readpast("browse", "nothing");
        assertThat(unknown.code()).isEqualTo(5);
        assertThat(unknown.err()).contains("nothing does not exist");
        assertThat(readpast("move", "nothing", "other").code()).isEqualTo(5);
        assertThat(readpast("queues", "--schema", "elsewhere").code()).isEqualTo(5);
        assertThat(readpast("doctor", "--schema", "elsewhere").code()).isEqualTo(5);
        assertThat(readpast(Map.of("READPAST_URL", "jdbc:postgresql://127.0.0.1:1/x"), "", "queues")
                        .code())
                .isEqualTo(3);
        assertThat(readpast("queues", "--user", "nobody").code()).isEqualTo(2);
        String withoutUser = url.replaceFirst("[?&]user=postgres", "");
        assertThat(readpast(Map.of("READPAST_URL", withoutUser), "", "queues", "--user", "nobody")
                        .code())
                .isEqualTo(3);
        assertThat(readpast("verify").code()).isEqualTo(2);
    }

    @Test
    void who_lacks_a_right_is_told_which() throws Exception {
        onPostgres();
        run("CREATE ROLE watcher LOGIN; GRANT USAGE ON SCHEMA readpast TO watcher");
        try {
            Map<String, String> watcher =
                    Map.of("READPAST_URL", url.replaceFirst("[?&]user=postgres", ""), "READPAST_USER", "watcher");
            Outcome queues = readpast(watcher, "", "queues");
            assertThat(queues.code()).isEqualTo(4);
            assertThat(queues.err()).contains("Missing: GRANT SELECT ON readpast.queue_depth");
            assertThat(readpast(watcher, "", "purge", "orders", "--yes").code()).isEqualTo(4);
            Outcome received = readpast(watcher, "", "receive", "orders");
            assertThat(received.code()).as(received.err()).isEqualTo(4);
        } finally {
            run("DROP OWNED BY watcher; DROP ROLE watcher");
        }
    }

    @Test
    void who_may_pause_and_not_see_it_is_told_so() throws Exception {
        onPostgres();
        done(readpast("create", "orders"));
        run("CREATE ROLE pauser LOGIN; GRANT USAGE ON SCHEMA readpast TO pauser;"
                + " GRANT EXECUTE ON FUNCTION readpast.pause(text, text, text) TO pauser");
        try {
            Map<String, String> pauser =
                    Map.of("READPAST_URL", url.replaceFirst("[?&]user=postgres", ""), "READPAST_USER", "pauser");
            Outcome paused = readpast(pauser, "", "pause", "orders");
            assertThat(paused.code()).as(paused.err()).isEqualTo(4);
            assertThat(paused.err()).contains("is paused", "Missing: GRANT").doesNotContain("resumed");
        } finally {
            run("DROP OWNED BY pauser; DROP ROLE pauser");
        }
    }

    @Test
    void a_password_is_no_argument_and_is_not_printed() throws Exception {
        url = "jdbc:h2:" + folder.resolve("secret").toString().replace('\\', '/') + ";USER=sa;PASSWORD=opensesame";
        install();
        String plain = url.replace(";USER=sa;PASSWORD=opensesame", "");
        Outcome refused = readpast(Map.of(), "", "queues", "--url", url);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("READPAST_PASSWORD").doesNotContain("opensesame");
        Outcome wrong =
                readpast(Map.of("READPAST_PASSWORD", "closesesame"), "", "queues", "--url", plain, "--user", "sa");
        assertThat(wrong.code()).isEqualTo(3);
        assertThat(wrong.err()).doesNotContain("closesesame");
        Path file = Files.writeString(folder.resolve("password"), "opensesame\n");
        done(readpast(Map.of(), "", "queues", "--url", plain, "--user", "sa", "--password-file", file.toString()));
        // What is given as an argument counts more than what the environment has.
        done(readpast(
                Map.of("READPAST_PASSWORD", "closesesame"),
                "",
                "queues",
                "--url",
                plain,
                "--user",
                "sa",
                "--password-file",
                file.toString()));
        Path config = Files.writeString(
                folder.resolve("readpast.properties"), "url=" + plain + "\nuser=sa\npassword=opensesame\n");
        done(readpast(Map.of(), "", "queues", "--config", config.toString()));
        done(readpast(Map.of("READPAST_PASSWORD", "opensesame"), "", "queues", "--url", plain, "--user", "sa"));
        for (String misspelt :
                List.of("jdbc:sqlserv://db;user=a;password=s3cret", "jdbc:h2:mem:x;USER=a;PASSWORD=s3cret;x")) {
            for (String command : List.of("doctor", "audit")) {
                Outcome unknown = readpast(Map.of("READPAST_URL", misspelt), "", command);
                assertThat(unknown.code()).isNotZero();
                assertThat(unknown.err() + unknown.out())
                        .contains(misspelt.substring(0, misspelt.indexOf(':', 5)))
                        .doesNotContain("s3cret");
            }
        }
    }

    @Test
    void status_and_doctor_look_at_each_database_of_the_routes() throws Exception {
        onPostgres();
        String west = url;
        makeDeadLetter();
        onPostgres();
        String both = "url=" + url + "\nroute.west.url=" + west + "\nroute.west.destinations=west.*\n";
        Path config = Files.writeString(folder.resolve("routes.properties"), both);
        // What the environment says is about the first one.
        Map<String, String> environment = Map.of("READPAST_URL", url, "READPAST_CONFIG", config.toString());
        Outcome status = readpast(environment, "", "status", "--json");
        done(status);
        assertThat(status.json().get("home").get("queues").asInt()).isZero();
        assertThat(status.json().get("west").get("queues").asInt()).isEqualTo(2);
        assertThat(readpast(environment, "", "status").out()).contains("Database home:", "Database west:");

        Files.writeString(config, both + "route.east.url=jdbc:postgresql://127.0.0.1:1/none\n");
        Outcome unknown = readpast(environment, "", "status", "--json");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.json().get("east").get("not_known").asText()).contains("no connection");
        assertThat(unknown.json().get("west").get("queues").asInt()).isEqualTo(2);
        Outcome doctor = readpast(environment, "", "doctor", "--json");
        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.json().findValuesAsText("database")).containsExactly("east", "west");
        assertThat(doctor.json().get(1).get("cause").asText()).isEqualTo("dead-letters");
        assertThat(readpast(environment, "", "doctor").out())
                .contains(
                        "Database home:\nNothing is wrong",
                        "Database west:\nWARNING dead-letters",
                        "Database east:\nUNKNOWN: no connection");
    }

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void move_queue_turns_senders_and_waits_until_nothing_is_left(String database) throws Exception {
        prepare(database);
        if (database.equals("H2")) {
            url = url.replace("/messages", "/west");
            install();
        }
        String west = url;
        prepare(database);
        String config = Files.writeString(folder.resolve("routes.properties"), "route.west.url=" + west + "\n")
                .toString();
        String[] move = {"move-queue", "orders", "--to", "west", "--wait", "0", "--yes", "--config", config};
        assertThat(readpast(move).code()).as("no such queue").isEqualTo(5);
        done(readpast("send", "orders", "before", "--create"));

        Outcome left = readpast(move);
        assertThat(left.code()).isEqualTo(1);
        assertThat(left.err()).contains("Messages are left in 'home'");
        Outcome refused = readpast("send", "orders", "after");
        assertThat(refused.code()).isEqualTo(5);
        assertThat(refused.err()).contains("was moved to database 'west'");
        assertThat(readpast("receive", "orders", "--wait", "10000").out()).isEqualTo("before\n");
        Outcome moved = readpast(move);
        done(moved);
        assertThat(moved.err()).contains("Moved orders to 'west'");
        done(readpast("move-queue", "orders", "--from", "west", "--to", "home", "--yes", "--config", config));
        done(readpast("send", "orders", "again"));
        if (database.equals("PostgreSQL")) {
            assertThat(readpast("audit").out().lines().filter(line -> line.contains("move-queue")))
                    .as("the last first: it has come back, it comes back, it leaves")
                    .satisfiesExactly(
                            over -> assertThat(over).doesNotContain("west"),
                            back -> assertThat(back).contains("from west"),
                            away -> assertThat(away).contains("to west"));
        }

        assertThat(readpast("move-queue", "orders", "--to", "east", "--yes", "--config", config)
                        .err())
                .contains("no database 'east'");
        assertThat(readpast("move-queue", "orders", "--to", "home", "--yes", "--config", config)
                        .code())
                .isEqualTo(2);
    }

    @Test
    void a_message_stays_where_its_output_cannot_be_written() throws Exception {
        onPostgres();
        done(readpast("send", "orders", "kept", "--create"));
        ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString(), "receive", "orders")
                .redirectOutput(Path.of("/dev/full").toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("READPAST_URL", url);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(7);
        assertThat(readpast("receive", "orders").out()).isEqualTo("kept\n");
    }

    @Test
    void completion_and_help_know_the_commands() throws Exception {
        url = "jdbc:h2:mem:none";
        assertThat(Files.readString(LAUNCHER.resolveSibling("readpast_completion")))
                .contains("doctor")
                .contains("subscriptions");
        assertThat(readpast("--help").out()).contains("doctor").contains("purge");
        assertThat(readpast("--version").out()).matches("readpast \\d+\\.\\d+\\.\\d+\\S*\\R");
        assertThat(readpast("help", "move").out()).contains("--dry-run");
    }

    @Test
    void schema_check_names_who_is_too_old() throws Exception {
        onH2();
        Outcome nothing = readpast("schema", "check");
        done(nothing);
        assertThat(nothing.out()).contains("this release has none that is newer");
        run("DELETE FROM readpast.schema_version WHERE version = (SELECT MAX(version) FROM readpast.schema_version)");
        Outcome nobody = readpast("schema", "check");
        done(nobody);
        assertThat(nobody.out()).contains("Nobody who is connected is too old");
        run("INSERT INTO readpast.presence (instance, host, process, provider_version, schema_version)"
                + " VALUES ('00000000-0000-0000-0000-000000000007', 'old.example', 'pid 7', '0.0.9', 1)");
        Outcome found = readpast("schema", "check");
        assertThat(found.code()).isEqualTo(1);
        assertThat(found.out()).contains("These are too old").contains("old.example  pid 7    0.0.9         1");
        Outcome json = readpast("schema", "check", "--json");
        assertThat(json.code()).isEqualTo(1);
        assertThat(json.json().get("too old").get(0).get("release").asText()).isEqualTo("0.0.9");
        run("UPDATE readpast.presence SET schema_version = NULL");
        assertThat(readpast("schema", "check").out())
                .contains("These are too old")
                .contains("old.example");
        assertThat(readpast("schema", "check", "--schema", "elsewhere").code()).isEqualTo(5);
    }

    /** Somebody restores the database to before a queue was made, and makes another, while a JVM is connected and remembers the first. */
    @Test
    void jvm_that_lives_through_a_restore_sends_to_its_own_queue() throws Exception {
        onPostgres();
        String live = url.replaceAll(".*/(cli_[a-z0-9]+).*", "$1");
        done(readpast("create", "early"));
        readpast(Map.of("READPAST_URL", url), "kept", "send", "early");
        onServer("CREATE DATABASE " + live + "_backup TEMPLATE " + live);
        try (JMSContext context = factory().createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("mine"));
            context.createProducer().send(context.createQueue("mine"), "lost with the restore");
            onServer("DROP DATABASE " + live + " WITH (FORCE)");
            onServer("CREATE DATABASE " + live + " TEMPLATE " + live + "_backup");

            Outcome restored = readpast("schema", "restored", "--yes");
            assertThat(restored.out()).as(restored.err()).isEqualTo("held: 1 message\n");
            done(readpast("create", "another"));

            List<String> ledger = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String text = "m" + i;
                await().atMost(1, TimeUnit.MINUTES).until(() -> isSent(context, text));
                ledger.add(text);
            }
            List<String> received = new ArrayList<>();
            await().atMost(1, TimeUnit.MINUTES).until(() -> {
                String text = consumer.receiveBody(String.class, 100);
                if (text != null) {
                    received.add(text);
                }
                return received.size() >= ledger.size();
            });
            assertThat(received).containsExactlyElementsOf(ledger);
            assertThat(consumer.receiveNoWait()).isNull();
        }
        assertThat(readpast("browse", "another", "--json").json()).isEmpty();
        assertThat(readpast("browse", "early", "--json").json()).isEmpty();
        assertThat(readpast("release", "early").out()).isEqualTo("release: 1 message of early\n");
        assertThat(readpast("browse", "early", "--json").json()).hasSize(1);
    }

    /** A JVM may remember what was made behind the first restore, and live through the second one. */
    @Test
    void two_restores_of_one_backup_give_out_no_id_twice() throws Exception {
        onPostgres();
        String live = url.replaceAll(".*/(cli_[a-z0-9]+).*", "$1");
        onServer("CREATE DATABASE " + live + "_backup TEMPLATE " + live);
        restore(live);
        int first = create("mine");
        restore(live);
        assertThat(create("another")).isGreaterThan(first);
    }

    private static void restore(String live) throws Exception {
        onServer("DROP DATABASE IF EXISTS " + live + " WITH (FORCE)");
        onServer("CREATE DATABASE " + live + " TEMPLATE " + live + "_backup");
    }

    /** Returns its id. */
    private int create(String queue) throws Exception {
        done(readpast("schema", "restored", "--yes"));
        done(readpast("create", queue));
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT destination_id FROM readpast.destination WHERE name = '" + queue + "'")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Not where the connection is gone or the id is another's, which is told before anything is stored. */
    private static boolean isSent(JMSContext context, String text) {
        try {
            context.createProducer().send(context.createQueue("mine"), text);
            return true;
        } catch (JMSRuntimeException e) {
            return false;
        }
    }

    /** Its presence, client id, lease, subscription and delayed message are nobody's in the copy. */
    @Test
    void copy_of_a_database_is_held_and_the_original_goes_on() throws Exception {
        onPostgres();
        String original = url;
        String name = original.replaceAll(".*/(cli_[a-z0-9]+).*", "$1");
        try (JMSContext context = factory().createContext();
                JMSContext worker = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            context.setClientID("billing");
            JMSConsumer news = context.createDurableConsumer(context.createTopic("news"), "all");
            context.createProducer().send(context.createTopic("news"), "published");
            context.createProducer().send(context.createQueue("orders"), "leased");
            JMSConsumer leasing = worker.createConsumer(worker.createQueue("orders?consumer.leaseSeconds=600"));
            assertThat(leasing.receiveBody(String.class, 30_000)).isEqualTo("leased");
            context.createProducer().send(context.createQueue("orders"), "now");
            context.createProducer().setDeliveryDelay(1_000).send(context.createQueue("orders"), "later");

            copy(name, name + "_copy");
            url = server.getJdbcUrl("postgres", name + "_copy");
            assertThat(readpast("schema", "restored").code()).isEqualTo(6);
            assertThat(readpast("schema", "restored", "--yes", "--json")
                            .json()
                            .get("messages")
                            .asInt())
                    .isEqualTo(4);
            assertThat(readpast("browse", "orders", "--json").json()).isEmpty();
            useCopy();

            worker.commit();
            try (JMSContext another = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
                JMSConsumer consumer = another.createConsumer(another.createQueue("orders"));
                assertThat(consumer.receiveBody(String.class, 30_000)).isEqualTo("now");
                assertThat(consumer.receiveBody(String.class, 30_000)).isEqualTo("later");
                assertThat(consumer.receiveNoWait()).isNull();
            }
            assertThat(news.receiveBody(String.class, 30_000)).isEqualTo("published");
        }
        onH2();
        assertThat(readpast("schema", "restored", "--yes").code()).isEqualTo(2);
    }

    /** While clients live, as a backup does: who is connected loses his connections. */
    private static void copy(String database, String copy) throws Exception {
        onServer("ALTER DATABASE " + database + " ALLOW_CONNECTIONS false");
        onServer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database + "'");
        onServer("CREATE DATABASE " + copy + " TEMPLATE " + database);
        onServer("ALTER DATABASE " + database + " ALLOW_CONNECTIONS true");
        onServer("ALTER DATABASE " + copy + " ALLOW_CONNECTIONS true");
    }

    /** As the first client there, with the client id of one that is connected to the original. */
    private void useCopy() throws Exception {
        try (JMSContext context = await().atMost(1, TimeUnit.MINUTES)
                .ignoreException(InvalidClientIDRuntimeException.class)
                .until(this::billing, Objects::nonNull)) {
            JMSConsumer news = context.createDurableConsumer(context.createTopic("news"), "all");
            JMSConsumer orders = context.createConsumer(context.createQueue("orders"));
            assertThat(news.receiveNoWait()).isNull();
            assertThat(orders.receiveNoWait()).isNull();
            assertThat(readpast("release", "orders").out()).isEqualTo("release: 3 messages of orders\n");
            assertThat(Stream.generate(() -> orders.receiveBody(String.class, 30_000))
                            .limit(3))
                    .containsExactlyInAnyOrder("leased", "now", "later");
            context.createProducer().send(context.createTopic("news"), "of the test");
            assertThat(news.receiveBody(String.class, 30_000)).isEqualTo("of the test");
        }
    }

    private JMSContext billing() throws Exception {
        JMSContext context = factory().createContext();
        try {
            context.setClientID("billing");
            return context;
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private static void onServer(String sql) throws Exception {
        await().atMost(30, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
                return true;
            }
        });
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
