package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lends the connection that holds this JVM's presence, to one at a time, for what a session has to commit while its own transaction
 * holds another one. How many connections an application's DataSource has is not known: sessions that hold one and wait there for a second
 * one would wait for each other. While there is none to lend, that is where one is borrowed all the same. Thread-safe.
 */
public final class SpareConnection extends DelegatingPool {

    private final ReentrantLock turn = new ReentrantLock();

    /** In autocommit while nobody has it; null while there is none. Guarded by turn. */
    private Connection spare;

    public SpareConnection(ConnectionPool pool) {
        super(pool);
    }

    /** Something that nobody else's work may come in between of. */
    @FunctionalInterface
    public interface Work {
        void run() throws SQLException;
    }

    /** Lends this connection from now on. */
    public void offer(Connection connection) {
        turn.lock();
        try {
            spare = connection;
        } finally {
            turn.unlock();
        }
    }

    /** Lends this connection no more, and returns when nobody has it. */
    public void withdraw(Connection connection) {
        turn.lock();
        try {
            if (spare == connection) {
                spare = null;
            }
        } finally {
            turn.unlock();
        }
    }

    /** Does something on the offered connection while nobody has it. */
    public void whileNotLent(Work work) throws SQLException {
        turn.lock();
        try {
            work.run();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public Connection borrow() throws SQLException {
        Connection lent = null;
        turn.lock();
        try {
            if (spare != null && !spare.isClosed()) {
                spare.setAutoCommit(false);
                lent = spare;
            }
        } finally {
            if (lent == null) {
                turn.unlock();
            }
        }
        return lent == null ? super.borrow() : lent;
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        if (!turn.isHeldByCurrentThread()) {
            super.giveBack(connection);
            return;
        }
        try {
            connection.setAutoCommit(true);
        } finally {
            turn.unlock();
        }
    }

    /** Whoever it belongs to sees that it is closed, and takes another. */
    @Override
    public void discard(Connection connection) {
        try {
            super.discard(connection);
        } finally {
            if (turn.isHeldByCurrentThread()) {
                turn.unlock();
            }
        }
    }
}
