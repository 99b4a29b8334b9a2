package org.readpast.operations.verdict;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.operations.database.Words;
import org.readpast.operations.server.DatabaseSession;
import org.readpast.operations.snapshot.Snapshot;

/** The sessions of a snapshot: who waits for whom, and what can be done about one. */
public final class Sessions {

    private final Snapshot seen;

    Sessions(Snapshot seen) {
        this.seen = seen;
    }

    /** A session, whom it waits for, and so on to the one that waits for nobody. */
    List<DatabaseSession> chain(DatabaseSession session) {
        List<DatabaseSession> chain = new ArrayList<>();
        Set<Integer> passed = new HashSet<>();
        DatabaseSession next = session;
        while (next != null && passed.add(next.id())) {
            chain.add(next);
            int blocker = next.blockers().isEmpty() ? -1 : next.blockers().get(0);
            next = blocker == -1 ? null : seen.session(blocker).findFirst().orElseGet(() -> unseen(blocker));
        }
        return chain;
    }

    private static DatabaseSession unseen(int id) {
        return new DatabaseSession(id, "unknown", null, null, null, null, null, null, null, List.of(), false, false);
    }

    String describe(DatabaseSession session) {
        return session.who()
                + (session.since() == null ? "" : ", transaction open " + Words.since(session.since(), seen.takenAt()))
                + (session.state() == null ? "" : ", " + session.state())
                + (session.idleSince() == null || !session.isIdleInTransaction()
                        ? ""
                        : " " + Words.since(session.idleSince(), seen.takenAt()))
                + (session.blockers().isEmpty()
                        ? ""
                        : ", waits for session " + session.blockers().get(0))
                + (session.statement() == null ? "" : ", last statement " + session.statement());
    }

    /** What to do about the session at the head of a chain. */
    String advice(DatabaseSession head) {
        if (head.id() == 0) {
            return "It is a prepared transaction: ask the transaction manager that prepared it to end it, by its name.";
        }
        if (!head.isClient()) {
            return "It is a session of the server itself, or one that is not seen: do not end it, see what the server does.";
        }
        return toEnd(
                head.id(),
                "Ask who runs it to commit or to roll back. ",
                " It is rolled back, which can take as long as its work did; the consumer then goes on, with its messages.");
    }

    /** How a session is ended, between what is said before and behind it; to one that rolls back already nothing else can be done. */
    String toEnd(int id, String before, String behind) {
        boolean rollsBack = seen.session(id).anyMatch(session -> "rollback".equals(session.state()));
        return rollsBack ? "It is rolling back: wait." : before + end(id) + behind;
    }

    /** How a session is ended, so that no other one is that has the number by then. */
    private String end(int id) {
        Instant login =
                seen.session(id).findFirst().map(DatabaseSession::loginAt).orElse(null);
        return switch (seen.product()) {
            case POSTGRESQL ->
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = " + id
                        + (login == null ? "" : " AND backend_start = '" + login + "'")
                        + " (by its own role, or with pg_signal_backend).";
            case SQL_SERVER ->
                "KILL " + id + " (with ALTER ANY CONNECTION), after a look at login_time in sys.dm_exec_sessions"
                        + (login == null ? "" : ", which was " + login)
                        + ": the number may be another session's by then.";
            case H2 -> "CALL ABORT_SESSION(" + id + ") (with ADMIN).";
        };
    }
}
