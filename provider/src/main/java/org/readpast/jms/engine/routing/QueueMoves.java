package org.readpast.jms.engine.routing;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.SessionSender;
import org.readpast.jms.store.MessageStore.QueueMove;

/**
 * Where a session finds a queue that is moved from one database to another: messages are sent to the new place at once, and received from the
 * old one until nothing is left there. Goes by what each of the two says of it, however old that is. Thread-safe.
 */
final class QueueMoves {

    private final Databases databases;
    private final SessionRules session;

    /** @param session to ask in each database */
    QueueMoves(Databases databases, SessionRules session) {
        this.databases = databases;
        this.session = session;
    }

    /** The database where a queue is sent to, which the routes put into another one. */
    String sentTo(String routed, ReadpastDestination queue) throws JMSException {
        Set<String> seen = new LinkedHashSet<>();
        String place = followSends(routed, queue, seen);
        if (place == null) {
            // It was moved back, and what is known of one place is older than what is known of the other.
            for (String database : seen) {
                session.in(database).refreshQueueSettings();
            }
            seen.clear();
            place = followSends(routed, queue, seen);
        }
        if (place == null) {
            throw new InvalidDestinationException(queue + " was moved from each of the databases " + seen
                    + " to the next one, and is in none of them:" + " 'readpast move-queue' moves it to one");
        }
        if (!isHere(place)) {
            throw new InvalidDestinationException(
                    queue + " was moved to database '" + place
                            + "', and this connection has no route of that name, but the databases " + databases.names()
                            + ": a connection factory with that route sends to it there",
                    SessionSender.MOVED);
        }
        return place;
    }

    private boolean isHere(String database) {
        return databases.names().contains(database);
    }

    /** Null where it leads in a circle. */
    private String followSends(String routed, ReadpastDestination queue, Set<String> seen) throws JMSException {
        String place = routed;
        while (seen.add(place)) {
            QueueMove move = isHere(place) ? session.in(place).moveOf(queue.getName()) : null;
            if (move == null || (!move.isSentElsewhere() && !isToBegin(move.database(), queue))) {
                return place;
            }
            place = move.database();
        }
        return null;
    }

    /** Whether a move that the new place knows of was not begun in the old one, which may last: then senders and consumers are there. */
    private boolean isToBegin(String old, ReadpastDestination queue) {
        try {
            return isHere(old) && stage(old, queue) == null;
        } catch (JMSException e) {
            // The old place cannot be asked. That its being away keeps nobody from sending is worth more than a rare
            // beginning.
            return false;
        }
    }

    /** The database where a queue is received from: the old one, until nothing is left there. */
    String receivedFrom(String routed, ReadpastDestination queue) throws JMSException {
        Set<String> seen = new LinkedHashSet<>();
        String place = routed;
        while (true) {
            seen.add(place);
            QueueMove move = session.in(place).moveOf(queue.getName());
            if (move == null
                    || move.stage() == QueueMove.Stage.AWAY
                    || seen.contains(move.database())
                    || !isHere(move.database())) {
                return place;
            }
            if (move.stage() == QueueMove.Stage.HERE) {
                return isLeft(move.database(), queue, place) ? place : move.database();
            }
            place = move.database();
        }
    }

    /** Whether a queue that has come to a database is not to be received any more from the one that it has come from. */
    private boolean isLeft(String old, ReadpastDestination queue, String next) throws JMSException {
        if (stage(old, queue) == QueueMove.Stage.HERE) {
            // Each has it from the other: it is on its way back, and what is known of one is older.
            session.in(old).refreshQueueSettings();
            session.in(next).refreshQueueSettings();
        }
        return stage(old, queue) == QueueMove.Stage.GONE || stage(next, queue) != QueueMove.Stage.HERE;
    }

    /** Null where nothing is known of a move. */
    private QueueMove.Stage stage(String database, ReadpastDestination queue) throws JMSException {
        QueueMove move = session.in(database).moveOf(queue.getName());
        return move == null ? null : move.stage();
    }

    /** Whether a consumer may have to turn to another database. Costs no round trip. */
    boolean mayTurn(RoutedConsumer consumer) {
        try {
            QueueMove move = session.in(consumer.database())
                    .moveOf(consumer.destination().getName());
            return !consumer.isClosed()
                    && (consumer.isUnfinished()
                            || (move != null && move.stage() != QueueMove.Stage.AWAY && isHere(move.database())));
        } catch (JMSException e) {
            // It is closed by now.
            return false;
        }
    }
}
