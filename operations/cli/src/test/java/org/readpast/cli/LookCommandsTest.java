package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.JMSContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** Commands that look at a database and say what is wrong with it. */
class LookCommandsTest extends Commands {

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

    /** A script that waits for "there is no such schema" would make one. */
    @Test
    void what_is_locked_is_not_taken_for_missing() throws Exception {
        onPostgres();
        done(readpast("create", "orders"));
        try (Connection holder = DriverManager.getConnection(url);
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("LOCK TABLE readpast.presence, readpast.schema_version IN ACCESS EXCLUSIVE MODE");
            Outcome paused = readpast("pause", "orders");
            assertThat(paused.code()).as(paused.err()).isEqualTo(7);
            assertThat(paused.err()).contains("is paused", "given up");
            Outcome doctor = readpast("doctor");
            assertThat(doctor.code()).as(doctor.err()).isEqualTo(1);
            assertThat(doctor.out()).contains("Not known");
            statement.execute("LOCK TABLE readpast.destination IN ACCESS EXCLUSIVE MODE");
            Outcome queues = readpast("queues");
            assertThat(queues.code()).as(queues.err()).isEqualTo(7);
            assertThat(queues.err()).contains("not known", "given up");
            assertThat(readpast("watch", "--times", "1").code()).isEqualTo(7);
        }
    }

    @Test
    void a_slow_server_is_given_the_time_that_is_said() throws Exception {
        onPostgres();
        done(readpast("create", "orders"));
        run("ALTER VIEW readpast.queue_depth RENAME TO depth_of_queue");
        run("CREATE VIEW readpast.queue_depth AS SELECT d.* FROM readpast.depth_of_queue d, pg_sleep(4)");
        Outcome usual = readpast(Map.of("READPAST_URL", url, "READPAST_JAVA_OPTIONS", ""), "", "queues");
        assertThat(usual.code()).as(usual.err()).isEqualTo(7);
        assertThat(usual.err()).contains("given up");
        Map<String, String> patient = Map.of("READPAST_URL", url, "READPAST_JAVA_OPTIONS", "-Dreadpast.look.seconds=8");
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(readpast(patient, "", "queues").out()).contains("orders"));
    }

    @Test
    void watch_goes_on_where_a_look_was_given_up_and_ends_where_nobody_reads() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders')");
        run("SELECT readpast.send('orders', 'x') FROM generate_series(1, 10001)");
        Path out = folder.resolve("watched");
        Path err = folder.resolve("said");
        Process watch = new ProcessBuilder(
                        "sh", "-c", "exec " + LAUNCHER + " watch --every 1 --url '" + url + "' > " + out + " 2> " + err)
                .start();
        try {
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> Files.exists(out)
                            && Files.readString(out)
                                            .lines()
                                            .filter(line -> line.startsWith("orders"))
                                            .count()
                                    > 1);
            assertThat(Files.readString(out).lines().filter(line -> line.startsWith("orders")))
                    .allMatch(line -> line.matches("orders +queue +10000[+] +- .*"));
            try (Connection holder = DriverManager.getConnection(url);
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute("LOCK TABLE readpast.destination IN ACCESS EXCLUSIVE MODE");
                await().atMost(60, TimeUnit.SECONDS)
                        .until(() -> Files.readString(err).contains("not known: "));
                long before = Files.size(out);
                holder.rollback();
                await().atMost(60, TimeUnit.SECONDS).until(() -> Files.size(out) > before + 200);
            }
        } finally {
            watch.destroy();
        }
        Outcome full = execute(Map.of("READPAST_URL", url), "", "sh", "-c", LAUNCHER + " watch --every 1 > /dev/full");
        assertThat(full.code()).as(full.err()).isEqualTo(7);
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
}
