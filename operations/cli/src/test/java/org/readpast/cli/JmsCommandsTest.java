package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.jms.ReadpastConnectionFactory;
import picocli.CommandLine;

/** What commands do with messages that applications still want: nothing is lost, taken away or changed without a word. */
class JmsCommandsTest {

    private static final long PATIENCE = 60_000;
    private static final String VALID = "{\"bodyType\":\"text\",\"body\":\"valid\"}\n";

    private record Outcome(int code, String out, String err) {}

    @TempDir
    Path folder;

    private String url;

    @BeforeEach
    void makeTables() {
        url = "jdbc:h2:mem:commands" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
        factory().createContext().close();
    }

    private ReadpastConnectionFactory factory() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    private Outcome readpast(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", url));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                Readpast.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int code = line.execute(all.toArray(String[]::new));
        return new Outcome(code, out.toString(), err.toString());
    }

    private Outcome importing(String lines) throws Exception {
        Path file = Files.createTempFile(folder, "lines", ".jsonl");
        Files.writeString(file, lines, StandardCharsets.UTF_8);
        return readpast("import", "again", "--create", "--from", file.toString());
    }

    private static void done(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.err()).isZero();
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String from) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM readpast." + from)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue://orders", "queue:///orders"})
    void queue_is_the_one_that_an_application_means_by_that_name(String name) throws Exception {
        done(readpast("send", name, "hello", "--create"));
        try (JMSContext context = factory().createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            assertThat(consumer.receive(PATIENCE).getBody(String.class)).isEqualTo("hello");
        }
    }

    @Test
    void receive_that_is_not_to_wait_takes_what_is_there_and_returns() {
        done(readpast("send", "orders", "hello", "--create"));
        assertThat(readpast("receive", "orders", "--wait", "0", "--most", "5").out())
                .isEqualTo("hello\n");
        CompletableFuture<Outcome> none =
                CompletableFuture.supplyAsync(() -> readpast("receive", "orders", "--wait", "0"));
        assertThat(none)
                .succeedsWithin(Duration.ofSeconds(60))
                .extracting(Outcome::code)
                .isEqualTo(ExitCode.FOUND);
    }

    /** As an application does that has a policy of its own. */
    @Test
    void message_that_was_delivered_often_is_received_and_is_no_dead_letter() throws Exception {
        try (JMSContext context = factory().createContext()) {
            context.createProducer().send(context.createQueue("orders"), "kept");
        }
        run("UPDATE readpast.message SET delivery_count = 12");

        Outcome received = readpast("receive", "orders");

        done(received);
        assertThat(received.out()).isEqualTo("kept\n");
        assertThat(count("destination WHERE name = 'DLQ'")).isZero();
    }

    /** It is delivered where nothing becomes a dead letter, and would be gone. */
    @Test
    void message_whose_row_cannot_be_read_is_not_received() throws Exception {
        makeUnreadable();

        Outcome received = readpast("receive", "orders", "--most", "5");

        assertThat(received.code()).isEqualTo(ExitCode.FAILED);
        assertThat(received.out()).isEqualTo("good\n");
        assertThat(received.err()).contains("cannot be read", "stays in orders");
        assertThat(count("message")).isEqualTo(1);
    }

    /** Leaves a message that can be read, and behind it one that cannot. */
    private void makeUnreadable() throws SQLException {
        try (JMSContext context = factory().createContext()) {
            context.createProducer()
                    .send(context.createQueue("orders"), "good")
                    .send(context.createQueue("orders"), "broken");
        }
        run("UPDATE readpast.message SET properties = '{]}'"
                + " WHERE message_id = (SELECT MAX(message_id) FROM readpast.message)");
    }

    /** Where they go is known to the applications alone. */
    @Test
    void expired_messages_are_left_to_applications() throws Exception {
        ReadpastConnectionFactory application = factory();
        application.setProperty("expiry.destination", "expired");
        try (JMSContext context = application.createContext()) {
            context.createProducer().setTimeToLive(1).send(context.createQueue("quotes"), "quote");
        }
        done(readpast("create", "other"));
        // Housekeeping removes it when it has had the time to remove the message.
        run("INSERT INTO readpast.shared_body (body) VALUES (X'00')");

        CompletableFuture<Outcome> receiving =
                CompletableFuture.supplyAsync(() -> readpast("receive", "other", "--wait", "300000"));
        await().atMost(Duration.ofSeconds(60)).until(() -> count("shared_body") == 0);
        done(readpast("send", "other", "end"));
        assertThat(receiving.get(1, TimeUnit.MINUTES).out()).isEqualTo("end\n");

        try (JMSContext context = application.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("expired"))) {
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("quote");
        }
    }

    @Test
    void long_body_is_exported_and_imported() throws Exception {
        int length = 16_000_000;
        try (JMSContext context = factory().createContext()) {
            BytesMessage bytes = context.createBytesMessage();
            bytes.writeBytes(new byte[length]);
            context.createProducer().send(context.createQueue("orders"), bytes);
        }
        Path file = folder.resolve("orders.jsonl");
        done(readpast("export", "orders", "--to", file.toString()));

        done(readpast("import", "again", "--create", "--from", file.toString()));

        try (JMSContext context = factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("again"))) {
            assertThat(consumer.receiveBody(byte[].class, PATIENCE)).hasSize(length);
        }
    }

    @Test
    void message_that_cannot_be_read_is_exported_as_such_and_is_told() throws Exception {
        makeUnreadable();

        Outcome exported = readpast("export", "orders");

        assertThat(exported.code()).isEqualTo(ExitCode.FOUND);
        assertThat(exported.out().lines()).hasSize(2);
        assertThat(exported.err()).contains("Exported 2", "1 could not be read");
        Outcome imported = importing(exported.out());
        assertThat(imported.code()).isEqualTo(ExitCode.USAGE);
        assertThat(imported.err()).contains("line 2: ", "unreadable", "nothing was imported");
        assertThat(readpast("export", "orders", "--csv").code()).isEqualTo(ExitCode.FOUND);
    }

    /** The limits are those of applications, each with its own. */
    @Test
    void what_an_application_may_send_is_exported_and_imported() throws Exception {
        String value = "x".repeat(1_100_000);
        ReadpastConnectionFactory application = factory();
        application.setProperty("maxPropertiesLength", "2000000");
        try (JMSContext context = application.createContext()) {
            context.createProducer().setProperty("long", value).send(context.createQueue("orders"), "hello");
        }
        Outcome exported = readpast("export", "orders");
        done(exported);
        done(importing(exported.out()));
        try (JMSContext context = application.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("again"))) {
            assertThat(consumer.receive(PATIENCE).getStringProperty("long")).isEqualTo(value);
        }
    }

    @Test
    void answers_to_a_temporary_topic_and_names_that_sql_has_given_come_back() throws Exception {
        try (JMSContext context = factory().createContext()) {
            Message message = context.createTextMessage("question");
            message.setJMSReplyTo(context.createTemporaryTopic());
            context.createProducer().send(context.createQueue("orders"), message);
        }
        run("UPDATE readpast.message SET properties = '{\"order-id\":7,\"region\":\"north\"}'");
        Outcome exported = readpast("export", "orders");
        done(exported);

        Outcome imported = importing(exported.out() + exported.out());

        done(imported);
        assertThat(imported.err()).contains("Imported 2", "order-id (2)").doesNotContain("region");
        try (JMSContext context = factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("again"))) {
            Message message = consumer.receive(PATIENCE);
            assertThat(message.getJMSReplyTo().toString()).startsWith("temp-topic://");
            assertThat(message.getStringProperty("region")).isEqualTo("north");
            assertThat(message.propertyExists("order-id")).isFalse();
        }
    }

    @Test
    void what_jms_refuses_is_told_with_its_line() throws Exception {
        Outcome imported = importing(VALID + "{\"bodyType\":\"text\",\"body\":\"x\",\"replyTo\":\"temp-queue://\"}\n");

        assertThat(imported.code()).isNotZero();
        assertThat(imported.err()).contains("line 2: ", "nothing was imported");
        assertThat(count("message")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'bodyType':'text','body':'a'}{'bodyType':'text','body':'b'}",
                "{'bodyType':'text','body':'a'} garbage",
                "['text']",
                "{'bodyType':'text','body':{}}",
                "{'bodyType':'text'}",
                "{'bodyType':'bytes','body':{}}",
                "{'bodyType':'bytes','body':'?'}",
                "{'bodyType':'map','body':'a'}",
                "{'bodyType':'map','body':{'a':5}}",
                "{'bodyType':'stream','body':'a'}",
                "{'bodyType':'stream','body':[5]}",
                "{'bodyType':'none','body':'a'}",
                "{'bodyType':'none','expiration':'soon'}",
                "{'bodyType':'none','expiration':1.5}",
                "{'bodyType':'none','deliveryTime':true}",
                "{'bodyType':'none','priority':'high'}",
                "{'bodyType':'none','priority':10}",
                "{'bodyType':'none','priority':99999999999}",
                "{'bodyType':'none','deliveryMode':3}",
                "{'bodyType':'none','type':5}",
                "{'bodyType':'none','correlationId':[]}",
                "{'bodyType':'none','replyTo':5}",
                "{'bodyType':'none','properties':[5]}",
                "{'bodyType':'none','properties':{'a':{'type':'character','value':''}}}",
                "{'bodyType':'none','properties':{'a':{'type':'boolean','value':'yes'}}}",
                "{'bodyType':'none','properties':{'a':{'type':'string','value':{}}}}",
                "{'bodyType':'none','properties':{'a':{'type':'string'}}}",
                "{'bodyType':'none','properties':{'a':{'type':'integer','value':'x'}}}"
            })
    void line_that_is_no_message_is_told_and_nothing_is_imported(String line) throws Exception {
        Outcome imported = importing(VALID + line.replace('\'', '"') + "\n");

        assertThat(imported.code()).as(imported.err()).isEqualTo(ExitCode.USAGE);
        assertThat(imported.err()).contains("line 2: ", "nothing was imported");
        assertThat(count("message")).isZero();
    }

    /** That a queue has no consumers is not said where nobody knows. */
    @Test
    void why_a_queue_is_not_dropped_is_not_said_where_its_consumers_are_not_known() throws Exception {
        done(readpast("send", "orders", "hello", "--create"));
        run("ALTER TABLE readpast.consumed_destination ALTER COLUMN selector RENAME TO other");

        Outcome dropped = readpast("drop", "orders", "--yes");

        assertThat(dropped.code()).isEqualTo(ExitCode.NOT_THERE);
        assertThat(dropped.err()).contains("not known").doesNotContain("there is no queue");
    }

    @Test
    void verify_tells_a_server_that_is_away_as_all_commands_do() {
        url = "jdbc:sqlserver://127.0.0.1:1;databaseName=x;encrypt=false;loginTimeout=5;connectRetryCount=0";

        Outcome verified = readpast("verify");

        assertThat(verified.code()).as(verified.err()).isEqualTo(ExitCode.NO_CONNECTION);
        assertThat(verified.err()).contains("no connection");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlserver://db;trustStorePassword=s3cret",
                "jdbc:sqlserver://db;keyStoreSecret=s3cret",
                "jdbc:postgresql://db/x?user=a&sslpassword=s3cret",
                "jdbc:h2:mem:x;Password = s3cret"
            })
    void no_kind_of_password_is_an_argument(String secret) {
        url = secret;

        Outcome refused = readpast("queues");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("READPAST_PASSWORD").doesNotContain("s3cret");
    }
}
