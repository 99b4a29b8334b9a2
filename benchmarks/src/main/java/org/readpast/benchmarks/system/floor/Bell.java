package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** How one who waits for a message hears that one has come. */
interface Bell {

    int PATIENCE_MILLIS = 100;

    /** SQL that follows an insert in its transaction, with nothing to bind. */
    String sql();

    /** After the commit of that. */
    void ring();

    void startListening() throws SQLException;

    /** Returns how often it has rung since the last time, as soon as it has, or 0 after a while. */
    int await() throws SQLException, InterruptedException;

    static String channel(int queue) {
        return "queue_" + queue;
    }

    /** Nobody tells: just looks again after a while. */
    record Pause(int millis) implements Bell {
        @Override
        public String sql() {
            return "";
        }

        @Override
        public void ring() {}

        @Override
        public void startListening() {}

        @Override
        public int await() throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
            return 0;
        }
    }

    /** Both are in this JVM. */
    record Local(Semaphore rung) implements Bell {
        @Override
        public String sql() {
            return "";
        }

        @Override
        public void ring() {
            rung.release();
        }

        @Override
        public void startListening() {}

        @Override
        public int await() throws InterruptedException {
            return rung.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) ? 1 + rung.drainPermits() : 0;
        }
    }

    /** The database tells. */
    record Notification(Connection connection, int queue) implements Bell {
        @Override
        public String sql() {
            return ";NOTIFY " + channel(queue);
        }

        @Override
        public void ring() {}

        @Override
        public void startListening() throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("LISTEN " + channel(queue));
            }
        }

        @Override
        public int await() throws SQLException {
            PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications(PATIENCE_MILLIS);
            return heard == null ? 0 : heard.length;
        }
    }
}
