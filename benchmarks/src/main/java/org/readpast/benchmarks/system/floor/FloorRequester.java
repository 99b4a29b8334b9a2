package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Requester;

/** Inserts a request, waits to be told of the reply, deletes that. */
final class FloorRequester extends FloorClient implements Requester {

    private final Bell requestBell;
    private final Bell replyBell;
    private final PreparedStatement insert;
    private final PreparedStatement take;

    FloorRequester(Connection connection, int requests, Bell requestBell, int replies, Bell replyBell)
            throws SQLException {
        super(connection);
        this.requestBell = requestBell;
        this.replyBell = replyBell;
        replyBell.startListening();
        insert = connection.prepareStatement("INSERT INTO message (queue, body) VALUES (?, ?)" + requestBell.sql());
        insert.setInt(1, requests);
        take = connection.prepareStatement("DELETE FROM message WHERE queue = ? RETURNING body");
        take.setInt(1, replies);
    }

    @Override
    public void request(Payload payload) throws SQLException, InterruptedException {
        insert.setBytes(2, body(payload));
        insert.execute();
        requestBell.ring();
        do {
            replyBell.await();
        } while (!takeReply());
    }

    private boolean takeReply() throws SQLException {
        try (ResultSet row = take.executeQuery()) {
            return row.next() && row.getBytes(1).length > 0;
        }
    }
}
