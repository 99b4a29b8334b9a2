package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §7.2, §7.4 to §7.6, §7.10: JMSProducer. */
@OfTheClient
class Ch07JmsProducerTest {

    private static Message receive(Jms jms) {
        return jms.receive(jms.context().createConsumer(jms.queue()));
    }

    @ContractTest
    void producer_begins_with_the_defaults(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getDisableMessageID()).isFalse();
        assertThat(producer.getDisableMessageTimestamp()).isFalse();
        assertThat(producer.getAsync()).isNull();
        assertThat(producer.getJMSCorrelationID()).isNull();
        assertThat(producer.getJMSType()).isNull();
        assertThat(producer.getJMSReplyTo()).isNull();
        assertThat(producer.getPropertyNames()).isEmpty();
    }

    /** JMSProducer.getJMSCorrelationIDAsBytes: null where none was set. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§7.6", why = "throws a NullPointerException")
    void correlation_id_as_bytes_is_null_until_set(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        assertThat(producer.getJMSCorrelationIDAsBytes()).isNull();
        producer.setJMSCorrelationIDAsBytes(new byte[] {1, 2});
        assertThat(producer.getJMSCorrelationIDAsBytes()).containsExactly(1, 2);
    }

    /** §7.10 */
    @ContractTest
    void setters_return_the_producer(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        assertThat(producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                        .setPriority(1)
                        .setTimeToLive(60_000)
                        .setDeliveryDelay(1)
                        .setDisableMessageID(true)
                        .setDisableMessageTimestamp(true)
                        .setJMSCorrelationID("c")
                        .setJMSType("t")
                        .setJMSReplyTo(jms.queue())
                        .setProperty("p", 1)
                        .setAsync(null)
                        .clearProperties())
                .isSameAs(producer);
        assertThat(producer.getPriority()).isEqualTo(1);
        assertThat(producer.getTimeToLive()).isEqualTo(60_000);
        assertThat(producer.getDeliveryDelay()).isEqualTo(1);
        assertThat(producer.getJMSCorrelationID()).isEqualTo("c");
        assertThat(producer.getJMSType()).isEqualTo("t");
        assertThat(producer.getJMSReplyTo()).isEqualTo(jms.queue());
    }

    @ContractTest
    void send_of_a_text(Jms jms) throws Exception {
        assertThat(jms.context().createProducer().send(jms.queue(), "text")).isNotNull();
        assertThat(Jms.text(receive(jms))).isEqualTo("text");
    }

    @ContractTest
    void send_of_bytes(Jms jms) throws Exception {
        jms.context().createProducer().send(jms.queue(), "bytes".getBytes(StandardCharsets.UTF_8));
        Message received = receive(jms);
        assertThat(received).isInstanceOf(BytesMessage.class);
        assertThat(received.getBody(byte[].class)).isEqualTo("bytes".getBytes(StandardCharsets.UTF_8));
    }

    @ContractTest
    void send_of_a_map(Jms jms) throws Exception {
        jms.context().createProducer().send(jms.queue(), Map.of("n", 7, "s", "x"));
        Message received = receive(jms);
        assertThat(received).isInstanceOf(MapMessage.class);
        assertThat(((MapMessage) received).getInt("n")).isEqualTo(7);
        assertThat(((MapMessage) received).getString("s")).isEqualTo("x");
    }

    @ContractTest
    void send_of_a_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TextMessage message = context.createTextMessage("text");
        context.createProducer().send(jms.queue(), message);
        assertThat(receive(jms).getJMSMessageID()).isEqualTo(message.getJMSMessageID());
    }

    /** JMSProducer.send: a body of null makes a message without a body. */
    @ContractTest
    void send_of_null_as_text_has_no_body(Jms jms) throws Exception {
        jms.context().createProducer().send(jms.queue(), (String) null);
        Message received = receive(jms);
        assertThat(received).isInstanceOf(TextMessage.class);
        assertThat(received.getBody(String.class)).isNull();
    }

    /** JMSProducer.send(Destination, Message): MessageFormatRuntimeException if an invalid message is given. */
    @ContractTest
    void null_message_is_refused(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        assertThatThrownBy(() -> producer.send(jms.queue(), (Message) null))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @ContractTest
    void null_and_foreign_destinations_are_refused(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        Queue foreign = () -> "foreign";
        assertThatThrownBy(() -> producer.send(null, "never")).isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(() -> producer.send(foreign, "never"))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    /** §7.5: properties of the producer go with each message, and win over the message's own. */
    @ContractTest
    void properties_of_the_producer_override_those_of_the_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TextMessage message = context.createTextMessage("text");
        message.setStringProperty("colour", "red");
        message.setStringProperty("size", "large");
        context.createProducer().setProperty("colour", "blue").send(jms.queue(), message);
        Message received = receive(jms);
        assertThat(received.getStringProperty("colour")).isEqualTo("blue");
        assertThat(received.getStringProperty("size")).isEqualTo("large");
    }

    @ContractTest
    void properties_of_every_type_arrive(Jms jms) throws Exception {
        jms.context()
                .createProducer()
                .setProperty("boolean", true)
                .setProperty("byte", (byte) 1)
                .setProperty("short", (short) 2)
                .setProperty("int", 3)
                .setProperty("long", 4L)
                .setProperty("float", 5.5f)
                .setProperty("double", 6.5d)
                .setProperty("string", "seven")
                .setProperty("object", Integer.valueOf(8))
                .send(jms.queue(), "text");
        Message received = receive(jms);
        assertThat(received.getObjectProperty("boolean")).isEqualTo(true);
        assertThat(received.getObjectProperty("byte")).isEqualTo((byte) 1);
        assertThat(received.getObjectProperty("short")).isEqualTo((short) 2);
        assertThat(received.getObjectProperty("int")).isEqualTo(3);
        assertThat(received.getObjectProperty("long")).isEqualTo(4L);
        assertThat(received.getObjectProperty("float")).isEqualTo(5.5f);
        assertThat(received.getObjectProperty("double")).isEqualTo(6.5d);
        assertThat(received.getObjectProperty("string")).isEqualTo("seven");
        assertThat(received.getObjectProperty("object")).isEqualTo(8);
    }

    @ContractTest
    void producer_tells_its_properties(Jms jms) {
        JMSProducer producer =
                jms.context().createProducer().setProperty("n", 7).setProperty("s", "8");
        assertThat(producer.propertyExists("n")).isTrue();
        assertThat(producer.propertyExists("other")).isFalse();
        assertThat(producer.getPropertyNames()).containsExactlyInAnyOrder("n", "s");
        assertThat(producer.getIntProperty("n")).isEqualTo(7);
        assertThat(producer.getLongProperty("n")).isEqualTo(7);
        assertThat(producer.getStringProperty("n")).isEqualTo("7");
        assertThat(producer.getIntProperty("s")).isEqualTo(8);
        assertThat(producer.getObjectProperty("s")).isEqualTo("8");
        assertThatThrownBy(() -> producer.getBooleanProperty("n")).isInstanceOf(MessageFormatRuntimeException.class);
        producer.clearProperties();
        assertThat(producer.getPropertyNames()).isEmpty();
    }

    /** §3.5.1: the names are those that a message takes. */
    @ContractTest
    void property_without_a_name_is_refused(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        assertThatThrownBy(() -> producer.setProperty("", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.setProperty(null, "x")).isInstanceOf(IllegalArgumentException.class);
    }

    /** §3.5.2 */
    @ContractTest
    void property_of_an_unknown_type_is_refused(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        assertThatThrownBy(() -> producer.setProperty("list", List.of()))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    /** §7.6: headers of the producer win over the message's own. */
    @ContractTest
    void headers_of_the_producer_override_those_of_the_message(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TextMessage message = context.createTextMessage("text");
        message.setJMSCorrelationID("message's");
        message.setJMSType("message's");
        message.setJMSReplyTo(jms.queue("a"));
        context.createProducer()
                .setJMSCorrelationID("producer's")
                .setJMSType("producer's")
                .setJMSReplyTo(jms.queue("b"))
                .send(jms.queue(), message);
        Message received = receive(jms);
        assertThat(received.getJMSCorrelationID()).isEqualTo("producer's");
        assertThat(received.getJMSType()).isEqualTo("producer's");
        assertThat(received.getJMSReplyTo()).isEqualTo(jms.queue("b"));
    }

    /** §7.6: where the producer has none, the message keeps its own. */
    @ContractTest
    void headers_of_the_message_stay_where_the_producer_has_none(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TextMessage message = context.createTextMessage("text");
        message.setJMSCorrelationID("message's");
        message.setJMSType("message's");
        context.createProducer().send(jms.queue(), message);
        Message received = receive(jms);
        assertThat(received.getJMSCorrelationID()).isEqualTo("message's");
        assertThat(received.getJMSType()).isEqualTo("message's");
    }

    /** §7.4 */
    @ContractTest
    void delivery_options_have_their_effect(Jms jms) throws Exception {
        JMSProducer producer = jms.context().createProducer();
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT).setPriority(1).send(jms.queue(), "low");
        producer.setDeliveryMode(DeliveryMode.PERSISTENT)
                .setPriority(8)
                .setTimeToLive(60_000)
                .send(jms.queue(), "high");
        var consumer = jms.context().createConsumer(jms.queue());
        Message high = jms.receive(consumer);
        Message low = jms.receive(consumer);
        assertThat(Jms.text(high)).isEqualTo("high");
        assertThat(high.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(high.getJMSPriority()).isEqualTo(8);
        assertThat(high.getJMSExpiration()).isPositive();
        assertThat(Jms.text(low)).isEqualTo("low");
        assertThat(low.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(low.getJMSExpiration()).isZero();
    }

    /** §7.4 */
    @ContractTest
    void delivery_options_out_of_range_are_refused(Jms jms) {
        JMSProducer producer = jms.context().createProducer();
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSRuntimeException.class);
        assertThatThrownBy(() -> producer.setDeliveryMode(7)).isInstanceOf(JMSRuntimeException.class);
    }

    /** §7.3: a producer with a completion listener sends asynchronously. */
    @ContractTest
    void asynchronous_producer_calls_back(Jms jms) throws Exception {
        BlockingQueue<String> completed = new LinkedBlockingQueue<>();
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                completed.add(Thread.currentThread().getName());
            }

            @Override
            public void onException(Message message, Exception exception) {
                completed.add(exception.toString());
            }
        };
        JMSProducer producer = jms.context().createProducer().setAsync(listener);
        assertThat(producer.getAsync()).isSameAs(listener);
        producer.send(jms.queue(), "first").send(jms.queue(), "second");
        for (int i = 0; i < 2; i++) {
            assertThat(completed.poll(Jms.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isNotNull()
                    .isNotEqualTo(Thread.currentThread().getName());
        }
        jms.assertHolds(jms.queue(), "first", "second");
    }
}
