package org.readpast.jms.engine.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.transaction.Recipient;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** A consumer of a queue, or of a subscription of a topic. As JMS has it, one thread uses it at a time, {@link #close} excepted. */
public final class EngineConsumer implements ProviderConsumer {

    /** A {@code receive} that does not wait. */
    public static final long NO_WAIT = -1;

    private static final Logger LOG = Loggers.of(EngineConsumer.class);

    private final ConsumerSession session;
    private final ProviderRuntime runtime;
    private final Source source;
    private final Recipient recipient;
    private final Waiter waiter;
    private volatile DeliveryListener listener;
    private volatile boolean closed;

    /** Whether the last receive found nothing at once, so that this one is likely to wait as well. Used by the receiving thread. */
    private boolean waited;

    /** Where the last receive looked, and the mark of {@link Arrivals} from before that. As above. */
    private int lookedIn;

    private long lookedAfter;

    /** What the acknowledgement of the last receive saw of the queue; null if it did not see that it is empty. As above. */
    private Emptiness emptiness;

    /**
     * A queue was seen to be empty.
     *
     * @param mark of {@link Arrivals}, from before that
     * @param nanos when, by {@link System#nanoTime()}
     */
    private record Emptiness(int destinationId, long mark, long nanos) {}

    /** @param together is signalled with it, where it is one of several that are waited for; or null */
    EngineConsumer(
            ConsumerSession session, Source source, Recipient recipient, ProviderRuntime runtime, Waiter together) {
        this.session = session;
        this.source = source;
        this.recipient = recipient;
        this.runtime = runtime;
        this.waiter = new Waiter(source.isSelective(), together);
    }

    @Override
    public <T> T receive(long timeoutMillis, DeliveryReader<T> reader) throws JMSException {
        checkOpen();
        session.checkMayReceive();
        long deadline = deadline(timeoutMillis);
        boolean woken = false;
        while (true) {
            // Such as that of the connection's start: what comes from here on is kept.
            waiter.clear();
            int from = source.destinationId();
            long mark = runtime.arrivals().mark(from);
            boolean empty = timeoutMillis != NO_WAIT && isStillEmpty(from, mark);
            boolean worthAClaim = woken || (!empty && (!waited || mayFind()));
            Received<T> received = worthAClaim ? look(from, timeoutMillis != NO_WAIT, reader) : null;
            waited = woken || received == null;
            lookedIn = from;
            lookedAfter = mark;
            emptiness = null;
            if (received != null) {
                if (received.last()) {
                    emptiness = new Emptiness(from, mark, System.nanoTime());
                }
                return received.value();
            }
            if (timeoutMillis == NO_WAIT || isOver() || !await(from, mark, deadline)) {
                return null;
            }
            woken = true;
        }
    }

    @Override
    public boolean awaitMessage(long timeoutMillis) throws JMSException {
        checkOpen();
        session.checkMayReceive();
        if (waited) {
            waited = !await(lookedIn, lookedAfter, deadline(timeoutMillis));
        }
        return !waited && !isOver();
    }

    @Override
    public void failed(String why) throws JMSException {
        session.failed(why);
    }

    @Override
    public void rolledBack() throws JMSException {
        session.rolledBack();
    }

    @Override
    public void withdrawn() throws JMSException {
        session.withdrawn();
    }

    private static long deadline(long timeoutMillis) {
        return timeoutMillis == 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutMillis * 1_000_000;
    }

    /** Looks for a message. What has woken this one wakes another one where this one is closed or stopped by now. */
    private <T> Received<T> look(int from, boolean waits, DeliveryReader<T> reader) throws JMSException {
        boolean looked = false;
        try {
            Received<T> received = session.receive(this, waits, reader);
            looked = received != null || (!isOver() && session.isStarted());
            return received;
        } finally {
            runtime.arrivals().looked(waiter, looked ? List.of(from) : List.of());
        }
    }

    /**
     * Whether the queue was just seen to be empty, and nothing is known to have come since. What came and is not known, of another
     * JVM, is found by the watcher: the look that is saved here would be as old as one of the watcher's may be. What the
     * application's own transaction has sent no watcher sees.
     */
    private boolean isStillEmpty(int from, long mark) {
        return emptiness != null
                && !session.mayJoin()
                && emptiness.destinationId() == from
                && emptiness.mark() == mark
                && System.nanoTime() - emptiness.nanos() < runtime.settings().pollFloorMillis() * 1_000_000;
    }

    /** Whether a claim may find something, as far as that can be told for less than a claim costs. */
    private boolean mayFind() {
        // Leased messages that wait here are not in the queue, and the application's transaction sees what others do
        // not.
        if (session.mayJoin() || source.isLeased() || !session.isStarted()) {
            return true;
        }
        try {
            return runtime.store().mayHold(source.destinationId());
        } catch (StoreException e) {
            LOG.debug("{}: a look failed, which is left to a claim: {}", this, e.getMessage());
            return true;
        }
    }

    /**
     * Waits until a receive from one of several consumers may find a message. Each has just looked for one without waiting.
     *
     * @param together what they were made with
     * @param deadlineNanos until when to wait, by {@link System#nanoTime()}; {@link Long#MAX_VALUE} for ever
     * @return false if the time was over first
     */
    public static boolean awaitAny(List<EngineConsumer> consumers, Waiter together, long deadlineNanos)
            throws InterruptedException {
        List<EngineConsumer> entered = new ArrayList<>();
        boolean looksAgain = false;
        try {
            for (EngineConsumer consumer : consumers) {
                if (consumer.session.isStarted()) {
                    consumer.waiter.setSelective(consumer.source.isSelective());
                    entered.add(consumer);
                    consumer.runtime.arrivals().enter(consumer.waiter, Map.of(consumer.lookedIn, consumer.lookedAfter));
                }
            }
            looksAgain = together.await(deadlineNanos);
            return looksAgain;
        } finally {
            for (EngineConsumer consumer : entered) {
                consumer.runtime.arrivals().leave(consumer.waiter, List.of(consumer.lookedIn));
                if (!looksAgain) {
                    consumer.runtime.arrivals().looked(consumer.waiter, List.of());
                }
            }
        }
    }

    private boolean await(int from, long mark, long deadline) throws JMSException {
        Arrivals arrivals = runtime.arrivals();
        boolean listening = session.isStarted();
        waiter.setSelective(source.isSelective());
        if (listening) {
            arrivals.enter(waiter, Map.of(from, mark));
        }
        boolean looksAgain = false;
        try {
            looksAgain = isOver() || listening != session.isStarted() || waiter.await(deadline);
            return looksAgain;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.causedBy(new JMSException(this + ": interrupted while waiting for a message"), e);
        } finally {
            if (listening) {
                arrivals.leave(waiter, List.of(from));
            }
            if (!looksAgain) {
                arrivals.looked(waiter, List.of());
            }
        }
    }

    @Override
    public void listen(DeliveryListener newListener) throws JMSException {
        checkOpen();
        session.listen(this, newListener);
    }

    @Override
    public void close() throws JMSException {
        if (!closed) {
            closed = true;
            waiter.signal();
            // What it was woken for and has not looked for is another's.
            runtime.arrivals().looked(waiter, List.of());
            session.closed(this);
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    private boolean isOver() {
        return closed || session.isOver();
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw new IllegalStateException("The consumer of " + source + " is closed");
        }
    }

    /** With the session's lock. */
    void setListener(DeliveryListener newListener) {
        listener = newListener;
    }

    DeliveryListener listener() {
        return listener;
    }

    Source source() {
        return source;
    }

    /** Used with the session's lock. */
    Recipient recipient() {
        return recipient;
    }

    void wakeUp() {
        waiter.signal();
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        return recipient.toString();
    }
}
