package org.readpast.jms.store.jdbc.upkeep;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What the start-up checks may find, in words for an administrator: what it does to messages, and what to do about it. */
public enum StartupWarning {
    ISOLATION(
            "New connections begin at isolation level %s. Readpast sets its own to READ COMMITTED, but in a transaction of the"
                    + " application's that it joins messages can be received, and published to topics, at READ COMMITTED only (SQL Server also REPEATABLE READ)."
                    + " Change the default, or set the level before joining."),
    STATEMENT_POOLING(
            "Prepared statements are not kept (%s), so that every statement is prepared anew. On SQL Server set"
                    + " disableStatementPooling=false and statementPoolingCacheSize=256 or more, on PostgreSQL leave prepareThreshold and"
                    + " preparedStatementCacheQueries at their defaults; behind a pooler that cannot have it otherwise, ignore this."),
    SOCKET_TIMEOUT(
            "The driver gives a connection up after %s without an answer. A statement that waits for another transaction"
                    + " would break its connection, and leave a commit in doubt. Make it 30 seconds or more."),
    NO_SOCKET_TIMEOUT(
            "The driver waits for an answer for ever (%s is 0): when the server vanishes without a word, sends and receives hang until the"
                    + " operating system gives up. Set it to 60 seconds or more. Presence, housekeeping and the search for arrivals"
                    + " have a time-out of their own."),
    RETRIED_STATEMENTS(
            "The driver repeats statements by itself (retryExec=%s). After a deadlock (1205) the transaction is gone, and the"
                    + " repeated statement runs in another one. A commit is refused then; take retryExec out of the URL or the file."),
    SERVER_CURSORS(
            "The driver makes a cursor on the server for each query (selectMethod=%s), which takes round trips of its own to open, read and"
                    + " close. Take selectMethod out of the URL or the DataSource, or make it direct."),
    STATEMENT_TIMEOUT(
            "The database ends statements too early (%s): one that waits for another transaction fails. Make it 30"
                    + " seconds or more for this user, or 0."),
    TRANSACTION_TIMEOUT(
            "The database ends the transaction of a consumer that works on a message for longer than %s; the message"
                    + " is then delivered again. Make it longer than the longest work, or 0 for this user."),
    FSYNC("fsync is %s: a crash of the server can lose committed messages, and the database with them. Switch it on."),
    SYNCHRONOUS_COMMIT(
            "synchronous_commit is %s: a crash of the server loses messages whose send or commit had succeeded. Switch it"
                    + " on for this user, unless that is meant."),
    DELAYED_DURABILITY(
            "DELAYED_DURABILITY is %s: a crash of the server loses messages whose send or commit had succeeded. ALTER"
                    + " DATABASE CURRENT SET DELAYED_DURABILITY = DISABLED (or ALLOWED), unless that is meant."),
    DELAYED_WRITES(
            "H2 puts off writing its log by up to %s (WRITE_DELAY): a crash loses messages whose send or commit had succeeded."
                    + " Run SET WRITE_DELAY 0, or put WRITE_DELAY=0 into the URL."),
    LOCK_GRANULARITY(
            "Page locks are allowed, or row locks are not, on %s: consumers wait for each other, since READPAST steps over"
                    + " row locks only. ALTER INDEX ... SET (ALLOW_PAGE_LOCKS = OFF, ALLOW_ROW_LOCKS = ON). Maintenance that fails without"
                    + " page locks (ALTER INDEX ... REORGANIZE) is to leave these tables out, or to rebuild WITH (ONLINE = ON)."),
    LOCK_ESCALATION(
            "Lock escalation is not disabled on %s: a large transaction would lock the whole table and stop all consumers."
                    + " ALTER TABLE ... SET (LOCK_ESCALATION = DISABLE)."),
    PAGES(
            "Far more pages than rows in %s, which claims have to walk over. Rebuild the table's index (ALTER INDEX ... REBUILD WITH"
                    + " (ONLINE = ON); where the edition has no ONLINE, in a quiet hour, since all consumers wait for it); if they"
                    + " come back, see what keeps deleted rows: long transactions under snapshot isolation, readable secondaries."),
    GHOSTS(
            "Deleted messages have not been removed from their pages, %s; claims walk over them. See what keeps them: long transactions"
                    + " under snapshot isolation, readable secondaries, trace flag 661; then rebuild the index, WITH"
                    + " (ONLINE = ON) or in a quiet hour."),
    BLOAT(
            "Far more pages than rows in %s, as of the last VACUUM; claims have to walk over them. VACUUM FULL or pg_repack in a quiet"
                    + " hour; if it comes back, see what kept VACUUM away."),
    DEAD_ROWS(
            "Many deleted rows in %s, which claims have to walk over. Run VACUUM on the table; if they stay, an old transaction or"
                    + " a replication slot holds them; if they come back, let autovacuum run more often on it."),
    DISTRIBUTED(
            "Citus has distributed %s. It then refuses statements that Readpast needs, such as the one that sends a message: keep the schema on one"
                    + " node, as 'createSchema' makes it there, and connect all JVMs to that node."),
    AUTOVACUUM(
            "Autovacuum does not run (%s), so deleted messages stay in the tables and claims get slower and slower. Switch it on."),
    OLD_TRANSACTION(
            "Transactions have been open for more than ten minutes: %s. Nothing that was deleted since can be removed, and claims"
                    + " have to walk over it. End them; see pg_stat_activity."),
    REPLICATION_SLOT(
            "Replication slots that nobody reads: %s. They keep the write-ahead log, and with an xmin also deleted messages."
                    + " Bring their readers back, or drop them."),
    IN_DOUBT(
            "Branches of distributed transactions have been prepared for more than ten minutes: %s. Messages in them stay invisible, and"
                    + " nothing that was deleted since can be removed. Their transaction manager ends them when it runs again; see"
                    + " pg_prepared_xacts."),
    PREPARED_TRANSACTIONS(
            "max_prepared_transactions is %s, so no branch can be prepared. Set it in postgresql.conf to as many distributed transactions"
                    + " as run at one time, or more, and start PostgreSQL anew."),
    XA_PROCEDURES(
            "This user may not execute %s. An administrator installs the driver's procedures (EXEC sp_sqljdbc_xa_install, from SQL Server"
                    + " 2017 CU 16 on), runs MS DTC with XA transactions enabled, and adds the user to the role SqlJDBCXAUser in master."),
    XA_ON_AZURE(
            "This is Azure SQL Database (engine edition %s), which has no MS DTC and not the driver's procedures. Use one database and its"
                    + " own transactions.");

    private final String words;

    StartupWarning(String words) {
        this.words = words;
    }

    /**
     * The warnings of what a check has found.
     *
     * @param rows of a finding and the value that it is about
     */
    public static List<String> found(ResultSet rows) throws SQLException {
        List<String> warnings = new ArrayList<>();
        while (rows.next()) {
            warnings.add(valueOf(rows.getString("finding")).warning(rows.getString("found")));
        }
        return warnings;
    }

    /**
     * The warning.
     *
     * @param found the value that it is about, without secrets
     */
    public String warning(String found) {
        return String.format(words, found);
    }
}
