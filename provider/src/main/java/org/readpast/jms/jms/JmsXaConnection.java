package org.readpast.jms.jms;

import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import java.util.function.Supplier;
import javax.transaction.xa.XAResource;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.support.BranchConnection;
import org.readpast.jms.message.ObjectTrust;

/**
 * A connection that has XA sessions too (§11.3.2). Its other sessions have transactions of their own, as those of any connection. Thread-safe.
 */
public final class JmsXaConnection extends JmsConnection implements XAQueueConnection, XATopicConnection {

    private final EngineConnection engine;
    private final ObjectTrust trust;
    private final Supplier<BranchConnection> branches;

    /** @param branches makes the SQL connection of an XA session, to be opened */
    public JmsXaConnection(
            EngineConnection engine, ObjectTrust trust, Domain domain, Supplier<BranchConnection> branches) {
        super(engine, trust, domain);
        this.engine = engine;
        this.trust = trust;
        this.branches = branches;
    }

    @Override
    public XaSession createXASession() throws JMSException {
        return xaSession(Domain.GENERIC);
    }

    @Override
    public XaSession createXAQueueSession() throws JMSException {
        check("createXAQueueSession");
        return xaSession(Domain.QUEUE);
    }

    @Override
    public XaSession createXATopicSession() throws JMSException {
        check("createXATopicSession");
        return xaSession(Domain.TOPIC);
    }

    private XaSession xaSession(Domain domain) throws JMSException {
        BranchConnection own = branches.get();
        return new XaSession(engine, engine.createSession(own), trust, domain, own);
    }

    /** A session whose every send and receive is in the branch that is started on its XAResource (§11.3.3). */
    static final class XaSession extends JmsSession implements XAQueueSession, XATopicSession {

        private final XAResource resource;

        private XaSession(
                EngineConnection connection,
                EngineSession engine,
                ObjectTrust trust,
                Domain domain,
                XAResource resource) {
            super(connection, engine, trust, domain);
            this.resource = resource;
        }

        @Override
        public XAResource getXAResource() {
            return resource;
        }

        @Override
        public Session getSession() throws JMSException {
            checkOpen();
            return this;
        }

        @Override
        public QueueSession getQueueSession() throws JMSException {
            checkOpen();
            return this;
        }

        @Override
        public TopicSession getTopicSession() throws JMSException {
            checkOpen();
            return this;
        }
    }
}
