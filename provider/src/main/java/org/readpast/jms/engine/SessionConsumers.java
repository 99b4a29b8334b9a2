package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.readpast.jms.destination.ReadpastDestination;

/** The consumers that are open in a session. Thread-safe. */
final class SessionConsumers implements Iterable<EngineConsumer> {

    private final EngineSession session;
    private final List<EngineConsumer> open = new CopyOnWriteArrayList<>();

    /** Of consumers that are closed, whose groups unacknowledged messages still hold. */
    private final Set<Source> leaving = ConcurrentHashMap.newKeySet();

    SessionConsumers(EngineSession session) {
        this.session = session;
    }

    EngineConsumer open(Source source) throws JMSException {
        EngineConsumer consumer = new EngineConsumer(session, source);
        open.add(consumer);
        if (session.isOver()) {
            end(source);
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

    /** The consumer of a source is closed. */
    void end(Source source) throws JMSException {
        if (!source.end()) {
            leaving.add(source);
        }
    }

    /** A transaction of the session has ended, which closed consumers may have waited for with the end of theirs. */
    void transactionEnded() {
        leaving.removeIf(Source::giveUpGroups);
    }

    /** The session is closed, and with it their use of subscriptions and groups ends. */
    void end() throws JMSException {
        transactionEnded();
        for (EngineConsumer consumer : open) {
            consumer.source().end();
        }
    }

    @Override
    public Iterator<EngineConsumer> iterator() {
        return open.iterator();
    }
}
