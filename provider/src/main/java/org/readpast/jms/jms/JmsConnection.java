package org.readpast.jms.jms;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.ProviderConnection;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.source.Subscription.Kind;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.message.ObjectTrust;

/** A connection of any domain (§6.1). Thread-safe. */
public sealed class JmsConnection implements QueueConnection, TopicConnection permits JmsXaConnection {

    private final ProviderConnection engine;
    private final ObjectTrust trust;
    private final Domain domain;
    private volatile ExceptionListener exceptionListener;

    /**
     * @param engine a connection that is open and stopped
     * @param trust what classes a received ObjectMessage may hold
     * @param domain through which API it was asked for
     */
    public JmsConnection(ProviderConnection engine, ObjectTrust trust, Domain domain) {
        this.engine = engine;
        this.trust = trust;
        this.domain = domain;
    }

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return session(SessionMode.of(sessionMode), Domain.GENERIC);
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return session(SessionMode.of(transacted, acknowledgeMode), Domain.GENERIC);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        check("createQueueSession");
        return session(SessionMode.of(transacted, acknowledgeMode), Domain.QUEUE);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        check("createTopicSession");
        return session(SessionMode.of(transacted, acknowledgeMode), Domain.TOPIC);
    }

    @Override
    public String getClientID() throws JMSException {
        return engine.clientId();
    }

    @Override
    public void setClientID(String clientID) throws JMSException {
        engine.setClientId(clientID);
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        engine.checkOpen();
        return JmsConnectionMetaData.INSTANCE;
    }

    @Override
    public ExceptionListener getExceptionListener() throws JMSException {
        engine.checkOpen();
        return exceptionListener;
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) throws JMSException {
        engine.onException(listener == null ? null : listener::onException);
        exceptionListener = listener;
    }

    @Override
    public void start() throws JMSException {
        engine.start();
    }

    @Override
    public void stop() throws JMSException {
        engine.stop();
    }

    @Override
    public void close() throws JMSException {
        engine.close();
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String messageSelector, ServerSessionPool sessionPool, int maxMessages)
            throws JMSException {
        EngineConnection one = one();
        ReadpastDestination ours = Destinations.source(destination);
        return ours instanceof ReadpastTopic topic
                ? JmsConnectionConsumer.onTopic(
                        one, Topics.unshared(topic, messageSelector, false), sessionPool, maxMessages)
                : JmsConnectionConsumer.onQueue(one, ours, Selectors.parse(messageSelector), sessionPool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, String messageSelector, ServerSessionPool sessionPool, int maxMessages) throws JMSException {
        return createConnectionConsumer((Destination) queue, messageSelector, sessionPool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, String messageSelector, ServerSessionPool sessionPool, int maxMessages) throws JMSException {
        return createConnectionConsumer((Destination) topic, messageSelector, sessionPool, maxMessages);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic,
            String subscriptionName,
            String messageSelector,
            ServerSessionPool sessionPool,
            int maxMessages)
            throws JMSException {
        check("createDurableConnectionConsumer");
        Subscription subscription = Topics.named(Kind.DURABLE, topic, subscriptionName, messageSelector, false);
        engine.checkHasClientId("a durable ConnectionConsumer that is not shared");
        return JmsConnectionConsumer.onTopic(one(), subscription, sessionPool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic,
            String subscriptionName,
            String messageSelector,
            ServerSessionPool sessionPool,
            int maxMessages)
            throws JMSException {
        check("createSharedConnectionConsumer");
        Subscription subscription = Topics.named(Kind.SHARED, topic, subscriptionName, messageSelector, false);
        return JmsConnectionConsumer.onTopic(one(), subscription, sessionPool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic,
            String subscriptionName,
            String messageSelector,
            ServerSessionPool sessionPool,
            int maxMessages)
            throws JMSException {
        check("createSharedDurableConnectionConsumer");
        Subscription subscription = Topics.named(Kind.SHARED_DURABLE, topic, subscriptionName, messageSelector, false);
        return JmsConnectionConsumer.onTopic(one(), subscription, sessionPool, maxMessages);
    }

    /** @throws IllegalStateException if it is closed, or to several databases */
    private EngineConnection one() throws JMSException {
        engine.checkOpen();
        if (engine instanceof EngineConnection one) {
            return one;
        }
        throw new IllegalStateException(
                "A ConnectionConsumer (§11.2.4) is of one database: create it on the connection of"
                        + " ReadpastConnectionFactory.database(name)");
    }

    /** This JVM's id in the column {@code instance} of the table {@code presence}; of a connection to one database. */
    public String instance() {
        return ((EngineConnection) engine).instance();
    }

    JmsSession session(AcknowledgeMode mode, Domain sessionDomain) throws JMSException {
        return new JmsSession(engine, engine.createSession(mode), trust, sessionDomain);
    }

    final void check(String method) throws JMSException {
        engine.checkOpen();
        domain.check(method);
    }
}
