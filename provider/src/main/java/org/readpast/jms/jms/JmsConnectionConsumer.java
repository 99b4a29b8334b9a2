package org.readpast.jms.jms;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.EngineConnectionConsumer;
import org.readpast.jms.engine.PooledSession;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.source.Subscription;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;

/** Consumes concurrently in an application server's sessions (§11.2.4). Thread-safe. */
final class JmsConnectionConsumer implements ConnectionConsumer {

    private final ServerSessionPool pool;
    private final EngineConnectionConsumer engine;

    private JmsConnectionConsumer(ServerSessionPool pool, EngineConnectionConsumer engine) {
        this.pool = pool;
        this.engine = engine;
    }

    /** @throws JMSException if there is no pool, or maxMessages is not positive */
    static JmsConnectionConsumer onQueue(
            EngineConnection connection,
            ReadpastDestination queue,
            Selector selector,
            ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        check(pool, maxMessages);
        return new JmsConnectionConsumer(
                pool, connection.createConnectionConsumer(queue, selector, () -> take(pool, connection), maxMessages));
    }

    /** @throws JMSException if there is no pool, or maxMessages is not positive */
    static JmsConnectionConsumer onTopic(
            EngineConnection connection, Subscription subscription, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        check(pool, maxMessages);
        return new JmsConnectionConsumer(
                pool, connection.createConnectionConsumer(subscription, () -> take(pool, connection), maxMessages));
    }

    private static void check(ServerSessionPool pool, int maxMessages) throws JMSException {
        if (pool == null) {
            throw new JMSException("The ServerSessionPool is null");
        }
        if (maxMessages < 1) {
            throw new JMSException("maxMessages is " + maxMessages + ", but must be 1 or more");
        }
    }

    @Override
    public ServerSessionPool getServerSessionPool() {
        return pool;
    }

    /** Does not wait for listeners that are running; they finish their current message. */
    @Override
    public void close() throws JMSException {
        engine.close();
    }

    private static PooledSession take(ServerSessionPool pool, EngineConnection connection) throws JMSException {
        ServerSession taken = of("ServerSessionPool.getServerSession", pool::getServerSession);
        return new Pooled(taken, connection);
    }

    /** The application server's object, in the engine's words. */
    private record Pooled(ServerSession serverSession, EngineConnection connection) implements PooledSession {

        @Override
        public EngineSession session() throws JMSException {
            Session session = of("ServerSession.getSession", serverSession::getSession);
            if (session instanceof JmsSession ours && ours.isOf(connection)) {
                return ours.one();
            }
            throw new JMSException("ServerSession.getSession returned " + session
                    + ", which is not a session of the connection that the ConnectionConsumer was created on");
        }

        @Override
        public void start() throws JMSException {
            of("ServerSession.start", () -> {
                serverSession.start();
                return serverSession;
            });
        }
    }

    @FunctionalInterface
    private interface Call<T> {
        T make() throws JMSException;
    }

    /**
     * The outcome of a call into the application server, which cannot be null. Its failures of any class are JMSExceptions, an
     * Error too: a class that cannot be loaded there must not end the connection consumer's thread.
     */
    private static <T> T of(String method, Call<T> call) throws JMSException {
        T outcome;
        try {
            outcome = call.make();
        } catch (JMSException e) {
            throw e;
        } catch (Throwable e) {
            throw JmsErrors.unexpected(method + " failed", e);
        }
        if (outcome == null) {
            throw new JMSException(method + " returned null");
        }
        return outcome;
    }
}
