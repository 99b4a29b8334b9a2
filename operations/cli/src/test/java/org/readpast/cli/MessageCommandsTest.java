package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that send, receive, show, export and import messages. */
class MessageCommandsTest extends Commands {

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

    /** Dead letters of two queues may have one id, each of its own queue; and who was delayed for an hour has waited. */
    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void import_drops_and_delays_nothing(String database) throws Exception {
        prepare(database);
        done(readpast("create", "dead"));
        String properties = "\"properties\":{\"_AMQ_DUPL_ID\":{\"type\":\"string\",\"value\":\"4711\"},"
                + "\"AMQ_SCHEDULED_DELAY\":{\"type\":\"long\",\"value\":\"3600000\"}}}\n";
        String lines = "{\"bodyType\":\"text\",\"body\":\"order\",\"deliveryTime\":1," + properties
                + "{\"bodyType\":\"text\",\"body\":\"invoice\",\"deliveryTime\":1," + properties
                + "{\"bodyType\":\"text\",\"body\":\"quote\",\"expiration\":1}\n";

        Outcome imported = readpast(Map.of("READPAST_URL", url), lines, "import", "dead");

        done(imported);
        try (JMSContext context = factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("dead"))) {
            assertThat(List.of(consumer.receiveBody(String.class, 60_000), consumer.receiveBody(String.class, 60_000)))
                    .containsExactlyInAnyOrder("order", "invoice");
        }
        assertThat(imported.err()).contains("Imported 2 to dead", "expired: 1");
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

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void half_a_character_does_not_end_an_export(String database) throws Exception {
        prepare(database);
        try (JMSContext context = factory().createContext()) {
            context.createProducer().send(context.createQueue("orders"), "half \ud83d of it");
        }
        Path file = folder.resolve("orders.csv");
        done(readpast("export", "orders", "--csv", "--to", file.toString()));
        assertThat(Files.readString(file)).contains("half ? of it");
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

    /** As whoever copies a message to a file and deletes it then must know whether it is there. */
    @Test
    void what_cannot_be_written_is_told() throws Exception {
        onPostgres();
        String id = readpast("send", "orders", "kept", "--create").out().strip();
        Outcome shown = execute(
                Map.of("READPAST_URL", url), "", "sh", "-c", LAUNCHER + " show orders '" + id + "' > /dev/full");
        assertThat(shown.code()).as(shown.err()).isEqualTo(7);
        assertThat(shown.err()).contains("the output cannot be written");
    }

    @Test
    void a_command_that_has_no_memory_left_has_not_found_something() throws Exception {
        onPostgres();
        Path file = folder.resolve("long");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(200_000_000);
        }
        Outcome sent = readpast(
                Map.of("READPAST_URL", url, "READPAST_JAVA_OPTIONS", "-Xmx64m"),
                "",
                "send",
                "orders",
                "--create",
                "--file",
                file.toString());
        assertThat(sent.code()).as(sent.err()).isEqualTo(7);
        assertThat(sent.err()).contains("OutOfMemoryError");
    }
}
