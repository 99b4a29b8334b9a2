package org.readpast.jms.engine.source;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.store.Presence.Listening;
import org.readpast.jms.store.Presence.OpenConsumers;

/** What the consumers of this JVM consume from now. Thread-safe. */
public final class OpenSources {

    private final Map<Source, ConnectionContext> open = new ConcurrentHashMap<>();

    void add(Source source, ConnectionContext connection) {
        open.put(source, connection);
    }

    void remove(Source source) {
        open.remove(source);
    }

    /** The consumers by the destination that they consume from. */
    public Map<Integer, OpenConsumers> consumers() {
        Map<Integer, OpenConsumers> all = new HashMap<>();
        open.forEach((source, connection) ->
                all.merge(source.destinationId(), consumer(source, connection), OpenSources::together));
        return all;
    }

    private static OpenConsumers consumer(Source source, ConnectionContext connection) {
        String selector = source.selector() == null ? null : source.selector().toString();
        return new OpenConsumers(1, connection.isStarted() ? 0 : 1, selector == null ? 0 : 1, selector);
    }

    private static OpenConsumers together(OpenConsumers some, OpenConsumers other) {
        return new OpenConsumers(
                some.open() + other.open(),
                some.stopped() + other.stopped(),
                some.selective() + other.selective(),
                first(some.selector(), other.selector()));
    }

    /** The same one of them whatever their order is. */
    private static String first(String some, String other) {
        if (some == null || other == null) {
            return some == null ? other : some;
        }
        return some.compareTo(other) <= 0 ? some : other;
    }

    /** The listener that has been at work longest with a message; null where none is at work for a second. */
    public Listening longestListening() {
        long now = System.nanoTime();
        Listening longest = null;
        for (Source source : open.keySet()) {
            int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(source.listeningNanos(now));
            if (seconds > (longest == null ? 0 : longest.seconds())) {
                longest = new Listening(seconds, source.destination().getName());
            }
        }
        return longest;
    }
}
