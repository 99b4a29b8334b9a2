package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.QueueBrowser;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Bodies and properties too long to be sent or read, and properties too long to come with a claim. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessageSizeTest {

    private static final long PATIENCE = 30_000;
    private static final int MAXIMUM = 2;
    private static final int BODY = 20_000;
    private static final int PROPERTIES = 10_000;
    private static final String SCHEMA = "sizes_" + Long.toString(System.nanoTime(), 36);
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final String queue = "sizes." + TESTS.incrementAndGet();
    private final String dead = "dead." + queue;
    private final RowTable table;
    private final ReadpastConnectionFactory narrow;
    private final ReadpastConnectionFactory wide;

    MessageSizeTest(TestDatabase database) throws JMSException {
        table = new RowTable(database, SCHEMA);
        narrow = factory("maxBodyBytes=" + BODY, "maxPropertiesLength=" + PROPERTIES);
        wide = factory();
    }

    private ReadpastConnectionFactory factory(String... options) throws JMSException {
        return new ReadpastConnectionFactory(table.database()
                .readpastUrl(Stream.concat(
                                Stream.of(
                                        "schema=" + SCHEMA,
                                        "redelivery." + queue + ".maximumDeliveries=" + MAXIMUM,
                                        "redelivery." + queue + ".deadLetterDestination=" + dead),
                                Stream.of(options))
                        .toArray(String[]::new)));
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    private static TextMessage text(JMSContext context, int body, int property) {
        try {
            TextMessage message = context.createTextMessage("x".repeat(body));
            message.setStringProperty("p", "y".repeat(property));
            return message;
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> send(TextMessage... messages) throws JMSException {
        List<String> ids = new ArrayList<>();
        try (JMSContext context = wide.createContext()) {
            for (TextMessage message : messages) {
                context.createProducer().send(context.createQueue(queue), message);
                ids.add(message.getJMSMessageID());
            }
        }
        return ids;
    }

    @Test
    void too_large_a_message_is_not_sent_and_others_are() throws Exception {
        try (JMSContext context = narrow.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            assertThatThrownBy(
                            () -> context.createProducer().send(context.createQueue(queue), text(context, BODY + 1, 1)))
                    .isInstanceOf(MessageFormatRuntimeException.class)
                    .hasMessageContainingAll("maxBodyBytes", "" + BODY, queue);
            assertThatThrownBy(() ->
                            context.createProducer().send(context.createQueue(queue), text(context, 1, PROPERTIES)))
                    .isInstanceOf(MessageFormatRuntimeException.class)
                    .hasMessageContainingAll("maxPropertiesLength", "" + PROPERTIES);
            TextMessage longId = text(context, 1, 1);
            longId.setJMSCorrelationID("c".repeat(PROPERTIES));
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(queue), longId))
                    .isInstanceOf(MessageFormatRuntimeException.class)
                    .hasMessageContaining("maxPropertiesLength");
            // Two bytes for a character, on SQL Server.
            context.createProducer().send(context.createQueue(queue), text(context, BODY / 2, PROPERTIES - 10));
            context.commit();
            assertThat(consumer.receive(PATIENCE).getBody(String.class)).hasSize(BODY / 2);
            context.commit();
        }
    }

    /** The notes are not the sender's. */
    @Test
    void dead_letter_whose_notes_make_its_properties_longer_than_is_sent_can_be_read() throws Exception {
        try (JMSContext context = narrow.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
                JMSConsumer reader = context.createConsumer(context.createQueue(dead))) {
            context.createProducer()
                    .send(context.createQueue(queue), text(context, 3, PROPERTIES - "{'p':''}".length()));
            context.commit();
            for (int i = 0; i < MAXIMUM; i++) {
                assertThat(consumer.receive(PATIENCE)).isNotNull();
                context.rollback();
            }
            Message letter = reader.receive(PATIENCE);
            assertThat(letter.getBody(String.class)).isEqualTo("xxx");
            assertThat(letter.getStringProperty("JMS_READPAST_OriginalDestination"))
                    .isEqualTo("queue://" + queue);
            context.commit();
        }
    }

    /** Properties come with their claim where they are short, which is not to say that they are short enough. */
    @Test
    void properties_that_come_with_their_claim_are_measured_too() throws Exception {
        List<String> ids;
        try (JMSContext context = wide.createContext()) {
            ids = send(text(context, 1, 5_000), text(context, 1, 10));
        }
        try (JMSContext context = factory("maxPropertiesLength=100").createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = 0; i < MAXIMUM; i++) {
                assertThatThrownBy(() -> consumer.receive(PATIENCE)).isInstanceOf(MessageFormatRuntimeException.class);
            }
            assertThat(consumer.receive(PATIENCE).getJMSMessageID()).isEqualTo(ids.get(1));
        }
        assertThat(table.reason(ids.get(0))).contains("properties", "5008", "maxPropertiesLength");
    }

    @Test
    void too_large_a_message_becomes_a_dead_letter_with_its_size_and_others_are_received() throws Exception {
        List<String> ids;
        try (JMSContext context = wide.createContext()) {
            ids = send(
                    text(context, 40_001, 1),
                    text(context, 1, 15_000),
                    text(context, 300_000, 300_000),
                    text(context, 7, 9));
        }
        List<RowTable.Content> contents = new ArrayList<>();
        for (String id : ids) {
            contents.add(table.content(queue, id));
        }
        List<MessageFormatException> reported = new CopyOnWriteArrayList<>();
        List<String> received = new CopyOnWriteArrayList<>();
        try (JMSContext context = narrow.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            context.setExceptionListener(e -> reported.add((MessageFormatException) e));
            consumer.setMessageListener(message -> received.add(body(message)));
            await().atMost(Duration.ofMillis(PATIENCE))
                    .untilAsserted(() -> assertThat(received).containsExactly("xxxxxxx"));
            await().atMost(Duration.ofMillis(PATIENCE))
                    .untilAsserted(() -> assertThat(reported).hasSize(3 * MAXIMUM));
        }
        for (int i = 0; i < 3; i++) {
            assertThat(table.content(dead, ids.get(i))).isEqualTo(contents.get(i));
        }
        String size = table.database() == TestDatabase.SQLSERVER ? "80002" : "40001";
        assertThat(table.reason(ids.get(0))).contains("body_length", size, "maxBodyBytes");
        assertThat(table.reason(ids.get(1))).contains("properties", "15008", "maxPropertiesLength");
        assertThat(table.reason(ids.get(2))).contains("maxBodyBytes");
        try (JMSContext context = narrow.createContext();
                QueueBrowser browser = context.createBrowser(context.createQueue(dead))) {
            assertThat(shown(browser))
                    .hasSize(3)
                    .allSatisfy(shown -> assertThat(shown).isInstanceOf(BytesMessage.class));
        }
    }

    /** Properties of more than 8192 characters do not come with a claim. */
    @Test
    void long_properties_are_there_for_receivers_selectors_browsers_and_dead_letters() throws Exception {
        String selector = "p LIKE 'yyyy%'";
        for (int round = 0; round < 3; round++) {
            TextMessage message;
            try (JMSContext context = wide.createContext()) {
                message = text(context, 10, 60_000);
                message.setJMSCorrelationID("z".repeat(300));
                send(message, text(context, 3, 4));
            }
            List<Message> received = new ArrayList<>();
            String name = round == 2 ? queue + "?consumer.leaseSeconds=600" : queue;
            try (JMSContext context = wide.createContext(JMSContext.DUPS_OK_ACKNOWLEDGE)) {
                try (QueueBrowser browser = context.createBrowser(context.createQueue(queue), selector)) {
                    for (Object shown : shown(browser)) {
                        received.add((Message) shown);
                    }
                }
                try (JMSConsumer consumer =
                        context.createConsumer(context.createQueue(name), round == 1 ? selector : null)) {
                    received.add(consumer.receive(PATIENCE));
                    assertThat(body(consumer.receive(PATIENCE))).isEqualTo("xxx");
                }
            }
            assertThat(received).hasSize(3);
            for (Message one : List.of(received.get(0), received.get(2))) {
                assertThat(one.getStringProperty("p")).isEqualTo("y".repeat(60_000));
                assertThat(one.getJMSCorrelationID()).isEqualTo("z".repeat(300));
            }
        }
        try (JMSContext context = wide.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
                JMSConsumer reader = context.createConsumer(context.createQueue(dead))) {
            send(text(context, 10, 60_000));
            for (int i = 0; i < MAXIMUM; i++) {
                assertThat(consumer.receive(PATIENCE)).isNotNull();
                context.rollback();
            }
            Message letter = reader.receive(PATIENCE);
            assertThat(letter.getStringProperty("p")).isEqualTo("y".repeat(60_000));
            assertThat(letter.getStringProperty("JMS_READPAST_OriginalDestination"))
                    .isEqualTo("queue://" + queue);
            context.commit();
        }
    }

    private static List<Object> shown(QueueBrowser browser) throws JMSException {
        return new ArrayList<>(Collections.list((Enumeration<?>) browser.getEnumeration()));
    }

    private static String body(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
