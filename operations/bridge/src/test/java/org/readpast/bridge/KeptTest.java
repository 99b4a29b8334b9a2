package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.bridge.batch.MessageCopy;

/** What of a message is kept from the broker to Readpast, and back again: the table of docs/bridge.md. */
class KeptTest {

    private static final long TIME_TO_LIVE = TimeUnit.HOURS.toMillis(1);
    private static final String LARGE = "large ".repeat(50_000);

    @TempDir
    Path folder;

    static Stream<Arguments> pairs() {
        return FaultsTest.pairs();
    }

    private static List<Message> messages(Session session) throws Exception {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes(new byte[] {1, 0, -1});
        MapMessage map = session.createMapMessage();
        map.setLong("long", 5);
        map.setBytes("bytes", new byte[] {7});
        map.setChar("char", 'x');
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(3);
        stream.writeString("three");
        stream.writeBytes(new byte[] {3});
        List<Message> messages = new ArrayList<>(List.of(
                session.createTextMessage("héllo"),
                session.createTextMessage(LARGE),
                bytes,
                map,
                stream,
                session.createObjectMessage(new ArrayList<>(List.of("a", "b"))),
                session.createMessage()));
        for (Message message : messages) {
            message.setBooleanProperty("boolean", true);
            message.setByteProperty("byte", (byte) 1);
            message.setShortProperty("short", (short) 2);
            message.setIntProperty("int", 3);
            message.setLongProperty("long", 4L);
            message.setFloatProperty("float", 1.5f);
            message.setDoubleProperty("double", 2.5);
            message.setStringProperty("text", "grün");
            message.setStringProperty("JMSXGroupID", "group");
            message.setIntProperty("JMSXGroupSeq", 4);
            message.setStringProperty("_AMQ_DUPL_ID", "the application's " + messages.indexOf(message));
            message.setJMSType("type");
            message.setJMSCorrelationID("correlation");
            message.setJMSReplyTo(session.createQueue("back-here"));
        }
        return messages;
    }

    private static void assertKept(List<Message> messages) throws Exception {
        assertThat(((TextMessage) messages.get(0)).getText()).isEqualTo("héllo");
        assertThat(((TextMessage) messages.get(1)).getText()).isEqualTo(LARGE);
        assertThat(messages.get(2).getBody(byte[].class)).containsExactly(1, 0, -1);
        MapMessage map = (MapMessage) messages.get(3);
        assertThat(map.getObject("long")).isEqualTo(5L);
        assertThat(map.getBytes("bytes")).containsExactly(7);
        assertThat(map.getObject("char")).isEqualTo('x');
        StreamMessage stream = (StreamMessage) messages.get(4);
        assertThat(stream.readObject()).isEqualTo(3);
        assertThat(stream.readObject()).isEqualTo("three");
        assertThat((byte[]) stream.readObject()).containsExactly(3);
        assertThat(((ObjectMessage) messages.get(5)).getObject()).isEqualTo(List.of("a", "b"));
        assertThat(messages.get(6))
                .isNotInstanceOfAny(
                        TextMessage.class,
                        BytesMessage.class,
                        MapMessage.class,
                        StreamMessage.class,
                        ObjectMessage.class);
        for (Message message : messages) {
            Map<String, Object> properties = new HashMap<>();
            for (String name :
                    List.of("boolean", "byte", "short", "int", "long", "float", "double", "text", "JMSXGroupID")) {
                properties.put(name, message.getObjectProperty(name));
            }
            assertThat(properties)
                    .isEqualTo(Map.of(
                            "boolean",
                            true,
                            "byte",
                            (byte) 1,
                            "short",
                            (short) 2,
                            "int",
                            3,
                            "long",
                            4L,
                            "float",
                            1.5f,
                            "double",
                            2.5,
                            "text",
                            "grün",
                            "JMSXGroupID",
                            "group"));
            assertThat(message.getIntProperty("JMSXGroupSeq")).isEqualTo(4);
            assertThat(message.getJMSType()).isEqualTo("type");
            assertThat(message.getJMSCorrelationID()).isEqualTo("correlation");
            assertThat(((Queue) message.getJMSReplyTo()).getQueueName()).isEqualTo("back-here");
            assertThat(message.getJMSPriority()).isEqualTo(4);
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSExpiration())
                    .isCloseTo(System.currentTimeMillis() + TIME_TO_LIVE, within(TimeUnit.MINUTES.toMillis(15)));
            assertThat(message.propertyExists("_AMQ_DUPL_ID")).isFalse();
            assertThat(message.getStringProperty("ReadpastBridge_AMQ_DUPL_ID"))
                    .isEqualTo("the application's " + messages.indexOf(message));
            assertThat(message.getStringProperty(MessageCopy.MESSAGE_ID)).startsWith("ID:");
            assertThat(message.propertyExists(MessageCopy.DROPPED))
                    .as(message.getStringProperty(MessageCopy.DROPPED))
                    .isFalse();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_message_is_the_same_on_the_other_side_and_back_again(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            List<Long> sentAt = new ArrayList<>();
            rig.onBroker(session -> {
                MessageProducer producer = session.createProducer(session.createQueue("kept"));
                for (Message message : messages(session)) {
                    producer.send(message, DeliveryMode.NON_PERSISTENT, 4, TIME_TO_LIVE);
                    sentAt.add(message.getJMSTimestamp());
                }
                return null;
            });
            int count = sentAt.size();
            try (Bridge over = rig.started("over kept", "temporary-replies no")) {
                Rig.untilCrossed(over, count);
            }
            // Looked at and left there.
            rig.onReadpast(session -> {
                List<Message> there = Rig.receive("kept", count).with(session);
                assertKept(there);
                for (int i = 0; i < count; i++) {
                    assertThat(there.get(i).getLongProperty(MessageCopy.TIMESTAMP))
                            .isEqualTo(sentAt.get(i));
                    assertThat(there.get(i).getStringProperty(MessageCopy.HOPS)).isEqualTo("test:into");
                }
                session.rollback();
                return null;
            });
            try (Bridge back = rig.started("back kept", "temporary-replies no")) {
                Rig.untilCrossed(back, count);
            }
            List<Message> again = rig.onBroker(session -> {
                List<Message> found = Rig.receive("kept", count).with(session);
                assertKept(found);
                return found;
            });
            assertThat(again.get(0).getStringProperty(MessageCopy.HOPS)).isEqualTo("test:into,test:out");
            assertThat(again.get(0).getIntProperty(MessageCopy.DELIVERIES)).isGreaterThan(1);
        }
    }

    /** Artemis' client has no String of it. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_correlation_id_of_bytes_crosses_and_a_reply_by_it(String broker, String database) throws Exception {
        byte[] id = {1, 2, 3};
        try (Rig rig = new Rig(broker, database, folder);
                Connection asking = rig.broker.factory().createConnection();
                Session session = asking.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            asking.start();
            TemporaryQueue answers = session.createTemporaryQueue();
            Message request = session.createTextMessage("by bytes");
            request.setJMSCorrelationIDAsBytes(id);
            request.setJMSReplyTo(answers);
            session.createProducer(session.createQueue("kept")).send(request);
            try (Bridge over = rig.started("over kept")) {
                Rig.untilCrossed(over, 1);
            }
            rig.onReadpast(replying -> {
                Message there = Rig.receive("kept", 1).with(replying).get(0);
                assertThat(there.getJMSCorrelationIDAsBytes()).isEqualTo(id);
                Message reply = replying.createTextMessage("reply");
                reply.setJMSCorrelationID(there.getJMSCorrelationID());
                replying.createProducer(there.getJMSReplyTo()).send(reply);
                return null;
            });
            try (Bridge back = rig.started("over kept");
                    MessageConsumer consumer = session.createConsumer(answers)) {
                Rig.untilCrossed(back, 1);
                Message reply = consumer.receive(TimeUnit.SECONDS.toMillis(60));
                assertThat(reply).as(back.status().toString()).isNotNull();
            }
        }
    }

    static Stream<Arguments> artemis() {
        return BridgeTest.artemis();
    }

    /** As a client of another protocol sets it, whose address says not whether it is a queue's. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("artemis")
    void a_reply_to_that_is_neither_a_queue_nor_a_topic_is_listed_as_left_out(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(session -> {
                Message message = session.createTextMessage("0");
                ((ActiveMQMessage) message).getCoreMessage().putStringProperty("JMSReplyTo", "back-here");
                session.createProducer(session.createQueue("kept")).send(message);
                return null;
            });
            Bridge bridge = rig.bridge("over kept", "temporary-replies no");
            assertThat(bridge.preview().get(0).remarks()).containsEntry("loses JMSReplyTo", 1);
            bridge.start();
            Message there = rig.onReadpast(Rig.receive("kept", 1)).get(0);
            assertThat(there.getJMSReplyTo()).isNull();
            assertThat(there.getStringProperty(MessageCopy.DROPPED)).isEqualTo("JMSReplyTo");
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void the_highest_priority_crosses_first_and_a_delay_ends_before(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            long dueAt = rig.onReadpast(session -> {
                MessageProducer producer = session.createProducer(session.createQueue("kept"));
                producer.send(session.createTextMessage("low"), DeliveryMode.PERSISTENT, 1, 0);
                producer.send(session.createTextMessage("high"), DeliveryMode.PERSISTENT, 9, 0);
                producer.setDeliveryDelay(2_000);
                Message delayed = session.createTextMessage("late");
                producer.send(delayed);
                return delayed.getJMSDeliveryTime();
            });
            List<Message> messages;
            try (Bridge bridge = rig.started("back kept", "temporary-replies no")) {
                messages = rig.onBroker(Rig.receive("kept", 3));
                assertThat(bridge.status().get(0).failures()).isZero();
            }
            List<String> texts = Rig.texts(messages);
            assertThat(texts).containsExactlyInAnyOrder("high", "low", "late").startsWith("high");
            assertThat(messages.get(0).getJMSPriority()).isEqualTo(9);
            assertThat(messages.get(0).getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(messages.get(texts.indexOf("late")).getJMSTimestamp()).isGreaterThanOrEqualTo(dueAt);
        }
    }
}
