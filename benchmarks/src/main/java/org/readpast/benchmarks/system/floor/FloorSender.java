package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** One autocommitted insert a message: one round trip. */
final class FloorSender extends FloorClient implements Sender {

    private final PreparedStatement insert;

    FloorSender(Connection connection, FloorSql sql, int queue) throws SQLException {
        super(connection);
        insert = connection.prepareStatement(sql.insert);
        insert.setInt(1, queue);
    }

    @Override
    public void send(Payload payload) throws SQLException {
        insert.setBytes(2, body(payload));
        insert.executeUpdate();
    }

    @Override
    public void flush() {}
}
