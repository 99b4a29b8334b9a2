package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Messages of a kind or format that the schema knows, and this version of the client does not. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NewerMessageTest {

    private static final long PATIENCE = 20_000;
    private static final String SCHEMA = "newer_" + Long.toString(System.nanoTime(), 36);

    private final String queue = "newer." + UUID.randomUUID();
    private final RowTable table;

    NewerMessageTest(TestDatabase database) {
        table = new RowTable(database, SCHEMA);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    private ReadpastConnectionFactory factory() throws JMSException {
        return new ReadpastConnectionFactory(table.database()
                .readpastUrl("schema=" + SCHEMA, "redelivery.maximumDeliveries=2", "idleCloseMillis=0"));
    }

    @BeforeEach
    void makeTheSchemaNewer() throws Exception {
        factory().createContext().close();
        table.dropChecks();
        newest(6, 4);
    }

    @AfterEach
    void makeItTheSameAgain() throws Exception {
        newest(5, 3);
    }

    private void newest(int kind, int format) throws Exception {
        assertThat(table.run(
                        "UPDATE " + SCHEMA + ".schema_version SET newest_kind = " + kind + ", newest_format = " + format
                                + " WHERE version = 1 AND 'x' = ?",
                        "x"))
                .isEqualTo(1);
    }

    private String send(JMSContext context, String text, String property) throws JMSException {
        TextMessage message = context.createTextMessage(text);
        message.setStringProperty("p", property);
        context.createProducer().send(context.createQueue(queue), message);
        return message.getJMSMessageID();
    }

    /** The first and the third of four are newer ones. */
    private List<String> sendSome(JMSContext context, String change) throws Exception {
        String first = send(context, "newer", "x");
        send(context, "a", "x");
        String third = send(context, "newer", "x");
        send(context, "b", "x");
        commit(context);
        table.change(first, change);
        table.change(third, change);
        return List.of(first, third);
    }

    private static void commit(JMSContext context) {
        if (context.getTransacted()) {
            context.commit();
        }
    }

    private void assertUntouchedAndReadableForWhoKnowsThem(JMSContext context, List<String> newer, String back)
            throws Exception {
        for (String id : newer) {
            assertThat(table.text("SELECT delivery_count FROM " + SCHEMA + ".message WHERE jms_message_id = ?", id))
                    .isEqualTo("0");
            table.change(id, back);
        }
        assertThat(table.text("SELECT COUNT(*) FROM " + SCHEMA + ".unreadable_message WHERE 'x' = ?", "x"))
                .isEqualTo("0");
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = 0; i < newer.size(); i++) {
                Message message = consumer.receive(PATIENCE);
                assertThat(message.getBody(String.class)).isEqualTo("newer");
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
                commit(context);
            }
        }
    }

    private String back() {
        return table.database() == TestDatabase.SQLSERVER
                ? "body_kind = 1, body_format = 3"
                : "body_kind = 1, body_format = 2";
    }

    @ParameterizedTest
    @ValueSource(strings = {"body_kind = 6", "body_format = 4", "body_kind = 6, body_format = 4"})
    void they_are_left_to_others_by_receivers(String change) throws Exception {
        for (int mode : new int[] {
            JMSContext.AUTO_ACKNOWLEDGE,
            JMSContext.DUPS_OK_ACKNOWLEDGE,
            JMSContext.CLIENT_ACKNOWLEDGE,
            JMSContext.SESSION_TRANSACTED
        }) {
            try (JMSContext context = factory().createContext(mode)) {
                List<String> newer = sendSome(context, change);
                try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
                    assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("a");
                    assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("b");
                    assertThat(consumer.receive(100)).isNull();
                    context.acknowledge();
                    commit(context);
                }
                assertUntouchedAndReadableForWhoKnowsThem(context, newer, back());
                context.acknowledge();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?consumer.leaseSeconds=600", "?consumer.exclusive=true"})
    void they_are_left_to_others_by_listeners(String options) throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (JMSContext context = factory().createContext();
                JMSContext sender = factory().createContext()) {
            List<String> newer = sendSome(sender, "body_kind = 6");
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue + options));
            consumer.setMessageListener(message -> heard.add(text(message)));
            await().atMost(Duration.ofMillis(PATIENCE)).until(() -> heard.size() == 2);
            for (int i = 0; i < 20; i++) {
                send(sender, "more", "x");
            }
            await().atMost(Duration.ofMillis(PATIENCE)).until(() -> heard.size() == 22);
            assertThat(heard).startsWith("a", "b").doesNotContain("newer");
            consumer.close();
            assertUntouchedAndReadableForWhoKnowsThem(sender, newer, back());
        }
    }

    @Test
    void selectors_pass_them_by_and_browsers_show_them() throws Exception {
        try (JMSContext context = factory().createContext()) {
            List<String> newer = sendSome(context, "body_kind = 6");
            Enumeration<?> shown =
                    context.createBrowser(context.createQueue(queue)).getEnumeration();
            assertThat(Collections.list(shown)).hasSize(4);
            try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue), "p = 'x'")) {
                assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("a");
                assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("b");
                assertThat(consumer.receiveNoWait()).isNull();
            }
            assertUntouchedAndReadableForWhoKnowsThem(context, newer, back());
        }
    }

    private static String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
