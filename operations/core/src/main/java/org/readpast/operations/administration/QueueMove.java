package org.readpast.operations.administration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Moved;

/**
 * Moves a queue from one database to another while it is used. No message is carried over: what is in the old place is received there, what is
 * sent goes to the new one, and connection factories with routes turn from one to the other by themselves. What was begun can be gone on with by
 * another one of the same queue and databases. Not thread-safe.
 */
public final class QueueMove {

    /** What JMS knows as an error of the state that a thing is in, in PostgreSQL's terms. */
    private static final String NOT_NOW = "55000";

    private static final String DEAD_LETTERS = "DLQ";

    private static final int LOOKS = 5;

    /**
     * One of the two databases.
     *
     * @param name what routes call it, and {@code home} if none do
     * @param connection stays the caller's to close; must have autocommit on
     * @param schema the schema's name, an identifier
     */
    public record Place(String name, Connection connection, String schema) {

        private Moved of(String queue) throws SQLException {
            return known(Facts::moved).stream()
                    .filter(moved -> moved.queue().equals(queue))
                    .findFirst()
                    .orElse(null);
        }

        /** A look is given up soon where the server is busy, and a move is not for that. */
        private <T> List<T> known(Ask<T> question) throws SQLException {
            Answer<T> answer = look(question);
            for (int left = LOOKS - 1; left > 0 && isForBusyness(answer); left--) {
                answer = look(question);
            }
            if (answer instanceof Answer.Unknown<T> unknown) {
                throw new SQLException(
                        "Database '" + name + "' does not say what is moved: " + unknown.text(),
                        unknown.grant() == null ? NOT_NOW : "42501");
            }
            return answer.rows();
        }

        private <T> Answer<T> look(Ask<T> question) throws SQLException {
            try (Look look = new Look(connection, schema)) {
                return question.of(look);
            }
        }

        private static boolean isForBusyness(Answer<?> answer) {
            return answer instanceof Answer.Unknown<?> unknown && unknown.grant() == null;
        }
    }

    @FunctionalInterface
    private interface Ask<T> {
        Answer<T> of(Look look) throws SQLException;
    }

    private final String queue;
    private final Place from;
    private final Place to;
    private final String claimedUser;

    /**
     * @param queue its name
     * @param from where it is
     * @param to where it is to be
     * @param claimedUser who asks for it, up to 128 characters, for {@link Facts#audit}; null for nobody. The databases do not check it
     */
    public QueueMove(String queue, Place from, Place to, String claimedUser) {
        this.queue = queue;
        this.from = from;
        this.to = to;
        this.claimedUser = claimedUser;
    }

    private Administration in(Place place) throws SQLException {
        Administration administration = new Administration(place.connection(), place.schema(), claimedUser);
        administration.limit();
        return administration;
    }

    /**
     * Turns the senders: once this returns nothing can be sent to the old place any more, but what was written there before and is not committed
     * yet. The queue must be in both databases. Done again it does nothing.
     *
     * @throws SQLException if the queue cannot be moved now, is not in one of the databases, or the login has not the right
     */
    public void begin() throws SQLException {
        if (isOn(from.of(queue))) {
            return;
        }
        check();
        in(to).markMoved(queue, Moved.Stage.HERE, from.name());
        try {
            in(from).markMoved(queue, Moved.Stage.AWAY, to.name());
        } catch (SQLException e) {
            throw new SQLException(
                    "The move of queue " + queue + " is begun in '" + to.name() + "' and not in '" + from.name()
                            + "', where it stays until it is begun again: " + e.getMessage(),
                    e.getSQLState(),
                    e);
        }
    }

    /** Whether this very move was begun. */
    private boolean isOn(Moved here) {
        return here != null
                && here.stage() != Moved.Stage.HERE
                && here.database().equals(to.name());
    }

    /**
     * Looks whether it can be begun, or was.
     *
     * @throws SQLException if the queue is not in the old place, or cannot be moved now, or the login has not the right
     */
    public void check() throws SQLException {
        Moved here = from.of(queue);
        if (isOn(here)) {
            return;
        }
        if (here != null) {
            throw new SQLException(
                    here.stage() == Moved.Stage.HERE
                            ? "Queue " + queue + " has come to '" + from.name() + "' from '" + here.database()
                                    + "', and that move is not finished: finish it first"
                            : "Queue " + queue + " is not in '" + from.name() + "': it was moved to '" + here.database()
                                    + "'",
                    NOT_NOW);
        }
        // It changes nothing, and is refused where there is no such queue.
        in(from).markMoved(queue, null, null);
        Moved there = to.of(queue);
        if (there != null && there.stage() == Moved.Stage.AWAY) {
            throw new SQLException(
                    "Queue " + queue + " leaves '" + to.name() + "' for '" + there.database()
                            + "', and that move is not finished: finish it first",
                    NOT_NOW);
        }
        boolean hasDeadLetters = from.known(Facts::deadLetters).stream()
                .anyMatch(dead -> dead.queue().equals(queue));
        if (queue.equals(DEAD_LETTERS) || queue.startsWith(DEAD_LETTERS + ".") || hasDeadLetters) {
            throw new SQLException(
                    "Queue " + queue + " has dead letters, which come to it within its database and are not turned:"
                            + " it cannot be moved",
                    NOT_NOW);
        }
    }

    /**
     * The JVMs whose sends would be refused from the beginning on: they have sent to the queue within transactions of their application's, as a
     * container or Spring begins them, and such a transaction cannot follow to another database. What they have sent within the last ten
     * seconds may not be known yet. Neither are programs in SQL, nor anybody on H2.
     *
     * @return empty where the move was begun
     */
    public List<Client> joinedSenders() throws SQLException {
        return isOn(from.of(queue)) ? List.of() : from.known(look -> Facts.joinedSenders(look, queue));
    }

    /** Whether messages are left in the old place, in whatever state, as far as can be seen without a lock. */
    public boolean isLeftBehind() throws SQLException {
        Moved here = from.of(queue);
        return here != null && here.isLeftBehind();
    }

    /**
     * Ends the move if nothing is left in the old place, so that consumers turn to the new one. On PostgreSQL it waits for all who have written
     * messages of any queue and not committed, and on SQL Server for those of the queue, for a second at the most; on H2 for nobody.
     *
     * @return false if something is left, or the second was over
     * @throws SQLException if the move was not begun, or the login has not the right
     */
    public boolean finish() throws SQLException {
        Moved here = from.of(queue);
        if (!isOn(here)) {
            throw new SQLException(
                    "Queue " + queue + " is not being moved from '" + from.name() + "' to '" + to.name() + "'",
                    NOT_NOW);
        }
        if (here.stage() == Moved.Stage.AWAY && !in(from).finishMove(queue)) {
            return false;
        }
        Moved there = to.of(queue);
        if (there != null && Objects.equals(there.database(), from.name())) {
            in(to).markMoved(queue, null, null);
        }
        return true;
    }
}
