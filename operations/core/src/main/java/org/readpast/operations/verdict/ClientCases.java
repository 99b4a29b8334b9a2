package org.readpast.operations.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.readpast.operations.database.Words;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.ClientReport;
import org.readpast.operations.snapshot.Snapshot;

/** JVMs: whether they are there, and what they tell of themselves. */
final class ClientCases {

    /** As long as this a pool may be short of connections. */
    private static final Duration SHORT = Duration.ofSeconds(10);

    /** As long as this it takes to restart all JVMs with another release. */
    private static final Duration ROLLOUT = Duration.ofHours(1);

    private final Snapshot seen;
    private final Limits limits;

    ClientCases(Snapshot seen, Limits limits) {
        this.seen = seen;
        this.limits = limits;
    }

    /** @param findings those of queues are there already */
    void judge(List<Finding> findings) {
        presence(findings);
        for (Client client : seen.connected()) {
            ClientReport report = client.report();
            if (report != null) {
                pool(client, report, findings);
                listener(client, report, findings);
                clock(client, report, findings);
            }
        }
        releases(findings);
    }

    private void presence(List<Finding> findings) {
        for (Client client : seen.clients().rows()) {
            Instant since = client.lostSince(seen.takenAt());
            if (since != null) {
                findings.add(
                        new Finding(
                                Severity.WARNING,
                                Cause.PRESENCE_LOST,
                                client.who(),
                                since,
                                "The JVM " + client.who()
                                        + (client.missingSince() != null
                                                ? " is missed "
                                                : " has told nothing of itself ")
                                        + Words.since(since, seen.takenAt()) + ": it has died, or lost its connection",
                                List.of("instance " + client.instance() + ", connected first at " + client.startedAt()),
                                "If it should run, look at its log and at the network. JMS clients that run give what it had to others within some seconds."));
            }
        }
    }

    private void pool(Client client, ClientReport report, List<Finding> findings) {
        if (report.threadsWaiting() == null || report.waiting().compareTo(SHORT) < 0) {
            return;
        }
        findings.add(new Finding(
                Severity.CRITICAL,
                Cause.POOL_EXHAUSTED,
                client.who(),
                report.at().minus(report.waiting()),
                "The JVM " + client.who() + " has too few SQL connections: " + Words.threads(report.threadsWaiting())
                        + " for one of its " + report.sqlConnections() + ", whenever it looked for "
                        + Words.age(report.waiting()),
                List.of(report.sqlConnectionsInUse() + " of them were in use at " + report.at()),
                "A thread dump of that process shows who has them. Where all of them work, make 'poolSize' larger."));
    }

    private void listener(Client client, ClientReport report, List<Finding> findings) {
        if (report.listening() == null || report.listening().compareTo(limits.held()) < 0) {
            return;
        }
        boolean isTold = findings.stream()
                .anyMatch(finding -> finding.subject().equals(report.listeningTo())
                        && (finding.cause() == Cause.HELD_TOO_LONG || finding.cause() == Cause.BLOCKED));
        if (isTold) {
            return;
        }
        findings.add(new Finding(
                Severity.WARNING,
                Cause.HELD_TOO_LONG,
                report.listeningTo(),
                report.at().minus(report.listening()),
                report.listeningTo() + ": a listener of " + client.who() + " has worked on one message for "
                        + Words.age(report.listening()),
                List.of("as that JVM told at " + report.at()),
                "See what it does: a thread dump of that process."));
    }

    private void clock(Client client, ClientReport report, List<Finding> findings) {
        if (report.clockAhead().abs().compareTo(limits.skew()) <= 0) {
            return;
        }
        findings.add(new Finding(
                Severity.WARNING,
                Cause.CLOCK_SKEW,
                client.who(),
                null,
                "The clock of " + client.who() + " is "
                        + Words.age(report.clockAhead().abs()) + " "
                        + (report.clockAhead().isNegative() ? "behind" : "ahead of") + " the database's",
                List.of("the database said " + report.at() + " when that JVM said "
                        + report.at().plus(report.clockAhead())),
                "Set the clock of that machine by NTP."));
    }

    private void releases(List<Finding> findings) {
        Set<String> releases = new TreeSet<>();
        List<String> evidence = new ArrayList<>();
        for (Client client : seen.connected()) {
            if (client.release() != null) {
                releases.add(client.release());
                evidence.add(client.who() + " has release " + client.release() + ", since " + client.startedAt());
            }
        }
        Instant youngest = seen.clients().rows().stream()
                .map(Client::startedAt)
                .max(Comparator.naturalOrder())
                .orElse(seen.takenAt());
        if (releases.size() > 1 && Duration.between(youngest, seen.takenAt()).compareTo(ROLLOUT) > 0) {
            findings.add(new Finding(
                    Severity.WARNING,
                    Cause.RELEASES_MIXED,
                    "releases",
                    youngest,
                    "JVMs have different releases of Readpast: " + String.join(", ", releases),
                    evidence,
                    "Restart those of the older release with the newer one. They work together meanwhile, where the"
                            + " schema's version lets them."));
        }
    }
}
