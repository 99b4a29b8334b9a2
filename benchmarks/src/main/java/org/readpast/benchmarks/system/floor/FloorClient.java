package org.readpast.benchmarks.system.floor;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.benchmarks.system.Payload;

/** One connection in autocommit. */
abstract class FloorClient implements AutoCloseable {

    private final Connection connection;

    FloorClient(Connection connection) {
        this.connection = connection;
    }

    final Connection connection() {
        return connection;
    }

    static byte[] body(Payload payload) {
        return payload.text() == null ? payload.bytes() : payload.text().getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The server rolls back what is open on it. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("The connection cannot be closed", e);
        }
    }
}
