package org.readpast.jms.engine.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an application may not do to the connection of a session. */
class GuardedConnectionTest {

    private Connection own;
    private Connection guarded;

    @BeforeEach
    void connect() throws SQLException {
        own = DriverManager.getConnection("jdbc:h2:mem:guarded", "sa", "");
        own.setAutoCommit(false);
        guarded = GuardedConnection.guard(own, new ReentrantLock(), () -> true, () -> {});
    }

    @AfterEach
    void disconnect() throws SQLException {
        own.close();
    }

    @FunctionalInterface
    private interface Change {
        void of(Connection connection) throws SQLException;
    }

    private void assertRefused(Change change) {
        assertThatThrownBy(() -> change.of(guarded))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("belongs to a JMS session");
    }

    @Test
    void settings_that_would_outlast_the_transaction_are_refused() throws SQLException {
        int before = own.getTransactionIsolation();
        assertRefused(connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
        assertRefused(connection -> connection.setCatalog("other"));
        assertRefused(connection -> connection.setSchema("other"));
        assertRefused(connection -> connection.setReadOnly(true));
        assertRefused(connection -> connection.setNetworkTimeout(Runnable::run, 1));
        assertThat(own.getTransactionIsolation()).isEqualTo(before);
    }

    @Test
    void end_of_the_transaction_is_refused_and_a_savepoint_is_not() throws SQLException {
        assertRefused(Connection::commit);
        assertRefused(Connection::rollback);
        assertRefused(connection -> connection.setAutoCommit(true));
        guarded.rollback(guarded.setSavepoint());
        guarded.close();
        assertThat(own.isClosed()).isFalse();
    }

    /** Whoever is at work has the lock, and cancels from another thread what takes too long. */
    @Test
    void statement_is_cancelled_by_a_thread_that_does_not_wait_for_it() throws Exception {
        ReentrantLock work = new ReentrantLock();
        Statement statement =
                GuardedConnection.guard(own, work, () -> true, () -> {}).createStatement();
        work.lock();
        try {
            CompletableFuture.runAsync(() -> {
                        try {
                            statement.cancel();
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .get(60, TimeUnit.SECONDS);
        } finally {
            work.unlock();
        }
    }
}
