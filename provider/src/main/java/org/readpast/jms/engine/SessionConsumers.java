package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.readpast.jms.destination.ReadpastDestination;

/** The consumers that are open in a session. Thread-safe. */
final class SessionConsumers implements Iterable<EngineConsumer> {

    private final EngineSession session;
    private final List<EngineConsumer> open = new CopyOnWriteArrayList<>();

    SessionConsumers(EngineSession session) {
        this.session = session;
    }

    EngineConsumer open(Source source) throws JMSException {
        EngineConsumer consumer = new EngineConsumer(session, source);
        open.add(consumer);
        if (session.isOver()) {
            source.end();
        }
        session.checkOpen();
        return consumer;
    }

    void closed(EngineConsumer consumer) {
        open.remove(consumer);
    }

    boolean hasListener() {
        return open.stream().anyMatch(consumer -> consumer.listener() != null);
    }

    boolean isConsuming(ReadpastDestination destination) {
        return open.stream()
                .anyMatch(consumer -> consumer.source().destination().equals(destination));
    }

    /** Whoever waits looks again. */
    void wakeUp() {
        open.forEach(EngineConsumer::wakeUp);
    }

    /** The session is closed, and with it their use of subscriptions ends. */
    void end() throws JMSException {
        for (EngineConsumer consumer : open) {
            consumer.source().end();
        }
    }

    @Override
    public Iterator<EngineConsumer> iterator() {
        return open.iterator();
    }
}
