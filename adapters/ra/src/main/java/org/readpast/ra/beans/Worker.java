package org.readpast.ra.beans;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import org.readpast.jms.session.ContainerConsumer;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Delivers one message after the other. It waits before a transaction begins, and claims on the transaction's connection then: a row is never
 * locked on one connection and deleted on another. Run by one thread at a time.
 */
final class Worker extends LongWork {

    private static final Logger LOG = Loggers.of(Worker.class);

    private static final long WAIT_MILLIS = 10_000;

    /** How long until a message is tried again that the container has refused. */
    private static final long REFUSED_MILLIS = 500;

    /** How long a worker waits for another one that is about to pause the bean. */
    private static final long PAUSING_MILLIS = 50;

    private final Bean bean;
    private final Pausing pausing;
    private final Workers workers;
    private final Session session;
    private final ContainerConsumer consumer;

    /** @param session of its own */
    Worker(Bean bean, Pausing pausing, Workers workers, Session session) throws JMSException {
        this.bean = bean;
        this.pausing = pausing;
        this.workers = workers;
        this.session = session;
        this.consumer = (ContainerConsumer) bean.subscription().consumer(session);
    }

    /** What came of an attempt to deliver. */
    private enum Attempt {
        DELIVERED,
        NOTHING_THERE
    }

    @Override
    void work() {
        Attempt last = Attempt.NOTHING_THERE;
        while (workers.isOpen()
                && !Thread.currentThread().isInterrupted()
                && (last == Attempt.DELIVERED || workers.waits(this))) {
            last = attempt();
        }
    }

    @Override
    void over() {
        workers.rested(this);
        workers.goOnIfInterrupted();
    }

    private Attempt attempt() {
        try {
            if (!consumer.awaitMessage(WAIT_MILLIS)) {
                return Attempt.NOTHING_THERE;
            }
            if (pausing.claiming().isHeld()) {
                workers.delay(PAUSING_MILLIS);
                return Attempt.NOTHING_THERE;
            }
            Attempt attempt = deliver();
            bean.outage().over();
            return attempt;
        } catch (JMSException | ResourceException | NoSuchMethodException | RuntimeException | Error e) {
            if (workers.isOpen() && !Thread.currentThread().isInterrupted()) {
                workers.delay(bean.outage().failed(e));
            }
            return Attempt.NOTHING_THERE;
        } finally {
            pausing.pauseAfter(this);
        }
    }

    private Attempt deliver() throws JMSException, ResourceException, NoSuchMethodException {
        try {
            return bean.isTransacted() ? inTransaction() : withoutTransaction();
        } finally {
            // What interrupts the container as it commits is no reason for this thread to end.
            Thread.interrupted();
        }
    }

    /** How the container ended its transaction, possibly on another thread; it does not tell otherwise. */
    private static final class Ending implements Synchronization {

        private volatile int status = Status.STATUS_UNKNOWN;

        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int ended) {
            status = ended;
        }

        boolean isCommit() {
            return status == Status.STATUS_COMMITTED;
        }
    }

    /** A delivery. */
    private static final class Delivery {
        private Message message;

        /** Why there was none, and there could have been one. */
        private Throwable noMessage;

        /** What the bean or the container has thrown. */
        private Throwable failure;

        /** Whether its failure was counted. */
        private boolean isCounted;
    }

    private Attempt inTransaction() throws JMSException, ResourceException, NoSuchMethodException {
        Delivery delivery = new Delivery();
        Ending ending = new Ending();
        // Without a resource of its own: the DataSource is what takes part.
        MessageEndpoint endpoint = bean.endpoints().createEndpoint(null);
        try {
            endpoint.beforeDelivery(Bean.ON_MESSAGE);
            try {
                bean.host().registry().registerInterposedSynchronization(ending);
                receive(delivery);
                if (delivery.message != null) {
                    call(endpoint, delivery);
                    takeBackIfRefused(delivery);
                    explain(delivery);
                }
            } catch (JMSException | RuntimeException | Error e) {
                // Nor may it commit what the bean has perhaps not had.
                setRollbackOnly(e);
                throw e;
            } finally {
                end(endpoint, delivery, ending);
            }
        } finally {
            endpoint.release();
        }
        if (delivery.noMessage != null) {
            // JMS 2.0 has no constructor with a cause. Many an Error has no message.
            JMSException problem = new JMSException("Receiving failed: "
                    + (delivery.noMessage instanceof Error
                            ? delivery.noMessage.toString()
                            : delivery.noMessage.getMessage()));
            problem.initCause(delivery.noMessage);
            throw problem;
        }
        return delivery.message == null ? Attempt.NOTHING_THERE : Attempt.DELIVERED;
    }

    private void receive(Delivery delivery) {
        try {
            Message message = pausing.claiming().claim(consumer);
            if (message != null && !workers.isOpen()) {
                delivery.noMessage = new JMSException("The message-driven bean ends");
                setRollbackOnly(delivery.noMessage);
            } else {
                delivery.message = message;
            }
        } catch (JMSException | RuntimeException | Error e) {
            // Not even an Error may have the container commit what was claimed.
            delivery.noMessage = e;
            setRollbackOnly(e);
        }
    }

    /** Where the transaction is gone, as after a time-out, the cause is told all the same. */
    private void setRollbackOnly(Throwable cause) {
        try {
            bean.host().registry().setRollbackOnly();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private void call(MessageEndpoint endpoint, Delivery delivery) {
        workers.found(this);
        delivery.failure = thrownBy(endpoint, delivery.message);
        if (Refusal.isShutDown(delivery.failure)) {
            LOG.info("{}: the server keeps a message from it for now: {}", bean, delivery.failure.getMessage());
        }
        while (Refusal.isShutDown(delivery.failure) && workers.isOpen()) {
            workers.delay(REFUSED_MILLIS);
            // What has interrupted that is nothing to the bean.
            Thread.interrupted();
            delivery.failure = thrownBy(endpoint, delivery.message);
        }
    }

    /** Null for nothing. Whether what is thrown is a reason to roll back is the container's to say. */
    private static Throwable thrownBy(MessageEndpoint endpoint, Message message) {
        try {
            ((MessageListener) endpoint).onMessage(message);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        } finally {
            // What interrupts the bean is no reason for this thread to end.
            Thread.interrupted();
        }
    }

    /** A container that has not called the bean would commit, and the message would be gone. */
    private void takeBackIfRefused(Delivery delivery) {
        if (Refusal.isOfContainer(delivery.failure)
                && bean.host().registry().getTransactionStatus() == Status.STATUS_ACTIVE) {
            bean.host().registry().setRollbackOnly();
        }
    }

    /**
     * Says why before the transaction ends, as others may claim the message right then. So a failure that is certain by now is counted too: it may
     * be one too many.
     */
    private void explain(Delivery delivery) throws JMSException {
        if (delivery.failure != null || bean.host().registry().getRollbackOnly()) {
            String reason = Reason.of(delivery.failure);
            consumer.failed(reason);
            if (workers.isOpen() && bean.host().registry().getTransactionStatus() == Status.STATUS_MARKED_ROLLBACK) {
                pausing.failed(this, reason);
                delivery.isCounted = true;
            }
        }
    }

    private void end(MessageEndpoint endpoint, Delivery delivery, Ending ending) throws JMSException {
        try {
            endpoint.afterDelivery();
        } catch (ResourceException | RuntimeException e) {
            delivery.failure = delivery.failure == null ? e : delivery.failure;
        } finally {
            if (ending.isCommit() && delivery.message != null) {
                bean.deliveries().succeeded();
            } else {
                cameBack(delivery);
            }
        }
    }

    private void cameBack(Delivery delivery) throws JMSException {
        if (!workers.isOpen()) {
            consumer.withdrawn();
            return;
        }
        LOG.debug("{}: a message was rolled back", bean, delivery.failure);
        consumer.rolledBack();
        if (delivery.message != null && !delivery.isCounted) {
            pausing.failed(this, Reason.of(delivery.failure));
        }
    }

    private Attempt withoutTransaction() throws JMSException, ResourceException {
        MessageEndpoint endpoint = bean.endpoints().createEndpoint(null);
        boolean committed = false;
        try {
            Message message = pausing.claiming().claim(consumer);
            if (message == null) {
                return Attempt.NOTHING_THERE;
            }
            Delivery delivery = new Delivery();
            delivery.message = message;
            call(endpoint, delivery);
            if (delivery.failure == null) {
                session.commit();
                committed = true;
                bean.deliveries().succeeded();
            } else {
                LOG.debug("{}: a message is delivered again", bean, delivery.failure);
                // First, as others may claim the message as soon as it is back.
                pausing.failed(this, Reason.of(delivery.failure));
            }
            return Attempt.DELIVERED;
        } finally {
            try {
                // Whatever has happened: the next commit would cover this message too.
                if (!committed) {
                    session.rollback();
                }
            } finally {
                endpoint.release();
            }
        }
    }

    /** Ends its waiting. */
    void wakeUp() {
        try {
            consumer.close();
        } catch (JMSException e) {
            LOG.debug("{}: a consumer did not close as it should", bean, e);
        }
    }

    @Override
    void interrupted() {
        workers.interrupted();
    }
}
