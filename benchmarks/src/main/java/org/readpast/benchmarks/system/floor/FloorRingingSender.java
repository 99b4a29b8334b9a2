package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** An insert and a notification in one transaction and one round trip, for a receiver that listens elsewhere. */
final class FloorRingingSender extends FloorClient implements Sender {

    private final PreparedStatement insert;

    FloorRingingSender(Connection connection, int queue) throws SQLException {
        super(connection);
        insert =
                connection.prepareStatement("INSERT INTO message (queue, body) VALUES (?, ?); SELECT pg_notify(?, '')");
        insert.setInt(1, queue);
        insert.setString(3, Bell.channel(queue));
    }

    @Override
    public void send(Payload payload) throws SQLException {
        insert.setBytes(2, body(payload));
        insert.execute();
    }

    @Override
    public void flush() {}
}
