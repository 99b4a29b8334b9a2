package org.readpast.jms.store.jdbc.failure;

import java.util.Locale;
import org.readpast.jms.store.Failure;

/** What the errors of each database mean, by their numbers on SQL Server and H2 and by their SQLStates on PostgreSQL. */
public enum Vendor {
    SQL_SERVER("SQL Server") {
        @Override
        Failure read(int number, String state) {
            return SqlServerErrors.read(number);
        }

        /** An application's own errors begin at 50,000; and one of its statements may leave a transaction that cannot be committed. */
        @Override
        boolean isSystems(int number, String state) {
            return number > 0 && number < 50_000 && number != 3930 && number != 3998;
        }

        /** What the driver raises by itself has no number, and no state where it has not spoken to the server. */
        @Override
        boolean isUnsent(int number, String state) {
            return number == 0 && state == null;
        }

        @Override
        boolean isReadOnly(int number, String state) {
            return number == SqlServerErrors.READ_ONLY;
        }
    },

    POSTGRESQL("PostgreSQL") {
        @Override
        Failure read(int number, String state) {
            return switch (state) {
                // Deadlocks, and transactions that cannot be serialized.
                case "40P01", "40001" -> Failure.DEADLOCK;
                case "55P03", "57014" -> Failure.LOCK_TIMEOUT;
                // Short of memory, for locks too, or of something else for the moment.
                case "53000", "53200" -> Failure.LOCK_TIMEOUT;
                // The disk is full, or a limit such as temp_file_limit is reached.
                case "53100", "53400" -> Failure.OUT_OF_SPACE;
                case "42P01", "3F000", "42883" -> Failure.SCHEMA_MISSING;
                case "42501" -> Failure.PERMISSION;
                case "23502" -> Failure.DESTINATION_GONE;
                // Shut down, crashed, starting, dropped; idle for too long, in a transaction or not; too many
                // connections.
                case "57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04", "53300" -> Failure.CONNECTION_LOST;
                // A standby, or what has just become one.
                case READ_ONLY -> Failure.CONNECTION_LOST;
                // The database of the URL is not there.
                case "3D000" -> Failure.CONNECTION_LOST;
                case "40003" -> Failure.CONNECTION_LOST;
                default -> null;
            };
        }

        /** What an application's function raises is P0001; and a transaction that has failed refuses what follows by 25P02. */
        @Override
        boolean isSystems(int number, String state) {
            return !state.isEmpty() && !state.startsWith("P0") && !state.equals("25P02") && !state.equals(Failures.OWN);
        }

        /** The driver knows that the connection is closed. */
        @Override
        boolean isUnsent(int number, String state) {
            return "08003".equals(state);
        }

        @Override
        boolean isReadOnly(int number, String state) {
            return READ_ONLY.equals(state);
        }
    },

    H2("H2") {
        @Override
        Failure read(int number, String state) {
            return switch (number) {
                case 40001 -> Failure.DEADLOCK;
                case 50200, 57014 -> Failure.LOCK_TIMEOUT;
                case 42102, 42103, 42104, 90079, 90022, 90036 -> Failure.SCHEMA_MISSING;
                case 90096, 90040 -> Failure.PERMISSION;
                case 28000, 90013 -> Failure.AUTHENTICATION;
                case 23505 -> Failure.DUPLICATE_KEY;
                case 22001, 22003, 22018, 23506, 23513 -> Failure.DATA;
                case 23502 -> Failure.DESTINATION_GONE;
                case 90007, 90020, 90067, 90098, 90121, 90135 -> Failure.CONNECTION_LOST;
                default -> null;
            };
        }

        @Override
        boolean isSystems(int number, String state) {
            return number > 0;
        }

        /** The connection was closed before. */
        @Override
        boolean isUnsent(int number, String state) {
            return number == 90_007;
        }
    },

    /** Before the first connection to a DataSource has been made. Numbers of these databases do not overlap. */
    UNKNOWN("database") {
        @Override
        Failure read(int number, String state) {
            Failure read = number == 0 ? POSTGRESQL.read(number, state) : SQL_SERVER.read(number, state);
            return read == null ? H2.read(number, state) : read;
        }

        @Override
        boolean isSystems(int number, String state) {
            return false;
        }

        @Override
        boolean isUnsent(int number, String state) {
            return false;
        }
    };

    /** PostgreSQL's SQLState for a change in a transaction that is read-only, as all of a standby are. */
    private static final String READ_ONLY = "25006";

    private final String title;

    Vendor(String title) {
        this.title = title;
    }

    /** Its name as people write it. */
    String title() {
        return title;
    }

    /**
     * What kind of trouble an error is, null where this database does not say. A null that is refused counts as a destination that is gone
     * here.
     *
     * @param state never null
     */
    abstract Failure read(int number, String state);

    /** Whether the error is one of the database's own, and not what an application has raised or brought about. */
    abstract boolean isSystems(int number, String state);

    /** Whether the driver raised the error because it could not even send what it was given. The state may be null. */
    abstract boolean isUnsent(int number, String state);

    /** Whether the database refused the error's statement because it takes no changes: nothing was changed, or committed. The state may be null. */
    boolean isReadOnly(int number, String state) {
        return false;
    }

    /** Whose URL it is. */
    static Vendor ofUrl(String url) {
        String start = url.toLowerCase(Locale.ROOT);
        return start.startsWith("jdbc:sqlserver:")
                ? SQL_SERVER
                : start.startsWith("jdbc:postgresql:") ? POSTGRESQL : start.startsWith("jdbc:h2:") ? H2 : UNKNOWN;
    }
}
