package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.DeliveryListener;
import org.readpast.jms.engine.session.DeliveryReader;
import org.readpast.jms.engine.session.EngineConsumer;
import org.readpast.jms.engine.session.ProviderConsumer;

/**
 * A consumer of a destination that is in one database, of a session that may be in several. Where a queue has been moved, and nothing is left
 * in its old place, it turns to the new one.
 */
final class RoutedConsumer implements ProviderConsumer {

    /** In one database. */
    private record Part(String database, EngineConsumer consumer) {}

    /** Makes a consumer in one database. */
    @FunctionalInterface
    interface Maker {
        EngineConsumer in(String database) throws JMSException;
    }

    private final SessionRules session;
    private final ReadpastDestination destination;
    private final Maker maker;

    /** Written under this object's lock. */
    private volatile Part part;

    private volatile DeliveryListener listener;

    /** Whether the listener is set where this one has turned to. Written by whoever turns it. */
    private volatile boolean isListening = true;

    /** Where it may not be; null for nowhere. Written by whoever turns it. */
    private volatile String refusedAt;

    /** Written under this object's lock. */
    private volatile boolean closed;

    RoutedConsumer(SessionRules session, ReadpastDestination destination, String database, Maker maker)
            throws JMSException {
        this.session = session;
        this.destination = destination;
        this.maker = maker;
        this.part = new Part(database, maker.in(database));
    }

    ReadpastDestination destination() {
        return destination;
    }

    /** Where it receives. */
    String database() {
        return part.database();
    }

    /** The last database that it may not turn to, since what it needs is not there; null for none. */
    String refusedAt() {
        return refusedAt;
    }

    void refuseAt(String database) {
        refusedAt = database;
    }

    /** Whether it has turned to a database and its listener could not be set there. */
    boolean isUnfinished() {
        return !isListening && !closed;
    }

    /**
     * Receives from another database from now on, unless the session's transaction is in the one before. To be called by one thread at a time,
     * and again where it has failed or was not done.
     */
    void turnTo(String database) throws JMSException {
        Part before = part;
        if (!database.equals(before.database())) {
            Part next = new Part(database, maker.in(database));
            boolean turned = session.leave(before.database(), () -> become(next)) && part.equals(next);
            isListening = isListening && !turned;
            // Who waits in it looks again, and finds the next one.
            (turned ? before : next).consumer().close();
        }
        if (!isListening && !closed) {
            DeliveryListener now = listener;
            if (now != null) {
                session.checkMayUse(part.database(), destination);
                part.consumer().listen(in(part, now));
            }
            isListening = true;
        }
    }

    /** Unless this is closed. */
    private synchronized void become(Part next) {
        if (!closed) {
            part = next;
        }
    }

    @Override
    public <T> T receive(long timeoutMillis, DeliveryReader<T> reader) throws JMSException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            Part now = part;
            if (!now.consumer().isClosed()) {
                session.checkMayReceive();
                session.checkMayUse(now.database(), destination);
            }
            T received = receive(now, timeoutMillis <= 0 ? timeoutMillis : left(deadline), reader);
            if (received != null) {
                session.received(now.database());
                return received;
            }
            if (now.equals(part)) {
                return null;
            }
        }
    }

    private <T> T receive(Part from, long timeoutMillis, DeliveryReader<T> reader) throws JMSException {
        try {
            return from.consumer().receive(timeoutMillis, reader);
        } catch (IllegalStateException e) {
            if (from.equals(part)) {
                throw e;
            }
            return null;
        }
    }

    private static long left(long deadline) {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        return millis > 0 ? millis : EngineConsumer.NO_WAIT;
    }

    @Override
    public boolean awaitMessage(long timeoutMillis) throws JMSException {
        Part now = part;
        if (!now.consumer().isClosed()) {
            session.checkMayReceive();
        }
        try {
            return now.consumer().awaitMessage(timeoutMillis);
        } catch (IllegalStateException e) {
            if (now.equals(part)) {
                throw e;
            }
            return true;
        }
    }

    @Override
    public void failed(String why) throws JMSException {
        part.consumer().failed(why);
    }

    @Override
    public void rolledBack() throws JMSException {
        part.consumer().rolledBack();
    }

    @Override
    public void withdrawn() throws JMSException {
        part.consumer().withdrawn();
    }

    @Override
    public void listen(DeliveryListener newListener) throws JMSException {
        while (true) {
            Part now = part;
            if (newListener != null) {
                session.checkMayUse(now.database(), destination);
            }
            listener = newListener;
            try {
                now.consumer().listen(in(now, newListener));
                return;
            } catch (IllegalStateException e) {
                if (now.equals(part)) {
                    throw e;
                }
            }
        }
    }

    private DeliveryListener in(Part from, DeliveryListener called) {
        return called == null
                ? null
                : delivery -> {
                    session.received(from.database());
                    called.onDelivery(delivery);
                };
    }

    @Override
    public void close() throws JMSException {
        Part last;
        synchronized (this) {
            closed = true;
            last = part;
        }
        last.consumer().close();
    }

    @Override
    public boolean isClosed() {
        return part.consumer().isClosed();
    }
}
