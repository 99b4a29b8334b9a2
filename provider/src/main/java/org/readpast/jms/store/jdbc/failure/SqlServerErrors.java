package org.readpast.jms.store.jdbc.failure;

import java.util.Set;
import org.readpast.jms.store.Failure;

/** The numbers of SQL Server's errors. */
final class SqlServerErrors {

    /** The database takes no changes. */
    static final int READ_ONLY = 3906;

    /**
     * The connection or the server behind it is gone or going, or is not the one that is wanted. The driver's own list of transient
     * errors (SQLServerError.TransientError) is within.
     */
    private static final Set<Integer> LOST = Set.of(
            // The network.
            64,
            233,
            10053,
            10054,
            10060,
            // The session was killed, by somebody or by Azure's limits; the server shuts down, or is paused.
            596,
            6005,
            17142,
            17188,
            40549,
            40550,
            40551,
            40552,
            40553,
            // The database is offline, in transition, being recovered, a mirror; on login it cannot be opened.
            921,
            922,
            924,
            927,
            941,
            942,
            945,
            952,
            954,
            955,
            956,
            4060,
            4064,
            40613,
            // The server is starting, being upgraded or too busy for logins, or lets administrators in only.
            17187,
            17197,
            18401,
            18451,
            18461,
            // Failover, of an availability group or a failover group: a secondary, or what has just become one.
            976,
            978,
            979,
            982,
            983,
            988,
            1033,
            READ_ONLY,
            4221,
            40020,
            40143,
            40166,
            40197,
            40540,
            // Azure's throttling, and pools that are paused or warming up.
            10928,
            10929,
            10936,
            40501,
            42108,
            42109,
            49918,
            49919,
            49920,
            // Our own: see refuse_read_only.sql.
            50019);

    private SqlServerErrors() {}

    /** What kind of trouble it is; null for a number that is not known here. */
    static Failure read(int number) {
        if (LOST.contains(number)) {
            return Failure.CONNECTION_LOST;
        }
        return switch (number) {
            // A snapshot transaction that met another one's changes, or lost the versions it read, is rolled back as a
            // deadlock's victim is.
            case 1205, 3958, 3960, 3966 -> Failure.DEADLOCK;
            // 601: a read without locks met rows that moved. The others: the server is short of locks or memory for the
            // moment.
            case 601, 701, 802, 1204, 1222, 8628, 8645, 8651, 50002 -> Failure.LOCK_TIMEOUT;
            // The log; a file, of tempdb too; on Azure the quota of a database or a pool.
            case 9002, 1101, 1105, 1132, 40544 -> Failure.OUT_OF_SPACE;
            case 50001 -> Failure.CLAIM_LOST;
            case 208, 2812, 15151 -> Failure.SCHEMA_MISSING;
            case 229, 230, 262, 297, 300, 916 -> Failure.PERMISSION;
            case 18452, 18456, 18470, 18486, 18487, 18488, 40615 -> Failure.AUTHENTICATION;
            case 2601, 2627 -> Failure.DUPLICATE_KEY;
            case 515 -> Failure.DESTINATION_GONE;
            case 220, 547, 2628, 8114, 8115, 8152, 13609 -> Failure.DATA;
            default -> null;
        };
    }
}
