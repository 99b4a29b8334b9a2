package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;

/** §7.1, §7.2, §7.4: producers and synchronous sends. */
class Ch07ProducerTest {

    /** MessageProducer: the values before anything was set. */
    @ContractTest
    void producer_begins_with_the_defaults(Jms jms) throws Exception {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        assertThat(producer.getDestination()).isEqualTo(jms.queue());
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getDisableMessageID()).isFalse();
        assertThat(producer.getDisableMessageTimestamp()).isFalse();
    }

    /** §7.4 */
    @ContractTest
    void producer_keeps_what_was_set(Jms jms) throws Exception {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setPriority(9);
        producer.setTimeToLive(60_000);
        producer.setDeliveryDelay(100);
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(9);
        assertThat(producer.getTimeToLive()).isEqualTo(60_000);
        assertThat(producer.getDeliveryDelay()).isEqualTo(100);
        assertThat(producer.getDisableMessageID()).isTrue();
        assertThat(producer.getDisableMessageTimestamp()).isTrue();
    }

    /** §3.4.10: ten levels, 0 to 9. */
    @ContractTest
    void priority_outside_0_to_9_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        assertThatThrownBy(() -> producer.setPriority(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSException.class);
        assertThat(producer.getPriority()).isEqualTo(4);
    }

    /** §3.4.10, also where it is given with the message. */
    @ContractTest
    void priority_outside_0_to_9_is_refused_by_send(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("never");
        assertThatThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, 10, 0))
                .isInstanceOf(JMSException.class);
        jms.assertEmpty(jms.queue());
    }

    /** §7.7: two modes, and no third. */
    @ContractTest
    void delivery_mode_that_does_not_exist_is_refused(Jms jms) throws Exception {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        assertThatThrownBy(() -> producer.setDeliveryMode(3)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setDeliveryMode(0)).isInstanceOf(JMSException.class);
    }

    /** §7.2 */
    @ContractTest
    void send_knows_all_its_forms(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer bound = session.createProducer(jms.queue());
        MessageProducer unbound = session.createProducer(null);
        bound.send(session.createTextMessage("1"));
        bound.send(session.createTextMessage("2"), DeliveryMode.NON_PERSISTENT, 4, 0);
        unbound.send(jms.queue(), session.createTextMessage("3"));
        unbound.send(jms.queue(), session.createTextMessage("4"), DeliveryMode.PERSISTENT, 4, 60_000);
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 4))
                .containsExactlyInAnyOrder("1", "2", "3", "4");
    }

    /** §7.1: an unbound producer sends to any queue. */
    @ContractTest
    void unbound_producer_sends_to_several_queues(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(null);
        assertThat(producer.getDestination()).isNull();
        producer.send(jms.queue("left"), session.createTextMessage("left"));
        producer.send(jms.queue("right"), session.createTextMessage("right"));
        jms.assertHolds(jms.queue("left"), "left");
        jms.assertHolds(jms.queue("right"), "right");
    }

    /** MessageProducer.send(Message): the destination must have been given at creation. */
    @ContractTest
    void unbound_producer_needs_a_destination_with_each_send(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(null);
        TextMessage message = session.createTextMessage("never");
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, 4, 0))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** MessageProducer.send(Destination, Message): not on a producer that has its destination. */
    @ContractTest
    void bound_producer_takes_no_other_destination(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("never");
        assertThatThrownBy(() -> producer.send(jms.queue("other"), message))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> producer.send(jms.queue("other"), message, DeliveryMode.PERSISTENT, 4, 0))
                .isInstanceOf(UnsupportedOperationException.class);
        jms.assertEmpty(jms.queue("other"));
    }

    /** §10.3 */
    @ContractTest
    void unbound_producer_refuses_null_as_destination(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(null);
        TextMessage message = session.createTextMessage("never");
        assertThatThrownBy(() -> producer.send(null, message)).isInstanceOf(InvalidDestinationException.class);
    }

    /** §10.3 */
    @ContractTest
    void unbound_producer_refuses_a_foreign_destination(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(null);
        TextMessage message = session.createTextMessage("never");
        Queue foreign = () -> "foreign";
        assertThatThrownBy(() -> producer.send(foreign, message)).isInstanceOf(InvalidDestinationException.class);
    }

    /** MessageProducer.send: MessageFormatException if an invalid message is specified. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§10.3", why = "throws a NullPointerException")
    void null_message_is_refused(Jms jms) throws Exception {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        assertThatThrownBy(() -> producer.send((Message) null)).isInstanceOf(MessageFormatException.class);
    }

    /** §6.2.15 */
    @ContractTest
    void closed_producer_is_of_no_use(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("never");
        producer.close();
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.setPriority(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getPriority).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.setTimeToLive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.setDeliveryMode(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.setDisableMessageID(true)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getDisableMessageTimestamp).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getDestination).isInstanceOf(IllegalStateException.class);
        assertThatCode(producer::close).doesNotThrowAnyException();
    }

    /** §6.2.15 */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§6.2.15", why = "lets a closed producer set and tell its delay")
    void closed_producer_has_no_delivery_delay(Jms jms) throws Exception {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        producer.close();
        assertThatThrownBy(() -> producer.setDeliveryDelay(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getDeliveryDelay).isInstanceOf(IllegalStateException.class);
    }

    /** §3.9: the sender may change and send its object again; what was sent is not touched. */
    @ContractTest
    void message_may_be_changed_and_sent_again(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("first");
        producer.send(message);
        String firstId = message.getJMSMessageID();
        message.setText("second");
        producer.send(message);
        assertThat(message.getJMSMessageID()).isNotEqualTo(firstId);
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** §3.9: a received message may be sent on; it gets headers of its own. */
    @ContractTest
    void received_message_may_be_sent_on(Jms jms) throws Exception {
        jms.send(jms.queue("in"), "travels");
        Session session = jms.session();
        Message message = jms.receive(session.createConsumer(jms.queue("in")));
        String oldId = message.getJMSMessageID();
        session.createProducer(jms.queue("out")).send(message);
        Message onward = jms.receive(session.createConsumer(jms.queue("out")));
        assertThat(Jms.text(onward)).isEqualTo("travels");
        assertThat(onward.getJMSDestination()).isEqualTo(jms.queue("out"));
        assertThat(onward.getJMSMessageID()).isNotEqualTo(oldId);
        assertThat(onward.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(onward.getJMSRedelivered()).isFalse();
    }

    /** §3.4.7: JMSRedelivered has no meaning on send; a message redelivered here is new there. */
    @ContractTest
    void redelivered_message_sent_on_is_not_redelivered_there(Jms jms) throws Exception {
        jms.send(jms.queue("in"), "travels");
        Session session = jms.transacted();
        var consumer = session.createConsumer(jms.queue("in"));
        jms.receive(consumer);
        session.rollback();
        Message message = jms.receive(consumer);
        assertThat(message.getJMSRedelivered()).isTrue();
        session.createProducer(jms.queue("out")).send(message);
        session.commit();
        Message onward = jms.receive(jms.session().createConsumer(jms.queue("out")));
        assertThat(onward.getJMSRedelivered()).isFalse();
        assertThat(onward.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }
}
