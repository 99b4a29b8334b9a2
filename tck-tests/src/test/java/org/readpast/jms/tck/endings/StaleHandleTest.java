package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;

/** The SQL connection of a session's transaction is of no use when that transaction has ended. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StaleHandleTest {

    private final String queue = "stale." + UUID.randomUUID();

    @FunctionalInterface
    private interface Work {
        void with(Session session, BusinessTable table) throws Exception;
    }

    private static void inSession(TestDatabase database, Work work) throws Exception {
        try (BusinessTable table = new BusinessTable(database);
                Connection connection =
                        new ReadpastConnectionFactory(database.readpastUrl("idleCloseMillis=0")).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            work.with(session, table);
        }
    }

    private static java.sql.Connection handle(Session session) throws Exception {
        return ((SqlSession) session).sqlConnection();
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void handle_ends_with_its_transaction(TestDatabase database) throws Exception {
        inSession(database, (session, table) -> {
            java.sql.Connection first = handle(session);
            table.insert(first, "first");
            session.commit();
            java.sql.Connection second = handle(session);
            table.insert(second, "second");

            assertThat(first.isClosed()).isTrue();
            assertThatThrownBy(() -> table.insert(first, "stale"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("has ended");
            assertThatThrownBy(first::createStatement).isInstanceOf(SQLException.class);

            assertThat(second.isClosed()).isFalse();
            session.rollback();
            assertThat(second.isClosed()).isTrue();
            assertThat(table.has("first")).isTrue();
            assertThat(table.has("second")).isFalse();
        });
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void statement_that_was_kept_ends_too(TestDatabase database) throws Exception {
        inSession(database, (session, table) -> {
            PreparedStatement kept = handle(session).prepareStatement(table.insertStatement());
            kept.setString(1, "first");
            kept.executeUpdate();
            session.commit();

            assertThatThrownBy(() -> {
                        kept.setString(1, "stale");
                        kept.executeUpdate();
                    })
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("has ended");
            assertThat(table.has("first")).isTrue();
            assertThat(table.has("stale")).isFalse();
            kept.close();
        });
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void statement_leads_to_the_handle_and_not_behind_it(TestDatabase database) throws Exception {
        inSession(database, (session, table) -> {
            java.sql.Connection handle = handle(session);
            try (PreparedStatement insert = handle.prepareStatement(table.insertStatement())) {
                assertThatThrownBy(() -> insert.getConnection().commit())
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("belongs to a JMS session");
            }
            assertThatThrownBy(() -> handle.getMetaData().getConnection().commit())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("belongs to a JMS session");
        });
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void handle_lasts_as_long_as_its_transaction_goes_on(TestDatabase database) throws Exception {
        inSession(database, (session, table) -> {
            java.sql.Connection handle = handle(session);
            table.insert(handle, "before");
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            assertThat(consumer.receiveNoWait()).isNull();
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("with it"));
            table.insert(handle, "after");
            session.commit();
            assertThat(table.has("before")).isTrue();
            assertThat(table.has("after")).isTrue();
        });
    }
}
