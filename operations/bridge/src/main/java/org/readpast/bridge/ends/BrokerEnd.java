package org.readpast.bridge.ends;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.readpast.bridge.batch.Batch;

/**
 * A transacted session of the broker, with the token of the link: one message in a queue of its own, which each transaction of the link
 * takes and puts back with the next number. It says which transaction was the last, and who has it is the only one that can commit: a
 * transaction of an earlier session that the broker still holds has the token, too, and as long as nobody can get it, the outcome of that
 * transaction is open. Used by one thread at a time, as the session is.
 */
public final class BrokerEnd implements End {

    private static final String NUMBER = "ReadpastBridgeNumber";

    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final Queue tokenQueue;
    private MessageConsumer tokens;
    private volatile JMSException broken;

    /**
     * On a connection, which is closed with this, and if making it fails.
     *
     * @param connection not started yet
     * @param clientId null for none
     * @throws JMSException if the broker refuses something of it
     */
    public BrokerEnd(Connection connection, String clientId, String tokenQueue) throws JMSException {
        this.connection = connection;
        try {
            if (clientId != null) {
                connection.setClientID(clientId);
            }
            connection.setExceptionListener(e -> broken = e);
            this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
            this.producer = session.createProducer(null);
            this.tokenQueue = session.createQueue(tokenQueue);
            connection.start();
        } catch (JMSException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public MessageProducer producer() {
        return producer;
    }

    /** Some clients notice only on a thread of their own that the broker is gone. */
    public void check() throws JMSException {
        JMSException found = broken;
        if (found != null) {
            throw found;
        }
    }

    /** Takes the token into the transaction; null if nobody has put it back within the time. */
    public Batch take(long millis) throws JMSException {
        if (tokens == null) {
            tokens = session.createConsumer(tokenQueue);
        }
        Message message = tokens.receive(millis);
        return message == null ? null : batch(message);
    }

    /** Leaves the token to others until it is asked for again. */
    public void leaveToken() throws JMSException {
        tokens.close();
        tokens = null;
    }

    /** Any further token, which a first start that failed may have left. */
    public Batch takeAnother() throws JMSException {
        Message message = tokens.receiveNoWait();
        return message == null ? null : batch(message);
    }

    private static Batch batch(Message message) throws JMSException {
        return Batch.parse(message.getLongProperty(NUMBER), ((TextMessage) message).getText());
    }

    /** Puts the token back, as part of the transaction. */
    public void put(Batch batch) throws JMSException {
        TextMessage message = session.createTextMessage(batch.text());
        message.setLongProperty(NUMBER, batch.number());
        producer.send(tokenQueue, message, DeliveryMode.PERSISTENT, Message.DEFAULT_PRIORITY, 0);
    }

    /** Whether the token is there for somebody to take, as far as a browser sees. */
    public boolean hasToken() throws JMSException {
        try (QueueBrowser browser = session.createBrowser(tokenQueue)) {
            return browser.getEnumeration().hasMoreElements();
        }
    }

    /** Whether the broker still answers on this connection; the transaction that is under way is rolled back. */
    public boolean works() {
        try {
            check();
            session.rollback();
            hasToken();
            return true;
        } catch (JMSException e) {
            return false;
        }
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
