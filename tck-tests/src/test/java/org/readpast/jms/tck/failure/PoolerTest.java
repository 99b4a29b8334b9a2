package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.TransactionPooler;

/**
 * A pooler that lends a session for one transaction. The lock that shows that a JVM lives is then the session's, and so each JVM's that
 * is lent that session: those that live would be taken for dead.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PoolerTest {

    private static final String ADVISORY = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'";

    @Test
    void connection_through_a_pooler_that_shares_sessions_is_refused_and_nothing_stays() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                TransactionPooler pooler = TransactionPooler.to(server.port())) {
            assertRefusedWithoutATrace(server, urlThrough(pooler));

            ReadpastConnectionFactory straight =
                    new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(server.jdbcUrl(), "idleCloseMillis=0"));
            straight.createConnection().close();
        }
    }

    @Test
    void so_it_is_where_the_pooler_has_several_sessions_and_lends_any_of_them() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                TransactionPooler pooler = TransactionPooler.lendingAnyOne(server.port())) {
            String url = urlThrough(pooler);
            openSessions(url, 3);

            for (int i = 0; i < 5; i++) {
                assertRefusedWithoutATrace(server, url);
            }
        }
    }

    /** As many transactions at a time need as many sessions. */
    private static void openSessions(String url, int count) throws SQLException {
        if (count > 0) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("SELECT 1");
                openSessions(url, count - 1);
                connection.rollback();
            }
        }
    }

    private static String urlThrough(TransactionPooler pooler) {
        return PostgresServer.urlThrough(pooler.port()) + "&prepareThreshold=0";
    }

    private static void assertRefusedWithoutATrace(PostgresServer server, String url) throws SQLException {
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(url, "idleCloseMillis=0"));

        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(factory::createConnection)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("pool_mode=session");
        }

        assertThat(server.number("SELECT count(*) FROM readpast.presence")).isZero();
        assertThat(server.number(ADVISORY)).isZero();
    }
}
