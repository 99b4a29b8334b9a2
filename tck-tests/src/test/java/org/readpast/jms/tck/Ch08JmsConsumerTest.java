package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import java.io.Serializable;
import java.util.Map;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §8.5, §8.6, §8.8: JMSConsumer, and receiving bodies. */
@OfTheClient
class Ch08JmsConsumerTest {
    private static final long PATIENCE = Jms.PATIENCE.toMillis();

    @ContractTest
    void receives_in_every_form(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        assertThat(Jms.text(consumer.receive())).isEqualTo("first");
        assertThat(Jms.text(consumer.receive(PATIENCE))).isEqualTo("second");
        assertThat(Jms.text(consumer.receiveNoWait())).isEqualTo("third");
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.receive(1)).isNull();
    }

    @ContractTest
    void receives_what_its_selector_matches(Jms jms) throws Exception {
        JMSContext context = jms.context();
        context.createProducer().setProperty("n", 1).send(jms.queue(), "one");
        context.createProducer().setProperty("n", 2).send(jms.queue(), "two");
        JMSConsumer consumer = context.createConsumer(jms.queue(), "n = 2");
        assertThat(consumer.getMessageSelector()).isEqualTo("n = 2");
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("two");
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    void closed_consumer_is_of_no_use(Jms jms) {
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        consumer.close();
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBody(String.class)).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(consumer::getMessageSelector).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> consumer.setMessageListener(new Inbox()))
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThatCode(consumer::close).doesNotThrowAnyException();
    }

    /** JMSConsumer.getMessageListener */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.7", why = "returns a wrapper of its own")
    void consumer_knows_its_listener(Jms jms) {
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        assertThat(consumer.getMessageListener()).isNull();
        Inbox inbox = new Inbox();
        consumer.setMessageListener(inbox);
        assertThat(consumer.getMessageListener()).isSameAs(inbox);
    }

    @ContractTest
    void synchronous_receive_is_refused_with_a_listener(Jms jms) {
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        consumer.setMessageListener(new Inbox());
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBodyNoWait(String.class))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    /** §8.6 */
    @ContractTest
    void bodies_are_received_in_every_form(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        assertThat(consumer.receiveBody(String.class)).isEqualTo("first");
        assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("second");
        assertThat(consumer.receiveBodyNoWait(String.class)).isEqualTo("third");
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        assertThat(consumer.receiveBody(String.class, 1)).isNull();
    }

    /** §8.6: a super class or interface of the body's class will do. */
    @ContractTest
    void text_body_is_received_as_what_a_string_is(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        assertThat(consumer.receiveBody(Object.class, PATIENCE)).isEqualTo("first");
        assertThat(consumer.receiveBody(CharSequence.class, PATIENCE)).isEqualTo("second");
        assertThat((Object) consumer.receiveBody(Comparable.class, PATIENCE)).isEqualTo("third");
    }

    /** §8.6 */
    @ContractTest
    void bytes_body_is_received(Jms jms) {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), new byte[] {1, 2}).send(jms.queue(), new byte[] {3});
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThat(consumer.receiveBody(byte[].class, PATIENCE)).containsExactly(1, 2);
        assertThat(consumer.receiveBody(Object.class, PATIENCE)).isEqualTo(new byte[] {3});
    }

    /** §8.6 */
    @ContractTest
    void map_body_is_received(Jms jms) {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), Map.of("n", 7)).send(jms.queue(), Map.of("n", 8));
        JMSConsumer consumer = context.createConsumer(jms.queue());
        Map<?, ?> first = consumer.receiveBody(Map.class, PATIENCE);
        assertThat(first.get("n")).isEqualTo(7);
        Object second = consumer.receiveBody(Object.class, PATIENCE);
        assertThat(second).isInstanceOf(Map.class);
    }

    /** §8.6: neither a StreamMessage nor a plain Message has a body to be received. */
    @ContractTest
    void bodies_of_streams_and_plain_messages_are_refused(Jms jms) throws Exception {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        StreamMessage stream = context.createStreamMessage();
        stream.writeInt(1);
        context.createProducer().send(jms.queue(), stream).send(jms.queue(), context.createMessage());
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThatThrownBy(() -> consumer.receiveBody(Object.class, PATIENCE))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBody(Object.class, PATIENCE))
                .isInstanceOf(MessageFormatRuntimeException.class);
        context.acknowledge();
    }

    /** §8.6: a message without a body. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.6", why = "returns null, as if there had been no message")
    void text_message_without_a_body_is_refused(Jms jms) {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        context.createProducer().send(jms.queue(), (String) null);
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThatThrownBy(() -> consumer.receiveBody(String.class, PATIENCE))
                .isInstanceOf(MessageFormatRuntimeException.class);
        context.acknowledge();
    }

    /** §8.6: a map without entries is a body. */
    @ContractTest
    void map_body_without_entries_is_received(Jms jms) {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), Map.of());
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThat((Object) consumer.receiveBody(Map.class, PATIENCE)).isEqualTo(Map.of());
    }

    private static void assertBodyFailureLeavesTheMessage(Jms jms, int mode) throws Exception {
        jms.send(jms.queue(), "first", "second");
        JMSContext context = jms.context(mode);
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBodyNoWait(Map.class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        Message first = jms.receive(consumer);
        assertThat(Jms.text(first)).isEqualTo("first");
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("second");
        context.close();
        jms.assertEmpty(jms.queue());
    }

    /** §8.6: as if the call had not occurred; the message is not redelivered, its count is the same. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.6", why = "loses the message")
    void body_of_the_wrong_type_leaves_the_message_in_auto(Jms jms) throws Exception {
        assertBodyFailureLeavesTheMessage(jms, JMSContext.AUTO_ACKNOWLEDGE);
    }

    /** §8.6 */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.6", why = "loses the message")
    void body_of_the_wrong_type_leaves_the_message_in_dups_ok(Jms jms) throws Exception {
        assertBodyFailureLeavesTheMessage(jms, JMSContext.DUPS_OK_ACKNOWLEDGE);
    }

    /** §8.6: left unreceived, it is there for others, undelivered, when the context is closed. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.6", why = "loses the message")
    void message_left_by_a_body_of_the_wrong_type_goes_to_the_next_consumer(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        JMSContext context = jms.context();
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE))
                .isInstanceOf(MessageFormatRuntimeException.class);
        context.close();
        Message first = jms.receive(jms.context().createConsumer(jms.queue()));
        assertThat(Jms.text(first)).isEqualTo("first");
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    /** §8.6: as if the call had been successful; recover brings the message back. */
    @ContractTest
    void body_of_the_wrong_type_counts_as_delivered_in_client_acknowledge(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("second");
        context.recover();
        Message again = jms.receive(consumer);
        assertThat(Jms.text(again)).isEqualTo("first");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("second");
        context.acknowledge();
    }

    /** §8.6: likewise; rollback brings it back. */
    @ContractTest
    void body_of_the_wrong_type_counts_as_delivered_in_a_transaction(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
        JMSConsumer consumer = context.createConsumer(jms.queue());
        assertThatThrownBy(() -> consumer.receiveBody(Integer.class, PATIENCE))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("second");
        context.rollback();
        Message again = jms.receive(consumer);
        assertThat(Jms.text(again)).isEqualTo("first");
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        context.commit();
    }

    /** §8.6, ObjectMessage: a body of a class that every Java has. */
    @ContractTest
    void object_body_is_sent(Jms jms) {
        JMSContext context = jms.context();
        context.createProducer().send(jms.queue(), (Serializable) Integer.valueOf(7));
        assertThat(jms.receive(context.createConsumer(jms.queue()))).isInstanceOf(ObjectMessage.class);
    }

    /** §8.8 */
    @ContractTest
    void close_ends_a_pending_receive_of_a_body_with_null(Jms jms) throws Exception {
        JMSConsumer consumer = jms.context().createConsumer(jms.queue());
        Elsewhere<String> receiving = jms.elsewhere(() -> consumer.receiveBody(String.class));
        receiving.awaitInside("receiveBody");
        consumer.close();
        assertThat(receiving.result()).isNull();
    }
}
