package org.readpast.jms.engine.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.transaction.Acknowledgement;
import org.readpast.jms.engine.transaction.Claimer;
import org.readpast.jms.engine.transaction.Recipient;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.engine.transaction.SessionTransaction;
import org.readpast.jms.store.StoreException;

/**
 * The messages that connection consumers have assigned to a session, and the session's own listener, which gets them when an
 * application server runs the session (§11.2.1). They are claimed in the session's transaction, so they are acknowledged as
 * any others. Thread-safe; a session is run by one thread at a time.
 */
public final class AssignedMessages {

    private final SessionContext session;
    private final SessionConsumers consumers;
    private final JoinedWork joined;
    private final SessionTransaction transaction;
    private final Claimer claimer;
    private final ArrivalNews news;
    private final SessionLock lock;
    private final SessionReceiver receiver;
    private final Acknowledgement acknowledgement;

    /** Assigned and not yet run. Guarded by the lock. */
    private final Deque<Assignment> waiting = new ArrayDeque<>();

    /** Of whom something was delivered in the session's transaction. Guarded by the lock. */
    private final Set<Assigner> unsettled = new HashSet<>();

    /** Written with the lock. */
    private volatile DeliveryListener listener;

    AssignedMessages(
            SessionContext session,
            SessionConsumers consumers,
            JoinedWork joined,
            SessionTransaction transaction,
            Claimer claimer,
            ArrivalNews news,
            SessionLock lock,
            SessionReceiver receiver,
            Acknowledgement acknowledgement) {
        this.session = session;
        this.consumers = consumers;
        this.joined = joined;
        this.transaction = transaction;
        this.claimer = claimer;
        this.news = news;
        this.lock = lock;
        this.receiver = receiver;
        this.acknowledgement = acknowledgement;
    }

    /**
     * Sets the session's own listener, or with null takes it away. While there is one, nothing else can be received in the
     * session.
     *
     * @throws IllegalStateException if the session is closed, has a consumer with a listener, or can only receive in a
     *     transaction of the application's
     */
    public void listen(DeliveryListener newListener) throws JMSException {
        if (newListener == null && listener == null) {
            // Pools take it away from each session that they get back, whatever runs there.
            checkMayListen();
            return;
        }
        lock.lock();
        try {
            checkMayListen();
            if (newListener != null && consumers.hasListener()) {
                throw new IllegalStateException(
                        session.name()
                                + " has a consumer with a message listener, so it cannot have one of its own (Session.setMessageListener)");
            }
            listener = newListener;
        } finally {
            lock.unlock();
        }
    }

    private void checkMayListen() throws JMSException {
        session.checkOpen();
        joined.checkMayListen();
    }

    boolean hasListener() {
        return listener != null;
    }

    /**
     * Delivers what was assigned to the session's listener, with further messages up to the connection consumer's maximum, and
     * returns; at once, if nothing was assigned. Trouble with the database is the connection consumer's to get over and to tell
     * of: what could not be delivered is available again, and this returns.
     *
     * @throws IllegalStateException if the session is closed, has no listener for what was assigned, or is in that listener
     */
    public void run() throws JMSException {
        checkMayRun();
        // What the application server wants to interrupt is its code; what comes after that has to be done all the
        // same.
        AtomicBoolean interrupted = new AtomicBoolean(Thread.interrupted());
        try {
            run(interrupted);
        } finally {
            if (interrupted.get()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(AtomicBoolean interrupted) throws JMSException {
        for (Assignment assignment = begin(); assignment != null; assignment = begin()) {
            try {
                Delivered first = deliver(assignment, interrupted);
                Delivered last = first;
                while (last == Delivered.ONE) {
                    last = deliver(assignment, interrupted);
                }
                if (first != Delivered.NONE) {
                    assignment.consumer().delivered();
                }
            } catch (StoreException | JMSException e) {
                assignment.consumer().failed(e);
            } finally {
                end(assignment);
            }
        }
    }

    private void checkMayRun() throws JMSException {
        session.checkOpen();
        if (lock.isHeldByCurrentThread() && receiver.isInListener()) {
            throw new IllegalStateException(session.name() + " cannot be run from within its own message listener");
        }
    }

    private Assignment begin() throws JMSException {
        lock.lock();
        try {
            Assignment next = waiting.poll();
            if (next != null && listener == null && !session.isOver()) {
                giveBack(next);
                throw noListener();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private Delivered deliver(Assignment assignment, AtomicBoolean interrupted) throws StoreException, JMSException {
        lock.lock();
        try {
            DeliveryListener current = listener;
            Recipient recipient = assignment.recipient();
            // A claim of a session that holds messages may have got more than it asked for.
            return current == null || !recipient.isAllowedMore() || !mayDeliver(assignment)
                    ? Delivered.NONE
                    : receiver.deliver(
                            recipient,
                            keepingInterrupts(current, interrupted),
                            () -> recipient.isAllowedMore() && mayDeliver(assignment));
        } finally {
            lock.unlock();
        }
    }

    private static DeliveryListener keepingInterrupts(DeliveryListener listener, AtomicBoolean interrupted) {
        return delivery -> {
            try {
                listener.onDelivery(delivery);
            } finally {
                if (Thread.interrupted()) {
                    interrupted.set(true);
                }
            }
        };
    }

    private boolean mayDeliver(Assignment assignment) {
        return !assignment.consumer().isOver() && !session.isOver() && session.isStarted();
    }

    private void end(Assignment assignment) {
        lock.lock();
        try {
            giveBack(assignment);
        } finally {
            unsettled.add(assignment.consumer());
            afterWork();
            lock.unlock();
        }
    }

    /** Tells those who wait for the end of the session's transaction, if it has ended. With the lock. */
    void afterWork() {
        if (!unsettled.isEmpty() && !transaction.isAtStake()) {
            unsettled.forEach(Assigner::settled);
            unsettled.clear();
        }
    }

    /** Lets others have what of it is claimed and not delivered. With the lock. */
    private void giveBack(Assignment assignment) {
        int left = claimer.forgo(assignment.recipient());
        try {
            acknowledgement.idle();
        } catch (StoreException e) {
            assignment.consumer().failed(e);
        }
        if (left > 0 && !transaction.isAtStake()) {
            news.arrived(assignment.consumer().source().destinationId(), left);
        }
    }

    /**
     * Assigns messages, claimed here and now.
     *
     * @return false if there are none
     * @throws IllegalStateException if the session is closed, has no listener, or was not run since the last time
     */
    public boolean assign(Assignment assignment) throws StoreException, JMSException {
        lock.lock();
        try {
            session.checkOpen();
            if (listener == null) {
                throw noListener();
            }
            if (!waiting.isEmpty()) {
                throw new IllegalStateException(session.name()
                        + " came out of the ServerSessionPool again before it was run with what it had been assigned");
            }
            if (assignment.consumer().claim(() -> receiver.fill(assignment.recipient()))) {
                waiting.add(assignment);
                return true;
            }
            acknowledgement.idle();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Takes an assignment back, unless it is being run already. */
    public void withdraw(Assignment assignment) {
        lock.lock();
        try {
            if (waiting.remove(assignment)) {
                giveBack(assignment);
            }
        } finally {
            lock.unlock();
        }
    }

    private JMSException noListener() {
        return new IllegalStateException(
                session.name() + " has no message listener for what a ConnectionConsumer assigns to it; "
                        + "call Session.setMessageListener before it goes into the pool");
    }
}
