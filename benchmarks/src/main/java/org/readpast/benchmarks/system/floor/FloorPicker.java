package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.readpast.benchmarks.system.SystemUnderTest.Picker;

/** One autocommitted delete by correlation id, which returns the body. */
final class FloorPicker extends FloorClient implements Picker {

    private final PreparedStatement take;

    FloorPicker(Connection connection, FloorSql sql, int queue) throws SQLException {
        super(connection);
        take = connection.prepareStatement(sql.take);
        take.setInt(2, queue);
    }

    @Override
    public void pick(String correlationId) throws SQLException {
        take.setString(1, correlationId);
        try (ResultSet row = take.executeQuery()) {
            if (!row.next()) {
                throw new IllegalStateException("No message has the correlation id " + correlationId);
            }
            row.getBytes(1);
        }
    }
}
