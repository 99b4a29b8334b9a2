package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** Batches of inserts; the driver makes a few statements of many rows of each, sent in one round trip as one transaction. */
final class FloorBatchSender extends FloorClient implements Sender {

    private final PreparedStatement insert;
    private final PreparedStatement delay;
    private final int queue;
    private int pending;

    FloorBatchSender(Connection connection, FloorSql sql, int queue) throws SQLException {
        super(connection);
        this.queue = queue;
        insert = connection.prepareStatement(sql.insertCorrelated);
        delay = connection.prepareStatement(sql.insertDelayed);
    }

    @Override
    public void send(Payload payload) throws SQLException {
        PreparedStatement statement = payload.delayMillis() == 0 ? insert : delay;
        statement.setInt(1, queue);
        statement.setBytes(2, body(payload));
        if (payload.delayMillis() == 0) {
            statement.setString(3, payload.correlationId());
        } else {
            statement.setLong(3, payload.delayMillis());
        }
        statement.addBatch();
        if (++pending == SendMode.BATCH) {
            flush();
        }
    }

    @Override
    public void flush() throws SQLException {
        insert.executeBatch();
        delay.executeBatch();
        pending = 0;
    }
}
