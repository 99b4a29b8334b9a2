package org.readpast.jms.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

class DedicatedConnectionTest {

    /** Pools that do not set back the isolation level themselves would lend it on with another one. */
    @Test
    void connection_is_used_at_read_committed_and_given_back_as_it_was() throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:h2:mem:");
            pool.setMaximumPoolSize(1);
            pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
            pool.setAutoCommit(false);

            DedicatedConnection dedicated =
                    DedicatedConnection.take(Connections.ofDataSource(pool), StoreOptions.DEFAULTS);
            try (Connection connection = dedicated.connection()) {
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
                assertThat(connection.getAutoCommit()).isTrue();

                dedicated.reset();
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }
}
