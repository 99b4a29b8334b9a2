package org.readpast.spring;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.session.AwaitableConsumer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/**
 * Spring's polling container, with one difference: where it has a transaction manager, it waits for a message first, and begins the
 * transaction then. So a listener that waits holds no SQL connection, and any number of them gets along with a small pool. What a listener
 * writes commits with its message, if the transaction manager is that of the connection factory's DataSource.
 *
 * <p>Connection, session and consumer are kept in use ({@link #CACHE_CONSUMER}) unless a cache level is set. The receive time-out is how
 * long it waits at once, one second by default; it does not delay messages. Consumers of a connection factory around ours, such as
 * {@code CachingConnectionFactory}, wait within their transaction, as in Spring's container.
 */
public class ReadpastMessageListenerContainer extends DefaultMessageListenerContainer {

    /** So many different messages have to fail that a single one which cannot be worked on says nothing of the listener. */
    private static final int FAILING = 3;

    /** Ids of messages that have failed since one has succeeded, up to {@link #FAILING}. */
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** Whether three different messages have failed, and none has succeeded since. */
    public boolean isFailing() {
        return failed.size() >= FAILING;
    }

    @Override
    protected void invokeListener(Session session, Message message) throws JMSException {
        try {
            super.invokeListener(session, message);
            failed.clear();
        } catch (JMSException | RuntimeException | Error e) {
            if (!isFailing()) {
                failed.add(message.getJMSMessageID());
            }
            throw e;
        }
    }

    @Override
    public void initialize() {
        if (getTransactionManager() != null) {
            // Whose end is the transaction manager's.
            setSessionTransacted(false);
            if (getCacheLevel() == CACHE_AUTO) {
                setCacheLevel(CACHE_CONSUMER);
            }
        }
        super.initialize();
    }

    @Override
    protected boolean receiveAndExecute(Object invoker, Session session, MessageConsumer consumer) throws JMSException {
        if (waitsBefore(consumer) && !((AwaitableConsumer) consumer).awaitMessage(getReceiveTimeout())) {
            noMessageReceived(invoker, session);
            return false;
        }
        return super.receiveAndExecute(invoker, session, consumer);
    }

    @Override
    protected Message receiveMessage(MessageConsumer consumer) throws JMSException {
        return waitsBefore(consumer) ? consumer.receiveNoWait() : super.receiveMessage(consumer);
    }

    private boolean waitsBefore(MessageConsumer consumer) {
        return getTransactionManager() != null && consumer instanceof AwaitableConsumer;
    }
}
