package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** Commands that move, copy, delete and give back messages, whatever cuts them off. */
class RepairCommandsTest extends Commands {

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
        assertThat(readpast("move", "orders", "queue://later", "--property", "even=0", "--json")
                        .json()
                        .get("messages")
                        .asInt())
                .isEqualTo(1250);
        assertThat(readpast("move", "orders", "later", "--property", "even=0").code())
                .isEqualTo(1);
        assertThat(readpast("hold", "queue:///later", "--most", "1").out()).isEqualTo("hold: 1 message of later\n");
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
        done(readpast("drop", "queue://orders", "--yes"));
        assertThat(readpast("queues", "--json").json().findValuesAsText("name")).containsExactly("later");
        assertThat(readpast("expire", "later", "--yes").out()).isEqualTo("expire: 1249 messages of later\n");

        JsonNode audit = readpast("audit", "--queue", "later", "--json").json();
        assertThat(audit.findValuesAsText("action"))
                .containsExactly("expire", "expire", "purge", "release", "hold", "move", "move");
        assertThat(audit.findValuesAsText("messages")).containsExactly("249", "1000", "1", "1", "1", "250", "1000");
        assertThat(audit.findValuesAsText("login")).containsOnly("postgres");
        assertThat(audit.findValuesAsText("for")).containsOnly(System.getProperty("user.name"));
        assertThat(readpast("audit", "--queue", "queue://later", "--json").json())
                .isEqualTo(audit);
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
        run("SELECT readpast.send('orders', 'text ' || i) FROM generate_series(1, 3000) i");
        cutOff("move", "orders", "later");
        long moved = count("later");
        assertThat(moved).isLessThan(3_000);
        assertThat(count("orders")).isEqualTo(3_000 - moved);
        assertThat(readpast("move", "orders", "later").out())
                .isEqualTo("move: " + (3_000 - moved) + " messages of orders\n");
        assertThat(count("later")).isEqualTo(3_000);
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

    /** They come back under their old keys, before those that have not been sent back yet. */
    @ParameterizedTest
    @ValueSource(strings = {"--state waiting", "--origin orders"})
    void dead_letters_that_fail_again_keep_no_other_one_from_going_back(String condition) throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders', maximum_attempts => 1, dead_letter_queue => 'dead')");
        run("SELECT readpast.send('orders', 'text', json_build_object('number', i)) FROM generate_series(1, 20) i");
        run("SELECT readpast.fail(claim_token, 'no kettle') FROM readpast.claim('orders', 20, 60, 'w')");
        Set<Integer> worked = ConcurrentHashMap.newKeySet();
        ReadpastConnectionFactory factory = factory();
        factory.setProperty("redelivery.maximumDeliveries", "1");
        factory.setProperty("redelivery.deadLetterDestination", "dead");
        try (JMSContext context = factory.createContext()) {
            context.createConsumer(context.createQueue("orders")).setMessageListener(message -> {
                int number = number(message);
                if (number <= 10) {
                    throw new IllegalStateException("no kettle still");
                }
                worked.add(number);
            });
            String[] retry = ("retry dead --rate 10 --most 60 " + condition).split(" ");
            assertThat(readpast(retry).out()).isEqualTo("retry: 20 messages of dead\n");
            await().atMost(1, TimeUnit.MINUTES).until(() -> worked.size() == 10);
        }
    }

    private static int number(Message message) {
        try {
            return message.getIntProperty("number");
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void queue_that_is_there_keeps_what_create_does_not_say() throws Exception {
        onPostgres();
        done(readpast("create", "orders", "--maximum-attempts", "3", "--dead-letter-queue", "dead"));
        done(readpast("create", "orders", "--maximum-attempts", "5"));
        done(readpast("create", "queue://orders"));
        assertThat(one(
                        "SELECT string_agg(concat_ws(' ', name, maximum_attempts, dead_letter_queue), ', ' ORDER BY name)"
                                + " FROM readpast.destination WHERE kind = 'Q'"))
                .isEqualTo("dead, orders 5 dead");
        JsonNode audit = readpast("audit", "--queue", "orders", "--json").json();
        assertThat(audit.findValuesAsText("to")).containsExactly("5 attempts, then dead", "3 attempts, then dead");
        assertThat(audit.findValuesAsText("for")).containsOnly(System.getProperty("user.name"));
    }

    @Test
    void a_dry_run_promises_what_the_command_does() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders', maximum_attempts => 1, dead_letter_queue => 'dead')");
        run("SELECT readpast.send('orders', 'text', json_build_object('number', i)) FROM generate_series(1, 4) i");
        for (String[] choice : new String[][] {{}, {"--where", "number > 0"}}) {
            assertThat(dryRun("move", "orders", "typo", choice).code()).isEqualTo(5);
            Outcome same = dryRun("move", "orders", "orders", choice);
            assertThat(same.code()).isEqualTo(2);
            assertThat(same.err()).contains("are there already");
        }
        run("SELECT readpast.fail(claim_token, 'no kettle') FROM readpast.claim('orders', 4, 60, 'w')");
        assertThat(readpast("retry", "dead", "--where", "number > 1", "--dry-run")
                        .out())
                .isEqualTo("would retry: 3 messages of dead\n");
        assertThat(readpast("browse", "dead", "--json").json()).hasSize(4);

        run("DELETE FROM readpast.destination WHERE name = 'orders'");
        for (String word : List.of("--dry-run", "--json")) {
            Outcome tried = readpast("retry", "dead", "--where", "number > 1", word);
            assertThat(tried.code()).isEqualTo(1);
            assertThat(tried.err()).contains("3 of those that were chosen were left alone", "gone or was moved");
        }
    }

    private Outcome dryRun(String action, String queue, String target, String... choice) throws Exception {
        return readpast(Stream.concat(Stream.of(action, queue, target, "--dry-run"), Stream.of(choice))
                .toArray(String[]::new));
    }

    @Test
    void a_search_that_the_database_cuts_off_says_where_to_go_on() throws Exception {
        onPostgres();
        run("SELECT readpast.create_queue('orders'), readpast.create_queue('later')");
        run(
                "SELECT readpast.send('orders', 'text ' || i, json_build_object('number', i)) FROM generate_series(1, 11000) i");
        Path err = folder.resolve("err");
        cutOff(err, "move", "orders", "later", "--where", "number > 0");
        long moved = count("later");
        assertThat(moved).isLessThan(11_000);
        assertThat(count("orders")).isEqualTo(11_000 - moved);
        String said = Files.readString(err);
        assertThat(said).contains("of at least 10001, chosen");
        String place = said.replaceFirst("(?s).*--after (\\S+).*", "$1");
        assertThat(readpast("move", "orders", "later", "--where", "number > 0", "--after", place)
                        .out())
                .isEqualTo("move: " + (11_000 - moved) + " messages of orders\n");
        assertThat(count("later")).isEqualTo(11_000);
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
        int code = stop(errors, process -> run("SELECT pg_terminate_backend(pid)" + WHO_WAITS), arguments);
        assertThat(code).isEqualTo(3);
    }

    /** As the locks say: the activity of a session tells a moment later that it waits. */
    private static final String WHO_WAITS = " FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

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
                    .until(() -> count("later") > 0 && !"0".equals(one("SELECT count(*)" + WHO_WAITS)));
            stop.end(process);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            code = process.exitValue();
        }
        run("DROP TRIGGER waits ON readpast.message");
        return code;
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
}
