package org.readpast.javax.editions;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.jms.BytesMessage;
import javax.jms.Connection;
import javax.jms.DeliveryMode;
import javax.jms.JMSConsumer;
import javax.jms.JMSContext;
import javax.jms.JMSException;
import javax.jms.MapMessage;
import javax.jms.Message;
import javax.jms.MessageEOFException;
import javax.jms.MessageProducer;
import javax.jms.ObjectMessage;
import javax.jms.Session;
import javax.jms.StreamMessage;
import javax.jms.TemporaryQueue;
import javax.jms.TextMessage;
import org.readpast.jms.ReadpastConnectionFactory;

/** A party of the API that it is loaded for; see {@link JakartaLoader}. */
public final class JmsParty implements Party {

    private static final long PATIENCE_MILLIS = 30_000;

    private final ReadpastConnectionFactory factory;

    public JmsParty(String url) {
        this.factory = new ReadpastConnectionFactory(url);
        factory.setTrustedPackages(Parcel.class.getPackageName());
    }

    @Override
    public String api() {
        return Message.class.getPackageName();
    }

    @Override
    public void sendAllKinds(String queue) throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            producer.send(withProperties(session.createMessage(), session), DeliveryMode.NON_PERSISTENT, 9, 0);
            producer.send(withProperties(session.createTextMessage("é😀\n"), session));
            producer.send(withProperties(session.createObjectMessage(parcel()), session));
            BytesMessage bytes = session.createBytesMessage();
            bytes.writeBytes(new byte[] {0, -1, 127});
            bytes.writeDouble(2.5);
            producer.send(withProperties(bytes, session));
            MapMessage map = session.createMapMessage();
            map.setInt("int", 1);
            map.setBytes("bytes", new byte[] {4, 5});
            map.setString("none", null);
            producer.send(withProperties(map, session));
            StreamMessage stream = session.createStreamMessage();
            stream.writeChar('c');
            stream.writeFloat(0.5f);
            stream.writeBytes(new byte[] {6});
            stream.writeString(null);
            producer.send(withProperties(stream, session));
            session.commit();
        }
    }

    private static Parcel parcel() {
        return new Parcel("coffee", new BigDecimal("2.50"), new ArrayList<>(List.of(1, 2)));
    }

    private static <M extends Message> M withProperties(M message, Session session) throws JMSException {
        message.setBooleanProperty("flag", true);
        message.setByteProperty("small", (byte) 1);
        message.setShortProperty("medium", (short) 2);
        message.setIntProperty("number", 3);
        message.setLongProperty("large", 4L);
        message.setFloatProperty("real", 5.5f);
        message.setDoubleProperty("precise", 6.5);
        message.setStringProperty("text", "grün");
        message.setStringProperty("JMSXGroupID", "customers");
        message.setJMSCorrelationID("order-1");
        message.setJMSType("order");
        message.setJMSReplyTo(session.createTopic("replies"));
        return message;
    }

    @Override
    public List<Map<String, Object>> receive(String queue, int count) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            List<Map<String, Object>> received = new ArrayList<>();
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            for (int i = 0; i < count; i++) {
                received.add(described(consumer.receive(PATIENCE_MILLIS)));
            }
            context.commit();
            return received;
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void rollBack(String queue) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createConsumer(context.createQueue(queue)).receiveBody(String.class, PATIENCE_MILLIS);
            context.rollback();
        }
    }

    @Override
    public void sendDelayed(String queue, String text, long millis) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setDeliveryDelay(millis).send(context.createQueue(queue), text);
        }
    }

    private static Map<String, Object> described(Message message) throws JMSException {
        Map<String, Object> all = new TreeMap<>();
        all.put("body", body(message));
        all.put("destination", message.getJMSDestination().toString());
        all.put("replyTo", String.valueOf(message.getJMSReplyTo()));
        all.put("correlationId", message.getJMSCorrelationID());
        all.put("type", message.getJMSType());
        all.put("priority", message.getJMSPriority());
        all.put("deliveryMode", message.getJMSDeliveryMode());
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            if (!name.equals("JMSXRcvTimestamp")) {
                all.put("property " + name, message.getObjectProperty(name));
            }
        }
        return all;
    }

    private static Object body(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return text.getText();
        } else if (message instanceof ObjectMessage object) {
            return object.getObject();
        } else if (message instanceof BytesMessage bytes) {
            byte[] content = new byte[(int) bytes.getBodyLength()];
            bytes.readBytes(content);
            return "bytes " + Arrays.toString(content);
        } else if (message instanceof MapMessage map) {
            Map<String, Object> entries = new TreeMap<>();
            for (Enumeration<?> names = map.getMapNames(); names.hasMoreElements(); ) {
                String name = (String) names.nextElement();
                entries.put(name, comparable(map.getObject(name)));
            }
            return entries;
        } else if (message instanceof StreamMessage stream) {
            return elements(stream);
        }
        return "no body";
    }

    private static List<Object> elements(StreamMessage stream) throws JMSException {
        List<Object> elements = new ArrayList<>();
        while (true) {
            try {
                elements.add(comparable(stream.readObject()));
            } catch (MessageEOFException end) {
                return elements;
            }
        }
    }

    private static Object comparable(Object value) {
        return value instanceof byte[] bytes ? "bytes " + Arrays.toString(bytes) : value;
    }

    @Override
    public String request(String queue, String text) throws Exception {
        try (JMSContext context = factory.createContext()) {
            TemporaryQueue replies = context.createTemporaryQueue();
            JMSConsumer consumer = context.createConsumer(replies);
            context.createProducer().setJMSReplyTo(replies).send(context.createQueue(queue), text);
            return consumer.receiveBody(String.class, PATIENCE_MILLIS);
        }
    }

    @Override
    public void answer(String queue) throws Exception {
        try (JMSContext context = factory.createContext()) {
            Message request = context.createConsumer(context.createQueue(queue)).receive(PATIENCE_MILLIS);
            context.createProducer().send(request.getJMSReplyTo(), request.getBody(String.class) + " answered");
        }
    }

    @Override
    public List<String> subscribe(String topic, String name) {
        try (JMSContext context = factory.createContext()) {
            context.setClientID("shop");
            JMSConsumer consumer = context.createDurableConsumer(context.createTopic(topic), name);
            List<String> texts = new ArrayList<>();
            for (String text = consumer.receiveBody(String.class, 500);
                    text != null;
                    text = consumer.receiveBody(String.class, 500)) {
                texts.add(text);
            }
            return texts;
        }
    }

    @Override
    public void publish(String topic, String text) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createTopic(topic), text);
        }
    }

    @Override
    public void close() {
        try {
            factory.close();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
