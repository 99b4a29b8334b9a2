package org.readpast.bridge;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.readpast.jms.ReadpastConnectionFactory;

/** Connection factories by an address of text. The JMS client of a broker is not part of the bridge. */
public final class BrokerUrl {

    private static final Map<String, String> FACTORIES = Map.of(
            "artemis", "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory",
            "activemq", "org.apache.activemq.ActiveMQConnectionFactory");

    private BrokerUrl() {}

    /**
     * Makes a factory of {@code readpast:jdbc:...}, {@code artemis:URL}, {@code activemq:URL}, or {@code jndi:FILE#NAME}, where the file is
     * one of properties for an initial context, and the name that of the factory in it.
     *
     * @param clients has the classes of the broker's JMS client
     * @throws IllegalArgumentException if the address is not understood, the client is not there, or it refuses the address
     */
    public static ConnectionFactory factory(String address, ClassLoader clients) {
        int colon = address.indexOf(':');
        String kind = colon < 0 ? "" : address.substring(0, colon);
        String rest = address.substring(colon + 1);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(clients);
        try {
            return switch (kind) {
                case "readpast" -> new ReadpastConnectionFactory(address);
                case "artemis" -> byClass(kind, rest, clients);
                case "activemq" -> byClass(kind, withoutRedeliveryLimit(rest), clients);
                case "jndi" -> byName(rest);
                default ->
                    throw new IllegalArgumentException(
                            "'" + address
                                    + "' is not understood: readpast:jdbc:..., artemis:tcp://..., activemq:tcp://... or jndi:FILE#NAME");
            };
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The client of ActiveMQ gives up a message after six deliveries; an outage must not do that to what the bridge had in its hands. */
    private static String withoutRedeliveryLimit(String url) {
        if (url.contains("maximumRedeliveries")) {
            return url;
        }
        boolean hasOptions = url.indexOf('?', url.lastIndexOf(')') + 1) >= 0;
        return url + (hasOptions ? "&" : "?") + "jms.redeliveryPolicy.maximumRedeliveries=-1";
    }

    private static ConnectionFactory byClass(String kind, String url, ClassLoader clients) {
        try {
            return Class.forName(FACTORIES.get(kind), true, clients)
                    .asSubclass(ConnectionFactory.class)
                    .getConstructor(String.class)
                    .newInstance(url);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "the JMS client of " + kind + " is not there: add its jars to the class path", e);
        } catch (ReflectiveOperationException | ClassCastException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException(
                    "the JMS client of " + kind + " refuses '" + url + "': " + cause.getMessage(), e);
        }
    }

    private static ConnectionFactory byName(String place) {
        int hash = place.lastIndexOf('#');
        if (hash < 0) {
            throw new IllegalArgumentException("'jndi:" + place + "' has no #NAME of a connection factory");
        }
        Properties environment = new Properties();
        try (InputStream in = Files.newInputStream(Path.of(place.substring(0, hash)))) {
            environment.load(in);
            return (ConnectionFactory) new InitialContext(environment).lookup(place.substring(hash + 1));
        } catch (IOException | NamingException | ClassCastException e) {
            throw new IllegalArgumentException("there is no connection factory at 'jndi:" + place + "': " + e, e);
        }
    }
}
