package org.readpast.jms.jndi;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnectionFactory;
import java.util.Collections;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.destination.ReadpastTopic;

/**
 * Makes connection factories and destinations from JNDI references. It takes those that they give themselves, and those of Tomcat's
 * {@code <Resource factory="org.readpast.jms.jndi.ReadpastObjectFactory">}. Some application servers hand over an environment in place of
 * a reference; then its entries count, and {@code type} names the class. A type is a class of Readpast or the interface of the API, by
 * its name in {@code jakarta} or in {@code javax}. Thread-safe.
 */
public final class ReadpastObjectFactory implements ObjectFactory {

    /** An interface of the API in either of its packages: a configuration that names the other one means the same. */
    private static final Pattern INTERFACE = Pattern.compile("(?:jakarta|javax)[.]jms[.](\\w+)");

    private static final Set<String> FACTORY_TYPES = Set.of(
            ConnectionFactory.class.getName(),
            QueueConnectionFactory.class.getName(),
            TopicConnectionFactory.class.getName(),
            ReadpastConnectionFactory.class.getName());

    private static final Set<String> XA_TYPES = Set.of(
            XAConnectionFactory.class.getName(),
            XAQueueConnectionFactory.class.getName(),
            XATopicConnectionFactory.class.getName(),
            ReadpastXAConnectionFactory.class.getName());

    private static final Set<String> QUEUE_TYPES = Set.of(Queue.class.getName(), ReadpastQueue.class.getName());
    private static final Set<String> TOPIC_TYPES = Set.of(Topic.class.getName(), ReadpastTopic.class.getName());
    private static final Set<String> TEMPORARY_QUEUE_TYPES =
            Set.of(TemporaryQueue.class.getName(), ReadpastTemporaryQueue.class.getName());
    private static final Set<String> TEMPORARY_TOPIC_TYPES =
            Set.of(TemporaryTopic.class.getName(), ReadpastTemporaryTopic.class.getName());

    /** What containers put among the addresses for themselves. */
    private static final Set<String> OF_THE_CONTAINER =
            Set.of("factory", "auth", "scope", "singleton", "description", "closeMethod", "forceString", "type");

    /** Names for a destination's name, the one that counts most first. */
    private static final List<String> DESTINATION_NAMES =
            List.of("physicalName", "destinationName", "address", "queueName", "topicName", "name");

    private static final String TYPE = "type";

    /** One that JNDI makes by its class name. */
    public ReadpastObjectFactory() {}

    /**
     * Makes the object that a reference, or an environment in its place, describes.
     *
     * @return null if the type is not one of Readpast's, so that another factory may try
     * @throws NamingException if it is one, and something in the reference is not understood
     */
    @Override
    public Object getObjectInstance(Object object, Name name, Context context, Hashtable<?, ?> environment)
            throws NamingException {
        if (object instanceof Reference reference) {
            return make(reference.getClassName(), contents(reference));
        }
        if (environment != null && environment.get(TYPE) instanceof String type) {
            return make(type, contents(environment));
        }
        return null;
    }

    private static Object make(String named, Map<String, String> contents) throws NamingException {
        String type = INTERFACE.matcher(named).replaceFirst(Queue.class.getPackageName() + ".$1");
        if (FACTORY_TYPES.contains(type)) {
            return factory(new ReadpastConnectionFactory(), contents);
        } else if (QUEUE_TYPES.contains(type)) {
            return destination(new ReadpastQueue(), contents);
        } else if (TOPIC_TYPES.contains(type)) {
            return destination(new ReadpastTopic(), contents);
        } else if (TEMPORARY_QUEUE_TYPES.contains(type)) {
            return destination(new ReadpastTemporaryQueue(null), contents);
        } else if (TEMPORARY_TOPIC_TYPES.contains(type)) {
            return destination(new ReadpastTemporaryTopic(null), contents);
        } else if (XA_TYPES.contains(type)) {
            return factory(new ReadpastXAConnectionFactory(), contents);
        }
        return null;
    }

    private static ReadpastConnectionFactory factory(ReadpastConnectionFactory factory, Map<String, String> contents)
            throws NamingException {
        Map<String, String> properties = new LinkedHashMap<>(contents);
        properties.remove("name");
        try {
            factory.setProperties(properties);
            return factory;
        } catch (IllegalArgumentException e) {
            ConfigurationException refused =
                    new ConfigurationException("Connection factory in JNDI: " + e.getMessage());
            refused.setRootCause(e);
            throw refused;
        }
    }

    private static ReadpastDestination destination(ReadpastDestination destination, Map<String, String> contents)
            throws NamingException {
        for (String key : contents.keySet()) {
            if (!DESTINATION_NAMES.contains(key)) {
                throw new ConfigurationException("Destination in JNDI: '" + key
                        + "' is not understood; its name goes into one of " + DESTINATION_NAMES);
            }
        }
        for (String key : DESTINATION_NAMES) {
            String value = contents.get(key);
            if (value != null && !value.isBlank()) {
                return named(destination, value.strip());
            }
        }
        throw new ConfigurationException("Destination in JNDI without a name; set 'physicalName'");
    }

    private static ReadpastDestination named(ReadpastDestination destination, String name) throws NamingException {
        try {
            destination.setName(name);
            return destination;
        } catch (IllegalArgumentException e) {
            ConfigurationException refused = new ConfigurationException("Destination in JNDI: " + e.getMessage());
            refused.setRootCause(e);
            throw refused;
        }
    }

    private static Map<String, String> contents(Reference reference) {
        Map<String, String> contents = new LinkedHashMap<>();
        for (RefAddr address : Collections.list(reference.getAll())) {
            if (address.getContent() instanceof String text && !OF_THE_CONTAINER.contains(address.getType())) {
                contents.put(address.getType(), text);
            }
        }
        return contents;
    }

    /** Entries of JNDI itself are none of ours. */
    private static Map<String, String> contents(Hashtable<?, ?> environment) {
        Map<String, String> contents = new LinkedHashMap<>();
        environment.forEach((key, value) -> {
            if (key instanceof String name
                    && value instanceof String text
                    && !name.startsWith("java.naming.")
                    && !OF_THE_CONTAINER.contains(name)) {
                contents.put(name, text);
            }
        });
        return contents;
    }
}
