package org.readpast.jms.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.readpast.jms.message.JmsMessage;

/**
 * The properties and headers that a JMSProducer puts on each message (§7.5, §7.6). They are held in a message of our own, so
 * that names are checked and values converted just as in the messages they go to. Not thread-safe.
 */
final class MessageTemplate {

    private final JmsMessage held = new JmsMessage();

    Message held() {
        return held;
    }

    /**
     * Puts all that was set here on a message, over what is set there.
     *
     * @throws jakarta.jms.MessageNotWriteableException if there are properties to put, and the message's are read-only
     */
    void applyTo(Message message) throws JMSException {
        for (String name : names()) {
            message.setObjectProperty(name, held.getObjectProperty(name));
        }
        if (held.getJMSCorrelationID() != null) {
            message.setJMSCorrelationID(held.getJMSCorrelationID());
        }
        if (held.getJMSType() != null) {
            message.setJMSType(held.getJMSType());
        }
        if (held.getJMSReplyTo() != null) {
            message.setJMSReplyTo(held.getJMSReplyTo());
        }
    }

    /** An unmodifiable view of the names, which shows later changes too. */
    Set<String> propertyNames() {
        return new Names();
    }

    private List<String> names() throws JMSException {
        Enumeration<?> names = held.getPropertyNames();
        return Collections.list(names).stream().map(Object::toString).toList();
    }

    private final class Names extends AbstractSet<String> {

        @Override
        public Iterator<String> iterator() {
            return Unchecked.get(MessageTemplate.this::names).iterator();
        }

        @Override
        public int size() {
            return Unchecked.get(MessageTemplate.this::names).size();
        }

        @Override
        public boolean contains(Object name) {
            return name instanceof String text && Unchecked.get(() -> held.propertyExists(text));
        }

        /** AbstractCollection would remove one by one, and so do nothing where there is none. */
        @Override
        public void clear() {
            throw new UnsupportedOperationException("The names of a JMSProducer's properties are a view to read only");
        }
    }
}
