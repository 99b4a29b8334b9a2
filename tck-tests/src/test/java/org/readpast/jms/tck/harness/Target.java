package org.readpast.jms.tck.harness;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;

/** A provider that the contract suite runs against. Started once per JVM, when the first case asks for it. */
public interface Target {

    TargetId id();

    /** One factory for the whole run; connections made by it need no credentials. */
    ConnectionFactory connectionFactory();

    /** The same factory, seen through the point-to-point domain's interface. */
    QueueConnectionFactory queueConnectionFactory();

    /** The same factory, seen through the publish/subscribe domain's interface. */
    TopicConnectionFactory topicConnectionFactory();

    /** A factory whose connections have the given client identifier from the start (§6.1.2). */
    ConnectionFactory connectionFactoryWithClientId(String clientId);

    /** A factory of Readpast's that has these options beside the usual ones, and not those of the class. */
    default ConnectionFactory connectionFactoryWith(String options) {
        throw new UnsupportedOperationException(id() + " has no options of Readpast's");
    }

    /** A user that {@code createConnection(user, password)} accepts, with {@link #password()}. */
    String user();

    String password();

    /** The class of its initial context factory, for {@code java.naming.factory.initial}. */
    String initialContextFactory();

    /** The URL that leads to it, in the form that its connection factory and its initial context factory take. */
    String url();

    /**
     * Called after each case, when its connections have been closed: fails if the provider still holds threads or SQL
     * connections on the case's behalf.
     */
    default void assertNothingLeft() throws Exception {}

    /** Stops the provider; called when the JVM ends. */
    void stop() throws Exception;
}
