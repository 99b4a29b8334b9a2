package org.readpast.jms.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** Copies messages of other implementations, which a provider must be able to send (§3.12). */
final class ForeignMessage {

    private ForeignMessage() {}

    static JmsMessage copy(Message foreign) throws JMSException {
        JmsMessage copy = copyBody(foreign);
        copyCorrelationId(foreign, copy);
        copy.setJMSType(foreign.getJMSType());
        copy.setJMSReplyTo(foreign.getJMSReplyTo());
        for (String name : names(foreign.getPropertyNames())) {
            // What other providers set on receive, or put under the reserved prefix, does not travel on.
            if (PropertyNames.isFreeOfReservedPrefix(name)) {
                copy.setObjectProperty(name, foreign.getObjectProperty(name));
            }
        }
        return copy;
    }

    /** Of some providers, such as Artemis, an id that was set as bytes is no String. */
    private static void copyCorrelationId(Message foreign, JmsMessage copy) throws JMSException {
        String text = foreign.getJMSCorrelationID();
        if (text != null) {
            copy.setJMSCorrelationID(text);
            return;
        }
        try {
            byte[] bytes = foreign.getJMSCorrelationIDAsBytes();
            if (bytes != null && bytes.length > 0) {
                copy.setJMSCorrelationIDAsBytes(bytes);
            }
        } catch (UnsupportedOperationException | JMSException notNative) {
            // Then it cannot have been set as bytes (§3.4.5).
        }
    }

    private static JmsMessage copyBody(Message foreign) throws JMSException {
        if (foreign instanceof TextMessage text) {
            return new JmsTextMessage(text.getText());
        }
        if (foreign instanceof BytesMessage bytes) {
            return copyBytes(bytes);
        }
        if (foreign instanceof MapMessage map) {
            return copyMap(map);
        }
        if (foreign instanceof StreamMessage stream) {
            return copyStream(stream);
        }
        return foreign instanceof ObjectMessage object ? new JmsObjectMessage(object.getObject()) : new JmsMessage();
    }

    private static JmsMessage copyBytes(BytesMessage foreign) throws JMSException {
        foreign.reset();
        long length = foreign.getBodyLength();
        if (length > Integer.MAX_VALUE - 8) {
            throw new MessageFormatException("A body of " + length + " bytes is too long to be sent");
        }
        byte[] bytes = new byte[(int) length];
        int read = length == 0 ? 0 : foreign.readBytes(bytes);
        foreign.reset();
        if (read != length) {
            throw new MessageFormatException("A BytesMessage of " + foreign.getClass() + " says it has " + length
                    + " bytes, but only " + read + " could be read");
        }
        return new JmsBytesMessage(bytes);
    }

    private static JmsMessage copyMap(MapMessage foreign) throws JMSException {
        JmsMapMessage copy = new JmsMapMessage();
        for (String name : names(foreign.getMapNames())) {
            copy.setObject(name, foreign.getObject(name));
        }
        return copy;
    }

    private static JmsMessage copyStream(StreamMessage foreign) throws JMSException {
        JmsStreamMessage copy = new JmsStreamMessage();
        foreign.reset();
        try {
            while (true) {
                copy.writeObject(foreign.readObject());
            }
        } catch (MessageEOFException endOfBody) {
            foreign.reset();
            return copy;
        }
    }

    private static List<String> names(Enumeration<?> names) {
        return Collections.list(names).stream().map(String.class::cast).toList();
    }
}
