package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Enumeration;
import org.readpast.benchmarks.system.Place;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest;

/** A JMS provider, through the interfaces that every one has. */
public final class JmsSystem implements SystemUnderTest {

    private static final int DISCARDED_PER_COMMIT = 500;
    private static final long NOTHING_LEFT_MILLIS = 100;
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long SEARCH_MILLIS = 600_000;

    private final JmsClients clients;

    public JmsSystem(JmsClients clients) {
        this.clients = clients;
    }

    @Override
    public Sender sender(String queue, SendMode mode) throws Exception {
        return new JmsSender(connect(), queue, mode);
    }

    @Override
    public Receiver receiver(String queue, ReceiveMode mode) throws Exception {
        return new JmsReceiver(clients, queue, mode);
    }

    @Override
    public Publisher publisher(String topic, int subscriptions) throws Exception {
        return new JmsPublisher(connect(), topic, subscriptions);
    }

    @Override
    public Picker picker(String queue) throws Exception {
        return new JmsPicker(clients.factory(ReceiveMode.ONE_BY_ONE).createConnection(), queue);
    }

    @Override
    public Requester requester(String queue, Place place) throws Exception {
        return new JmsRequester(clients.factory(ReceiveMode.ONE_BY_ONE).createConnection(), queue);
    }

    @Override
    public AutoCloseable responder(String queue, Place place) throws Exception {
        return new JmsResponder(clients.factory(ReceiveMode.LISTENER).createConnection(), queue);
    }

    @Override
    public AutoCloseable hold(String queue, int count) throws Exception {
        Connection connection = clients.factory(ReceiveMode.ONE_BY_ONE).createConnection();
        try {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            connection.start();
            for (int held = 0; held < count; held++) {
                if (consumer.receive(PATIENCE_MILLIS) == null) {
                    throw new IllegalStateException("Only " + held + " of " + count + " messages could be held");
                }
            }
            return connection;
        } catch (Exception | Error e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public long browse(String queue) throws Exception {
        try (Connection connection = connect();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                QueueBrowser browser = session.createBrowser(session.createQueue(queue))) {
            connection.start();
            long count = 0;
            for (Enumeration<?> messages = browser.getEnumeration(); messages.hasMoreElements(); count++) {
                JmsClient.read((Message) messages.nextElement());
            }
            return count;
        }
    }

    @Override
    public void takeBySuffix(String queue, String suffix) throws Exception {
        try (Connection connection = clients.factory(ReceiveMode.ONE_BY_ONE).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer =
                        session.createConsumer(session.createQueue(queue), "JMSCorrelationID LIKE '%" + suffix + "'")) {
            connection.start();
            if (consumer.receive(SEARCH_MILLIS) == null) {
                throw new IllegalStateException("No message has a correlation id that ends in " + suffix);
            }
        }
    }

    private Connection connect() throws Exception {
        return clients.factory().createConnection();
    }

    @Override
    public void discard(String queue) throws Exception {
        try (Connection connection = clients.factory(ReceiveMode.TRANSACTED).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            while (discardSome(consumer)) {
                session.commit();
            }
            session.commit();
        }
    }

    /** Whether there may be more. */
    private static boolean discardSome(MessageConsumer consumer) throws JMSException {
        for (int i = 0; i < DISCARDED_PER_COMMIT; i++) {
            if (consumer.receive(NOTHING_LEFT_MILLIS) == null) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        clients.close();
    }
}
