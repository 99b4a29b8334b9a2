package org.readpast.jms.store.jdbc.failure;

import com.microsoft.sqlserver.jdbc.SQLServerException;
import java.lang.reflect.Constructor;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Exceptions as the drivers make them. */
final class DriverErrors {

    private DriverErrors() {}

    /** As Microsoft's driver raises an error in a statement; state may be null. */
    static SQLException sqlServer(int number, String state, String message) {
        // SQLServerStatement.executeStatement.
        return "HY008".equals(state) || "HYT00".equals(state)
                ? new SQLTimeoutException(message, state, number)
                : own(number, state, message, null);
    }

    /** An exception of Microsoft's own class. */
    static SQLServerException own(int number, String state, String message, Throwable cause) {
        try {
            Constructor<SQLServerException> constructor = SQLServerException.class.getDeclaredConstructor(
                    String.class, String.class, int.class, Throwable.class);
            constructor.setAccessible(true);
            return constructor.newInstance(message, state, number, cause);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As Microsoft's driver raises it in a batch: only number and state are left of its own exception. */
    static SQLException sqlServerBatch(int number, String state, String message) {
        return new BatchUpdateException(message, state, number, failedFirst());
    }

    /** As PostgreSQL's driver raises what the server says. */
    static SQLException postgres(String state, String message) {
        // Fields as the protocol has them: severity, code, message.
        return new PSQLException(new ServerErrorMessage("SERROR\0VERROR\0C" + state + "\0M" + message + "\0"));
    }

    /** As PostgreSQL's driver raises it in a batch. */
    static SQLException postgresBatch(String state, String message) {
        SQLException own = postgres(state, message);
        BatchUpdateException batch = new BatchUpdateException(message, state, 0, failedFirst());
        batch.setNextException(own);
        return batch;
    }

    private static int[] failedFirst() {
        return new int[] {Statement.EXECUTE_FAILED, 1};
    }
}
