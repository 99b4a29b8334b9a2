package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.message.JmsTextMessage;
import org.slf4j.LoggerFactory;

class OutgoingTest {

    private final ReadpastQueue orders = new ReadpastQueue("orders");
    private final JmsTextMessage message = new JmsTextMessage("three apples");

    @Test
    void the_senders_object_gets_the_headers_that_travel() throws Exception {
        Quality quality = Quality.DEFAULT
                .withDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .withPriority(7)
                .withTimeToLive(60_000)
                .withDeliveryDelay(5_000);
        long before = System.currentTimeMillis();
        Outgoing outgoing = Outgoing.stamp(orders, message, quality);
        long after = System.currentTimeMillis();

        assertThat(message.getJMSDestination()).isSameAs(orders);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSTimestamp()).isBetween(before, after);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp() + 5_000);
        assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 60_000);
        assertThat(outgoing.timeToLive()).isEqualTo(60_000);
        assertThat(outgoing.deliveryDelay()).isEqualTo(5_000);
        EncodedMessage encoded = outgoing.message();
        assertThat(encoded.messageId()).isEqualTo(message.getJMSMessageID()).startsWith("ID:");
        assertThat(encoded.destination()).isEqualTo("queue://orders");
        assertThat(encoded.priority()).isEqualTo(7);
        assertThat(encoded.deliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(encoded.timestamp()).isEqualTo(message.getJMSTimestamp());
        assertThat(encoded.deliveryTime()).isEqualTo(message.getJMSDeliveryTime());
        assertThat(encoded.expiration()).isEqualTo(message.getJMSExpiration());
    }

    @Test
    void headers_that_the_application_had_set_are_overwritten() throws Exception {
        message.setJMSMessageID("ID:mine");
        message.setJMSExpiration(1);
        message.setJMSPriority(9);
        Outgoing.stamp(orders, message, Quality.DEFAULT);
        assertThat(message.getJMSMessageID()).isNotEqualTo("ID:mine");
        assertThat(message.getJMSExpiration()).isZero();
        assertThat(message.getJMSPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp());
    }

    @Test
    void each_send_of_the_same_object_is_another_message() throws Exception {
        String first =
                Outgoing.stamp(orders, message, Quality.DEFAULT).message().messageId();
        String second =
                Outgoing.stamp(orders, message, Quality.DEFAULT).message().messageId();
        assertThat(first).isNotEqualTo(second);
    }

    @Test
    void the_object_may_be_changed_after_the_send() throws Exception {
        Outgoing outgoing = Outgoing.stamp(orders, message, Quality.DEFAULT);
        message.setText("four pears");
        assertThat(outgoing.message().body()).isEqualTo(new Body.Text("three apples"));
    }

    @Test
    void the_hints_leave_out_id_and_timestamp() throws Exception {
        Outgoing.stamp(
                orders,
                message,
                Quality.DEFAULT.withoutId(true).withoutTimestamp(true).withTimeToLive(1_000));
        assertThat(message.getJMSMessageID()).isNull();
        assertThat(message.getJMSTimestamp()).isZero();
        assertThat(message.getJMSExpiration()).isGreaterThan(System.currentTimeMillis() - 60_000);
    }

    @Test
    void a_time_to_live_beyond_all_calendars_is_for_ever() throws Exception {
        Outgoing outgoing = Outgoing.stamp(orders, message, Quality.DEFAULT.withTimeToLive(Long.MAX_VALUE));
        assertThat(outgoing.timeToLive()).isZero();
        assertThat(message.getJMSExpiration()).isZero();
    }

    @Test
    void a_delay_beyond_all_calendars_is_refused() {
        assertThatThrownBy(() -> Outgoing.stamp(orders, message, Quality.DEFAULT.withDeliveryDelay(Long.MAX_VALUE)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("9999");
    }

    @Test
    void the_delay_properties_of_other_brokers_count_where_the_producer_has_no_delay() throws Exception {
        message.setLongProperty("AMQ_SCHEDULED_DELAY", 7_000);
        assertThat(Outgoing.stamp(orders, message, Quality.DEFAULT).deliveryDelay())
                .isEqualTo(7_000);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp() + 7_000);
        assertThat(Outgoing.stamp(orders, message, Quality.DEFAULT.withDeliveryDelay(1))
                        .deliveryDelay())
                .isEqualTo(1);
    }

    /** As ActiveMQ's scheduler does, which gives what it delivers a new expiration. */
    @Test
    void the_life_of_a_message_with_the_delay_property_of_activemq_begins_when_the_delay_is_over() throws Exception {
        message.setLongProperty("AMQ_SCHEDULED_DELAY", 3_600_000);

        Outgoing outgoing = Outgoing.stamp(orders, message, Quality.DEFAULT.withTimeToLive(60_000));
        assertThat(outgoing.timeToLive()).isEqualTo(3_660_000);
        assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSDeliveryTime() + 60_000);

        assertThat(Outgoing.stamp(orders, message, Quality.DEFAULT).timeToLive())
                .isZero();
        assertThat(Outgoing.stamp(orders, message, Quality.DEFAULT.withTimeToLive(Long.MAX_VALUE))
                        .timeToLive())
                .isZero();
        assertThat(Outgoing.stamp(
                                orders,
                                message,
                                Quality.DEFAULT.withDeliveryDelay(1).withTimeToLive(60_000))
                        .timeToLive())
                .isEqualTo(60_000);
    }

    @Test
    void a_schedule_of_activemq_has_no_effect_which_the_log_says_once() throws Exception {
        message.setStringProperty("AMQ_SCHEDULED_CRON", "0 * * * *");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Outgoing.class);
        logger.addAppender(log);
        try {
            for (int i = 0; i < 2; i++) {
                Outgoing outgoing = Outgoing.stamp(orders, message, Quality.DEFAULT);
                assertThat(outgoing.deliveryDelay()).isZero();
            }
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement(STRING)
                .contains("AMQ_SCHEDULED_CRON", "once");
    }

    @Test
    void the_delivery_time_of_artemis_is_a_moment() throws Exception {
        long at = System.currentTimeMillis() + 3_600_000;
        message.setLongProperty("_AMQ_SCHED_DELIVERY", at);
        Outgoing outgoing = Outgoing.stamp(orders, message, Quality.DEFAULT);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(at);
        assertThat(outgoing.deliveryDelay()).isEqualTo(at - message.getJMSTimestamp());

        message.setLongProperty("_AMQ_SCHED_DELIVERY", 1);
        assertThat(Outgoing.stamp(orders, message, Quality.DEFAULT).deliveryDelay())
                .isZero();
    }

    @Test
    void a_delivery_time_that_is_no_number_is_refused() throws Exception {
        message.setStringProperty("_AMQ_SCHED_DELIVERY", "soon");
        assertThatThrownBy(() -> Outgoing.stamp(orders, message, Quality.DEFAULT))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("_AMQ_SCHED_DELIVERY");
    }

    @Test
    void a_foreign_message_is_copied_and_gets_the_headers_too() throws Exception {
        Map<String, Object> headers = new HashMap<>();

        Outgoing outgoing = Outgoing.stamp(orders, foreign(headers::put), Quality.DEFAULT.withTimeToLive(1_000));

        EncodedMessage sent = outgoing.message();
        assertThat(headers)
                .containsEntry("JMSDestination", orders)
                .containsEntry("JMSDeliveryMode", sent.deliveryMode())
                .containsEntry("JMSPriority", sent.priority())
                .containsEntry("JMSMessageID", sent.messageId())
                .containsEntry("JMSTimestamp", sent.timestamp())
                .containsEntry("JMSDeliveryTime", sent.deliveryTime())
                .containsEntry("JMSExpiration", sent.expiration());
    }

    /** As classes are that were compiled against JMS 1.1, which the edition for {@code javax} may be given. */
    @Test
    void a_foreign_message_whose_class_has_no_delivery_time_is_sent_without_it() throws Exception {
        Map<String, Object> headers = new HashMap<>();
        Message foreign = foreign((header, value) -> {
            if (header.equals("JMSDeliveryTime")) {
                throw new AbstractMethodError("setJMSDeliveryTime");
            }
            headers.put(header, value);
        });

        EncodedMessage sent = Outgoing.stamp(orders, foreign, Quality.DEFAULT).message();

        assertThat(headers).containsEntry("JMSMessageID", sent.messageId()).containsEntry("JMSExpiration", 0L);
    }

    private static Message foreign(BiConsumer<String, Object> setter) {
        return (Message) Proxy.newProxyInstance(
                Message.class.getClassLoader(), new Class<?>[] {Message.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("set")) {
                        setter.accept(method.getName().substring("set".length()), arguments[0]);
                    }
                    return method.getName().equals("getPropertyNames") ? Collections.emptyEnumeration() : null;
                });
    }

    @Test
    void a_null_message_is_refused() {
        assertThatThrownBy(() -> Outgoing.stamp(orders, null, Quality.DEFAULT))
                .isInstanceOf(MessageFormatException.class);
    }
}
