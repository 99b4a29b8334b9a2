package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.session.Assigner;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.support.Closing;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Threads;

/**
 * Consumes a queue or a subscription concurrently, in the sessions of an application server's pool (§11.2.4). It has one thread,
 * the {@link DispatchLoop}, which assigns messages to sessions; the application server's threads deliver them. Thread-safe.
 */
public final class EngineConnectionConsumer implements Assigner {

    private final ConnectionContext connection;
    private final Source source;
    private final String name;
    private final DispatchLoop loop;
    private final Closing closing;
    private final Consumer<EngineConnectionConsumer> onClose;

    /** Held while messages are claimed for it, which is what closing waits for. Whoever has it asks for no session's lock. */
    private final ReentrantLock claiming = new ReentrantLock();

    private volatile boolean closed;

    EngineConnectionConsumer(
            ProviderRuntime runtime,
            ConnectionContext connection,
            Source source,
            String name,
            Dispatch dispatch,
            Consumer<EngineConnectionConsumer> onClose) {
        this.connection = connection;
        this.source = source;
        this.name = name;
        this.loop = new DispatchLoop(this, runtime, connection, dispatch);
        this.closing = runtime.closing();
        this.onClose = onClose;
    }

    /**
     * Where messages go.
     *
     * @param maxMessages how many a session may be assigned at one time
     */
    record Dispatch(SessionPool pool, int maxMessages) {}

    /** Begins to consume, once the connection is started. */
    void start() {
        Threads.startOfCaller("dispatcher-" + name, loop);
    }

    /**
     * Closes: no further message is claimed for it when this returns, and its use of a subscription has ended. Sessions that are
     * running finish their current message, which this does not wait for, and give back the rest; so it may be called from a
     * listener. Idempotent.
     *
     * @throws JMSException also if the database keeps it waiting for too long; the rest is done afterwards
     */
    public void close() throws JMSException {
        closed = true;
        cease();
        closing.carryOut(toString(), closing.deadline(), this::end);
    }

    private void end() throws JMSException {
        claiming.lock();
        try {
            source.end();
        } finally {
            claiming.unlock();
            onClose.accept(this);
        }
    }

    /** The connection is closed: it ends its wait, also one for the pool. */
    void cease() {
        loop.end();
    }

    @Override
    public boolean claim(Claim claim) throws StoreException {
        claiming.lock();
        try {
            return !isOver() && connection.isStarted() && claim.make();
        } finally {
            claiming.unlock();
        }
    }

    @Override
    public void delivered() {
        loop.delivered();
    }

    @Override
    public void settled() {
        if (source.isOrdered()) {
            wakeUp();
        }
    }

    @Override
    public void failed(Exception problem) {
        loop.failed(problem);
    }

    /** Started or stopped: it looks again. */
    void wakeUp() {
        loop.wakeUp();
    }

    @Override
    public boolean isOver() {
        return closed || connection.isClosed();
    }

    @Override
    public Source source() {
        return source;
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        return "ConnectionConsumer " + name + " on " + source;
    }
}
