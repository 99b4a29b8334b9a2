package org.readpast.jms.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The fixture of one case on one target: connections, sessions and queues of its own, and patient or impatient
 * receiving. All that is opened here is closed after the case. Safe for use by several threads.
 */
public final class Jms {
    /** How long a case waits for what must come. Only a failing case ever waits this long. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The same where it is known that the target does otherwise, and the case is to fail. */
    private static final Duration PATIENCE_WITH_A_DEVIATION = Duration.ofSeconds(1);

    /** How long a case looks for what must not come. */
    public static final Duration GLANCE = Duration.ofMillis(200);

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long RUN = System.nanoTime() / 1_000_000;

    private final Target target;
    private final String name;
    private final Duration patience;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** @param deviates whether the target is known to do otherwise than the case says */
    Jms(Target target, String caseName, boolean deviates) {
        this.target = target;
        this.patience = deviates ? PATIENCE_WITH_A_DEVIATION : PATIENCE;
        this.name = "tck." + RUN + "." + NUMBER.incrementAndGet() + "."
                + caseName.substring(0, Math.min(caseName.length(), 60));
    }

    public Target target() {
        return target;
    }

    public ConnectionFactory factory() {
        return target.connectionFactory();
    }

    public QueueConnectionFactory queueFactory() {
        return target.queueConnectionFactory();
    }

    /** A new connection, started. */
    public Connection connection() throws JMSException {
        Connection connection = stoppedConnection();
        connection.start();
        return connection;
    }

    /** A new connection as the factory makes it: not started (§6.1.4). */
    public Connection stoppedConnection() throws JMSException {
        return closeAfterwards(factory().createConnection());
    }

    /** A new connection of the point-to-point domain, started. */
    public QueueConnection queueConnection() throws JMSException {
        QueueConnection connection = closeAfterwards(queueFactory().createQueueConnection());
        connection.start();
        return connection;
    }

    /** A new connection of the publish/subscribe domain, started. */
    public TopicConnection topicConnection() throws JMSException {
        TopicConnection connection =
                closeAfterwards(target.topicConnectionFactory().createTopicConnection());
        connection.start();
        return connection;
    }

    /** A new connection with a client id that no other case uses, started. */
    public Connection client(String suffix) throws JMSException {
        Connection connection = stoppedConnection();
        connection.setClientID(uniqueName(suffix));
        connection.start();
        return connection;
    }

    /** A session that acknowledges automatically, on a new, started connection. */
    public Session session() throws JMSException {
        return session(Session.AUTO_ACKNOWLEDGE);
    }

    /** A session on a new, started connection. */
    public Session session(int mode) throws JMSException {
        return connection().createSession(mode);
    }

    /** A transacted session on a new, started connection. */
    public Session transacted() throws JMSException {
        return session(Session.SESSION_TRANSACTED);
    }

    /** A context that acknowledges automatically, on a new connection. */
    public JMSContext context() {
        return context(JMSContext.AUTO_ACKNOWLEDGE);
    }

    public JMSContext context(int mode) {
        return closeAfterwards(factory().createContext(mode));
    }

    /** This case's queue, which no other case uses; the same one at each call. */
    public Queue queue() {
        return queue("");
    }

    /** A second queue of this case's own. */
    public Queue queue(String suffix) {
        try (JMSContext context = factory().createContext()) {
            return context.createQueue(uniqueName(suffix));
        }
    }

    /** This case's topic, which no other case uses; the same one at each call. */
    public Topic topic() {
        return topic("topic");
    }

    /** A second topic of this case's own. */
    public Topic topic(String suffix) {
        try (JMSContext context = factory().createContext()) {
            return context.createTopic(uniqueName(suffix));
        }
    }

    /** A name which no other case and no other run uses; the same for the same suffix. */
    public String uniqueName(String suffix) {
        return suffix.isEmpty() ? name : name + "." + suffix;
    }

    /** Sees to it that the object is closed when the case has ended. The last one opened is closed first. */
    public <T extends AutoCloseable> T closeAfterwards(T closeable) {
        synchronized (opened) {
            opened.push(closeable);
        }
        return closeable;
    }

    /** Runs something on a thread of its own. */
    public <T> Elsewhere<T> elsewhere(Callable<T> action) {
        return new Elsewhere<>(action);
    }

    /** Sends text messages, persistent, from a connection of their own; they are there when this returns. */
    public void send(Queue queue, String... texts) throws JMSException {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(queue)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** Publishes text messages, persistent, from a connection of their own. */
    public void publish(Topic topic, String... texts) throws JMSException {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(topic)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** The next message, which must come. */
    public Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(patience.toMillis());
        assertThat(message).as("message within " + patience.toSeconds() + " s").isNotNull();
        return message;
    }

    /** The next message, which must come. */
    public Message receive(JMSConsumer consumer) {
        Message message = consumer.receive(patience.toMillis());
        assertThat(message).as("message within " + patience.toSeconds() + " s").isNotNull();
        return message;
    }

    /** The text of the next message, which must come and be a text message. */
    public String receiveText(MessageConsumer consumer) throws JMSException {
        return text(receive(consumer));
    }

    /**
     * What is received where "now" is sent behind "later", which has a delay. Both are sent anew, with twice the delay, where a busy machine
     * had not received the first one before both were due: then they come in the order of the sends.
     */
    public List<String> sentBehindDelayed(Session session, Destination to, MessageConsumer consumer)
            throws JMSException {
        List<String> received;
        long waited;
        long delay = 350;
        try (MessageProducer producer = session.createProducer(to)) {
            do {
                delay *= 2;
                long begun = System.nanoTime();
                producer.setDeliveryDelay(delay);
                producer.send(session.createTextMessage("later"));
                producer.setDeliveryDelay(0);
                producer.send(session.createTextMessage("now"));
                String first = receiveText(consumer);
                waited = System.nanoTime() - begun;
                received = List.of(first, receiveText(consumer));
            } while (waited >= TimeUnit.MILLISECONDS.toNanos(delay));
        }
        return received;
    }

    /** The texts of the next messages, all of which must come. */
    public List<String> receiveTexts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(receiveText(consumer));
        }
        return texts;
    }

    /**
     * Waits until a message that was sent has expired by the clock of the target as well: later than its JMSExpiration by as long as
     * its send took at the most.
     */
    public static void awaitExpiry(Message sent) throws JMSException {
        long life = sent.getJMSExpiration() - sent.getJMSTimestamp();
        long over = System.currentTimeMillis() + life + 50;
        await().atMost(PATIENCE).until(() -> System.currentTimeMillis() > over);
    }

    /** Closes it; to be called again and again where that may take longer than its {@code closeTimeoutMillis}. */
    public static boolean isClosed(Connection connection) {
        try {
            connection.close();
            return true;
        } catch (JMSException late) {
            return false;
        }
    }

    public static String text(Message message) throws JMSException {
        assertThat(message).isInstanceOf(TextMessage.class);
        return ((TextMessage) message).getText();
    }

    /** Looks for a moment whether a message comes, and fails if one does. */
    public void assertNothingArrives(MessageConsumer consumer) throws JMSException {
        assertThat(consumer.receive(GLANCE.toMillis())).as("no message").isNull();
    }

    /** Looks for a moment whether a message comes, and fails if one does. */
    public void assertNothingArrives(JMSConsumer consumer) {
        assertThat(consumer.receive(GLANCE.toMillis())).as("no message").isNull();
    }

    /** Looks, from a connection of its own, whether a consumer of the queue would be given anything. */
    public void assertEmpty(Queue queue) throws JMSException {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(queue)) {
            connection.start();
            assertNothingArrives(consumer);
        }
    }

    /** Takes, from a connection of its own, the given texts from the queue, which must hold them and nothing else. */
    public void assertHolds(Queue queue, String... texts) throws JMSException {
        try (Connection connection = factory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(queue)) {
            connection.start();
            assertThat(receiveTexts(consumer, texts.length)).containsExactly(texts);
            assertNothingArrives(consumer);
        }
    }

    void close() throws Exception {
        Exception failure = null;
        while (true) {
            AutoCloseable next;
            synchronized (opened) {
                next = opened.poll();
            }
            if (next == null) {
                break;
            }
            try {
                next.close();
            } catch (Exception e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        target.assertNothingLeft();
    }
}
