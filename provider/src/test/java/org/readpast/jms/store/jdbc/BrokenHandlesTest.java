package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.readpast.jms.races.Replaced;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.PoolSettings;
import org.readpast.jms.store.jdbc.connect.StoreOptions;

/** An application's pool lends connections that broke, or that lead to another server, as pools do that do not try them before. */
class BrokenHandlesTest {

    private final AtomicInteger closed = new AtomicInteger();
    private volatile boolean broken;

    private final Connection connection = Replaced.by(Connection.class, (method, arguments) -> {
        if (method.getName().equals("close")) {
            return closed.incrementAndGet();
        }
        if (broken) {
            throw new SQLException("the connection is closed", "08003");
        }
        return method.getName().equals("getAutoCommit") ? (Object) true : Connection.TRANSACTION_READ_COMMITTED;
    });

    @Test
    void handle_of_a_broken_connection_is_given_back() throws SQLException {
        DataSource source = Replaced.by(DataSource.class, (method, arguments) -> connection);
        try (ConnectionPool pool = Connections.ofDataSource(source)
                .pool(StoreOptions.DEFAULTS, new SqlServerDialect(StoreOptions.DEFAULTS))) {
            closed.set(0);
            broken = true;
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(pool::borrow).hasMessage("the connection is closed");
            }
            assertThat(closed).hasValue(20);
        }
    }

    /** The pool would lend it again and again, although another one leads to the primary. */
    @Test
    void connection_to_a_server_that_is_refused_is_closed_for_good() throws SQLException {
        List<String> ends = new ArrayList<>();
        Connection secondary = Replaced.by(Connection.class, (method, arguments) -> switch (method.getName()) {
            case "getAutoCommit" -> true;
            case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
            case "abort", "close" -> ends.add(method.getName());
            default -> null;
        });
        PoolSettings settings = Replaced.by(PoolSettings.class, (method, arguments) -> switch (method.getName()) {
            case "checkServer" -> throw new SQLException("it takes no changes", "S0001", 50019);
            default -> true;
        });
        DataSource source = Replaced.by(DataSource.class, (method, arguments) -> secondary);
        try (ConnectionPool pool = Connections.ofDataSource(source).pool(StoreOptions.DEFAULTS, settings)) {
            ends.clear();
            pool.distrust();
            assertThatThrownBy(pool::borrow).hasMessage("it takes no changes");
            assertThat(ends).containsExactly("abort", "close");
        }
    }
}
