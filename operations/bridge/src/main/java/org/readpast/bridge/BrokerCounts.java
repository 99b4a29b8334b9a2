package org.readpast.bridge;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * Asks the other broker by JMX what it still has of a queue or subscription. A browser does not show all of it: what is scheduled, what is
 * being delivered, what lies in prepared transactions, and dead letters that somebody may send back are messages, too. Artemis and ActiveMQ
 * Classic. Thread-safe if the connection is.
 */
public abstract class BrokerCounts {

    private static final String ARTEMIS = "org.apache.activemq.artemis";
    private static final String ACTIVEMQ = "org.apache.activemq";

    private final MBeanServerConnection connection;
    private final ObjectName broker;

    BrokerCounts(MBeanServerConnection connection, ObjectName broker) {
        this.connection = connection;
        this.broker = broker;
    }

    /**
     * Asks the only broker that this connection shows.
     *
     * @param connection open; whoever has opened it closes it
     * @throws IllegalArgumentException if it shows no Artemis and no ActiveMQ, or more than one of them
     * @throws IOException if it is broken
     */
    public static BrokerCounts by(MBeanServerConnection connection) throws IOException {
        List<ObjectName> artemis = List.copyOf(connection.queryNames(name(ARTEMIS + ":broker=*"), null));
        List<ObjectName> activeMq =
                List.copyOf(connection.queryNames(name(ACTIVEMQ + ":type=Broker,brokerName=*"), null));
        if (artemis.size() + activeMq.size() != 1) {
            throw new IllegalArgumentException("JMX shows " + artemis.size() + " brokers of Artemis and "
                    + activeMq.size() + " of ActiveMQ, and one is wanted");
        }
        return artemis.isEmpty()
                ? new ActiveMqCounts(connection, activeMq.get(0))
                : new ArtemisCounts(connection, artemis.get(0));
    }

    /**
     * What it has of a queue or durable subscription, each kind once, those of which there is nothing too.
     *
     * @throws IOException if the connection is broken
     * @throws JMException if the broker does not answer as this version knows it
     */
    public abstract List<Remaining> of(Place source) throws IOException, JMException;

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (JMException e) {
            throw new IllegalArgumentException(e);
        }
    }

    ObjectName broker() {
        return broker;
    }

    /** Beans of the broker, by the further keys of their names. */
    List<ObjectName> find(String keys) throws IOException {
        return List.copyOf(connection.queryNames(name(broker + "," + keys), null));
    }

    Object attribute(ObjectName bean, String attribute) throws IOException, JMException {
        return connection.getAttribute(bean, attribute);
    }

    long number(ObjectName bean, String attribute) throws IOException, JMException {
        return ((Number) attribute(bean, attribute)).longValue();
    }

    /** Calls an operation whose arguments are all strings. */
    Object call(ObjectName bean, String operation, String... arguments) throws IOException, JMException {
        String[] types = new String[arguments.length];
        Arrays.fill(types, String.class.getName());
        return connection.invoke(bean, operation, arguments, types);
    }
}
