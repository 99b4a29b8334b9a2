package org.readpast.jms.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import java.io.Serializable;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.engine.ProviderConnection;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.session.ProviderSession;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.engine.source.Subscription.Kind;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.message.Acknowledger;
import org.readpast.jms.message.JmsBytesMessage;
import org.readpast.jms.message.JmsMapMessage;
import org.readpast.jms.message.JmsMessage;
import org.readpast.jms.message.JmsObjectMessage;
import org.readpast.jms.message.JmsStreamMessage;
import org.readpast.jms.message.JmsTextMessage;
import org.readpast.jms.message.MessageDecoder;
import org.readpast.jms.message.ObjectTrust;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.session.SqlSession;

/** A session of any domain (§6.2). Used by one thread at a time, {@link #close} excepted. */
sealed class JmsSession implements QueueSession, TopicSession, SqlSession permits JmsXaConnection.XaSession {

    private final ProviderConnection connection;
    private final ProviderSession engine;
    private final ObjectTrust trust;
    private final Domain domain;
    private final AtomicReference<Thread> inCallback = new AtomicReference<>();
    private volatile MessageListener messageListener;

    JmsSession(ProviderConnection connection, ProviderSession engine, ObjectTrust trust, Domain domain) {
        this.connection = connection;
        this.engine = engine;
        this.trust = trust;
        this.domain = domain;
    }

    // Messages (§6.2.4)

    @Override
    public Message createMessage() throws JMSException {
        return created(new JmsMessage());
    }

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        return created(new JmsBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        return created(new JmsMapMessage());
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        return created(new JmsStreamMessage());
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        return created(new JmsTextMessage());
    }

    @Override
    public TextMessage createTextMessage(String text) throws JMSException {
        TextMessage message = createTextMessage();
        message.setText(text);
        return message;
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        return created(new JmsObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(Serializable object) throws JMSException {
        ObjectMessage message = createObjectMessage();
        message.setObject(object);
        return message;
    }

    // Destinations (§6.2.2, §6.2.3)

    @Override
    public Queue createQueue(String queueName) throws JMSException {
        check("createQueue");
        return Destinations.queueNamed(queueName);
    }

    @Override
    public Topic createTopic(String topicName) throws JMSException {
        check("createTopic");
        return Destinations.topicNamed(topicName);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        check("createTemporaryQueue");
        return connection.createTemporaryQueue();
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        check("createTemporaryTopic");
        return connection.createTemporaryTopic();
    }

    // Producers, consumers and browsers

    @Override
    public JmsProducer createProducer(Destination destination) throws JMSException {
        checkOpen();
        return producer(destination == null ? null : Destinations.target(destination));
    }

    @Override
    public JmsProducer createSender(Queue queue) throws JMSException {
        check("createSender");
        return producer(queue == null ? null : Destinations.target(queue));
    }

    @Override
    public JmsProducer createPublisher(Topic topic) throws JMSException {
        check("createPublisher");
        return producer(topic == null ? null : Destinations.target(topic));
    }

    @Override
    public JmsConsumer createConsumer(Destination destination) throws JMSException {
        return createConsumer(destination, null);
    }

    @Override
    public JmsConsumer createConsumer(Destination destination, String messageSelector) throws JMSException {
        return createConsumer(destination, messageSelector, false);
    }

    @Override
    public JmsConsumer createConsumer(Destination destination, String messageSelector, boolean noLocal)
            throws JMSException {
        checkOpen();
        ReadpastDestination ours = Destinations.source(destination);
        return ours instanceof ReadpastTopic topic
                ? subscribe(Topics.unshared(topic, messageSelector, noLocal))
                : consume(ours, messageSelector);
    }

    @Override
    public JmsConsumer createReceiver(Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public JmsConsumer createReceiver(Queue queue, String messageSelector) throws JMSException {
        check("createReceiver");
        return consume(Destinations.queue(queue), messageSelector);
    }

    @Override
    public JmsConsumer createSubscriber(Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public JmsConsumer createSubscriber(Topic topic, String messageSelector, boolean noLocal) throws JMSException {
        check("createSubscriber");
        return subscribe(Topics.unshared(topic, messageSelector, noLocal));
    }

    @Override
    public JmsConsumer createDurableSubscriber(Topic topic, String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public JmsConsumer createDurableSubscriber(Topic topic, String name, String messageSelector, boolean noLocal)
            throws JMSException {
        check("createDurableSubscriber");
        return subscribe(Kind.DURABLE, topic, name, messageSelector, noLocal);
    }

    @Override
    public JmsConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return createDurableConsumer(topic, name, null, false);
    }

    @Override
    public JmsConsumer createDurableConsumer(Topic topic, String name, String messageSelector, boolean noLocal)
            throws JMSException {
        check("createDurableConsumer");
        return subscribe(Kind.DURABLE, topic, name, messageSelector, noLocal);
    }

    @Override
    public JmsConsumer createSharedConsumer(Topic topic, String sharedSubscriptionName) throws JMSException {
        return createSharedConsumer(topic, sharedSubscriptionName, null);
    }

    @Override
    public JmsConsumer createSharedConsumer(Topic topic, String sharedSubscriptionName, String messageSelector)
            throws JMSException {
        check("createSharedConsumer");
        return subscribe(Kind.SHARED, topic, sharedSubscriptionName, messageSelector, false);
    }

    @Override
    public JmsConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public JmsConsumer createSharedDurableConsumer(Topic topic, String name, String messageSelector)
            throws JMSException {
        check("createSharedDurableConsumer");
        return subscribe(Kind.SHARED_DURABLE, topic, name, messageSelector, false);
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        check("unsubscribe");
        engine.unsubscribe(name);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String messageSelector) throws JMSException {
        check("createBrowser");
        ReadpastQueue ours = Destinations.queue(queue);
        Selector selector = Selectors.parse(messageSelector);
        if (ours.isTemporary()) {
            // Whether it may be, without a look at any message.
            engine.browse(ours, selector).close();
        }
        return new JmsQueueBrowser(this, ours, selector);
    }

    // Acknowledgement and transactions (§6.2.7, §6.2.10)

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return engine.mode() == AcknowledgeMode.TRANSACTED;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return SessionMode.number(engine.mode());
    }

    @Override
    public void commit() throws JMSException {
        engine.commit();
    }

    @Override
    public void rollback() throws JMSException {
        engine.rollback();
    }

    @Override
    public void recover() throws JMSException {
        engine.recover();
    }

    /** Acknowledges all that the session has consumed; does nothing unless its mode is CLIENT_ACKNOWLEDGE. */
    void acknowledge() throws JMSException {
        checkOpen();
        engine.acknowledge();
    }

    @Override
    public Connection sqlConnection() throws JMSException {
        return engine.sqlConnection(null);
    }

    @Override
    public Connection sqlConnection(Destination of) throws JMSException {
        return engine.sqlConnection(Destinations.ours(of));
    }

    @Override
    public void close() throws JMSException {
        engine.close();
    }

    // For application servers (§11.2.1)

    @Override
    public MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return messageListener;
    }

    @Override
    public void setMessageListener(MessageListener listener) throws JMSException {
        one().assigned().listen(listener == null ? null : delivery -> listener.onMessage(received(delivery)));
        messageListener = listener;
    }

    /** Delivers what a ConnectionConsumer has assigned to this session, and returns. */
    @Override
    public void run() {
        Unchecked.run(() -> one().assigned().run());
    }

    // For our consumers, browsers and contexts

    ProviderSession engine() {
        return engine;
    }

    /** @throws IllegalStateException if it may be in several databases */
    EngineSession one() throws IllegalStateException {
        if (engine instanceof EngineSession one) {
            return one;
        }
        throw new IllegalStateException(
                "An application server's facilities (§11.2) are for one database: take the connection of"
                        + " ReadpastConnectionFactory.database(name)");
    }

    boolean isOf(ProviderConnection other) {
        return connection == other;
    }

    /** For a new producer. */
    private PendingSends pendingSends() {
        return new PendingSends(inCallback);
    }

    /** @throws jakarta.jms.IllegalStateException if the session is closed */
    void checkOpen() throws JMSException {
        engine.checkOpen();
    }

    /** The message of a delivery, whose {@code acknowledge} is this session's. */
    JmsMessage received(Delivery delivery) throws JMSException {
        return decode(delivery, this::acknowledge);
    }

    /** A message that is looked at and not consumed, so that there is nothing to acknowledge. */
    JmsMessage browsed(Delivery delivery) throws JMSException {
        return decode(delivery, null);
    }

    private JmsMessage decode(Delivery delivery, Acknowledger acknowledger) throws JMSException {
        return MessageDecoder.decode(
                delivery.message(), delivery.deliveryCount(), delivery.receivedMillis(), trust, acknowledger);
    }

    private <M extends Message> M created(M message) throws JMSException {
        checkOpen();
        return message;
    }

    private JmsProducer producer(ReadpastDestination fixed) {
        return new JmsProducer(engine, fixed, pendingSends());
    }

    private JmsConsumer consume(ReadpastDestination queue, String messageSelector) throws JMSException {
        Selector selector = Selectors.parse(messageSelector);
        return new JmsConsumer(this, engine.consume(queue, selector), queue, selector, false);
    }

    private JmsConsumer subscribe(Kind kind, Topic topic, String name, String messageSelector, boolean noLocal)
            throws JMSException {
        Subscription subscription = Topics.named(kind, topic, name, messageSelector, noLocal);
        if (kind == Kind.DURABLE) {
            connection.checkHasClientId("a durable subscription that is not shared (§8.3.3)");
        }
        return subscribe(subscription);
    }

    private JmsConsumer subscribe(Subscription subscription) throws JMSException {
        return new JmsConsumer(
                this,
                engine.subscribe(subscription),
                subscription.topic(),
                subscription.selector(),
                subscription.noLocal());
    }

    private void check(String method) throws JMSException {
        checkOpen();
        domain.check(method);
    }
}
