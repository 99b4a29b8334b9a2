package org.readpast.jms.jndi;

import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTopic;

/**
 * The initial context factory for {@code java.naming.factory.initial}. Connection factories and destinations are described by the
 * environment, mostly a file {@code jndi.properties}, in the words of ActiveMQ, Artemis and Qpid; docs/configuration.md lists them.
 * Thread-safe.
 */
public final class ReadpastInitialContextFactory implements InitialContextFactory {

    private static final String QUEUES = "queue.";
    private static final String TOPICS = "topic.";

    /** JNDI makes it by its class name. */
    public ReadpastInitialContextFactory() {}

    /**
     * Makes a read-only context with what the environment describes. It connects to no database.
     *
     * @throws ConfigurationException if an entry that is meant for Readpast is not understood; the message names the entry
     */
    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
        Environment entries = Environment.of(environment);
        Map<String, Object> bindings = new TreeMap<>(new FactoryEntries(entries).factories());
        for (Map.Entry<String, String> queue : entries.startingWith(QUEUES).entrySet()) {
            bind(bindings, queue.getKey(), destination(QUEUES, queue, ReadpastQueue::new));
        }
        for (Map.Entry<String, String> topic : entries.startingWith(TOPICS).entrySet()) {
            bind(bindings, topic.getKey(), destination(TOPICS, topic, ReadpastTopic::new));
        }
        return new ReadpastContext(bindings, environment);
    }

    private static ReadpastDestination destination(
            String prefix, Map.Entry<String, String> entry, Function<String, ReadpastDestination> named)
            throws ConfigurationException {
        String name = entry.getValue().strip();
        if (name.isEmpty()) {
            throw new ConfigurationException("'" + prefix + entry.getKey() + "' names no destination");
        }
        try {
            return named.apply(name);
        } catch (IllegalArgumentException e) {
            ConfigurationException refused =
                    new ConfigurationException("'" + prefix + entry.getKey() + "': " + e.getMessage());
            refused.setRootCause(e);
            throw refused;
        }
    }

    private static void bind(Map<String, Object> bindings, String name, Object object) throws ConfigurationException {
        Object before = bindings.putIfAbsent(name, object);
        if (before != null) {
            throw new ConfigurationException("The name '" + name + "' is given to two objects, a "
                    + before.getClass().getSimpleName() + " and a "
                    + object.getClass().getSimpleName());
        }
    }
}
