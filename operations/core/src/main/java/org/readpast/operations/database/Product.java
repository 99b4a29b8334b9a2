package org.readpast.operations.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Set;

/** The database products that messages lie in, as far as looking at them differs. */
public enum Product {
    /** SQL Server and Azure SQL. */
    SQL_SERVER,
    /** PostgreSQL. */
    POSTGRESQL,
    /** H2, embedded or as a server. */
    H2;

    /** Microsoft's, with that of KILL (6102); 50015 is raised by {@code deleting.sql}. */
    private static final Set<Integer> SQL_SERVER_REFUSALS = Set.of(229, 230, 262, 297, 300, 371, 916, 6102, 50015);

    private static final Set<Integer> SQL_SERVER_MISSING = Set.of(207, 208, 2812);
    private static final int SQL_SERVER_LOCK_TIMEOUT = 1222;
    private static final int SQL_SERVER_DEADLOCK = 1205;
    private static final int STAND_IN_ERROR = 33557097;
    private static final Set<String> POSTGRESQL_MISSING = Set.of("42P01", "3F000", "42883", "42703");
    private static final Set<String> POSTGRESQL_TIMEOUTS = Set.of("57014", "55P03");
    private static final Set<String> POSTGRESQL_LOCKED = Set.of("55P03", "40P01");
    private static final Set<Integer> H2_REFUSALS = Set.of(90096, 90040);
    private static final Set<Integer> H2_MISSING = Set.of(42102, 42103, 42104, 42122, 90079);
    private static final int H2_LOCK_TIMEOUT = 50200;
    private static final int H2_DEADLOCK = 40001;
    private static final int H2_CANCELED = 57014;

    /**
     * The product that a connection leads to.
     *
     * @throws SQLException if it is none that Readpast knows, or cannot be asked
     */
    public static Product of(Connection connection) throws SQLException {
        String name = connection.getMetaData().getDatabaseProductName();
        return switch (name) {
            case "Microsoft SQL Server" -> SQL_SERVER;
            case "PostgreSQL" -> POSTGRESQL;
            case "H2" -> H2;
            default ->
                throw new SQLException("The database is " + name + "; Readpast works on SQL Server, PostgreSQL and H2");
        };
    }

    /** The folder in {@code sql} that has its statements. */
    public String folder() {
        return switch (this) {
            case SQL_SERVER -> "sqlserver";
            case POSTGRESQL -> "postgresql";
            case H2 -> "h2";
        };
    }

    /**
     * Settings that keep a look from waiting: for a lock 100 ms, on PostgreSQL also for the server. That would also rather sort a whole queue
     * than read the first messages of it in their order.
     */
    List<String> atStart() {
        return switch (this) {
            case SQL_SERVER, H2 -> List.of("SET LOCK_TIMEOUT 100");
            case POSTGRESQL ->
                List.of(
                        "SET lock_timeout = '100ms'",
                        "SET statement_timeout = '" + Look.QUERY_SECONDS + "s'",
                        "SET enable_bitmapscan = off",
                        "SET enable_seqscan = off");
        };
    }

    /** Settings that keep a batch of repair from waiting: for a lock 30 s, on PostgreSQL also for the server 60 s. */
    List<String> atStartOfBatches() {
        return switch (this) {
            case SQL_SERVER, H2 -> List.of("SET LOCK_TIMEOUT 30000");
            case POSTGRESQL -> List.of("SET lock_timeout = '30s'", "SET statement_timeout = '60s'");
        };
    }

    /**
     * Settings that keep who removes a queue from waiting for a lock much longer than a second. PostgreSQL's are of the transaction; it ends a
     * vacuum that somebody waits for, after a second.
     */
    public List<String> atStartOfDrop() {
        return switch (this) {
            case SQL_SERVER, H2 -> List.of("SET LOCK_TIMEOUT 1000");
            case POSTGRESQL -> List.of("SET LOCAL lock_timeout = '1500ms'");
        };
    }

    /**
     * What a call that failed with autocommit may have left behind. On SQL Server a cancel or a time-out of the client ends the call and, while
     * XACT_ABORT is OFF, as it is where a procedure expects an error, not the transaction that the procedure has begun.
     */
    List<String> afterFailure() {
        return switch (this) {
            case SQL_SERVER -> List.of("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
            case POSTGRESQL, H2 -> List.of();
        };
    }

    /** What gives a pooled connection its defaults back. */
    public List<String> atEnd() {
        return switch (this) {
            case SQL_SERVER -> List.of("SET LOCK_TIMEOUT -1");
            case POSTGRESQL ->
                List.of(
                        "RESET lock_timeout",
                        "RESET statement_timeout",
                        "RESET enable_bitmapscan",
                        "RESET enable_seqscan");
            case H2 -> List.of("SET LOCK_TIMEOUT 2000");
        };
    }

    /** Whether an error says that the login has not the right. */
    public boolean isRefusal(SQLException error) {
        return switch (this) {
            case SQL_SERVER ->
                SQL_SERVER_REFUSALS.contains(error.getErrorCode()) || isOfStandIn(error, "permission denied");
            case POSTGRESQL -> "42501".equals(error.getSQLState());
            case H2 -> H2_REFUSALS.contains(error.getErrorCode());
        };
    }

    /** Whether an error says that a schema, table, view, column or function is not there. */
    public boolean isMissing(SQLException error) {
        return switch (this) {
            case SQL_SERVER ->
                SQL_SERVER_MISSING.contains(error.getErrorCode()) || isOfStandIn(error, "does not exist");
            case POSTGRESQL -> POSTGRESQL_MISSING.contains(state(error));
            case H2 -> H2_MISSING.contains(error.getErrorCode());
        };
    }

    /** Whether an error says that time was up, for the statement or for a lock. */
    public boolean isTimeout(SQLException error) {
        return error instanceof SQLTimeoutException
                || switch (this) {
                    case SQL_SERVER -> error.getErrorCode() == SQL_SERVER_LOCK_TIMEOUT;
                    case POSTGRESQL -> POSTGRESQL_TIMEOUTS.contains(state(error));
                    case H2 -> error.getErrorCode() == H2_LOCK_TIMEOUT || error.getErrorCode() == H2_CANCELED;
                };
    }

    /** Whether an error says that somebody else had a lock for too long, or waited for the same in the other order. */
    public boolean isLockTimeout(SQLException error) {
        return switch (this) {
            case SQL_SERVER ->
                error.getErrorCode() == SQL_SERVER_LOCK_TIMEOUT || error.getErrorCode() == SQL_SERVER_DEADLOCK;
            case POSTGRESQL -> POSTGRESQL_LOCKED.contains(state(error));
            case H2 -> error.getErrorCode() == H2_LOCK_TIMEOUT || error.getErrorCode() == H2_DEADLOCK;
        };
    }

    /** A driver's own errors may have none. */
    private static String state(SQLException error) {
        return error.getSQLState() == null ? "" : error.getSQLState();
    }

    /** The stand-in for SQL Server that this is tested on has one number for many errors, and says in words which. */
    private static boolean isOfStandIn(SQLException error, String words) {
        return error.getErrorCode() == STAND_IN_ERROR
                && error.getMessage() != null
                && error.getMessage().contains(words);
    }
}
