package org.readpast.operations.administration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.readpast.operations.database.Look;
import org.readpast.operations.database.Procedures;
import org.readpast.operations.database.Product;
import org.readpast.operations.server.ClientSession;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Moved;
import org.readpast.operations.snapshot.Paused;

/** Makes, pauses and removes queues, ends sessions, and holds what a restored database has. Not thread-safe. */
public final class Administration {

    private final Connection connection;
    private final Procedures procedures;
    private final Product product;
    private final String claimedUser;

    /**
     * For nobody in particular.
     *
     * @param connection stays the caller's to close; must have autocommit on
     * @param schema the schema's name, an identifier
     * @throws SQLException if the database is none that Readpast knows
     */
    public Administration(Connection connection, String schema) throws SQLException {
        this(connection, schema, null);
    }

    /**
     * For somebody who stands beside the login in {@link Facts#audit}.
     *
     * @param connection stays the caller's to close; must have autocommit on
     * @param schema the schema's name, an identifier
     * @param claimedUser who asks for it, up to 128 characters; null for nobody. The database does not check it
     * @throws SQLException if the database is none that Readpast knows
     */
    public Administration(Connection connection, String schema, String claimedUser) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "Administration needs a connection with autocommit: each call is a transaction, and no session is ended within one");
        }
        this.connection = connection;
        this.procedures = new Procedures(connection, schema, () -> {});
        this.product = procedures.product();
        this.claimedUser = claimedUser;
    }

    /**
     * Gives each call a minute, of which it waits 30 s for a lock, for somebody who may have gone by then. What takes longer is undone, and an
     * error.
     *
     * @throws SQLException if the database does not answer
     */
    public void limit() throws SQLException {
        procedures.limit();
    }

    /** Gives the connection its time-outs back. */
    public void unlimit() throws SQLException {
        procedures.unlimit();
    }

    /**
     * Makes a queue, or changes one that is there.
     *
     * @param maximumAttempts of programs in SQL; null for what it is, of a new queue 10
     * @param deadLetterQueue of programs in SQL; null for what it is, of a new queue DLQ
     */
    public void createQueue(String queue, Integer maximumAttempts, String deadLetterQueue) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("queue", queue);
        values.put("maximum_attempts", maximumAttempts);
        values.put("dead_letter_queue", deadLetterQueue);
        values.put("claimed_user", claimedUser);
        procedures.execute("create_queue", values);
    }

    /**
     * Holds back what a queue has, or what is sent to it. Programs in SQL keep to it at once, JMS clients within some seconds:
     * {@link Facts#notKeepingTo} says which do not yet.
     *
     * @throws SQLException if there is no such queue, or the login has not the right
     */
    public void pause(String queue, Paused.What what) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("queue", queue);
        values.put("what", what.code());
        values.put("claimed_user", claimedUser);
        change("pause", queue, values);
    }

    /**
     * Ends a pause, if there is one.
     *
     * @throws SQLException as {@link #pause}
     */
    public void resume(String queue) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("queue", queue);
        values.put("claimed_user", claimedUser);
        change("resume", queue, values);
    }

    /** The procedures say themselves that there is no such queue. */
    private void change(String statement, String queue, Map<String, Object> values) throws SQLException {
        if (procedures.execute(statement, values) == 0 && product == Product.H2) {
            throw new SQLException("There is no queue " + queue, "22023");
        }
    }

    /**
     * Removes a queue that has no messages and that no connected JVM has made a consumer for, and returns whether it was there and so.
     * {@link Facts#consumers} says who has.
     *
     * <p>On SQL Server who has written messages of the queue and not committed is waited for, on PostgreSQL who has of any queue; on H2 nobody is.
     *
     * @throws SQLException if the login has not the right; or if the wait took more than a second
     */
    public boolean dropQueue(String queue) throws SQLException {
        try {
            return behindWriters("drop_queue", queue);
        } catch (SQLException e) {
            if (product.isLockTimeout(e)) {
                throw new SQLException(
                        "The queue " + queue
                                + " was not removed: somebody has sent, received or acknowledged messages and not committed"
                                + " for more than a second, and one may be in it. Try again; 'readpast doctor' says who has them",
                        e.getSQLState(),
                        e.getErrorCode(),
                        e);
            }
            throw e;
        }
    }

    /**
     * Says where a queue is moved to, or comes from.
     *
     * @param stage null for none
     * @param database what routes call the other one; null for none
     * @throws SQLException if there is no such queue, or the login has not the right
     */
    public void markMoved(String queue, Moved.Stage stage, String database) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("queue", queue);
        values.put("moved", stage == null ? null : stage.code());
        values.put("database", database);
        values.put("claimed_user", claimedUser);
        change("mark_moved", queue, values);
    }

    /** Says that nothing is left of a queue that is moved; false where something is, or somebody writes for more than a second. */
    boolean finishMove(String queue) throws SQLException {
        try {
            return behindWriters("finish_move", queue);
        } catch (SQLException e) {
            if (product.isLockTimeout(e)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Does something with a queue that depends on what is in it, behind those who write messages: PostgreSQL neither shows what others have not
     * committed nor waits for it.
     */
    private boolean behindWriters(String statement, String queue) throws SQLException {
        if (product == Product.POSTGRESQL) {
            return procedures.inTransaction(() -> {
                Look.set(connection, product.atStartOfDrop());
                procedures.execute("await_writers", Map.of());
                boolean isDone = procedures.execute(statement, Map.of("queue", queue)) == 1;
                connection.commit();
                return isDone;
            });
        }
        Look.set(connection, product.atStartOfDrop());
        try {
            return procedures.execute(statement, Map.of("queue", queue)) == 1;
        } finally {
            Look.set(connection, product.atEnd());
        }
    }

    /**
     * Says that the database was restored, copied, or took over without the last commits: every message of every queue and subscription is
     * held until it is released, and ids of destinations that were given out are not given out again. What others have locked is left
     * out; called again, it is held once it is free.
     *
     * @return how many messages were held
     * @throws SQLException if the login does not own the schema, or the database is H2
     */
    public long restored() throws SQLException {
        return procedures.execute("restored", Collections.singletonMap("claimed_user", claimedUser));
    }

    /**
     * Ends a session of a client. Its transaction is rolled back, and its messages go to others; a JMS client connects anew.
     *
     * @param session as {@link Facts#clientSessions} has seen it
     * @return false where it was gone by then, also where its number is another session's
     * @throws SQLException if the login has not the right, or the database is H2
     */
    public boolean endSession(ClientSession session) throws SQLException {
        return procedures.execute("end_session", Map.of("session_id", session.id(), "login_key", session.loginKey()))
                == 1;
    }
}
