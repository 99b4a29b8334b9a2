package org.readpast.jms.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.sql.Connection;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.session.SqlSession;

/**
 * A connection and a session in one (§2.8): every method is the classic one with its exceptions unchecked. Used by one thread
 * at a time, {@link #close} and {@link #createContext} excepted.
 */
public sealed class JmsContext implements JMSContext, SqlSession permits JmsXaContext {

    private final SharedConnection shared;
    private final ContextSession session;
    private volatile boolean autoStart = true;

    private JmsContext(SharedConnection shared, AcknowledgeMode mode) {
        this(shared, mode, () -> shared.connection().session(mode, Domain.GENERIC));
    }

    /** @param creation makes its session */
    JmsContext(SharedConnection shared, AcknowledgeMode mode, ContextSession.Creation creation) {
        this.shared = shared;
        this.session = new ContextSession(shared, mode, creation);
    }

    /**
     * The first context on a connection, which closes with its last context.
     *
     * @param sessionMode one of the four of {@link JMSContext}
     * @throws jakarta.jms.JMSRuntimeException if there is no such mode; the connection is closed then
     */
    public static JmsContext open(JmsConnection connection, int sessionMode) {
        return Unchecked.get(() -> {
            try {
                return new JmsContext(new SharedConnection(connection), SessionMode.of(sessionMode));
            } catch (JMSException | RuntimeException | Error problem) {
                Problems.attemptBehind(problem, connection::close);
                throw problem;
            }
        });
    }

    final JmsSession session() throws JMSException {
        return session.get();
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return Unchecked.get(() -> {
            session.checkOpen();
            return new JmsContext(shared, SessionMode.of(sessionMode));
        });
    }

    // The connection (§6.1)

    @Override
    public String getClientID() {
        return Unchecked.get(() -> session.connection().getClientID());
    }

    @Override
    public void setClientID(String clientID) {
        Unchecked.run(() -> session.connection().setClientID(clientID));
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return Unchecked.get(() -> session.connection().getMetaData());
    }

    @Override
    public ExceptionListener getExceptionListener() {
        return Unchecked.get(() -> session.connection().getExceptionListener());
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) {
        Unchecked.run(() -> session.connection().setExceptionListener(listener));
    }

    @Override
    public void start() {
        Unchecked.run(() -> session.connection().start());
    }

    @Override
    public void stop() {
        Unchecked.run(() -> session.connection().stop());
    }

    @Override
    public void setAutoStart(boolean autoStart) {
        Unchecked.run(session::checkOpen);
        this.autoStart = autoStart;
    }

    @Override
    public boolean getAutoStart() {
        Unchecked.run(session::checkOpen);
        return autoStart;
    }

    @Override
    public void close() {
        Unchecked.run(session::close);
    }

    // Messages (§6.2.4)

    @Override
    public BytesMessage createBytesMessage() {
        return Unchecked.get(() -> session.get().createBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() {
        return Unchecked.get(() -> session.get().createMapMessage());
    }

    @Override
    public Message createMessage() {
        return Unchecked.get(() -> session.get().createMessage());
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return Unchecked.get(() -> session.get().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(Serializable object) {
        return Unchecked.get(() -> session.get().createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return Unchecked.get(() -> session.get().createStreamMessage());
    }

    @Override
    public TextMessage createTextMessage() {
        return Unchecked.get(() -> session.get().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(String text) {
        return Unchecked.get(() -> session.get().createTextMessage(text));
    }

    // Acknowledgement and transactions (§6.2.7, §6.2.10)

    @Override
    public boolean getTransacted() {
        return Unchecked.get(() -> session.mode() == AcknowledgeMode.TRANSACTED);
    }

    @Override
    public int getSessionMode() {
        return Unchecked.get(() -> SessionMode.number(session.mode()));
    }

    @Override
    public void commit() {
        Unchecked.run(() -> session.get().commit());
    }

    @Override
    public void rollback() {
        Unchecked.run(() -> session.get().rollback());
    }

    @Override
    public void recover() {
        Unchecked.run(() -> session.get().recover());
    }

    @Override
    public void acknowledge() {
        Unchecked.run(() -> session.get().acknowledge());
    }

    /** @throws jakarta.jms.IllegalStateRuntimeException as {@link SqlSession#sqlConnection} */
    @Override
    public Connection sqlConnection() {
        return Unchecked.get(() -> session.get().sqlConnection());
    }

    /** @throws jakarta.jms.IllegalStateRuntimeException as {@link SqlSession#sqlConnection(Destination)} */
    @Override
    public Connection sqlConnection(Destination of) {
        return Unchecked.get(() -> session.get().sqlConnection(of));
    }

    // Destinations (§6.2.2, §6.2.3)

    @Override
    public Queue createQueue(String queueName) {
        return Unchecked.get(() -> session.get().createQueue(queueName));
    }

    @Override
    public Topic createTopic(String topicName) {
        return Unchecked.get(() -> session.get().createTopic(topicName));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return Unchecked.get(() -> session.get().createTemporaryQueue());
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return Unchecked.get(() -> session.get().createTemporaryTopic());
    }

    // Producers, consumers and browsers

    @Override
    public JMSProducer createProducer() {
        return Unchecked.get(() -> new JmsContextProducer(session.get()));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination) {
        return consumer(on -> on.createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, String messageSelector) {
        return consumer(on -> on.createConsumer(destination, messageSelector));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, String messageSelector, boolean noLocal) {
        return consumer(on -> on.createConsumer(destination, messageSelector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name) {
        return consumer(on -> on.createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name, String messageSelector, boolean noLocal) {
        return consumer(on -> on.createDurableConsumer(topic, name, messageSelector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
        return consumer(on -> on.createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name, String messageSelector) {
        return consumer(on -> on.createSharedDurableConsumer(topic, name, messageSelector));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String sharedSubscriptionName) {
        return consumer(on -> on.createSharedConsumer(topic, sharedSubscriptionName));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String sharedSubscriptionName, String messageSelector) {
        return consumer(on -> on.createSharedConsumer(topic, sharedSubscriptionName, messageSelector));
    }

    @Override
    public void unsubscribe(String name) {
        Unchecked.run(() -> session.get().unsubscribe(name));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) {
        return Unchecked.get(() -> session.get().createBrowser(queue));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String messageSelector) {
        return Unchecked.get(() -> session.get().createBrowser(queue, messageSelector));
    }

    /** Creates a consumer, and starts the connection unless told not to (§6.1.4). */
    private JMSConsumer consumer(ConsumerCreation creation) {
        return Unchecked.get(() -> {
            JmsConsumer consumer = creation.on(session.get());
            if (autoStart) {
                session.connection().start();
            }
            return new JmsContextConsumer(consumer);
        });
    }

    @FunctionalInterface
    private interface ConsumerCreation {
        JmsConsumer on(JmsSession session) throws JMSException;
    }
}
