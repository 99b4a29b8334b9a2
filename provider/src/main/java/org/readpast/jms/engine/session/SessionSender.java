package org.readpast.jms.engine.session;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ResourceAllocationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.engine.transaction.SessionTransaction;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Publication;
import org.readpast.jms.store.StoreException;

/**
 * How a session's messages get from the application to the database: with the application's own transaction, with the commit,
 * at once, or a little later. Thread-safe.
 */
public final class SessionSender implements ProviderSender {

    /** The error code of a send to a queue that was moved to another database. */
    public static final String MOVED = "MOVED";

    /** So long a session's messages go by themselves after one of them was refused. */
    private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SessionContext session;
    private final SessionTransaction transaction;
    private final ConnectionContext connection;
    private final ProviderRuntime runtime;
    private final JoinedWork joined;
    private final SessionLock lock;
    private final AsyncSender later;

    /** When the database last refused a message of this session, by {@link System#nanoTime()}. Guarded by the session's lock. */
    private long lastRefused = System.nanoTime() - ALONE_NANOS - 1;

    SessionSender(
            SessionContext session,
            SessionTransaction transaction,
            ConnectionContext connection,
            ProviderRuntime runtime,
            JoinedWork joined,
            SessionLock lock) {
        this.session = session;
        this.transaction = transaction;
        this.connection = connection;
        this.runtime = runtime;
        this.joined = joined;
        this.lock = lock;
        this.later = new AsyncSender(
                runtime::send,
                runtime.settings().outboxBytes(),
                new AsyncSender.Session(session.name(), lock, connection::report));
    }

    @Override
    public void send(ReadpastDestination destination, EncodedMessage message, long timeToLive, long deliveryDelay)
            throws JMSException {
        List<NewMessage> outgoing = outgoing(destination, message, timeToLive, deliveryDelay);
        later.awaitSent();
        lock.lock();
        try {
            session.checkOpen();
            if (joined.isActive()) {
                joined.send(outgoing);
            } else if (isTransacted()) {
                transaction.send(outgoing);
            } else {
                joined.warnOfTransactionElsewhere("this message");
                sendAtOnce(outgoing);
            }
        } catch (StoreException e) {
            if (e.failure() == Failure.DESTINATION_GONE) {
                for (ReadpastDestination member : destination.members()) {
                    checkNotMoved(member);
                }
            }
            throw JmsErrors.jms(failed(destination), e);
        } finally {
            lock.unlock();
        }
    }

    /** With those of other sessions, unless one of this session has failed a moment ago: it would take them with it each time. */
    private void sendAtOnce(List<NewMessage> outgoing) throws StoreException {
        try {
            if (outgoing.size() == 1 && System.nanoTime() - lastRefused > ALONE_NANOS) {
                runtime.sendCombined(outgoing.get(0));
            } else {
                runtime.send(outgoing);
            }
        } catch (StoreException e) {
            if (e.failure().mayBeOfOneMessageNow()) {
                lastRefused = System.nanoTime();
            }
            throw e;
        }
    }

    @Override
    public void sendAsync(
            ReadpastDestination destination,
            EncodedMessage message,
            long timeToLive,
            long deliveryDelay,
            SendCompletion completion)
            throws JMSException {
        if (isTransacted() || joined.isPossible()) {
            later.checkMaySend();
            send(destination, message, timeToLive, deliveryDelay);
            later.complete(completion);
        } else {
            later.send(outgoing(destination, message, timeToLive, deliveryDelay), completion);
        }
    }

    private List<NewMessage> outgoing(
            ReadpastDestination destination, EncodedMessage message, long timeToLive, long deliveryDelay)
            throws JMSException {
        session.checkOpen();
        checkSize(destination, message);
        long now = System.nanoTime();
        List<NewMessage> copies = new ArrayList<>();
        for (ReadpastDestination member : members(destination)) {
            checkNotMoved(member);
            int id = runtime.destinations().idOf(member, connection.autoCreation());
            checkNotPaused(member, id);
            copies.add(new NewMessage(
                    id,
                    destination.isComposite() ? message.withDestination(member.text()) : message,
                    timeToLive,
                    deliveryDelay,
                    now,
                    member instanceof ReadpastTopic ? new Publication(connection.origin()) : null));
        }
        return copies;
    }

    private void checkSize(ReadpastDestination destination, EncodedMessage message) throws JMSException {
        try {
            String tooLarge = runtime.store().tooLarge(message);
            if (tooLarge != null) {
                throw new MessageFormatException(failed(destination) + ", " + tooLarge);
            }
        } catch (StoreException e) {
            throw JmsErrors.jms(failed(destination), e);
        }
    }

    private void checkNotMoved(ReadpastDestination destination) throws JMSException {
        if (destination instanceof ReadpastTopic) {
            return;
        }
        try {
            QueueMove move = runtime.moveOf(destination.getName());
            if (move != null && move.isSentElsewhere()) {
                throw new InvalidDestinationException(
                        failed(destination) + ", it was moved to database '" + move.database()
                                + "': a connection factory with routes sends to it there",
                        MOVED);
            }
        } catch (StoreException e) {
            throw JmsErrors.jms(failed(destination), e);
        }
    }

    private void checkNotPaused(ReadpastDestination destination, int id) throws JMSException {
        try {
            if (runtime.store().isSendPaused(id)) {
                throw new ResourceAllocationException(
                        failed(destination)
                                + ", an administrator has paused it; 'readpast resume' or the procedure resume ends that",
                        "PAUSED");
            }
        } catch (StoreException e) {
            throw JmsErrors.jms(failed(destination), e);
        }
    }

    private String failed(ReadpastDestination destination) {
        return session.name() + ": sending to " + destination + " failed";
    }

    /** The sender of a message chooses its JMSReplyTo. With a composite one it would choose how many messages and queues a reply makes. */
    private List<ReadpastDestination> members(ReadpastDestination destination) throws InvalidDestinationException {
        List<ReadpastDestination> members = destination.members();
        if (destination.isComposite()
                && destination.isReceived()
                && !runtime.settings().compositeReplies()) {
            throw new InvalidDestinationException(
                    destination + " is composite and came with a message, so that its sender would"
                            + " choose how many messages are sent; reply to its members one by one, or set the option 'compositeReplies'");
        }
        if (members.size() > runtime.settings().compositeMembers()) {
            throw new InvalidDestinationException("A composite destination has " + members.size()
                    + " members, and the option 'compositeMembers' allows "
                    + runtime.settings().compositeMembers());
        }
        return members;
    }

    private boolean isTransacted() {
        return session.mode() == AcknowledgeMode.TRANSACTED;
    }

    /** Waits until every asynchronous send has been completed; refuses to be called from a completion. */
    void awaitCompleted(String call) throws JMSException {
        later.awaitCompleted(call);
    }

    void checkNotInCallback(String call) throws JMSException {
        later.checkNotInCallback(call);
    }

    boolean isInCallback() {
        return later.isInCallback();
    }

    /** Whether the caller is a completion listener that closing waits for. */
    boolean isInAwaitedCallback() {
        return later.isInAwaitedCallback();
    }

    /** Waits for asynchronous sends until then, by {@link System#nanoTime()}; only their completion listeners may send more. */
    void awaitCompleted(long deadlineNanos) {
        later.awaitCompleted(deadlineNanos);
    }

    @Override
    public <E extends Exception> void whileCompleting(SessionLock.Wait<E> wait) throws E {
        later.whileCompleting(wait);
    }

    /**
     * Waits for asynchronous sends; there will be no more.
     *
     * @param deadlineNanos until when to wait, by {@link System#nanoTime()}
     * @return false if the time was over first
     */
    boolean close(long deadlineNanos) {
        return later.close(deadlineNanos);
    }
}
