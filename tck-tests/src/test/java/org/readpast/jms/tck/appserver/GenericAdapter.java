package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.tck.harness.Jms;

/**
 * Drives message-driven beans as an application server's generic resource adapter does: one activation has a connection with a
 * connection consumer, and a pool that makes transacted server sessions as they are needed, up to a maximum. A bean's message is
 * committed when the bean has returned and rolled back when it has thrown. Deactivation waits for the beans.
 */
final class GenericAdapter implements ServerSessionPool {

    /** A message-driven bean; the session is for what it sends. */
    @FunctionalInterface
    interface Bean {
        void onMessage(Message message, Session session) throws Exception;
    }

    private final Connection connection;
    private final Bean bean;
    private final int maximum;
    private final ExecutorService work;

    /** Guarded by this. */
    private final Deque<BeanSession> idle = new ArrayDeque<>();

    /** Guarded by this. */
    private int made;

    private final ConnectionConsumer consumer;

    /**
     * Activates an endpoint.
     *
     * @param maximum how many instances of the bean may be at work at the same time
     */
    GenericAdapter(ConnectionFactory factory, Destination destination, int maximum, Bean bean) throws JMSException {
        this.bean = bean;
        this.maximum = maximum;
        this.work = Executors.newFixedThreadPool(maximum);
        this.connection = factory.createConnection();
        this.consumer = TestPool.created(connection.createConnectionConsumer(destination, null, this, 5));
        connection.start();
    }

    @Override
    public synchronized ServerSession getServerSession() throws JMSException {
        while (idle.isEmpty() && made == maximum) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JMSException("the endpoint is being deactivated");
            }
        }
        if (idle.isEmpty()) {
            idle.add(new BeanSession(connection.createSession(Session.SESSION_TRANSACTED)));
            made++;
        }
        return idle.remove();
    }

    private synchronized void giveBack(BeanSession session) {
        idle.add(session);
        notifyAll();
    }

    synchronized int made() {
        return made;
    }

    /** Deactivates the endpoint: no more messages, then wait for the beans, then close. Idempotent. */
    void deactivate() throws Exception {
        consumer.close();
        synchronized (this) {
            while (idle.size() < made) {
                wait();
            }
        }
        work.shutdown();
        assertThat(work.awaitTermination(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        connection.close();
    }

    /** One instance of the bean with its session and, while it works, a thread. */
    private final class BeanSession implements ServerSession, MessageListener {
        private final Session session;

        BeanSession(Session session) throws JMSException {
            this.session = session;
            session.setMessageListener(this);
        }

        @Override
        public Session getSession() {
            return session;
        }

        @Override
        public void start() {
            work.execute(() -> {
                try {
                    session.run();
                } finally {
                    giveBack(this);
                }
            });
        }

        @Override
        public void onMessage(Message message) {
            try {
                bean.onMessage(message, session);
            } catch (Exception e) {
                Modes.done(session::rollback);
                return;
            }
            Modes.done(session::commit);
        }
    }
}
