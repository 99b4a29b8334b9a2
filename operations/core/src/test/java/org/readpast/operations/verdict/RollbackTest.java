package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.readpast.operations.Databases;
import org.readpast.operations.database.Answer;
import org.readpast.operations.server.DatabaseSession;
import org.readpast.operations.server.Lock;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;

/** Nobody is told to end a session that rolls back already, as SQL Server says of one. */
class RollbackTest {

    private static DatabaseSession session(Snapshot seen, String state) {
        Instant since = seen.takenAt().minusSeconds(3600);
        return new DatabaseSession(
                51, "app", "reports", "app-3", since, since, since, state, null, List.of(), true, true);
    }

    private static Snapshot with(Snapshot seen, Map<String, Object> others) throws Exception {
        RecordComponent[] components = Snapshot.class.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            Object other = others.get(components[i].getName());
            values[i] = other != null ? other : components[i].getAccessor().invoke(seen);
        }
        return (Snapshot) Snapshot.class.getDeclaredConstructors()[0].newInstance(values);
    }

    private static List<Finding> found(Snapshot seen, String state, boolean hasMessages) throws Exception {
        DatabaseSession session = session(seen, state);
        Queue queue = seen.queues().rows().get(0);
        Lock lock = new Lock(
                queue.kind(), queue.name(), queue.id(), 51, "reports", "app-3", "4711", "app", 1, session.since());
        return new Verdict()
                .judge(with(
                        seen,
                        Map.of(
                                "sessions",
                                new Answer.Known<>(List.of(session)),
                                "locks",
                                new Answer.Known<>(hasMessages ? List.of(lock) : List.of()))));
    }

    @Test
    void who_rolls_back_is_waited_for() throws Exception {
        try (Databases database = new Databases(Databases.H2)) {
            try (JMSContext context = database.factory().createContext()) {
                context.createProducer().send(context.createQueue("orders"), "one");
            }
            Snapshot seen = database.look();
            for (boolean hasMessages : new boolean[] {false, true}) {
                Cause cause = hasMessages ? Cause.HELD_TOO_LONG : Cause.DEAD_ROWS_PINNED;
                Finding works = found(seen, "running", hasMessages).get(0);
                assertThat(works.cause()).isEqualTo(cause);
                assertThat(works.next()).contains("ABORT_SESSION(51)");
                Finding rollsBack = found(seen, "rollback", hasMessages).get(0);
                assertThat(rollsBack.cause()).isEqualTo(cause);
                assertThat(rollsBack.next()).isEqualTo("It is rolling back: wait.");
            }
        }
    }
}
