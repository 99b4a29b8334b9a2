package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * What administrators have set for queues, as the database said a few seconds ago: which keep a history, which are paused, and which are moved. A pause is
 * kept to as soon as it is read; its end only once this JVM's row does not say any more that it is, so that nobody who pauses anew takes the
 * row for an answer. Thread-safe.
 */
public final class QueueSettings {

    /**
     * What was read.
     *
     * @param number how many reads had begun by then, this one included
     * @param withHistory the queues that keep a history
     * @param unreceived the queues of which nothing is to be claimed
     * @param unsent the queues to which nothing is to be sent
     * @param pauses both as this JVM's row tells them
     * @param moves the queues that are moved to another database or from it, by name
     */
    public record Read(
            int number,
            Set<Integer> withHistory,
            Set<Integer> unreceived,
            Set<Integer> unsent,
            String pauses,
            Map<String, QueueMove> moves) {

        /** With the moves that a later one has found. */
        private Read withMovesOf(Read later) {
            return new Read(later.number, withHistory, unreceived, unsent, pauses, later.moves);
        }
    }

    private static final Logger LOG = Loggers.of(QueueSettings.class);

    private final Statements statements;

    /** This JVM's; null while it has no row that says what it keeps to. */
    private volatile String instance;

    /** Whether that row may say anything. */
    private volatile boolean isTold;

    /** Written under this object's lock. */
    private volatile Read current = new Read(0, Set.of(), Set.of(), Set.of(), "", Map.of());

    /** How many reads have begun. */
    private final AtomicInteger begun = new AtomicInteger();

    /** The first read to know why a send was refused, for which a move may be the reason. */
    private final AtomicInteger settling = new AtomicInteger();

    /** Whose stage a newer release has written; told once. */
    private final Set<String> unknownMoves = ConcurrentHashMap.newKeySet();

    /** Told of each time that it was read, while there are moves or have been. */
    private final Set<Runnable> moveListeners = ConcurrentHashMap.newKeySet();

    /** Written under this object's lock. */
    private volatile int checksum = checksum(current);

    public QueueSettings(Statements statements) {
        this.statements = statements;
    }

    /** From now on the row of this instance says which pauses it keeps to. */
    public void tellAs(String registered) {
        instance = registered;
    }

    /** Asks the database, and keeps to what is paused. What is not set any more holds until {@link #use}. */
    public Read read(Connection connection) throws SQLException {
        int number = begun.incrementAndGet();
        Set<Integer> withHistory = new HashSet<>();
        Set<Integer> unreceived = new HashSet<>();
        Set<Integer> unsent = new HashSet<>();
        StringJoiner paused = new StringJoiner(" ");
        Map<String, QueueMove> moves = new HashMap<>();
        try (Query settings = statements.query(connection, "queue_settings");
                ResultSet rows = settings.rows()) {
            while (rows.next()) {
                int id = rows.getInt("destination_id");
                String what = rows.getString("paused");
                if (rows.getInt("history") == 1) {
                    withHistory.add(id);
                } else if (!rows.getString("moved").isEmpty()) {
                    String name = rows.getString("name");
                    String database = rows.getString("moved_database");
                    String moved = rows.getString("moved");
                    QueueMove.Stage.of(moved)
                            .ifPresentOrElse(stage -> moves.put(name, new QueueMove(stage, database)), () -> {
                                tellUnknown(name, moved);
                                unreceived.add(id);
                                unsent.add(id);
                            });
                } else {
                    paused.add(id + ":" + what);
                    if (!what.equals("send")) {
                        unreceived.add(id);
                    }
                    if (!what.equals("receive")) {
                        unsent.add(id);
                    }
                }
            }
        }
        synchronized (this) {
            current = new Read(
                    current.number(),
                    withHistory,
                    union(current.unreceived(), unreceived),
                    union(current.unsent(), unsent),
                    "",
                    current.moves());
        }
        return new Read(number, withHistory, unreceived, unsent, paused.toString(), moves);
    }

    private void tellUnknown(String queue, String moved) {
        if (unknownMoves.add(queue)) {
            LOG.warn(
                    "Queue '{}' is moved in a way that this release does not know ({}), and is left to newer ones",
                    queue,
                    moved);
        }
    }

    /** Says what it keeps to: while there are pauses each time, since the row may be a new one. */
    public void tell(Connection connection, Read read) throws SQLException {
        String paused = read.pauses();
        if (instance == null || (paused.isEmpty() && !isTold)) {
            return;
        }
        isTold = true;
        try (Query tell = statements.query(connection, "tell_paused")) {
            tell.set("paused_queues", paused.isEmpty() ? null : paused)
                    .set("instance", instance)
                    .update();
        }
    }

    /**
     * Keeps to this alone, once the transaction that has read it is committed; but of moves to what a later read has found.
     *
     * @return the queues of which messages can be claimed again
     */
    public Set<Integer> use(Read read) {
        boolean tellsOfMoves;
        Set<Integer> resumed;
        synchronized (this) {
            tellsOfMoves = !read.moves().isEmpty() || !current.moves().isEmpty();
            resumed = keepTo(read);
        }
        if (tellsOfMoves) {
            moveListeners.forEach(Runnable::run);
        }
        return resumed;
    }

    /** With the lock. */
    private Set<Integer> keepTo(Read read) {
        Set<Integer> resumed = new HashSet<>(current.unreceived());
        resumed.removeAll(read.unreceived());
        isTold = !read.unreceived().isEmpty() || !read.unsent().isEmpty();
        current = read.number() < current.number() ? read.withMovesOf(current) : read;
        checksum = checksum(current);
        return resumed;
    }

    private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
        Set<Integer> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /** See {@link org.readpast.jms.store.MessageStore#queueSettingsChecksum}. Computed where it is read, since it is asked for all the time. */
    public int checksum() {
        return checksum;
    }

    private static int checksum(Read read) {
        return Stream.of(
                        read.withHistory().stream().sorted(),
                        read.unreceived().stream().sorted(),
                        read.unsent().stream().sorted(),
                        read.moves().entrySet().stream()
                                .map(QueueSettings::text)
                                .sorted())
                .map(each -> each.toList())
                .toList()
                .hashCode();
    }

    /** The same in each JVM, which the hash code of a constant of an enum is not. */
    private static String text(Map.Entry<String, QueueMove> moved) {
        QueueMove move = moved.getValue();
        return moved.getKey() + " " + move.stage().name() + " " + move.database();
    }

    /** Whether a queue keeps a history. */
    public boolean isHistoryKept(int destinationId) {
        return current.withHistory().contains(destinationId);
    }

    /** Whether nothing of a queue is to be claimed. */
    public boolean isReceivePaused(int destinationId) {
        return current.unreceived().contains(destinationId);
    }

    /** Whether nothing is to be sent to a queue. */
    public boolean isSendPaused(int destinationId) {
        return current.unsent().contains(destinationId);
    }

    /** See {@link org.readpast.jms.store.MessageStore#moveOf}. */
    public QueueMove moveOf(String queue) {
        return current.moves().get(queue);
    }

    /** A send was refused, perhaps because its queue was moved. */
    public void suspectMove() {
        settling.accumulateAndGet(begun.get() + 1, Math::max);
    }

    /** Whether what is known of moves is likely to be out of date. */
    public boolean isMoveLikely() {
        return current.number() < settling.get();
    }

    /** See {@link org.readpast.jms.store.MessageStore#onMoves}. */
    public void onMoves(Runnable listener) {
        moveListeners.add(listener);
    }

    /** See {@link org.readpast.jms.store.MessageStore#offMoves}. */
    public void offMoves(Runnable listener) {
        moveListeners.remove(listener);
    }
}
