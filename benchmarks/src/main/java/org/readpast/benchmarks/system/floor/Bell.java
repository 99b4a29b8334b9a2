package org.readpast.benchmarks.system.floor;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;

/** How one who waits for a message hears that one has come. */
interface Bell {

    int PATIENCE_MILLIS = 100;

    /** SQL that follows an insert in its transaction, with nothing to bind. */
    String sql();

    /** After the commit of that. */
    void ring();

    void startListening() throws SQLException;

    /** Returns when it has rung, or with false after a while. */
    boolean await() throws SQLException, InterruptedException;

    static String channel(int queue) {
        return "queue_" + queue;
    }

    /** Nobody tells: just looks again. */
    record Pause() implements Bell {
        @Override
        public String sql() {
            return "";
        }

        @Override
        public void ring() {}

        @Override
        public void startListening() {}

        @Override
        public boolean await() throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(1);
            return false;
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
        public boolean await() throws InterruptedException {
            if (!rung.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                return false;
            }
            rung.drainPermits();
            return true;
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
        public boolean await() throws SQLException {
            return connection.unwrap(PGConnection.class).getNotifications(PATIENCE_MILLIS) != null;
        }
    }
}
