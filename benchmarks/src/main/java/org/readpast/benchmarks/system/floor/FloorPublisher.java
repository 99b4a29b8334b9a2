package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Publisher;

/** One autocommitted statement that inserts a copy for each subscription. */
final class FloorPublisher extends FloorClient implements Publisher {

    private final PreparedStatement insert;
    private final PreparedStatement remove;

    FloorPublisher(Connection connection, Integer[] subscriptions) throws SQLException {
        super(connection);
        insert = connection.prepareStatement("INSERT INTO message (queue, body) SELECT q, ? FROM unnest(?) AS q");
        insert.setObject(2, subscriptions);
        remove = connection.prepareStatement("DELETE FROM message WHERE queue = ANY (?)");
        remove.setObject(1, subscriptions);
    }

    @Override
    public void publish(Payload payload) throws SQLException {
        insert.setBytes(1, body(payload));
        insert.executeUpdate();
    }

    @Override
    public void close() {
        try {
            remove.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("The subscriptions cannot be emptied", e);
        } finally {
            super.close();
        }
    }
}
