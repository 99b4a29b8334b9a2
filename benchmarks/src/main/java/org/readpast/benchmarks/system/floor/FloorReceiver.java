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

    private final Source source;
    private final PreparedStatement first;
    private final PreparedStatement next;

    /**
     * What is received from.
     *
     * @param watermark the last message that any receiver of this JVM has claimed
     */
    record Source(FloorSql sql, int queue, int batch, AtomicLong watermark, Bell bell) {}

    FloorReceiver(Connection connection, Source source) throws SQLException {
        super(connection);
        this.source = source;
        source.bell().startListening();
        String claim = source.sql().claim(source.batch());
        this.first = connection.prepareStatement(source.sql().begin + claim);
        this.next = connection.prepareStatement(source.sql().acknowledge + claim);
    }

    @Override
    public void receive(Intake intake) throws SQLException, InterruptedException {
        List<Long> held = claimFirst(intake);
        while (intake.wantsMore()) {
            if (held.isEmpty()) {
                source.watermark().set(0);
                endTransaction();
                source.bell().await();
                held = claimFirst(intake);
            } else {
                held = acknowledgeAndClaim(held, intake);
            }
        }
    }

    private void endTransaction() throws SQLException {
        try (Statement statement = connection().createStatement()) {
            statement.execute("COMMIT");
        }
    }

    private List<Long> claimFirst(Intake intake) throws SQLException {
        first.setInt(1, source.queue());
        first.setLong(2, source.watermark().get());
        return read(first, 0, intake);
    }

    private List<Long> acknowledgeAndClaim(List<Long> held, Intake intake) throws SQLException {
        source.sql().bindAcknowledged(next, source.queue(), held);
        next.setInt(3, source.queue());
        next.setLong(4, source.watermark().get());
        List<Long> claimed = read(next, held.size(), intake);
        intake.taken(held.size());
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
        List<Long> ids = new ArrayList<>(source.batch());
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
                intake.delivered(text(rows.getBytes(2)));
            }
        }
        if (!ids.isEmpty()) {
            source.watermark().accumulateAndGet(ids.get(ids.size() - 1), Math::max);
        }
        return ids;
    }
}
