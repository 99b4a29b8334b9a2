package org.readpast.bridge.batch;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.codec.CorrelationId;
import org.readpast.jms.session.SqlSession;

/** Messages of one provider as messages of another one. */
public final class MessageCopy {

    /** Which ways a message has crossed, by which bridges: {@code move-orders:into}, as seen from Readpast, with commas between them. */
    public static final String HOPS = "ReadpastBridgeHops";

    /** The JMSMessageID that it had before it crossed. */
    public static final String MESSAGE_ID = "ReadpastBridgeMessageID";

    /** The JMSTimestamp that it had before it crossed. */
    public static final String TIMESTAMP = "ReadpastBridgeTimestamp";

    /** How often it had been delivered before it crossed, where that was more than once. */
    public static final String DELIVERIES = "ReadpastBridgeDeliveries";

    /** Names of what could not be kept, with commas between them. */
    public static final String DROPPED = "ReadpastBridgeDropped";

    /** Of a dead letter: why it did not cross. */
    public static final String REASON = "ReadpastBridgeReason";

    /** Of a dead letter: where it was received. */
    public static final String SOURCE = "ReadpastBridgeSource";

    private static final Set<String> MARKS = Set.of(HOPS, MESSAGE_ID, TIMESTAMP, DELIVERIES, DROPPED, REASON, SOURCE);

    /**
     * What would make the other side drop, delay or repeat the message, which the side that it comes from has done already; or the queue of dead
     * letters, which holds those of several queues.
     */
    private static final Set<String> ASIDE = Set.of(
            "_AMQ_DUPL_ID",
            "_AMQ_SCHED_DELIVERY",
            "AMQ_SCHEDULED_DELAY",
            "AMQ_SCHEDULED_PERIOD",
            "AMQ_SCHEDULED_REPEAT",
            "AMQ_SCHEDULED_CRON");

    private static final Set<String> SET_BY_RECEIVER = Set.of("JMSXDeliveryCount", "JMSXRcvTimestamp");
    private static final int FIRST_STRETCH = 8192;

    private MessageCopy() {}

    /** Its JMSCorrelationID; where its provider has only the bytes of it, what Readpast makes of them; null for none. */
    public static String correlationId(Message message) throws JMSException {
        String text = message.getJMSCorrelationID();
        if (text != null) {
            return text;
        }
        try {
            byte[] bytes = message.getJMSCorrelationIDAsBytes();
            return bytes == null || bytes.length == 0 ? null : CorrelationId.ofBytes(bytes);
        } catch (UnsupportedOperationException | JMSException notNative) {
            return null;
        }
    }

    /**
     * Body, properties and JMSType, with marks of the bridge. What the sending sets, JMSReplyTo and JMSCorrelationID are left to the caller.
     *
     * @param session of the side that it goes to
     * @param hop which way it crosses now
     * @throws JMSException if the body cannot be read, or the other side has no such one
     */
    public static Message of(Message from, Session session, String hop) throws JMSException {
        Message copy = body(from, session);
        List<String> dropped = new ArrayList<>();
        for (Map.Entry<String, Object> property : properties(from).entrySet()) {
            String name = property.getKey();
            if (MARKS.contains(name) || SET_BY_RECEIVER.contains(name)) {
                continue;
            }
            if (!set(copy, named(name), property.getValue())) {
                dropped.add(name);
            }
        }
        copy.setJMSType(from.getJMSType());
        String before = from.getStringProperty(HOPS);
        copy.setStringProperty(HOPS, before == null ? hop : before + "," + hop);
        if (from.getJMSMessageID() != null) {
            copy.setStringProperty(MESSAGE_ID, from.getJMSMessageID());
        }
        copy.setLongProperty(TIMESTAMP, from.getJMSTimestamp());
        int deliveries = deliveries(from);
        if (deliveries > 1) {
            copy.setIntProperty(DELIVERIES, deliveries);
        }
        drop(copy, dropped);
        return copy;
    }

    private static String named(String name) {
        return ASIDE.contains(name) ? "ReadpastBridge" + name : name;
    }

    /** Adds names to those of what could not be kept. */
    public static void drop(Message copy, List<String> names) throws JMSException {
        if (!names.isEmpty()) {
            String before = copy.getStringProperty(DROPPED);
            copy.setStringProperty(DROPPED, (before == null ? "" : before + ",") + String.join(",", names));
        }
    }

    /** Makes of a received message, which is sent on by its own provider as it is, a dead letter. Its hops are gone: sent back, it crosses. */
    public static void makeDeadLetter(Message message, String source, String reason) throws JMSException {
        String id = message.getJMSMessageID();
        long timestamp = message.getJMSTimestamp();
        Map<String, Object> properties = properties(message);
        message.clearProperties();
        properties.forEach((name, value) -> {
            if (!MARKS.contains(name) && !SET_BY_RECEIVER.contains(name)) {
                set(message, named(name), value);
            }
        });
        if (id != null) {
            message.setStringProperty(MESSAGE_ID, id);
        }
        message.setLongProperty(TIMESTAMP, timestamp);
        message.setStringProperty(SOURCE, source);
        message.setStringProperty(REASON, reason);
        try {
            message.getJMSReplyTo();
        } catch (JMSException | RuntimeException e) {
            message.setJMSReplyTo(null);
            drop(message, List.of("JMSReplyTo"));
        }
    }

    /**
     * Why a row of Readpast is no message, which is received as one of bytes where nothing becomes a dead letter; null of a message.
     *
     * @param session that it was received by: elsewhere anybody may have called a property so
     */
    public static String unreadable(Message message, Session session) throws JMSException {
        return session instanceof SqlSession ? message.getStringProperty("JMS_READPAST_Unreadable") : null;
    }

    /** Whether a message has crossed this way before, by its marks. */
    public static boolean hasCrossed(Message message, String hop) throws JMSException {
        String hops = message.getStringProperty(HOPS);
        return hops != null && List.of(hops.split(",", -1)).contains(hop);
    }

    private static int deliveries(Message message) throws JMSException {
        return message.propertyExists("JMSXDeliveryCount") ? message.getIntProperty("JMSXDeliveryCount") : 1;
    }

    private static Map<String, Object> properties(Message message) throws JMSException {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            properties.put(name, message.getObjectProperty(name));
        }
        return properties;
    }

    /** Whether a provider takes a property of another one: it may have another idea of names and values. */
    private static boolean set(Message message, String name, Object value) {
        try {
            message.setObjectProperty(name, value);
            return true;
        } catch (JMSException | RuntimeException e) {
            return false;
        }
    }

    private static Message body(Message from, Session session) throws JMSException {
        if (from instanceof TextMessage text) {
            return session.createTextMessage(text.getText());
        }
        if (from instanceof BytesMessage bytes) {
            return bytes(bytes, session.createBytesMessage());
        }
        if (from instanceof MapMessage map) {
            MapMessage copy = session.createMapMessage();
            for (Enumeration<?> names = map.getMapNames(); names.hasMoreElements(); ) {
                String name = (String) names.nextElement();
                copy.setObject(name, map.getObject(name));
            }
            return copy;
        }
        if (from instanceof StreamMessage stream) {
            return elements(stream, session.createStreamMessage());
        }
        if (from instanceof ObjectMessage object) {
            return session.createObjectMessage(object.getObject());
        }
        return session.createMessage();
    }

    private static BytesMessage bytes(BytesMessage from, BytesMessage copy) throws JMSException {
        from.reset();
        long length = from.getBodyLength();
        if (length > Integer.MAX_VALUE) {
            throw new JMSException(
                    "its body has " + length + " bytes, which is more than a message can have in memory");
        }
        byte[] stretch = new byte[(int) Math.max(1, Math.min(FIRST_STRETCH, length))];
        for (int read = from.readBytes(stretch); read > 0; read = from.readBytes(stretch)) {
            copy.writeBytes(stretch, 0, read);
        }
        return copy;
    }

    private static StreamMessage elements(StreamMessage from, StreamMessage copy) throws JMSException {
        from.reset();
        while (true) {
            Object element;
            try {
                element = from.readObject();
            } catch (MessageEOFException e) {
                return copy;
            }
            copy.writeObject(element);
        }
    }
}
