package org.readpast.benchmarks.system.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.readpast.benchmarks.system.Payload;

/** A connection and its one session. */
abstract class JmsClient implements AutoCloseable {

    private final Connection connection;
    private final Session session;

    JmsClient(Connection connection, int acknowledgeMode) throws JMSException {
        this.connection = connection;
        this.session = connection.createSession(acknowledgeMode);
    }

    final Connection connection() {
        return connection;
    }

    final Session session() {
        return session;
    }

    /** A message with this body and correlation id. */
    final Message message(Payload payload) throws JMSException {
        Message message;
        if (payload.text() != null) {
            message = session.createTextMessage(payload.text());
        } else {
            BytesMessage bytes = session.createBytesMessage();
            bytes.writeBytes(payload.bytes());
            message = bytes;
        }
        if (payload.correlationId() != null) {
            message.setJMSCorrelationID(payload.correlationId());
        }
        return message;
    }

    /** Reads the whole body; returns it if it is text, or else null. */
    static String read(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return text.getText();
        }
        BytesMessage bytes = (BytesMessage) message;
        byte[] body = new byte[Math.toIntExact(bytes.getBodyLength())];
        bytes.readBytes(body);
        return null;
    }

    static JMSRuntimeException unchecked(JMSException e) {
        return new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }
}
