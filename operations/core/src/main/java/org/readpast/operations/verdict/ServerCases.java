package org.readpast.operations.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.readpast.operations.database.Words;
import org.readpast.operations.server.DatabaseSession;
import org.readpast.operations.server.DeadRows;
import org.readpast.operations.server.LogSpace;
import org.readpast.operations.server.Pin;
import org.readpast.operations.server.Setting;
import org.readpast.operations.snapshot.EarlySender;
import org.readpast.operations.snapshot.Snapshot;

/** Clocks, and what the database cannot clean up. */
final class ServerCases {

    private static final int LAST_ID = Integer.MAX_VALUE;
    private static final int IDS_WARNED = (int) (LAST_ID * 0.8);

    private static final double LOG_WARNED = 0.8;
    private static final double LOG_CRITICAL = 0.95;
    private static final long MEBIBYTE = 1024 * 1024;

    private final Snapshot seen;
    private final Limits limits;
    private final Sessions sessions;

    ServerCases(Snapshot seen, Limits limits) {
        this.seen = seen;
        this.limits = limits;
        this.sessions = new Sessions(seen);
    }

    void judge(List<Finding> findings) {
        clocks(findings);
        ids(findings);
        pinned(findings);
        vacuum(findings);
        seen.logSpace().rows().forEach(log -> log(log).ifPresent(findings::add));
        settings(findings);
    }

    private void clocks(List<Finding> findings) {
        if (seen.clockAhead().abs().compareTo(limits.skew()) > 0) {
            findings.add(new Finding(
                    Severity.WARNING,
                    Cause.CLOCK_SKEW,
                    "this machine",
                    null,
                    "The clock of this machine is "
                            + Words.age(seen.clockAhead().abs()) + " "
                            + (seen.clockAhead().isNegative() ? "behind" : "ahead of") + " the database's",
                    List.of("the database says " + seen.takenAt()),
                    "Set the clocks by NTP. Messages expire and come due by the database's clock; JMSTimestamp and JMSExpiration are"
                            + " the sender's."));
        }
        for (EarlySender sender : seen.earlySenders().rows()) {
            if (sender.ahead().compareTo(limits.skew()) > 0) {
                findings.add(new Finding(
                        Severity.WARNING,
                        Cause.CLOCK_SKEW,
                        sender.queue(),
                        null,
                        sender.queue() + ": a sender's clock is at least " + Words.age(sender.ahead())
                                + " ahead of the database's",
                        List.of("message " + sender.jmsMessageId() + " came before the moment at which it was sent"),
                        "Set the clock of the machine that sent it by NTP."));
            }
        }
    }

    private void ids(List<Finding> findings) {
        seen.largestId().rows().stream()
                .filter(id -> id > IDS_WARNED)
                .forEach(
                        id -> findings.add(
                                new Finding(
                                        Severity.CRITICAL,
                                        Cause.IDS_NEAR_END,
                                        "destination",
                                        null,
                                        "The numbers of destinations run out: " + id + " of " + LAST_ID + " are given",
                                        List.of(
                                                "each queue, topic, temporary queue and subscription takes one, and none is given twice"),
                                        "Let replies share a queue in place of temporary ones, and plan a restart of the identity column in a quiet hour.")));
    }

    /** Long transactions and what else keeps deleted rows; a claim has to walk over those. */
    private void pinned(List<Finding> findings) {
        for (DatabaseSession session : seen.sessions().rows()) {
            boolean isOld = session.since() != null
                    && Duration.between(session.since(), seen.takenAt()).compareTo(limits.held()) > 0;
            boolean hasMessages = seen.locks().rows().stream().anyMatch(lock -> lock.session() == session.id());
            if (isOld
                    && session.keepsRows()
                    && session.isClient()
                    && !hasMessages
                    && session.blockers().isEmpty()) {
                findings.add(pin(
                        session.who(),
                        session.since(),
                        List.of(sessions.describe(session)),
                        sessions.toEnd(
                                session.id(), "Ask who runs it to commit or to roll back. ", " It is rolled back.")));
            }
        }
        for (Pin pin : seen.pins().rows()) {
            boolean isSlot = pin.kind().equals("replication slot");
            String name = pin.name().replace("'", "''");
            boolean isOld = pin.since() == null
                    || Duration.between(pin.since(), seen.takenAt()).compareTo(limits.held()) > 0;
            if (isOld) {
                findings.add(
                        pin(
                                pin.kind() + " " + pin.name(),
                                pin.since(),
                                List.of(),
                                isSlot
                                        ? "Start what reads the slot, or, if nobody needs it any more, SELECT pg_drop_replication_slot('"
                                                + name + "') (as a role with REPLICATION)."
                                        : "Ask the transaction manager that prepared it. COMMIT PREPARED or ROLLBACK PREPARED '"
                                                + name
                                                + "' (as its owner) decides what that transaction's messages and rows become."));
            }
        }
    }

    private Finding pin(String who, Instant since, List<String> evidence, String next) {
        List<String> all = new ArrayList<>(evidence);
        seen.deadRows().rows().stream()
                .filter(rows -> rows.dead() > 0)
                .forEach(rows ->
                        all.add(rows.table() + " has " + rows.dead() + " dead rows and " + rows.live() + " live ones"));
        return new Finding(
                Severity.WARNING,
                Cause.DEAD_ROWS_PINNED,
                who,
                since,
                "Deleted messages cannot be cleaned up: " + who
                        + (since == null
                                ? " keeps them"
                                : " has a transaction open " + Words.since(since, seen.takenAt())),
                all,
                next);
    }

    private void vacuum(List<Finding> findings) {
        for (DeadRows rows : seen.deadRows().rows()) {
            boolean isBehind = rows.dead() > limits.deadRows() && rows.dead() > 5 * rows.live();
            if (isBehind || rows.isOff()) {
                findings.add(new Finding(
                        Severity.WARNING,
                        Cause.VACUUM_BEHIND,
                        rows.table(),
                        rows.lastAutovacuum(),
                        rows.isOff()
                                ? "autovacuum is off for the table " + rows.table()
                                : "autovacuum is behind: " + rows.table() + " has " + rows.dead() + " dead rows and "
                                        + rows.live() + " live ones",
                        List.of(
                                rows.lastAutovacuum() == null
                                        ? "autovacuum has never come to it"
                                        : "autovacuum came last at " + rows.lastAutovacuum()),
                        rows.isOff()
                                ? "Switch it on (autovacuum, and the table's autovacuum_enabled): claims walk over dead rows."
                                : "See whether a transaction is open for long (doctor names it), and whether autovacuum_naptime is 15 s or less;"
                                        + " VACUUM of the table helps at once."));
            }
        }
    }

    /** A log without a largest size ends with the disk, which the database does not show. */
    static Optional<Finding> log(LogSpace log) {
        if (log.mostBytes() == null || log.usedBytes() < LOG_WARNED * log.mostBytes()) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                log.usedBytes() < LOG_CRITICAL * log.mostBytes() ? Severity.WARNING : Severity.CRITICAL,
                Cause.LOG_NEARLY_FULL,
                "log",
                null,
                String.format(
                        Locale.ROOT,
                        "The transaction log is %d %% full: when it is full, nothing can be sent or acknowledged",
                        100 * log.usedBytes() / log.mostBytes()),
                List.of(
                        log.usedBytes() / MEBIBYTE + " of " + log.mostBytes() / MEBIBYTE + " MiB are in use",
                        "it cannot be used again because of " + log.waitsFor()),
                switch (log.waitsFor()) {
                    case "LOG_BACKUP" -> "Back up the log, and see why that is not done, or too seldom.";
                    case "ACTIVE_TRANSACTION" ->
                        "Have the oldest transaction of the database ended; DBCC OPENTRAN names it.";
                    case "AVAILABILITY_REPLICA", "DATABASE_MIRRORING" -> "See why a secondary replica does not follow.";
                    case "REPLICATION" ->
                        "See why the log reader of replication or change data capture does not follow.";
                    default ->
                        "Microsoft's page on the transaction log says what " + log.waitsFor()
                                + " means; a larger log gains time.";
                }));
    }

    private void settings(List<Finding> findings) {
        for (Setting setting : seen.settings().rows()) {
            findings.add(new Finding(
                    Severity.WARNING,
                    Cause.SETTINGS,
                    setting.name(),
                    null,
                    setting.words(),
                    List.of("JMS clients write the same to their logs when they start"),
                    "Change it. Where it is meant, silence the finding."));
        }
    }
}
