package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Waits to be told of requests; locks each, then inserts the reply, deletes the request and commits in one round trip. */
final class FloorResponder extends FloorClient {

    private final Bell requestBell;
    private final Bell replyBell;
    private final PreparedStatement claim;
    private final PreparedStatement reply;
    private final Thread thread;
    private volatile boolean closed;
    private volatile Exception failure;

    FloorResponder(Connection connection, int requests, Bell requestBell, int replies, Bell replyBell)
            throws SQLException {
        super(connection);
        this.requestBell = requestBell;
        this.replyBell = replyBell;
        connection.setAutoCommit(false);
        claim = connection.prepareStatement(
                "SELECT id, body FROM message WHERE queue = ? ORDER BY queue, id LIMIT 1 FOR UPDATE SKIP LOCKED");
        claim.setInt(1, requests);
        reply = connection.prepareStatement("INSERT INTO message (queue, body) VALUES (?, ?)" + replyBell.sql()
                + ";DELETE FROM message WHERE queue = ? AND id = ?;COMMIT");
        reply.setInt(1, replies);
        reply.setInt(3, requests);
        requestBell.startListening();
        connection.commit();
        thread = new Thread(this::run, "floor-responder");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                answer(requestBell.await());
            }
        } catch (SQLException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As many as were rung for, which needs no look for more; and whatever is there if nobody has rung for a while. */
    private void answer(int rung) throws SQLException {
        int answered = 0;
        while ((answered < rung || rung == 0) && answerOne()) {
            answered++;
        }
        if (answered < rung || rung == 0) {
            connection().commit();
        }
    }

    private boolean answerOne() throws SQLException {
        try (ResultSet row = claim.executeQuery()) {
            if (!row.next()) {
                return false;
            }
            reply.setBytes(2, row.getBytes(2));
            reply.setLong(4, row.getLong(1));
        }
        reply.execute();
        replyBell.ring();
        return true;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        super.close();
        if (failure != null) {
            throw new IllegalStateException("The responder failed", failure);
        }
    }
}
