package org.readpast.operations.verdict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.Snapshot;

/** What could not be read, and which right would help. What a database cannot tell anybody is no finding. */
final class UnknownCases {

    private final Snapshot seen;

    UnknownCases(Snapshot seen) {
        this.seen = seen;
    }

    void judge(List<Finding> findings) {
        String to = " TO " + seen.login();
        Map<String, Answer<?>> parts = new LinkedHashMap<>();
        parts.put("how full queues are", seen.queues());
        parts.put("which queues are paused", seen.paused());
        parts.put("which queues are moved", seen.moved());
        parts.put("who consumes", seen.consumers());
        parts.put("who is connected", seen.clients());
        parts.put("who has which messages in a transaction", seen.locks());
        parts.put("which messages are received or sent and not committed", seen.deleting());
        parts.put("which sessions wait for which", seen.sessions());
        parts.put("what is claimed by lease", seen.leases());
        parts.put("message groups", seen.groups());
        parts.put("subscriptions", seen.subscriptions());
        parts.put("delayed messages", seen.delayed());
        parts.put("messages that come back", seen.failing());
        parts.put("dead letters", seen.deadLetters());
        parts.put("the history", seen.outcomes());
        parts.put("how old the history is", seen.histories());
        parts.put("messages without a destination", seen.orphaned());
        parts.put("numbers of destinations", seen.largestId());
        parts.put("which priorities wait", seen.priorities());
        parts.put("clocks of senders", seen.earlySenders());
        parts.put("how full the log is", seen.logSpace());
        parts.put("settings of the database", seen.settings());
        parts.forEach((what, answer) -> {
            if (answer instanceof Answer.Unknown<?> unknown && !unknown.why().equals(Look.NOT_SHOWN)) {
                findings.add(new Finding(
                        Severity.UNKNOWN,
                        Cause.NOT_KNOWN,
                        what,
                        null,
                        "Not known: " + what + ": " + unknown.why(),
                        List.of("the login is " + seen.login()),
                        unknown.grant() == null
                                ? "Look again; if it stays, the cases that need it are not judged."
                                : "For the login to see it: " + unknown.grant().replace(";", to + ";") + to));
            }
        });
    }
}
