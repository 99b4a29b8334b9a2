package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
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
            String throughPooler = PostgresServer.urlThrough(pooler.port()) + "&prepareThreshold=0";
            ReadpastConnectionFactory factory =
                    new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(throughPooler, "idleCloseMillis=0"));

            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(factory::createConnection)
                        .isInstanceOf(JMSException.class)
                        .hasMessageContaining("pool_mode=session");
            }

            assertThat(server.number("SELECT count(*) FROM readpast.presence")).isZero();
            assertThat(server.number(ADVISORY)).isZero();
            ReadpastConnectionFactory straight =
                    new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(server.jdbcUrl(), "idleCloseMillis=0"));
            straight.createConnection().close();
        }
    }
}
