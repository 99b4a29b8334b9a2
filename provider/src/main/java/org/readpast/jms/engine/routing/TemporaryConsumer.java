package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.engine.session.DeliveryListener;
import org.readpast.jms.engine.session.DeliveryReader;
import org.readpast.jms.engine.session.EngineConsumer;
import org.readpast.jms.engine.session.ProviderConsumer;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * A consumer of a temporary queue, which is in each database that a request with it as its JMSReplyTo was sent to: one consumer in each, to
 * which further ones come while it is used. One thread uses it at a time, {@link #close} and {@link #add} excepted.
 */
final class TemporaryConsumer implements ProviderConsumer {

    private static final Logger LOG = Loggers.of(TemporaryConsumer.class);

    /** In one database. */
    private record Part(String database, EngineConsumer consumer) {}

    private final SessionRules session;
    private final ReadpastDestination queue;
    private final Selector selector;
    private final Consumer<TemporaryConsumer> onClose;
    private final List<Part> parts = new CopyOnWriteArrayList<>();

    /** Signalled with any of the parts. */
    private final Waiter together = new Waiter(false);

    private volatile DeliveryListener listener;
    private volatile boolean closed;

    /** @param selector null for all messages */
    TemporaryConsumer(
            SessionRules session, ReadpastDestination queue, Selector selector, Consumer<TemporaryConsumer> onClose) {
        this.session = session;
        this.queue = queue;
        this.selector = selector;
        this.onClose = onClose;
    }

    /** Consumes from the queue in one more database too, unless it is over. To be called by one thread at a time. */
    void add(String database) throws JMSException {
        try {
            consumeFrom(database);
        } catch (IllegalStateException e) {
            // Its session is being closed, and keeps nobody else from using the queue.
            if (!isOver()) {
                throw e;
            }
        }
    }

    private void consumeFrom(String database) throws JMSException {
        String listensIn = listener != null && session.isOneTransaction()
                ? session.listensIn().orElse(database)
                : database;
        if (!listensIn.equals(database)) {
            throw new IllegalStateException(
                    "A session that is transacted or CLIENT_ACKNOWLEDGE has a message listener in database '"
                            + listensIn + "', and can have none for " + queue + " in '" + database
                            + "': use another temporary queue for requests there, or an AUTO_ACKNOWLEDGE session");
        }
        removeFrom(database);
        Part part = new Part(database, session.in(database).consume(queue, selector, together));
        parts.add(part);
        together.signal();
        if (closed) {
            part.consumer().close();
        } else if (listener != null) {
            // Its session may be at work, and that may wait for whoever sends just now.
            Threads.startOfCaller("listener-" + database, () -> listenTo(part));
        }
    }

    /** What is left of an attempt that failed. */
    void removeFrom(String database) throws JMSException {
        for (Part part : List.copyOf(parts)) {
            if (part.database().equals(database)) {
                parts.remove(part);
                part.consumer().close();
            }
        }
    }

    private void listenTo(Part part) {
        try {
            part.consumer().listen(in(part, listener));
        } catch (JMSException e) {
            LOG.debug("{} was closed before its listener could listen in database '{}'", queue, part.database(), e);
        }
    }

    @Override
    public <T> T receive(long timeoutMillis, DeliveryReader<T> reader) throws JMSException {
        checkOpen();
        try {
            return receive(deadline(timeoutMillis), timeoutMillis != EngineConsumer.NO_WAIT, reader);
        } catch (IllegalStateException e) {
            if (isOver()) {
                // A part was closed first.
                return null;
            }
            throw e;
        }
    }

    private <T> T receive(long deadline, boolean waits, DeliveryReader<T> reader) throws JMSException {
        while (true) {
            session.checkMayReceive();
            together.clear();
            List<EngineConsumer> looked = new ArrayList<>();
            for (Part part : parts) {
                if (session.mayReceive(part.database())) {
                    looked.add(part.consumer());
                    T received = part.consumer().receive(EngineConsumer.NO_WAIT, reader);
                    if (received != null) {
                        session.received(part.database());
                        return received;
                    }
                }
            }
            if (!waits || !await(looked, deadline)) {
                return null;
            }
        }
    }

    /** Returns true at once, as a receive asks each database anyway. */
    @Override
    public boolean awaitMessage(long timeoutMillis) throws JMSException {
        checkOpen();
        session.checkMayReceive();
        return true;
    }

    private static long deadline(long timeoutMillis) {
        return timeoutMillis == 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutMillis * 1_000_000;
    }

    private boolean await(List<EngineConsumer> looked, long deadline) throws JMSException {
        try {
            return !isOver() && EngineConsumer.awaitAny(looked, together, deadline) && !isOver();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.causedBy(new JMSException(queue + ": interrupted while waiting for a message"), e);
        }
    }

    private boolean isOver() {
        return closed || session.isOver();
    }

    private void checkOpen() throws JMSException {
        if (closed) {
            throw new IllegalStateException("The consumer of " + queue + " is closed");
        }
        session.checkOpen();
    }

    boolean hasListener() {
        return listener != null && !closed;
    }

    /** Whoever waits looks again. */
    void wakeUp() {
        together.signal();
    }

    @Override
    public void failed(String why) throws JMSException {
        throw noContainer();
    }

    @Override
    public void rolledBack() throws JMSException {
        throw noContainer();
    }

    @Override
    public void withdrawn() throws JMSException {
        throw noContainer();
    }

    private IllegalStateException noContainer() {
        return new IllegalStateException(
                queue + " is not consumed in a container's transactions, which are in one database");
    }

    @Override
    public void listen(DeliveryListener newListener) throws JMSException {
        checkOpen();
        List<Part> now = List.copyOf(parts);
        if (newListener != null) {
            for (Part part : now) {
                session.checkMayUse(part.database(), queue);
            }
            if (session.isOneTransaction() && now.size() > 1) {
                throw new IllegalStateException(
                        queue + " is in the databases '" + now.get(0).database() + "' and '"
                                + now.get(1).database()
                                + "', and a listener of a session that is transacted or CLIENT_ACKNOWLEDGE in one: receive, or use an"
                                + " AUTO_ACKNOWLEDGE session");
            }
        }
        listener = newListener;
        for (Part part : parts) {
            part.consumer().listen(in(part, newListener));
        }
    }

    private DeliveryListener in(Part part, DeliveryListener called) {
        return called == null
                ? null
                : delivery -> {
                    session.received(part.database());
                    called.onDelivery(delivery);
                };
    }

    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        closed = true;
        together.signal();
        Problems problems = new Problems();
        for (Part part : parts) {
            problems.attempt(() -> part.consumer().close());
        }
        onClose.accept(this);
        problems.throwFirst();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }
}
