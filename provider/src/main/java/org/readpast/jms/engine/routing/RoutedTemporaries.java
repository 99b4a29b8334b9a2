package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.source.Temporaries;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.selector.Selector;

/**
 * The temporary destinations of a connection. A queue is made in a database when a request is sent there that it is the JMSReplyTo of, under
 * the same name in each; a topic is in one database. Thread-safe.
 */
final class RoutedTemporaries {

    private final Databases databases;
    private final Branches branches;
    private final Map<ReadpastDestination, Queue> queues = new ConcurrentHashMap<>();
    private final Set<ReadpastDestination> topics = ConcurrentHashMap.newKeySet();

    /** A queue of this connection. Its monitor is held while it is made somewhere, or a consumer of it. */
    private static final class Queue {
        private final Map<String, ReadpastTemporaryQueue> made = new ConcurrentHashMap<>();
        private final Set<TemporaryConsumer> consumers = ConcurrentHashMap.newKeySet();
        private boolean deleted; // guarded by this
    }

    RoutedTemporaries(Databases databases, Branches branches) {
        this.databases = databases;
        this.branches = branches;
    }

    ReadpastTemporaryQueue createQueue() {
        ReadpastTemporaryQueue queue = new ReadpastTemporaryQueue(Temporaries.uniqueName(), this::deleteQueue);
        queues.put(queue, new Queue());
        return queue;
    }

    ReadpastTemporaryTopic createTopic() throws JMSException {
        ReadpastTemporaryTopic made = branches.at(first()).createTemporaryTopic();
        topics.add(made);
        return new ReadpastTemporaryTopic(made.getName(), topic -> {
            made.delete();
            topics.remove(topic);
        });
    }

    /** Where temporary topics are. */
    String first() {
        return databases.names().get(0);
    }

    /**
     * A database where a temporary destination of any connection is. One of this connection that is nowhere yet is made.
     *
     * @param preferred which to ask first; null for any
     * @throws InvalidDestinationException if it is in none
     * @throws JMSException if it is in none that can be asked, and one cannot
     */
    String find(ReadpastDestination temporary, String preferred) throws JMSException {
        Queue own = queues.get(temporary);
        if (own != null) {
            if (preferred != null && own.made.containsKey(preferred)) {
                return preferred;
            }
            if (own.made.isEmpty()) {
                make(temporary, own, preferred == null ? first() : preferred);
            }
            return own.made.keySet().iterator().next();
        }
        JMSException problem = null;
        for (String database : nearestFirst(preferred)) {
            try {
                if (branches.at(database).has(temporary)) {
                    return database;
                }
            } catch (JMSException e) {
                problem = problem == null ? e : problem;
            }
        }
        throw problem == null
                ? new InvalidDestinationException(temporary + " does not exist in any of the databases "
                        + databases.names() + ": it was deleted, or its connection is closed")
                : problem;
    }

    private Set<String> nearestFirst(String preferred) {
        Set<String> order = new LinkedHashSet<>();
        if (preferred != null) {
            order.add(preferred);
        }
        databases.names().stream().filter(branches::isConnected).forEach(order::add);
        order.addAll(databases.names());
        return order;
    }

    /** The databases that a queue of this connection is in; empty for any other destination. */
    List<String> databasesOf(ReadpastDestination queue) {
        Queue own = queues.get(queue);
        return own == null ? List.of() : List.copyOf(own.made.keySet());
    }

    /**
     * Sees to it that a reply finds a temporary destination of this connection in the database of its request; others are left as they are.
     *
     * @throws InvalidDestinationException if it cannot be there
     */
    void reachIn(String database, ReadpastDestination replyTo) throws JMSException {
        Queue own = queues.get(replyTo);
        if (own != null) {
            make(replyTo, own, database);
        } else if (topics.contains(replyTo) && !database.equals(first())) {
            throw new InvalidDestinationException(replyTo + " is in database '" + first()
                    + "' alone, and the request that it is the JMSReplyTo of goes to '" + database
                    + "': use a temporary queue, which is in each database that a request of it goes to");
        }
    }

    private void make(ReadpastDestination queue, Queue own, String database) throws JMSException {
        if (own.made.containsKey(database)) {
            return;
        }
        EngineConnection there = branches.at(database);
        synchronized (own) {
            if (own.deleted) {
                throw new InvalidDestinationException(queue + " does not exist: it was deleted");
            }
            if (own.made.containsKey(database)) {
                return;
            }
            ReadpastTemporaryQueue made = there.createTemporaryQueue(queue.getName());
            try {
                for (TemporaryConsumer consumer : own.consumers) {
                    consumer.add(database);
                }
                own.made.put(database, made);
            } catch (JMSException | RuntimeException | Error e) {
                for (TemporaryConsumer consumer : own.consumers) {
                    consumer.removeFrom(database);
                }
                made.delete();
                throw e;
            }
        }
    }

    /** A consumer of a queue of this connection. */
    TemporaryConsumer consume(SessionRules session, ReadpastDestination queue, Selector selector) throws JMSException {
        Queue own = queues.get(queue);
        if (own == null) {
            throw new InvalidDestinationException(
                    "Only the connection that created " + queue + " can receive from it (§4.4.3)");
        }
        synchronized (own) {
            TemporaryConsumer consumer = new TemporaryConsumer(session, queue, selector, own.consumers::remove);
            for (String database : own.made.keySet()) {
                consumer.add(database);
            }
            own.consumers.add(consumer);
            return consumer;
        }
    }

    /** Whoever waits looks again. */
    void wakeUp() {
        queues.values().forEach(queue -> queue.consumers.forEach(TemporaryConsumer::wakeUp));
    }

    private void deleteQueue(ReadpastDestination queue) throws JMSException {
        Queue own = queues.get(queue);
        if (own == null) {
            return;
        }
        synchronized (own) {
            if (!own.consumers.isEmpty()) {
                throw new IllegalStateException(queue + " still has a consumer");
            }
            own.deleted = true;
        }
        queues.remove(queue);
        Problems problems = new Problems();
        own.made.values().forEach(made -> problems.attempt(made::delete));
        problems.throwFirst();
    }
}
