package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/**
 * Marks a transaction that carries more than what can be done again by hand: the place in it that a rollback of the session's goes
 * back to, and the transaction itself. On some databases an error such as a deadlock ends the transaction and the next statement
 * begins another without a word: if the application swallowed that error, a commit would keep what came after it, lose what came
 * before, and tell nobody.
 */
public abstract class SqlSavepoint {

    private final Statements statements;

    private SqlSavepoint(Statements statements) {
        this.statements = statements;
    }

    /** Sets the mark, beginning a transaction if none is open. */
    public void set(Connection connection) throws SQLException {
        execute(connection, "set_savepoint");
    }

    /** Undoes what came after it. */
    public final void goBack(Connection connection) throws SQLException {
        execute(connection, "roll_back_to_savepoint");
    }

    /** Whether the open transaction is still the one that was marked; asked once, before its commit. */
    public abstract boolean isIntact(Connection connection) throws SQLException;

    final Query query(Connection connection, String statement) throws SQLException {
        return statements.query(connection, statement);
    }

    /** As a text without parameters: what runs within a call must leave as many transactions open as it found (SQL Server 266). */
    private void execute(Connection connection, String name) throws SQLException {
        statements.literal(name).eachResult(connection, (rows, number) -> {});
    }

    /**
     * PostgreSQL: a transaction that has failed refuses everything until it is rolled back; but its commit is a rollback of which the
     * driver says nothing.
     */
    public static final class Refusing extends SqlSavepoint {

        public Refusing(Statements statements) {
            super(statements);
        }

        @Override
        public boolean isIntact(Connection connection) throws SQLException {
            return !hasFailed(connection);
        }

        /** As the driver knows from the server's last answer; false where its classes are out of sight. */
        public static boolean hasFailed(Connection connection) throws SQLException {
            try {
                return connection.isWrapperFor(BaseConnection.class)
                        && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
            } catch (NoClassDefFoundError driverIsOutOfSight) {
                return false;
            }
        }
    }

    /** SQL Server: a lock that goes with the transaction. */
    public static final class Lock extends SqlSavepoint {

        public Lock(Statements statements) {
            super(statements);
        }

        @Override
        public boolean isIntact(Connection connection) throws SQLException {
            try (Query check = query(connection, "check_savepoint")) {
                return check.value(ResultSet::getBoolean).orElse(false);
            }
        }
    }

    /** H2: a row that goes with the transaction. */
    public static final class Row extends SqlSavepoint {

        private final String token = UUID.randomUUID().toString();

        public Row(Statements statements) {
            super(statements);
        }

        @Override
        public void set(Connection connection) throws SQLException {
            try (Query tell = query(connection, "tell_transaction")) {
                tell.set("token", token).update();
            }
            super.set(connection);
        }

        @Override
        public boolean isIntact(Connection connection) throws SQLException {
            try (Query check = query(connection, "check_savepoint")) {
                return check.set("token", token).update() == 1;
            }
        }
    }
}
