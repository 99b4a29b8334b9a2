package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Rows that a client can read and that none has written: their keys are taken, or nobody can count on from their deliveries. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrayRowTest {

    private static final long PATIENCE = 20_000;
    private static final String SCHEMA = "stray_" + Long.toString(System.nanoTime(), 36);
    private static final String COPIED = "destination_id, priority_order, message_id, jms_message_id, jms_destination,"
            + " delivery_mode, jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length, body";

    private final String queue = "stray." + UUID.randomUUID();
    private final String dead = "dead." + queue;
    private final RowTable table;

    StrayRowTest(TestDatabase database) {
        table = new RowTable(database, SCHEMA);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    private ReadpastConnectionFactory factory(int maximum) throws JMSException {
        return new ReadpastConnectionFactory(table.database()
                .readpastUrl(
                        "schema=" + SCHEMA,
                        "redelivery.maximumDeliveries=" + maximum,
                        "redelivery.deadLetterDestination=" + dead));
    }

    private static String send(JMSContext context, String to, String text, long delay) throws JMSException {
        TextMessage message = context.createTextMessage(text);
        context.createProducer().setDeliveryDelay(delay).send(context.createQueue(to), message);
        return message.getJMSMessageID();
    }

    /** As after a restore of one table and not of the other. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void delayed_message_whose_key_is_taken_is_delivered_and_holds_up_nobody(int deliveries) throws Exception {
        try (JMSContext context = factory(3).createContext()) {
            String waiting = send(context, queue, "taken", 0);
            String due = table.database() == TestDatabase.SQLSERVER ? "SYSUTCDATETIME()" : "CURRENT_TIMESTAMP";
            assertThat(table.run(
                            "INSERT INTO " + SCHEMA + ".delayed_message (due_at, delivery_count, " + COPIED
                                    + ") SELECT "
                                    + due + ", " + deliveries + ", " + COPIED + " FROM " + SCHEMA
                                    + ".message WHERE jms_message_id = ?",
                            waiting))
                    .isEqualTo(1);
            String other = "other." + queue;
            send(context, other, "due", 1);
            assertThat(receive(context, other)).isEqualTo("due");
            assertThat(receive(context, queue)).isEqualTo("taken");
            assertThat(receive(context, queue)).isEqualTo("taken");
        }
    }

    /** Only a header that its column cannot hold whole stands in the properties as well. */
    @Test
    void headers_are_what_their_columns_hold_whatever_the_properties_say() throws Exception {
        try (JMSContext context = factory(3).createContext()) {
            String stray = send(context, queue, "stray", 0);
            context.createProducer().setProperty("JMSXGroupID", "A").send(context.createQueue(queue), "of the group");
            table.change(
                    stray,
                    "properties = '{\"JMSGroupID\":\"A\",\"JMSMessageID\":\"ID:chosen\",\"JMSReplyTo\":\"queue://x\","
                            + "\"JMSCorrelationID\":\"c\",\"JMSType\":\"t\"}'");
            try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
                Message received = consumer.receive(PATIENCE);
                assertThat(received.getBody(String.class)).isEqualTo("stray");
                assertThat(received.getJMSMessageID()).isEqualTo(stray);
                assertThat(received.getJMSReplyTo()).isNull();
                assertThat(received.getJMSCorrelationID()).isNull();
                assertThat(received.getJMSType()).isNull();
                assertThat(received.getStringProperty("JMSXGroupID")).isNull();
                assertThat(received.propertyExists("JMSGroupID")).isFalse();
                assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("of the group");
            }
        }
    }

    /** A row that only SQL can write. */
    @Test
    void group_whose_name_is_no_text_is_received_like_any() throws Exception {
        assumeFalse(table.database() == TestDatabase.POSTGRESQL, "PostgreSQL has no such text");
        try (JMSContext context = factory(3).createContext()) {
            String stray = send(context, queue, "stray", 0);
            context.createProducer().setProperty("JMSXGroupID", "A").send(context.createQueue(queue), "of the group");
            table.change(stray, "group_id = " + (table.database() == TestDatabase.SQLSERVER ? "N" : "") + "'A\ud800'");
            try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
                assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("stray");
                assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("of the group");
            }
        }
    }

    private static String receive(JMSContext context, String from) {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(from))) {
            return consumer.receiveBody(String.class, PATIENCE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void count_of_deliveries_stops_no_consumer_by_lease(int count) throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (JMSContext context = factory(3).createContext()) {
            table.dropChecks();
            String spoilt = send(context, queue, "spoilt", 0);
            send(context, queue, "sound", 0);
            table.change(spoilt, "delivery_count = " + count);
            try (JMSConsumer consumer =
                    context.createConsumer(context.createQueue(queue + "?consumer.leaseSeconds=600"))) {
                consumer.setMessageListener(message -> heard.add(body(message)));
                await().atMost(Duration.ofMillis(PATIENCE))
                        .untilAsserted(() -> assertThat(heard).contains("sound"));
                await().atMost(Duration.ofMillis(PATIENCE))
                        .until(() -> heard.contains("spoilt") || table.content(dead, spoilt) != null);
            }
        }
    }

    @Test
    void count_of_deliveries_at_its_end_is_counted_on_from() throws Exception {
        try (JMSContext context = factory(0).createContext(JMSContext.SESSION_TRANSACTED)) {
            String spoilt = send(context, queue, "spoilt", 0);
            context.commit();
            table.change(spoilt, "delivery_count = " + Integer.MAX_VALUE);
            try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
                Message first = consumer.receive(PATIENCE);
                assertThat(first.getIntProperty("JMSXDeliveryCount")).isGreaterThan(1);
                context.rollback();
                Message second = consumer.receive(PATIENCE);
                assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
                context.commit();
                assertThat(consumer.receiveNoWait()).isNull();
            }
        }
    }

    private static String body(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
