package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Session;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.crash.HoldingConsumer;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** Who has which message, where the database can tell whose lock is on a row. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InFlightTest extends SqlQueueFixture {

    InFlightTest(TestDatabase database) {
        super(database);
    }

    /** Babelfish has no view of locks. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(database -> !isOnBabelfish(database));
    }

    private static boolean isOnBabelfish(TestDatabase database) {
        try (Connection connection = database.connect()) {
            return new SqlQueue(database).isOnBabelfish(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<SqlRow> inFlight() throws SQLException {
        return rowsOf("in_flight_message");
    }

    @Test
    void message_that_a_jvm_holds_is_seen_with_the_jvm_its_host_and_how_long() throws Exception {
        sendByJms("held");
        sendByJms("waits");
        try (ChildJvm consumer = ChildJvm.start(
                HoldingConsumer.class,
                ChildJvm.SMALL,
                database.readpastUrl("clientId=night"),
                queue,
                "" + Session.CLIENT_ACKNOWLEDGE,
                "1")) {
            consumer.awaitReport("holding");

            SqlRow held = inFlight().get(0);

            assertThat(inFlight()).hasSize(1);
            assertThat(held.text("jms_message_id")).isNotNull();
            assertThat(held.text("held_by")).isEqualTo("lock");
            assertThat(held.text("holder")).startsWith("readpast night " + consumer.pid() + "@");
            assertThat(held.text("host")).isEqualTo(InetAddress.getLocalHost().getHostName());
            assertThat(held.text("process")).isEqualTo("" + consumer.pid());
            assertThat(held.text("since")).isNotNull();
            await().atMost(Duration.ofMillis(PATIENCE))
                    .until(() -> inFlight().get(0).number("seconds") >= 1);
            assertThat(textNow()).as("what others may have").isEqualTo("waits");

            consumer.kill();

            await().atMost(Duration.ofMillis(PATIENCE)).until(() -> inFlight().isEmpty());
        }
        assertThat(textNow()).isEqualTo("held");
    }

    @Test
    void message_that_was_given_back_is_not_in_flight() throws Exception {
        sendByJms("back again");
        try (Connection holder = transaction()) {
            lock(holder);
            assertThat(inFlight()).hasSize(1);

            holder.rollback();

            assertThat(inFlight()).isEmpty();
        }
    }

    @Test
    void message_that_was_locked_in_a_savepoint_is_in_flight() throws Exception {
        sendByJms("held");
        try (Connection holder = transaction()) {
            Savepoint savepoint = holder.setSavepoint("before");
            lock(holder);
            assertThat(inFlight()).hasSize(1);

            // On PostgreSQL the row is now marked by two transactions, that of the savepoint and the one around it.
            if (database == TestDatabase.POSTGRESQL) {
                holder.releaseSavepoint(savepoint);
                execute(holder, "UPDATE readpast.message SET delivery_count = 1 WHERE " + ofQueue());
                assertThat(inFlight()).hasSize(1);
                assertThat(inFlight().get(0).number("session_id")).isPositive();
            }
            holder.rollback();
        }
        assertThat(inFlight()).isEmpty();
    }

    /** As a consumer does it. */
    private void lock(Connection holder) throws SQLException {
        execute(
                holder,
                procedures.isTransactSql()
                        ? "SELECT message_id FROM [readpast].message WITH (UPDLOCK, READPAST, ROWLOCK) WHERE "
                                + ofQueue()
                        : "SELECT message_id FROM readpast.message WHERE " + ofQueue() + " FOR UPDATE SKIP LOCKED");
    }

    private String ofQueue() {
        return "destination_id = (SELECT destination_id FROM " + inSchema("destination") + " WHERE name = '" + queue
                + "')";
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
