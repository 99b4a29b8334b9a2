package org.readpast.jms.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;
import org.readpast.jms.engine.transaction.AcknowledgeMode;

/** A context whose session is an XA session (§11.3.4). */
public final class JmsXaContext extends JmsContext implements XAJMSContext {

    private JmsXaContext(JmsXaConnection connection) {
        super(new SharedConnection(connection), AcknowledgeMode.TRANSACTED, connection::createXASession);
    }

    /** The first context on a connection, which closes with its last context. */
    public static JmsXaContext open(JmsXaConnection connection) {
        return new JmsXaContext(connection);
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    /** @throws jakarta.jms.JMSRuntimeException if the session has no SQL connection yet and gets none */
    @Override
    public XAResource getXAResource() {
        return Unchecked.get(() -> ((JmsXaConnection.XaSession) session()).getXAResource());
    }
}
