package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** Commands that pause and move queues, end sessions and measure. */
class QueueCommandsTest extends Commands {

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

    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void pause_holds_a_queue_back_until_it_is_resumed(String database) throws Exception {
        prepare(database);
        done(readpast("create", "orders"));
        done(readpast("send", "orders", "hello"));
        try (JMSContext context = factory().createContext()) {
            done(readpast("pause", "queue://orders", "--what", "both"));
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
            done(readpast("resume", "queue://orders"));
        }
        assertThat(readpast("receive", "orders", "--wait", "10000").out()).isEqualTo("hello\n");
        assertThat(readpast("pause", "none").code()).isEqualTo(5);
        assertThat(readpast("resume", "none").code()).isEqualTo(5);
    }

    /** As a busy server gives up a look, which waits for a lock for a tenth of a second. */
    @Test
    void pause_looks_again_where_a_look_was_given_up() throws Exception {
        onPostgres();
        done(readpast("create", "orders"));
        try (Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE readpast.presence IN ACCESS EXCLUSIVE MODE");
            CompletableFuture<Outcome> paused = CompletableFuture.supplyAsync(() -> {
                try {
                    return readpast("pause", "orders", "--wait", "60");
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            String waiting = "SELECT max(a.query_start) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
                    + " WHERE a.datname = current_database() AND NOT l.granted";
            String first = await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> paused.isDone() ? "none" : one(waiting), Objects::nonNull);
            await().atMost(1, TimeUnit.MINUTES).until(() -> {
                String next = one(waiting);
                return paused.isDone() || (next != null && !next.equals(first));
            });
            other.rollback();
            assertThat(paused).succeedsWithin(1, TimeUnit.MINUTES).satisfies(outcome -> done(outcome));
        }
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
        String[] bench = {"bench", "--seconds", "2", "--sessions", "2", "--batch", "5", "--json", "--plan"};
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
    void move_queue_is_refused_while_somebody_sends_in_transactions_of_an_application() throws Exception {
        prepare("PostgreSQL");
        String west = url;
        prepare("PostgreSQL");
        String config = Files.writeString(folder.resolve("routes.properties"), "route.west.url=" + west + "\n")
                .toString();
        String[] move = {"move-queue", "orders", "--to", "west", "--yes", "--config", config};
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:" + url);
                Connection sql = DriverManager.getConnection(url);
                jakarta.jms.Connection connection = factory.createConnection(sql);
                Session session = connection.createSession()) {
            sql.setAutoCommit(false);
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("a row's"));
            sql.commit();
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> one("SELECT max(joined_queues) FROM readpast.presence") != null);

            Outcome refused = readpast(move);

            assertThat(refused.code()).isEqualTo(7);
            assertThat(refused.err())
                    .contains(
                            "orders is not moved",
                            "JVMs: pid " + ProcessHandle.current().pid(),
                            "--force");
            assertThat(one("SELECT max(moved) FROM readpast.destination")).isNull();
            String[] atOnce = with(move, "--wait=0");
            assertThat(readpast(with(atOnce, "--force")).code())
                    .as("a message is left")
                    .isEqualTo(1);
            assertThat(readpast(atOnce).code()).as("goes on").isEqualTo(1);
        }
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
}
