package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;

/**
 * Deletes what it has, commits, begins, and claims what is next: all that in one round trip. Claims start behind the last one
 * that any receiver of this JVM made, so that they do not walk over what others hold and over what is deleted.
 */
final class FloorReceiver extends FloorClient implements Receiver {

    private static final String DELETE = """
            DELETE FROM message WHERE queue = ? AND id = ANY (?);
            COMMIT;
            BEGIN;
            """;

    private static final String CLAIM = """
            SELECT id, body FROM message WHERE queue = ? AND id > ?
            ORDER BY queue, id LIMIT ? FOR UPDATE SKIP LOCKED
            """;

    private final int queue;
    private final int batch;
    private final AtomicLong watermark;
    private final Bell bell;
    private final Statement commit;
    private final PreparedStatement first;
    private final PreparedStatement next;

    FloorReceiver(Connection connection, int queue, int batch, AtomicLong watermark, Bell bell) throws SQLException {
        super(connection);
        this.queue = queue;
        this.batch = batch;
        this.watermark = watermark;
        this.bell = bell;
        bell.startListening();
        this.commit = connection.createStatement();
        this.first = connection.prepareStatement("BEGIN;" + CLAIM);
        this.next = connection.prepareStatement(DELETE + CLAIM);
    }

    @Override
    public void receive(Intake intake) throws SQLException, InterruptedException {
        List<Long> held = claimFirst(intake);
        while (intake.wantsMore()) {
            if (held.isEmpty()) {
                watermark.set(0);
                commit.execute("COMMIT");
                bell.await();
                held = claimFirst(intake);
            } else {
                held = acknowledgeAndClaim(held, intake);
            }
        }
    }

    private List<Long> claimFirst(Intake intake) throws SQLException {
        first.setInt(1, queue);
        first.setLong(2, watermark.get());
        first.setInt(3, batch);
        return read(first, 0, intake);
    }

    private List<Long> acknowledgeAndClaim(List<Long> held, Intake intake) throws SQLException {
        next.setInt(1, queue);
        next.setObject(2, held.toArray(Long[]::new));
        next.setInt(3, queue);
        next.setLong(4, watermark.get());
        next.setInt(5, batch);
        List<Long> claimed = read(next, held.size(), intake);
        intake.acknowledged(held.size());
        return claimed;
    }

    /** The rows, which are the last of the results; the number of deleted ones comes before them and must be right. */
    private List<Long> read(PreparedStatement statement, int expected, Intake intake) throws SQLException {
        int deleted = 0;
        for (boolean isRows = statement.execute(); !isRows; isRows = statement.getMoreResults()) {
            int count = statement.getUpdateCount();
            if (count == -1) {
                throw new SQLException("The claim has no result");
            }
            deleted += count;
        }
        if (deleted != expected) {
            throw new SQLException("Of " + expected + " claimed messages " + deleted + " were deleted");
        }
        List<Long> ids = new ArrayList<>(batch);
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
                intake.delivered(text(rows.getBytes(2)));
            }
        }
        if (!ids.isEmpty()) {
            watermark.accumulateAndGet(ids.get(ids.size() - 1), Math::max);
        }
        return ids;
    }
}
