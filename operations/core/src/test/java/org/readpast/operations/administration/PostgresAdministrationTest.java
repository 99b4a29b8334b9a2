package org.readpast.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.operations.Databases;
import org.readpast.operations.messages.Conditions;
import org.readpast.operations.messages.Repair;

/** Administration on PostgreSQL: a queue that somebody just sends to is not removed under his message; an operator's session is ended. */
class PostgresAdministrationTest {

    private static final String ENDED_BY_AN_ADMINISTRATOR = "57P01";

    private final Databases database = new Databases(Databases.POSTGRESQL);
    private Connection operator;
    private Administration administration;

    @BeforeEach
    void connect() throws SQLException {
        operator = database.connect();
        administration = new Administration(operator, database.schema);
        administration.createQueue("orders", null, null);
    }

    @AfterEach
    void disconnect() throws SQLException {
        operator.close();
        database.close();
    }

    private long count(String table) throws SQLException {
        try (Statement statement = operator.createStatement();
                ResultSet rows = statement.executeQuery(database.named("SELECT count(*) FROM readpast." + table))) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private Connection sendsWithoutCommit(String options) throws SQLException {
        Connection sender = database.connect();
        sender.setAutoCommit(false);
        try (Statement statement = sender.createStatement()) {
            statement.execute(database.named("SELECT readpast.send('orders', 'one'" + options + ")"));
        }
        return sender;
    }

    @Test
    void queue_that_a_program_just_sends_to_stays() throws SQLException {
        try (Connection sender = sendsWithoutCommit("")) {
            assertThatThrownBy(() -> administration.dropQueue("orders"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("queue orders")
                    .hasMessageContaining("not committed");
            sender.commit();
        }
        assertThat(operator.getAutoCommit()).isTrue();
        assertThat(administration.dropQueue("orders")).as("has a message").isFalse();
        assertThat(count("queue_depth WHERE name = 'orders' AND depth = 1")).isEqualTo(1);
    }

    @Test
    void queue_that_a_program_has_not_sent_to_after_all_goes() throws SQLException {
        try (Connection sender = sendsWithoutCommit("")) {
            sender.rollback();
            assertThat(administration.dropQueue("orders")).isTrue();
        }
        assertThat(administration.dropQueue("orders")).isFalse();
    }

    @Test
    void queue_that_a_jms_client_sends_to_in_an_open_transaction_stays() throws SQLException {
        try (JMSContext context = database.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            // More than a session holds back until its commit.
            byte[] large = new byte[2_000_000];
            for (int i = 0; i < 3; i++) {
                context.createProducer().send(context.createQueue("orders"), large);
            }
            assertThatThrownBy(() -> administration.dropQueue("orders")).hasMessageContaining("not committed");
            context.commit();
        }
        assertThat(count("message")).isEqualTo(3);
        assertThat(administration.dropQueue("orders")).isFalse();
    }

    /** Who has looked the queue up waits for the removal, and would go on with a number that nobody has. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "send('orders', 'one')",
                "send('orders', 'one', delay_millis => 60000)",
                "move('others', 'orders')",
                "copy('others', 'orders')"
            })
    void call_that_waits_for_the_removal_of_its_queue_is_refused(String call) throws Exception {
        ask("readpast.send('others', 'one')");
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Statement remover = operator.createStatement();
                Connection connection = database.connect();
                Statement caller = connection.createStatement()) {
            operator.setAutoCommit(false);
            remover.execute(database.named("LOCK TABLE readpast.message, readpast.delayed_message IN SHARE MODE"));
            Future<Boolean> called = threads.submit(() -> caller.execute(database.named("SELECT readpast." + call)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> ask("EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation IN"
                                    + " ('readpast.message'::regclass, 'readpast.delayed_message'::regclass))")
                            .equals("t"));
            remover.execute(database.named("DELETE FROM readpast.destination WHERE name = 'orders'"));
            operator.commit();

            assertThatThrownBy(() -> called.get(60, TimeUnit.SECONDS))
                    .rootCause()
                    .hasMessageContaining("removed meanwhile")
                    .hasFieldOrPropertyWithValue("SQLState", "55000");
        } finally {
            operator.rollback();
            operator.setAutoCommit(true);
            threads.shutdownNow();
        }
        assertThat(count("orphaned_message")).isZero();
        assertThat(count("message")).as("those of others").isEqualTo(1);
    }

    private String ask(String call) throws SQLException {
        try (Statement statement = operator.createStatement();
                ResultSet rows = statement.executeQuery(database.named("SELECT " + call))) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Nobody could see it any more, and nothing would remove it. */
    @Test
    void queue_with_a_history_stays_until_that_is_removed() throws SQLException {
        ask("readpast.keep_history('orders', 30)");
        ask("readpast.send('orders', 'one')");
        assertThat(ask("message_id FROM readpast.receive_batch('orders')")).isNotNull();
        assertThat(administration.dropQueue("orders")).isFalse();
        ask("readpast.drop_history('orders')");
        assertThat(ask("readpast.purge_history('orders')")).isEqualTo("1");
        assertThat(administration.dropQueue("orders")).isTrue();
    }

    /** Who has claimed messages of other queues, and nothing more, is in nobody's way. */
    @Test
    void queue_goes_while_a_message_of_another_is_held() throws SQLException {
        try (JMSContext context = database.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("others"), "one");
            context.commit();
            assertThat(context.createConsumer(context.createQueue("others")).receiveBody(String.class, 10_000))
                    .isEqualTo("one");
            assertThat(administration.dropQueue("orders")).isTrue();
            context.commit();
        }
        assertThat(count("message")).isZero();
    }

    /** He is told by what, and not that nothing could be rolled back any more. */
    private void endWhoDeletesFrom(String table) throws SQLException {
        try (Statement statement = operator.createStatement()) {
            statement.execute(database.named("CREATE FUNCTION readpast.ends() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN OLD; END';"
                    + " CREATE TRIGGER ends BEFORE DELETE ON readpast." + table
                    + " FOR EACH ROW EXECUTE FUNCTION readpast.ends()"));
        }
    }

    @Test
    void purge_that_is_tried_out_says_what_ended_its_session() throws SQLException {
        try (JMSContext context = database.factory().createContext()) {
            context.createProducer().send(context.createQueue("orders"), "one");
        }
        endWhoDeletesFrom("message");

        assertThatThrownBy(() -> new Repair(operator, database.schema)
                        .tryOut(Repair.Action.PURGE, "orders", null, Conditions.none(), 10))
                .hasFieldOrPropertyWithValue("SQLState", ENDED_BY_AN_ADMINISTRATOR);
    }

    @Test
    void removal_of_a_queue_says_what_ended_its_session() throws SQLException {
        endWhoDeletesFrom("destination");

        assertThatThrownBy(() -> administration.dropQueue("orders"))
                .hasFieldOrPropertyWithValue("SQLState", ENDED_BY_AN_ADMINISTRATOR);
    }
}
