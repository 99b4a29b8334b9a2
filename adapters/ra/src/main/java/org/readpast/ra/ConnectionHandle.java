package org.readpast.ra;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * The connection that an application of the server's holds. Its sessions take part in the transaction of the managed connection that the
 * server associates it with, and have short ones of their own where there is none; so what {@code createSession} is told of transactions
 * does not count. What the specification keeps from applications of a server is refused. Not final, since TomEE makes a subclass of it that
 * finds handles which nobody closes. As thread-safe as the provider's connections.
 */
public class ConnectionHandle implements ContainerConnection, ContainerTransactions {

    private static final Logger LOG = Loggers.of(ConnectionHandle.class);

    /** As much of the stack as leads from here through the server to the application. To note that takes 20 us, of the 350 of a send. */
    private static final int FRAMES = 40;

    private volatile ReadpastManagedConnection owner;

    /** Null until it is opened, or where there is a context. */
    private volatile Connection connection;

    private volatile JMSContext context;
    private volatile boolean closed;

    /** Where the application took it. */
    private final List<StackWalker.StackFrame> taken =
            StackWalker.getInstance().walk(frames -> frames.limit(FRAMES).collect(Collectors.toList()));

    ConnectionHandle(ReadpastManagedConnection owner) {
        this.owner = owner;
    }

    void moveTo(ReadpastManagedConnection other) {
        owner.left(this);
        owner = other;
    }

    @Override
    public void open() throws JMSException {
        connection = owner.connections().createConnection(this);
    }

    @Override
    public JMSContext context(int sessionMode) {
        context = owner.connections().createContext(this, mode(sessionMode));
        return context;
    }

    /** Sessions without a transaction of the container's acknowledge by themselves. */
    private static int mode(int sessionMode) {
        return sessionMode == Session.DUPS_OK_ACKNOWLEDGE ? sessionMode : Session.AUTO_ACKNOWLEDGE;
    }

    private Connection opened() throws JMSException {
        Connection open = connection;
        if (closed || open == null) {
            throw new IllegalStateException("The connection is closed");
        }
        return open;
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return createSession(acknowledgeMode);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return Restricted.restrict(Session.class, opened().createSession(mode(sessionMode)), () -> {});
    }

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return Restricted.restrict(
                QueueSession.class,
                ((jakarta.jms.QueueConnection) opened()).createQueueSession(false, mode(acknowledgeMode)),
                () -> {});
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return Restricted.restrict(
                TopicSession.class,
                ((jakarta.jms.TopicConnection) opened()).createTopicSession(false, mode(acknowledgeMode)),
                () -> {});
    }

    @Override
    public String getClientID() throws JMSException {
        return opened().getClientID();
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        return opened().getMetaData();
    }

    @Override
    public void start() throws JMSException {
        opened().start();
    }

    @Override
    public ExceptionListener getExceptionListener() throws JMSException {
        return opened().getExceptionListener();
    }

    @Override
    public void setClientID(String clientID) throws JMSException {
        throw Restricted.refused("setClientID");
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) throws JMSException {
        throw Restricted.refused("setExceptionListener");
    }

    @Override
    public void stop() throws JMSException {
        throw Restricted.refused("stop");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        throw Restricted.refused("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        throw Restricted.refused("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        throw Restricted.refused("createConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String subscription, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw Restricted.refused("createSharedConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String subscription, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw Restricted.refused("createDurableConnectionConsumer");
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String subscription, String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        throw Restricted.refused("createSharedDurableConnectionConsumer");
    }

    /** What was sent and received in a transaction of the container's stays part of that. */
    @Override
    public void close() {
        if (!closed) {
            try {
                end();
            } finally {
                owner.closed(this);
            }
        }
    }

    /** Ends it as the server does, if the application has not closed it: that is told, with the stack that took it. */
    void endUnclosed() {
        if (!closed) {
            Throwable here = new Throwable("It was taken here");
            here.setStackTrace(taken.stream()
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .toArray(StackTraceElement[]::new));
            LOG.warn("The server ends a connection that the application has not closed.", here);
            end();
        }
    }

    private void end() {
        closed = true;
        try {
            if (connection != null) {
                connection.close();
            }
            if (context != null) {
                context.close();
            }
        } catch (JMSException | RuntimeException e) {
            LOG.warn("A connection did not close as it should: {}", e.getMessage());
        }
    }

    @Override
    public boolean isActive() {
        return owner.transactions().isActive();
    }

    @Override
    public void setRollbackOnly() {
        owner.transactions().setRollbackOnly();
    }

    @Override
    public boolean afterCommit(Runnable task) {
        return owner.transactions().afterCommit(task);
    }

    @Override
    public java.sql.Connection getConnection() throws SQLException {
        return owner.transactions().getConnection();
    }

    @Override
    public Object origin() {
        return owner.transactions().origin();
    }

    @Override
    public void giveBack(java.sql.Connection borrowed) throws SQLException {
        owner.transactions().giveBack(borrowed);
    }
}
