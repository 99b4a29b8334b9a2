package org.readpast.jms.store.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/**
 * What the errors of the three databases mean, by vendor code on SQL Server and H2 and by SQLState on PostgreSQL and wherever
 * the code says nothing.
 */
public final class Failures {

    private Failures() {}

    /**
     * An exception of the store for one of the database.
     *
     * @param subject on what, such as {@code Queue 'orders'}
     * @param action what failed, such as {@code claim}
     */
    public static StoreException of(SQLException error, String subject, String action) {
        SQLException cause = root(error);
        return of(classify(cause), cause, subject, action);
    }

    private static StoreException of(Failure failure, SQLException cause, String subject, String action) {
        String message = subject + ": " + action + " failed, " + reason(failure) + " (" + code(cause) + ")"
                + detail(failure, cause) + "; " + advice(failure);
        return new StoreException(failure, message, cause);
    }

    /**
     * The same for an error that came while a commit was under way, which a lost connection leaves in doubt; and, on SQL Server, a
     * query that timed out, which ends only for the client.
     */
    static StoreException ofCommit(SQLException error, String subject, String action) {
        SQLException cause = root(error);
        return classify(cause) == Failure.CONNECTION_LOST || isCutOff(cause)
                ? of(Failure.IN_DOUBT, cause, subject, action)
                : of(error, subject, action);
    }

    private static boolean isCutOff(SQLException error) {
        return Vendor.of(error) == Vendor.SQL_SERVER
                && ("HYT00".equals(error.getSQLState()) || "HY008".equals(error.getSQLState()));
    }

    /** The same for an error of which it is not known whether it came before a commit or after it. */
    static StoreException inDoubt(SQLException error, String subject, String action) {
        return of(Failure.IN_DOUBT, root(error), subject, action);
    }

    /** What kind of trouble an error is. */
    static Failure classify(SQLException error) {
        SQLException cause = root(error);
        Failure byVendor = switch (Vendor.of(cause)) {
            case SQL_SERVER -> sqlServer(cause);
            case H2 -> h2(cause.getErrorCode());
            case POSTGRESQL, POOL, OTHER -> null;
        };
        if (byVendor != null) {
            return byVendor;
        }
        if (Vendor.of(cause) == Vendor.POOL) {
            return Failure.POOL_EXHAUSTED;
        }
        Failure byState = bySqlState(cause.getSQLState());
        if (byState != Failure.OTHER) {
            return byState;
        }
        return cause instanceof SQLTimeoutException ? Failure.LOCK_TIMEOUT : byMessage(cause);
    }

    /** A batch and a pool wrap the error that matters. */
    private static SQLException root(SQLException error) {
        if (error instanceof java.sql.BatchUpdateException && error.getNextException() != null) {
            return root(error.getNextException());
        }
        if (Vendor.of(error) == Vendor.POOL && error.getCause() instanceof SQLException inner) {
            return root(inner);
        }
        return error;
    }

    private enum Vendor {
        SQL_SERVER("SQL Server"),
        POSTGRESQL("PostgreSQL"),
        H2("H2"),
        POOL("pool"),
        OTHER("database");

        private final String title;

        Vendor(String title) {
            this.title = title;
        }

        static Vendor of(SQLException error) {
            String type = error.getClass().getName();
            if (type.startsWith("com.microsoft.")) {
                return SQL_SERVER;
            }
            if (type.startsWith("org.postgresql.")) {
                return POSTGRESQL;
            }
            if (type.startsWith("org.h2.")) {
                return H2;
            }
            return error instanceof SQLTransientConnectionException && error.getSQLState() == null ? POOL : OTHER;
        }
    }

    private static Failure sqlServer(SQLException error) {
        String state = error.getSQLState();
        return switch (error.getErrorCode()) {
            case 1205 -> Failure.DEADLOCK;
            case 1222, 50002 -> Failure.LOCK_TIMEOUT;
            case 50001 -> Failure.CLAIM_LOST;
            case 208, 2812, 15151 -> Failure.SCHEMA_MISSING;
            case 229, 230, 262, 297, 300, 916, 4060, 4064 -> Failure.PERMISSION;
            case 18452, 18456, 18486, 18487, 18488 -> Failure.AUTHENTICATION;
            case 2601, 2627 -> Failure.DUPLICATE_KEY;
            case 515, 547, 2628, 8114, 8115, 8152, 13609 -> Failure.DATA;
            // Connection lost, database offline, in transition or being recovered, failover, and Azure's throttling.
            case 233,
                    596,
                    921,
                    922,
                    924,
                    927,
                    976,
                    978,
                    983,
                    1033,
                    4221,
                    10053,
                    10054,
                    10060,
                    10928,
                    10929,
                    40143,
                    40197,
                    40501,
                    40540,
                    40613,
                    49918,
                    49919,
                    49920 -> Failure.CONNECTION_LOST;
            default -> "HYT00".equals(state) || "HY008".equals(state) ? Failure.LOCK_TIMEOUT : null;
        };
    }

    private static Failure h2(int code) {
        return switch (code) {
            case 40001 -> Failure.DEADLOCK;
            case 50200, 57014 -> Failure.LOCK_TIMEOUT;
            case 42102, 42103, 42104, 90079, 90022, 90036 -> Failure.SCHEMA_MISSING;
            case 90096, 90040 -> Failure.PERMISSION;
            case 28000, 90013 -> Failure.AUTHENTICATION;
            case 23505 -> Failure.DUPLICATE_KEY;
            case 22001, 22003, 22018, 23502, 23506, 23513 -> Failure.DATA;
            case 90007, 90020, 90067, 90098, 90121, 90135 -> Failure.CONNECTION_LOST;
            default -> null;
        };
    }

    private static Failure bySqlState(String state) {
        if (state == null || state.length() < 5) {
            return Failure.OTHER;
        }
        return switch (state) {
            case "40P01", "40001" -> Failure.DEADLOCK;
            case "55P03", "57014" -> Failure.LOCK_TIMEOUT;
            case "42P01", "3F000", "42883", "42S02" -> Failure.SCHEMA_MISSING;
            case "42501" -> Failure.PERMISSION;
            case "23505" -> Failure.DUPLICATE_KEY;
            case "57P01", "57P02", "57P03", "53300" -> Failure.CONNECTION_LOST;
            default -> bySqlStateClass(state.substring(0, 2));
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

    private static String reason(Failure failure) {
        return switch (failure) {
            case CONNECTION_LOST -> "the connection to the database was lost or could not be made";
            case IN_DOUBT -> "it broke off while the commit was under way";
            case AUTHENTICATION -> "user name or password were refused";
            case PERMISSION -> "the database user may not do this";
            case SCHEMA_MISSING -> "a table or function does not exist";
            case SCHEMA_VERSION -> "the schema is of another version";
            case DEADLOCK -> "chosen as deadlock victim";
            case LOCK_TIMEOUT -> "a lock or the statement timed out";
            case POOL_EXHAUSTED -> "no SQL connection became free in time";
            case DUPLICATE_KEY -> "a unique key is taken";
            case CLAIM_LOST -> "claimed rows are not there any more";
            case DATA -> "a value does not fit the schema";
            case OTHER -> "the database refused";
        };
    }

    private static String advice(Failure failure) {
        return switch (failure) {
            case CONNECTION_LOST -> "uncommitted work is rolled back, try again when the database is back";
            case IN_DOUBT ->
                "whether it was carried out is not known, look before repeating it; messages with _AMQ_DUPL_ID may be sent"
                        + " again without harm, and with verifyCommit=true it is found out";
            case AUTHENTICATION -> "check the credentials of the connection";
            case PERMISSION -> "grant the role of schema/roles.sql that the user needs";
            case SCHEMA_MISSING -> "run the schema scripts, or let the provider create the schema";
            case SCHEMA_VERSION -> "run the schema scripts";
            case DEADLOCK, LOCK_TIMEOUT -> "the transaction was rolled back and nothing was lost, try again";
            case POOL_EXHAUSTED -> "make the pool larger, or end transactions sooner";
            case DUPLICATE_KEY, DATA, OTHER -> "the transaction was rolled back, see the cause";
            case CLAIM_LOST -> "the transaction was rolled back";
        };
    }

    /** The database's own words where they help, its first line only: further ones may quote data. */
    private static String detail(Failure failure, SQLException error) {
        return switch (failure) {
            case OTHER, CONNECTION_LOST, IN_DOUBT, SCHEMA_MISSING, PERMISSION, AUTHENTICATION ->
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

    private static String code(SQLException error) {
        String vendor = Vendor.of(error).title;
        return error.getErrorCode() != 0 ? vendor + " " + error.getErrorCode() : vendor + " " + error.getSQLState();
    }
}
