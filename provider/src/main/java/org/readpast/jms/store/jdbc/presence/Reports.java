package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.store.Presence.OpenConsumers;
import org.readpast.jms.store.Presence.Report;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** Writes what an instance tells of itself into its rows. Thread-safe. */
public final class Reports {

    private static final long AT_LEAST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long AT_MOST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int SELECTOR_LENGTH = 400;
    private static final Pattern UNSTORABLE = Pattern.compile("\\p{Cs}");
    private static final Pattern HALF = Pattern.compile("\\p{Cs}$");

    private final Statements statements;
    private final ShortTransactions shortTransactions;
    private final ConsumedDestinations consumed;
    private final JoinedQueues joined;
    private final String instance;
    private final boolean isRowFree;

    /** What was told last, and when; null where the row says nothing yet. Guarded by this. */
    private Report told;

    /** What was told with that. Guarded by this. */
    private String toldJoined;

    private long toldNanos;

    /** When something was written, by {@link System#nanoTime()}; null where it is time to. Guarded by this. */
    private Long writtenNanos;

    /** Guarded by this. */
    private final Map<Integer, OpenConsumers> toldOf = new HashMap<>();

    /**
     * @param shortTransactions for what must not wait for SQL connections that sessions have
     * @param isRowFree whether the row of the instance can be written; else it is its lock, and only consumers are told of
     */
    public Reports(
            Statements statements,
            ShortTransactions shortTransactions,
            ConsumedDestinations consumed,
            JoinedQueues joined,
            String instance,
            boolean isRowFree) {
        this.statements = statements;
        this.shortTransactions = shortTransactions;
        this.consumed = consumed;
        this.joined = joined;
        this.instance = instance;
        this.isRowFree = isRowFree;
    }

    /** The rows are new ones. */
    synchronized void forget() {
        told = null;
        writtenNanos = null;
        toldOf.clear();
    }

    /** Writes what differs from what was told last, unless something was written shortly before. */
    synchronized void write(Report report) throws StoreException {
        long now = System.nanoTime();
        if (writtenNanos != null && now - writtenNanos < AT_MOST_NANOS) {
            return;
        }
        String joinedNow = joined.told();
        boolean isDue = isRowFree
                && (told == null
                        || !told.isLike(report)
                        || !Objects.equals(toldJoined, joinedNow)
                        || now - toldNanos >= AT_LEAST_NANOS);
        Map<Integer, OpenConsumers> changed = new HashMap<>();
        for (int destinationId : consumed.all()) {
            OpenConsumers open = report.consumers().getOrDefault(destinationId, OpenConsumers.NONE);
            if (!open.equals(toldOf.get(destinationId))) {
                changed.put(destinationId, open);
            }
        }
        if (!isDue && changed.isEmpty()) {
            return;
        }
        shortTransactions.run("Instance " + instance, "report", connection -> {
            if (isDue) {
                client(connection, report, joinedNow);
            }
            consumers(connection, changed);
            return null;
        });
        writtenNanos = now;
        if (isDue) {
            told = report;
            toldJoined = joinedNow;
            toldNanos = now;
        }
        toldOf.putAll(changed);
        toldOf.keySet().retainAll(consumed.all());
    }

    private void client(Connection connection, Report report, String joinedQueues) throws SQLException {
        try (Query tell = statements.query(connection, "report_client")) {
            tell.set("clock_millis", report.clockMillis())
                    .set(
                            "pool_open",
                            report.pool() == null
                                    ? null
                                    : (Integer) report.pool().open())
                    .set(
                            "pool_in_use",
                            report.pool() == null
                                    ? null
                                    : (Integer) report.pool().used())
                    .set(
                            "pool_waiting",
                            report.pool() == null
                                    ? null
                                    : (Integer) report.pool().waiting())
                    .set("waiting_seconds", report.waitingSeconds())
                    .set(
                            "listening_seconds",
                            report.listening() == null
                                    ? null
                                    : (Integer) report.listening().seconds())
                    .set(
                            "listening_to",
                            report.listening() == null
                                    ? null
                                    : report.listening().to())
                    .set("joined_queues", joinedQueues)
                    .set("instance", instance)
                    .update();
        }
    }

    private void consumers(Connection connection, Map<Integer, OpenConsumers> changed) throws SQLException {
        try (Query tell = statements.query(connection, "report_consumers")) {
            for (Map.Entry<Integer, OpenConsumers> each : changed.entrySet()) {
                OpenConsumers open = each.getValue();
                tell.set("open_consumers", open.open())
                        .set("stopped_consumers", open.stopped())
                        .set("selective_consumers", open.selective())
                        .set("selector", cut(open.selector()))
                        .set("instance", instance)
                        .set("destination_id", each.getKey())
                        .update();
            }
        }
    }

    /** Shortened, and without what a column may not hold. */
    private static String cut(String selector) {
        if (selector == null) {
            return null;
        }
        String shown = UNSTORABLE.matcher(Shown.inOneLine(selector)).replaceAll("?");
        return shown.length() <= SELECTOR_LENGTH
                ? shown
                : HALF.matcher(shown.substring(0, SELECTOR_LENGTH - 3)).replaceAll("") + "...";
    }
}
