package org.readpast.cli.exporter;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.readpast.cli.looks.Looks;
import org.readpast.cli.terminal.Failure;
import org.readpast.operations.snapshot.DeadLetters;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.verdict.Silences;
import org.readpast.operations.verdict.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a database says of its messages, as metrics. It is asked again at most every few seconds, however many ask for the metrics,
 * and no sooner than after twenty times as long as it took to answer. What is not known has no value, and is never 0. Thread-safe.
 */
final class DatabaseMetrics implements MultiCollector {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseMetrics.class);

    /** Times as long as a look takes, the database is left alone. */
    private static final int RESTS = 20;

    private final String database;
    private final DatabaseBeans beans;
    private final Callable<Snapshot> look;
    private final Callable<Silences> silences;
    private final Duration lasts;
    private final LongSupplier nanos;
    private final Verdict verdict = new Verdict();

    /** Guarded by this. */
    private MetricSnapshots last;

    /** Until when it is given again. Guarded by this. */
    private long untilNanos;

    /** Whether the last look failed: an outage is one line in the log. */
    private boolean away;

    /** Whether the silences could not be read the last time: that is one line too. */
    private boolean isDeaf;

    /**
     * @param database for the log, at the beginning of a sentence
     * @param beans which show each look by JMX; null for none
     * @param look looks at the database
     * @param silences reads what is silenced, anew for each look
     * @param lasts for how long the answer is given again, at the least, from the begin of the look, or from the end of one that failed
     * @param nanos a clock as {@link System#nanoTime()}
     */
    DatabaseMetrics(
            String database,
            DatabaseBeans beans,
            Callable<Snapshot> look,
            Callable<Silences> silences,
            Duration lasts,
            LongSupplier nanos) {
        this.database = database;
        this.beans = beans;
        this.look = look;
        this.silences = silences;
        this.lasts = lasts;
        this.nanos = nanos;
    }

    @Override
    public synchronized MetricSnapshots collect() {
        long begin = nanos.getAsLong();
        if (last == null || begin - untilNanos >= 0) {
            last = look();
            long end = nanos.getAsLong();
            untilNanos = away ? end + lasts.toNanos() : Math.max(begin + lasts.toNanos(), end + RESTS * (end - begin));
        }
        return last;
    }

    /** What there is to say of a database that does not answer. */
    static MetricSnapshots ofOneAway() {
        return MetricSnapshots.of(up(0));
    }

    private static GaugeSnapshot up(int value) {
        Gauge up = new Gauge("readpast_up", "1 if the database answered, 0 if it did not.");
        up.set(Labels.EMPTY, value);
        return up.snapshot();
    }

    private MetricSnapshots look() {
        long begin = System.nanoTime();
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        Snapshot seen = null;
        try {
            seen = look.call();
            Gauge took = new Gauge("readpast_look_seconds", "How long the database took to answer.");
            took.set(Labels.EMPTY, (System.nanoTime() - begin) / 1e9);
            all.metricSnapshot(took.snapshot());
            metrics(seen, silences()).forEach(gauge -> all.metricSnapshot(gauge.snapshot()));
            away = false;
            return all.metricSnapshot(up(1)).build();
        } catch (Exception e) {
            if (!away) {
                LOG.warn("{} does not answer: {}", database, Failure.of(e).text());
            }
            away = true;
            return ofOneAway();
        } finally {
            show(seen);
        }
    }

    /** @param seen null for nothing */
    private void show(Snapshot seen) {
        if (beans != null) {
            try {
                beans.show(seen);
            } catch (RuntimeException e) {
                LOG.warn("{}: JMX does not show what was seen", database, e);
            }
        }
    }

    /** None while they cannot be read: rather an alarm too many. */
    private Silences silences() {
        try {
            Silences read = silences.call();
            isDeaf = false;
            return read;
        } catch (Exception e) {
            if (!isDeaf) {
                LOG.warn("Nothing is silenced: {}", Failure.of(e).text());
            }
            isDeaf = true;
            return Silences.none();
        }
    }

    private List<Gauge> metrics(Snapshot seen, Silences silences) {
        Gauge waiting = new Gauge(
                "readpast_messages_waiting",
                "Messages that wait, counted up to 10,000; on H2 all. None where it is not known.");
        Gauge age = new Gauge("readpast_oldest_message_age_seconds", "How long the oldest message has been there.");
        seen.queues().rows().forEach(queue -> {
            Labels labels = labels(queue.kind(), queue.name());
            if (queue.depth() != null) {
                waiting.add(labels, queue.depth());
            }
            if (queue.oldestAt() != null) {
                age.raise(labels, seconds(queue.oldestAt(), seen.takenAt()));
            }
        });
        Gauge delayed = new Gauge("readpast_messages_delayed", "Messages whose time has not come.");
        Gauge held = new Gauge("readpast_messages_held", "Messages that an administrator holds.");
        Gauge overdue = new Gauge("readpast_messages_overdue", "Messages that have been due for more than 30 seconds.");
        boolean isDelayedMore = Delayed.isDelayedMore(seen.delayed());
        boolean isHeldMore = Delayed.isHeldMore(seen.delayed());
        seen.delayed().rows().forEach(of -> {
            Labels labels = labels(of.kind(), of.queue());
            if (of.delayed() > 0 || !isDelayedMore) {
                delayed.add(labels, of.delayed());
            }
            if (of.held() > 0 || !isHeldMore) {
                held.add(labels, of.held());
            }
            overdue.add(labels, of.overdue());
        });
        Gauge consumers = new Gauge("readpast_consuming_clients", "Connected JVMs that have made a consumer.");
        seen.consuming().forEach(consumer -> consumers.add(labels(consumer.kind(), consumer.queue()), 1));
        Gauge open = new Gauge("readpast_consumers", "Consumers that are open, as connected JVMs have told.");
        seen.consuming().stream()
                .filter(consumer -> consumer.now() != null)
                .forEach(consumer -> open.add(
                        labels(consumer.kind(), consumer.queue()),
                        consumer.now().open()));
        Gauge leases = new Gauge("readpast_leases", "Messages that are claimed by lease.");
        seen.leases().rows().forEach(lease -> leases.add(labels(lease.kind(), lease.queue()), 1));
        Gauge findings = new Gauge("readpast_findings", "What readpast doctor finds, by severity and cause.");
        Gauge silenced = new Gauge("readpast_findings_silenced", "What it finds and somebody has silenced.");
        verdict.judge(seen)
                .forEach(finding -> (silences.of(finding, seen.takenAt()).isPresent() ? silenced : findings)
                        .add(
                                Labels.of(
                                        "severity",
                                        finding.severity().name().toLowerCase(Locale.ROOT),
                                        "cause",
                                        finding.cause().code()),
                                1));
        return List.of(
                waiting,
                age,
                delayed,
                held,
                overdue,
                consumers,
                open,
                leases,
                deadLetters(
                        seen,
                        "readpast_dead_letters",
                        "Dead letters by the queue or subscription that they come from.",
                        // Those that came last may all be behind the ones that are counted.
                        dead -> Math.max(dead.messages(), dead.recent())),
                deadLetters(
                        seen,
                        "readpast_dead_letters_recent",
                        "Dead letters that came within the last ten minutes, by the queue or subscription that they come from.",
                        DeadLetters::recent),
                clients(seen),
                findings,
                silenced,
                clock(seen));
    }

    private static Gauge deadLetters(Snapshot seen, String name, String help, ToLongFunction<DeadLetters> count) {
        Gauge gauge = new Gauge(name, help);
        for (DeadLetters dead : seen.deadLetters().rows()) {
            String origin = dead.origin() == null ? "" : dead.origin();
            gauge.add(Labels.of("destination", dead.queue(), "origin", origin), count.applyAsLong(dead));
        }
        return gauge;
    }

    private static Gauge clients(Snapshot seen) {
        Gauge gauge = new Gauge("readpast_clients", "Connected JVMs.");
        if (seen.clients().isKnown()) {
            gauge.add(Labels.EMPTY, seen.connected().size());
        }
        return gauge;
    }

    private static Gauge clock(Snapshot seen) {
        Gauge gauge = new Gauge(
                "readpast_clock_ahead_seconds",
                "How far the exporter's clock is ahead of the database's; below 0 where it is behind.");
        gauge.set(Labels.EMPTY, seen.clockAhead().toMillis() / 1e3);
        return gauge;
    }

    private static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis() / 1e3);
    }

    /** Temporary destinations come and go, and have no name of their own here. */
    private static Labels labels(String kind, String name) {
        boolean isTemporary = kind.equals("TQ") || kind.equals("TT");
        return Labels.of("destination", isTemporary ? "" : name, "kind", Looks.kind(kind));
    }
}
