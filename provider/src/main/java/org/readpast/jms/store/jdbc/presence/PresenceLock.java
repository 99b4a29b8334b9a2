package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/**
 * The lock that shows that an instance lives. It is held for as long as the connection lives that took it, and the row of the instance
 * exists when it is taken. Thread-safe.
 */
public abstract class PresenceLock {

    final Statements statements;

    private PresenceLock(Statements statements) {
        this.statements = statements;
    }

    /** Takes the lock for as long as the connection lives; false if somebody holds it. */
    abstract boolean hold(Connection connection, String instance) throws SQLException;

    /** Whether the session of a connection holds the lock: a driver or a pooler may have put another one in its place without a word. */
    abstract boolean isHeld(Connection connection, String instance) throws SQLException;

    /** Within what such locks are seen, in a few letters and digits: on one server all JVMs have the same. */
    String space(Connection connection) throws SQLException {
        return "";
    }

    /** Where the database can be asked who holds a lock of a name. */
    List<String> unlockedByName(Connection connection) throws SQLException {
        try (Query unlocked = statements.query(connection, "unlocked_presence")) {
            return unlocked.set("resource", statements.resource("")).values(ResultSet::getString);
        }
    }

    /** The instances whose locks nobody seems to hold; {@link #probe} tells. */
    abstract List<String> unlocked(Connection connection) throws SQLException;

    /** Tries the lock, and keeps it until the transaction ends; false if the instance lives. */
    public abstract boolean probe(Connection connection, String instance) throws SQLException;

    /** Whether the lock is not on the row: it can be held without the row, and the row changed while it is held. */
    public abstract boolean outlivesRow();

    /** Gives the lock back; no transaction is open, and none is left open. */
    abstract void release(Connection connection, String instance) throws SQLException;

    /** Has what follows on the connection wait no longer than some seconds for others' locks, where the database waits for ever. */
    void limitWaits(Connection connection) throws SQLException {
        runText(connection, "limit_presence_waits");
    }

    /** Takes that back. */
    void unlimitWaits(Connection connection) throws SQLException {
        runText(connection, "unlimit_waits");
    }

    private void runText(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements.files().statement(name).text());
        }
    }

    /** SQL Server. */
    public static final class ApplicationLock extends PresenceLock {

        private static final int LOCK_HELD = 50002;

        public ApplicationLock(Statements statements) {
            super(statements);
        }

        @Override
        boolean hold(Connection connection, String instance) throws SQLException {
            return granted(connection, "hold_presence", instance);
        }

        @Override
        boolean isHeld(Connection connection, String instance) throws SQLException {
            try (Query holds = statements.query(connection, "holds_presence")) {
                return holds.set("resource", statements.resource(instance))
                        .value(ResultSet::getBoolean)
                        .orElse(false);
            }
        }

        @Override
        List<String> unlocked(Connection connection) throws SQLException {
            return unlockedByName(connection);
        }

        @Override
        public boolean probe(Connection connection, String instance) throws SQLException {
            return granted(connection, "probe_presence", instance);
        }

        @Override
        public boolean outlivesRow() {
            return true;
        }

        @Override
        void release(Connection connection, String instance) throws SQLException {
            run(connection, "release_presence", instance);
            connection.commit();
        }

        private boolean granted(Connection connection, String statement, String instance) throws SQLException {
            try {
                run(connection, statement, instance);
                return true;
            } catch (SQLException e) {
                if (e.getErrorCode() == LOCK_HELD) {
                    return false;
                }
                throw e;
            }
        }

        /** The results of its statements do not matter, only that none fails. */
        private void run(Connection connection, String statement, String instance) throws SQLException {
            try (Query lock = statements.query(connection, statement)) {
                lock.set("resource", statements.resource(instance)).eachResult((row, number) -> row.next());
            }
        }
    }

    /** PostgreSQL. */
    public static final class AdvisoryLock extends PresenceLock {

        public AdvisoryLock(Statements statements) {
            super(statements);
        }

        @Override
        boolean hold(Connection connection, String instance) throws SQLException {
            return granted(connection, "hold_presence", instance);
        }

        @Override
        boolean isHeld(Connection connection, String instance) throws SQLException {
            return granted(connection, "holds_presence", instance);
        }

        /** A distributed database shows the same tables on several servers, of which each has locks of its own. */
        @Override
        String space(Connection connection) throws SQLException {
            try (Query cluster = statements.query(connection, "cluster")) {
                return cluster.value(ResultSet::getString).orElse("");
            }
        }

        @Override
        List<String> unlocked(Connection connection) throws SQLException {
            return unlockedByName(connection);
        }

        @Override
        public boolean probe(Connection connection, String instance) throws SQLException {
            return granted(connection, "probe_presence", instance);
        }

        @Override
        public boolean outlivesRow() {
            return true;
        }

        @Override
        void release(Connection connection, String instance) throws SQLException {
            granted(connection, "release_presence", instance);
            connection.commit();
        }

        private boolean granted(Connection connection, String statement, String instance) throws SQLException {
            try (Query lock = statements.query(connection, statement)) {
                return lock.set("resource", statements.resource(instance))
                        .value(ResultSet::getBoolean)
                        .orElse(false);
            }
        }
    }

    /** H2: the lock of the row, in a transaction that stays open. */
    public static final class RowLock extends PresenceLock {

        public RowLock(Statements statements) {
            super(statements);
        }

        @Override
        boolean hold(Connection connection, String instance) throws SQLException {
            connection.setAutoCommit(false);
            return probe(connection, instance);
        }

        /** The lock is the transaction that the connection is in. */
        @Override
        boolean isHeld(Connection connection, String instance) {
            return true;
        }

        /** A row lock is only seen by who tries it. */
        @Override
        List<String> unlocked(Connection connection) throws SQLException {
            try (Query all = statements.query(connection, "list_presence")) {
                return all.values(ResultSet::getString);
            }
        }

        @Override
        public boolean probe(Connection connection, String instance) throws SQLException {
            try (Query lock = statements.query(connection, "hold_presence");
                    ResultSet row = lock.set("instance", instance).rows()) {
                return row.next();
            }
        }

        @Override
        public boolean outlivesRow() {
            return false;
        }

        /** The lock went with the row. */
        @Override
        void release(Connection connection, String instance) {}

        /** H2 waits no longer than LOCK_TIMEOUT, two seconds by default. */
        @Override
        void limitWaits(Connection connection) {}

        @Override
        void unlimitWaits(Connection connection) {}
    }
}
