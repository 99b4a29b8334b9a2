package org.readpast.spring;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.AwaitableConsumer;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.support.JmsUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's polling container, with one difference: where it has a transaction manager, it waits for a message first, and begins the
 * transaction then. So a listener that waits holds no SQL connection, and any number of them gets along with a small pool. What a listener
 * writes commits with its message, if the transaction manager is that of the connection factory's DataSource. With any other one the message
 * has a transaction of its own, which is committed after that of the transaction manager, and rolled back with it. With a {@link
 * JmsTransactionManager}, which does nothing that {@code sessionTransacted} alone does not, it is Spring's container and no more, and
 * refuses a topic without a durable subscription, and to keep a session.
 *
 * <p>Connection, session and consumer are kept in use ({@link #CACHE_CONSUMER}) unless a cache level is set. The receive time-out is how
 * long it waits at once, one second by default; it does not delay messages. With a lower cache level, and with consumers of a connection
 * factory around ours, such as {@code CachingConnectionFactory}, it waits within the transaction, as Spring's container does.
 */
public class ReadpastMessageListenerContainer extends DefaultMessageListenerContainer {

    /** So many different messages have to fail that a single one which cannot be worked on says nothing of the listener. */
    private static final int FAILING = 3;

    private static final String INSTEAD =
            "set sessionTransacted, and no transaction manager, which has all of that in one transaction";

    /** Ids of messages that have failed since one has succeeded, up to {@link #FAILING}. */
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** Whether three different messages have failed, and none has succeeded since. */
    public boolean isFailing() {
        return failed.size() >= FAILING;
    }

    @Override
    protected void invokeListener(Session session, Message message) throws JMSException {
        // Those of producers that give no ids count as one.
        String id = String.valueOf(message.getJMSMessageID());
        try {
            super.invokeListener(session, message);
        } catch (JMSException | RuntimeException | Error e) {
            ended(id, false);
            throw e;
        }
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    ended(id, status == STATUS_COMMITTED);
                }
            });
        } else {
            ended(id, true);
        }
    }

    private void ended(String id, boolean well) {
        if (well) {
            failed.clear();
        } else if (!isFailing()) {
            failed.add(id);
        }
    }

    /** @throws IllegalStateException if it has a {@link JmsTransactionManager}, and messages could be lost with that */
    @Override
    public void initialize() {
        if (getTransactionManager() != null) {
            setSessionTransacted(!joins(getTransactionManager()));
            if (getTransactionManager() instanceof JmsTransactionManager) {
                checkThatNothingIsLost();
            } else if (getCacheLevel() == CACHE_AUTO) {
                setCacheLevel(CACHE_CONSUMER);
            }
        }
        super.initialize();
    }

    /**
     * The session of a JmsTransactionManager's transaction, which has to be that of the consumer, comes into being with it, so that there is
     * no consumer in between.
     */
    private void checkThatNothingIsLost() {
        if (isPubSubDomain() && !isSubscriptionDurable()) {
            throw new IllegalStateException(
                    "With a JmsTransactionManager each message has a consumer of its own, and a subscription that is"
                            + " not durable loses what comes in between; " + INSTEAD);
        }
        if (getCacheLevel() == CACHE_SESSION || getCacheLevel() == CACHE_CONSUMER) {
            throw new IllegalStateException(
                    "With a cache level that keeps a session the message is committed before what its listener sends"
                            + " in the transaction of a JmsTransactionManager, which may be lost then; " + INSTEAD);
        }
    }

    /** Whether the end of what is received is the transaction manager's. */
    private boolean joins(PlatformTransactionManager manager) {
        boolean isJta = manager instanceof JtaTransactionManager;
        if (!(getConnectionFactory() instanceof ReadpastConnectionFactory factory)) {
            // One around ours that enlists its sessions.
            return isJta;
        }
        DataSource joined = factory.joinedDataSource();
        return joined != null && (isJta || TransactionManagers.isOf(manager, joined));
    }

    /** After the transaction manager's, which may still be rolled back: a message may come again after a commit, and is never lost. */
    @Override
    protected void commitIfNecessary(Session session, Message message) throws JMSException {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && session.getTransacted()
                && isSessionLocallyTransacted(session)) {
            TransactionSynchronizationManager.registerSynchronization(new Following(session));
        } else {
            super.commitIfNecessary(session, message);
        }
    }

    /** The end of a session's transaction follows that of the transaction manager's. */
    private final class Following implements TransactionSynchronization {

        private final Session session;

        Following(Session session) {
            this.session = session;
        }

        /** Not after the commit: what another synchronization throws there would leave this one out. */
        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED || !commit()) {
                rollback();
            }
        }

        private boolean commit() {
            try {
                JmsUtils.commitIfNecessary(session);
                return true;
            } catch (JMSException | RuntimeException e) {
                logger.warn("The commit of a message failed, which may come again", e);
                return false;
            }
        }

        /** A session that cannot is closed, which the container finds at its next receive, and makes a new one. */
        private void rollback() {
            try {
                JmsUtils.rollbackIfNecessary(session);
            } catch (JMSException | RuntimeException e) {
                logger.warn("The rollback of a message failed, whose session is closed", e);
                JmsUtils.closeSession(session);
            }
        }
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

    /** One that is made for a single receive comes into being within the transaction. */
    private boolean waitsBefore(MessageConsumer consumer) {
        return getTransactionManager() != null
                && getCacheLevel() >= CACHE_CONSUMER
                && consumer instanceof AwaitableConsumer;
    }
}
