package org.readpast.jms.store.jdbc.failure;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The store's exceptions for those of a database. What an error is depends on its number and SQLState, on the database, and on
 * whether the connection is open afterwards; not on the exception's class, since drivers raise those of Java's own too, and pools
 * wrap them.
 */
public final class Failures {

    private static final Logger LOG = Loggers.of(Failures.class);

    /** The SQLState of what the provider raises by itself. What has none would be taken for what Microsoft's driver could not send. */
    public static final String OWN = "RP000";

    /** The SQLState of what the provider raises where a destination is gone. */
    public static final String GONE = "RP002";

    /** The SQLState of what the provider raises where the schema is too new for it. */
    public static final String UNFIT = "RP003";

    /** The SQLState of what a driver or a pool throws that JDBC does not have: "connection exception". */
    private static final String UNCHECKED = "08000";

    /** While it is not known yet whose errors they are. */
    private static final Failures BEFORE_LOGIN = new Failures(Vendor.UNKNOWN);

    private final Vendor vendor;

    /** Told when a destination turns out to be gone. */
    private volatile Runnable onDestinationGone = () -> {};

    public Failures(Vendor vendor) {
        this.vendor = vendor;
    }

    /** Says who is to be told when a message could not be stored because its destination is gone. */
    public void onDestinationGone(Runnable listener) {
        onDestinationGone = listener;
    }

    /**
     * For what JDBC does not have: drivers and pools throw it all the same, such as a NullPointerException for a connection that was ended.
     * What state the connection is in nobody knows then, so it counts as lost. An Error, such as that of a heap that is full, is none of the
     * connection's.
     */
    public static SQLException unchecked(Throwable thrown) {
        return new SQLException(thrown.toString(), thrown instanceof Error ? null : UNCHECKED, thrown);
    }

    /**
     * For an error of the first connection, which says whether this user may connect at all.
     *
     * @param subject to what, such as a DataSource's name
     * @param action what failed, such as {@code connecting}
     */
    public static StoreException ofFirstLogin(SQLException error, String subject, String action) {
        return BEFORE_LOGIN.ofLogin(error, subject, action, false);
    }

    /** The same where the URL says which database it is. */
    public static StoreException ofFirstLogin(String url, SQLException error, String subject, String action) {
        return new Failures(Vendor.ofUrl(url)).ofLogin(error, subject, action, false);
    }

    /**
     * For an error of a further connection: credentials that were good are refused by servers that are starting, failing over or
     * restored, and will be good again.
     */
    public StoreException ofLogin(SQLException error, String subject, String action) {
        return ofLogin(error, subject, action, true);
    }

    private StoreException ofLogin(SQLException error, String subject, String action, boolean workedBefore) {
        SQLException cause = root(error);
        if (isPoolTimeout(cause)) {
            return make(Failure.POOL_EXHAUSTED, cause, subject, action, null, advice(Failure.POOL_EXHAUSTED));
        }
        if (workedBefore && isPools(cause)) {
            return make(Failure.CONNECTION_LOST, cause, subject, action, null, advice(Failure.CONNECTION_LOST));
        }
        LoginTrouble trouble = LoginTrouble.of(vendor, cause);
        Failure failure = trouble == null ? classify(cause) : trouble.failure();
        if (failure == Failure.AUTHENTICATION && workedBefore) {
            return make(
                    Failure.CONNECTION_LOST,
                    cause,
                    subject,
                    action,
                    null,
                    "these credentials have worked before: the server is starting or failing over, or they were changed");
        }
        return make(failure, cause, subject, action, null, trouble == null ? advice(failure) : trouble.advice());
    }

    /**
     * For an error of a statement.
     *
     * @param connection on which it came
     * @param subject on what, such as {@code Queue 'orders'}
     * @param action what failed, such as {@code claim}
     */
    public StoreException of(SQLException error, Connection connection, String subject, String action) {
        SQLException cause = root(error);
        return make(read(cause, connection), cause, subject, action, connection);
    }

    /**
     * The same for an error that came while a commit was under way, which a lost connection leaves in doubt; and so does a
     * statement that timed out by the driver's clock, which ends for the client only.
     */
    public StoreException ofCommit(SQLException error, Connection connection, String subject, String action) {
        SQLException cause = root(error);
        Failure failure = read(cause, connection);
        boolean doubtful = isCutOff(cause)
                || (failure == Failure.CONNECTION_LOST
                        && !vendor.isUnsent(cause.getErrorCode(), cause.getSQLState())
                        && !vendor.isReadOnly(cause.getErrorCode(), cause.getSQLState()));
        return make(doubtful ? Failure.IN_DOUBT : failure, cause, subject, action, connection);
    }

    /** The same for an error of which it is not known whether it came before a commit or after it. */
    public StoreException inDoubt(SQLException error, Connection connection, String subject, String action) {
        return make(Failure.IN_DOUBT, root(error), subject, action, connection);
    }

    /** For an error that left a doubt which is gone: nothing was committed. */
    public StoreException ofUndone(SQLException error, String subject, String action) {
        SQLException cause = root(error);
        Failure read = classify(cause);
        // What says nothing by itself was in doubt because it closed the connection.
        return make(read == Failure.OTHER ? Failure.CONNECTION_LOST : read, cause, subject, action, null);
    }

    /** What kind of trouble an error of a statement is, whatever became of its connection. */
    public Failure classify(SQLException error) {
        SQLException cause = root(error);
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        Failure byVendor = vendor.read(cause.getErrorCode(), state);
        if (byVendor != null) {
            return byVendor == Failure.DESTINATION_GONE && !isOfDestination(cause) ? Failure.DATA : byVendor;
        }
        if (vendor.isUnsent(cause.getErrorCode(), cause.getSQLState())) {
            return Failure.CONNECTION_LOST;
        }
        Failure byState = bySqlState(state);
        return byState == Failure.OTHER ? byMessage(cause) : byState;
    }

    private Failure read(SQLException error, Connection connection) {
        Failure failure = classify(error);
        // Login errors reach a statement where the driver or a pool has reconnected behind it.
        return failure == Failure.AUTHENTICATION || isClosed(connection) ? Failure.CONNECTION_LOST : failure;
    }

    /** A batch and a pool wrap the error that matters. */
    private static SQLException root(SQLException error) {
        if (error instanceof BatchUpdateException && error.getNextException() != null) {
            return root(error.getNextException());
        }
        return error instanceof SQLTransientConnectionException && error.getCause() instanceof SQLException inner
                ? root(inner)
                : error;
    }

    /** Whether it is the id or the name of a destination that is null: the sending statements look the one up, the moving ones the other. */
    private static boolean isOfDestination(SQLException error) {
        String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("destination_id") || message.contains("jms_destination");
    }

    /** As HikariCP says it, and a pool's share of ours. */
    private static boolean isPoolTimeout(SQLException error) {
        return error instanceof SQLTransientConnectionException && error.getSQLState() == null;
    }

    /** Whether a pool has raised it that did not ask the database, such as one that is closed; SQL Server's driver has such errors too. */
    private static boolean isPools(SQLException error) {
        return error.getErrorCode() == 0
                && error.getSQLState() == null
                && !error.getClass().getName().startsWith("com.microsoft.sqlserver.");
    }

    /** Whether the driver's clock has ended it: SQL Server's HY008, and HYT00 of others that speak to that server. */
    private static boolean isCutOff(SQLException error) {
        return "HY008".equals(error.getSQLState()) || "HYT00".equals(error.getSQLState());
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection != null && connection.isClosed();
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("A connection does not say whether it is closed", e);
            return true;
        }
    }

    private static Failure bySqlState(String state) {
        return switch (state) {
            case "40001" -> Failure.DEADLOCK;
            case "HY008", "HYT00" -> Failure.LOCK_TIMEOUT;
            case "42S02" -> Failure.SCHEMA_MISSING;
            case "23505" -> Failure.DUPLICATE_KEY;
            case GONE -> Failure.DESTINATION_GONE;
            case UNFIT -> Failure.SCHEMA_VERSION;
            default -> bySqlStateClass(state.length() < 5 ? "" : state.substring(0, 2));
        };
    }

    private static Failure bySqlStateClass(String stateClass) {
        return switch (stateClass) {
            case "08" -> Failure.CONNECTION_LOST;
            case "28" -> Failure.AUTHENTICATION;
            case "22", "23" -> Failure.DATA;
            default -> Failure.OTHER;
        };
    }

    /** The last resort, for servers that speak SQL Server's protocol with numbers of their own. */
    private static Failure byMessage(SQLException error) {
        String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        if (message.contains("lock timeout")) {
            return Failure.LOCK_TIMEOUT;
        }
        if (message.contains("deadlock")) {
            return Failure.DEADLOCK;
        }
        if (message.contains("permission denied")) {
            return Failure.PERMISSION;
        }
        if (message.contains("invalid object name") || message.matches("(?s).*(relation|schema) .* does not exist.*")) {
            return Failure.SCHEMA_MISSING;
        }
        return message.contains("duplicate key") ? Failure.DUPLICATE_KEY : Failure.OTHER;
    }

    private StoreException make(
            Failure failure, SQLException cause, String subject, String action, Connection connection) {
        return make(failure, cause, subject, action, connection, advice(failure));
    }

    private StoreException make(
            Failure failure, SQLException cause, String subject, String action, Connection connection, String advice) {
        if (failure == Failure.DESTINATION_GONE) {
            onDestinationGone.run();
        }
        boolean unexpected = failure == Failure.OTHER
                && vendor.isSystems(cause.getErrorCode(), cause.getSQLState() == null ? "" : cause.getSQLState());
        String message = subject + ": " + action + " failed, " + reason(failure) + " (" + code(cause)
                + (unexpected ? where(cause, connection) : "") + ")" + detail(failure, cause) + "; " + advice
                + (unexpected ? ". Readpast does not expect this error: please report it, with this text" : "");
        return new StoreException(failure, message, cause);
    }

    /** Which statement it was, and on which server. */
    private static String where(SQLException error, Connection connection) {
        String name = FailedStatement.of(error);
        return (name == null ? "" : " in statement " + name) + server(connection);
    }

    private static String server(Connection connection) {
        try {
            if (connection == null || connection.isClosed()) {
                return "";
            }
            DatabaseMetaData database = connection.getMetaData();
            return " on " + database.getDatabaseProductName() + " " + database.getDatabaseProductVersion();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection does not say which server it leads to", e);
            return "";
        }
    }

    private static String reason(Failure failure) {
        return switch (failure) {
            case CONNECTION_LOST ->
                "the connection to the database was lost, could not be made, or leads to one that cannot be used now";
            case IN_DOUBT, UNDONE -> "it broke off while the commit was under way";
            case AUTHENTICATION -> "user name or password were refused";
            case PERMISSION -> "the database user may not do this";
            case SCHEMA_MISSING -> "a table or function does not exist";
            case SCHEMA_VERSION -> "the schema is of another version";
            case DEADLOCK -> "chosen as deadlock victim";
            case LOCK_TIMEOUT -> "a lock or the statement timed out";
            case OUT_OF_SPACE -> "no room is left in the database's log or files";
            case POOL_EXHAUSTED -> "no SQL connection became free in time";
            case DUPLICATE_KEY -> "a unique key is taken";
            case CLAIM_LOST -> "claimed rows are not there any more";
            case DESTINATION_GONE ->
                "its row has been removed from the table destination, or the queue was moved to another database";
            case DATA -> "a value does not fit the schema";
            case OTHER -> "the database refused";
        };
    }

    private static String advice(Failure failure) {
        return switch (failure) {
            case CONNECTION_LOST, UNDONE -> "uncommitted work is rolled back, try again when the database is back";
            case IN_DOUBT ->
                "whether it was carried out is not known, look before repeating it; messages with _AMQ_DUPL_ID may be sent"
                        + " again without harm, and with the option 'verifyCommit' set to true it is found out";
            case AUTHENTICATION -> "check the credentials of the connection";
            case PERMISSION -> "grant the role of schema/roles.sql that the user needs";
            case SCHEMA_MISSING -> "run the schema scripts, or let the provider create the schema";
            case SCHEMA_VERSION -> "nothing was done";
            case DEADLOCK, LOCK_TIMEOUT -> "the transaction was rolled back and nothing was lost, try again";
            case OUT_OF_SPACE ->
                "the transaction was rolled back and nothing was lost, try again when the log is backed up or there is space";
            case POOL_EXHAUSTED -> "make the pool larger, or end transactions sooner";
            case DUPLICATE_KEY, DATA, OTHER -> "the transaction was rolled back, see the cause";
            case DESTINATION_GONE ->
                "nothing was stored, send again and it is looked up anew; a transaction above READ COMMITTED has to end first,"
                        + " as it may not see what was made since it began";
            case CLAIM_LOST -> "the transaction was rolled back";
        };
    }

    /** The database's own words, or the pool's, where they help, the first line only: further ones may quote data. Of a refused login they name the user. */
    private static String detail(Failure failure, SQLException error) {
        return switch (failure) {
            case OTHER,
                    CONNECTION_LOST,
                    IN_DOUBT,
                    UNDONE,
                    SCHEMA_MISSING,
                    SCHEMA_VERSION,
                    PERMISSION,
                    OUT_OF_SPACE,
                    POOL_EXHAUSTED ->
                error.getMessage() == null
                        ? ""
                        : ": "
                                + error.getMessage()
                                        .lines()
                                        .findFirst()
                                        .orElse("")
                                        .strip();
            default -> "";
        };
    }

    private String code(SQLException error) {
        if (isPoolTimeout(error)) {
            return "time-out of the pool";
        }
        return vendor.title() + " " + (error.getErrorCode() != 0 ? error.getErrorCode() : error.getSQLState());
    }
}
