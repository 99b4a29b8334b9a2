package org.readpast.jms.engine.routing;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.session.ProviderSender;
import org.readpast.jms.engine.session.SendCompletion;
import org.readpast.jms.engine.session.SessionSender;
import org.readpast.jms.engine.transaction.SessionLock;

/** How a session sends whose destinations are in several databases: in the part that each is in. Thread-safe. */
final class RoutedSender implements ProviderSender {

    private final SessionParts parts;
    private final Placement placement;
    private final RoutedTemporaries temporaries;
    private final QueueMoves moves;

    /** Which sends asynchronously: one at a time, so that completions come in the order of the sends. Null for none yet. */
    private volatile EngineSession sending;

    RoutedSender(SessionParts parts, Placement placement, RoutedTemporaries temporaries, QueueMoves moves) {
        this.parts = parts;
        this.placement = placement;
        this.temporaries = temporaries;
        this.moves = moves;
    }

    /**
     * Where a destination is sent to.
     *
     * @param preferred for a temporary destination; null for any
     */
    String databaseOf(ReadpastDestination destination, String preferred) throws JMSException {
        return destination.isTemporary()
                ? temporaries.find(destination, preferred)
                : placement.of(destination, moves::sentTo);
    }

    /** Where a message is sent. The sends of a CLIENT session are committed by themselves, wherever they go. */
    private EngineSession target(ReadpastDestination destination, EncodedMessage message) throws JMSException {
        parts.checkOpen();
        String working = parts.isTransacted() ? parts.working() : null;
        String database = databaseOf(destination, working == null ? parts.lastReceived() : working);
        parts.check(database, destination, working);
        EngineSession target = parts.in(database);
        if (message.replyTo() != null) {
            ReadpastDestination replyTo = ReadpastDestination.parse(message.replyTo());
            if (replyTo.isTemporary()) {
                temporaries.reachIn(database, replyTo);
            } else if (!replyTo.isComposite()) {
                placement.tellOfReplies(destination, database, replyTo);
            }
        }
        return target;
    }

    @Override
    public void send(ReadpastDestination destination, EncodedMessage message, long timeToLive, long deliveryDelay)
            throws JMSException {
        EngineSession target = target(destination, message);
        try {
            target.sender().send(destination, message, timeToLive, deliveryDelay);
        } catch (InvalidDestinationException e) {
            // Of a transaction other messages may be lost with it, and the application sends all of them again.
            EngineSession moved = isRefusedAsMoved(e) ? target(destination, message) : target;
            if (moved == target) {
                throw e;
            }
            moved.sender().send(destination, message, timeToLive, deliveryDelay);
        }
    }

    private boolean isRefusedAsMoved(JMSException e) {
        return SessionSender.MOVED.equals(e.getErrorCode()) && !parts.isTransacted();
    }

    @Override
    public void sendAsync(
            ReadpastDestination destination,
            EncodedMessage message,
            long timeToLive,
            long deliveryDelay,
            SendCompletion completion)
            throws JMSException {
        EngineSession target = target(destination, message);
        EngineSession before = sending;
        if (before != null && before != target) {
            before.awaitCompleted("an asynchronous send to another database");
        }
        sending = target;
        target.sender().sendAsync(destination, message, timeToLive, deliveryDelay, completion);
    }

    @Override
    public <E extends Exception> void whileCompleting(SessionLock.Wait<E> wait) throws E {
        EngineSession now = sending;
        if (now == null) {
            wait.run();
        } else {
            now.sender().whileCompleting(wait);
        }
    }
}
