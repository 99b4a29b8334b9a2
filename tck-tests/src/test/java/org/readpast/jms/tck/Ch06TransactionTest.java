package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §6.2.7: local transactions. */
class Ch06TransactionTest {

    @ContractTest
    void sent_messages_appear_with_the_commit(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("first"));
        producer.send(session.createTextMessage("second"));
        jms.assertEmpty(jms.queue());
        session.commit();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    @ContractTest
    void rolled_back_send_is_never_delivered(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("never"));
        session.rollback();
        producer.send(session.createTextMessage("sent"));
        session.commit();
        jms.assertHolds(jms.queue(), "sent");
    }

    @ContractTest
    void committed_receive_is_never_delivered_again(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receiveTexts(consumer, 2);
        session.commit();
        session.rollback();
        jms.assertNothingArrives(consumer);
        session.close();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void rolled_back_receives_come_again_in_order(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receiveTexts(consumer, 2);
        session.rollback();
        for (String text : List.of("first", "second")) {
            Message message = jms.receive(consumer);
            assertThat(Jms.text(message)).isEqualTo(text);
            assertThat(message.getJMSRedelivered()).isTrue();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message third = jms.receive(consumer);
        assertThat(third.getJMSRedelivered()).isFalse();
        assertThat(third.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        session.commit();
        jms.assertNothingArrives(consumer);
    }

    /** Each rollback counts. */
    @ContractTest
    void delivery_count_rises_with_each_rollback(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        for (int delivery = 1; delivery <= 4; delivery++) {
            Message message = jms.receive(consumer);
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(delivery);
            assertThat(message.getJMSRedelivered()).isEqualTo(delivery > 1);
            session.rollback();
        }
    }

    /** A message that another session rolled back says so wherever it arrives next. */
    @ContractTest
    void rolled_back_message_is_redelivered_to_another_session(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        consumer.close();
        session.rollback();
        Message again = jms.receive(jms.session().createConsumer(jms.queue()));
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @ContractTest
    void receives_and_sends_commit_together(Jms jms) throws Exception {
        jms.send(jms.queue("in"), "request");
        Session session = jms.transacted();
        jms.receive(session.createConsumer(jms.queue("in")));
        session.createProducer(jms.queue("out")).send(session.createTextMessage("reply"));
        session.commit();
        session.close();
        jms.assertEmpty(jms.queue("in"));
        jms.assertHolds(jms.queue("out"), "reply");
    }

    @ContractTest
    void receives_and_sends_roll_back_together(Jms jms) throws Exception {
        jms.send(jms.queue("in"), "request");
        Session session = jms.transacted();
        jms.receive(session.createConsumer(jms.queue("in")));
        session.createProducer(jms.queue("out")).send(session.createTextMessage("never"));
        session.rollback();
        session.close();
        jms.assertEmpty(jms.queue("out"));
        jms.assertHolds(jms.queue("in"), "request");
    }

    @ContractTest
    void transaction_spans_several_queues(Jms jms) throws Exception {
        Session session = jms.transacted();
        session.createProducer(jms.queue("left")).send(session.createTextMessage("left"));
        session.createProducer(jms.queue("right")).send(session.createTextMessage("right"));
        jms.assertEmpty(jms.queue("left"));
        jms.assertEmpty(jms.queue("right"));
        session.commit();
        jms.assertHolds(jms.queue("left"), "left");
        jms.assertHolds(jms.queue("right"), "right");
    }

    /** What a transaction has sent is not there yet, not even for itself. */
    @ContractTest
    void session_does_not_receive_its_own_uncommitted_sends(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"));
        jms.assertNothingArrives(consumer);
        session.commit();
        assertThat(jms.receiveText(consumer)).isEqualTo("sent");
        session.commit();
    }

    /** The completion of a transaction begins the next. */
    @ContractTest
    void transactions_follow_each_other(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int i = 0; i < 6; i++) {
            producer.send(session.createTextMessage("m" + i));
            if (i % 2 == 0) {
                session.commit();
            } else {
                session.rollback();
            }
        }
        jms.assertHolds(jms.queue(), "m0", "m2", "m4");
    }

    @ContractTest
    void empty_transaction_commits_and_rolls_back(Jms jms) throws Exception {
        Session session = jms.transacted();
        assertThatCode(session::commit).doesNotThrowAnyException();
        assertThatCode(session::rollback).doesNotThrowAnyException();
        assertThatCode(session::commit).doesNotThrowAnyException();
    }

    /** §8.8: it makes no difference whether the consumer is closed before commit or after. */
    @ContractTest
    void commit_covers_a_consumer_that_was_closed(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        consumer.close();
        session.commit();
        session.close();
        jms.assertHolds(jms.queue(), "second");
    }

    /** §8.8 */
    @ContractTest
    void rollback_covers_a_consumer_that_was_closed(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        consumer.close();
        session.rollback();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** Likewise a closed producer: what it sent belongs to the session's transaction. */
    @ContractTest
    void commit_covers_a_producer_that_was_closed(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("sent"));
        producer.close();
        session.commit();
        jms.assertHolds(jms.queue(), "sent");
    }

    @ContractTest
    void message_held_by_a_transaction_is_hidden_from_others(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        MessageConsumer other = jms.session().createConsumer(jms.queue());
        jms.assertNothingArrives(other);
        consumer.close();
        session.rollback();
        assertThat(jms.receiveText(other)).isEqualTo("first");
    }

    @ContractTest
    void listener_may_commit(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(jms.queue("out"));
        Inbox inbox = new Inbox(message -> {
            producer.send(session.createTextMessage("re: " + Jms.text(message)));
            session.commit();
        });
        session.createConsumer(jms.queue("in")).setMessageListener(inbox);
        jms.send(jms.queue("in"), "first", "second");
        connection.start();
        inbox.nextTexts(2);
        jms.assertHolds(jms.queue("out"), "re: first", "re: second");
        connection.close();
        jms.assertEmpty(jms.queue("in"));
    }

    @ContractTest
    void listener_may_roll_back(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(jms.queue("out"));
        Inbox inbox = new Inbox(message -> {
            producer.send(session.createTextMessage("delivery " + message.getIntProperty("JMSXDeliveryCount")));
            if (message.getJMSRedelivered()) {
                session.commit();
            } else {
                session.rollback();
            }
        });
        session.createConsumer(jms.queue("in")).setMessageListener(inbox);
        jms.send(jms.queue("in"), "first");
        connection.start();
        assertThat(inbox.next().deliveryCount()).isEqualTo(1);
        assertThat(inbox.next().deliveryCount()).isEqualTo(2);
        inbox.assertNothingMore();
        jms.assertHolds(jms.queue("out"), "delivery 2");
    }

    /** A transaction of a listener's session spans deliveries, until it is committed. */
    @ContractTest
    void listener_may_commit_several_deliveries_at_once(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Inbox inbox = new Inbox(message -> {
            if (Jms.text(message).equals("third")) {
                session.commit();
            }
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second", "third", "fourth");
        connection.start();
        inbox.nextTexts(4);
        connection.close();
        jms.assertHolds(jms.queue(), "fourth");
    }

    /** Two hundred messages in one transaction, so that more than one batch goes to the database. */
    @ContractTest
    void large_transactions_are_atomic_too(Jms jms) throws Exception {
        Session sending = jms.transacted();
        MessageProducer producer = sending.createProducer(jms.queue());
        List<String> texts = IntStream.range(0, 200).mapToObj(i -> "m" + i).toList();
        for (String text : texts) {
            producer.send(sending.createTextMessage(text));
        }
        jms.assertEmpty(jms.queue());
        sending.commit();
        Session receiving = jms.transacted();
        MessageConsumer consumer = receiving.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 200)).isEqualTo(texts);
        receiving.rollback();
        assertThat(jms.receiveTexts(consumer, 200)).isEqualTo(texts);
        receiving.commit();
        jms.assertNothingArrives(consumer);
    }

    /** The sender's object may be changed after send, before the commit, without effect (§3.9). */
    @ContractTest
    void message_changed_between_send_and_commit_goes_as_it_was_sent(Jms jms) throws Exception {
        Session session = jms.transacted();
        var message = session.createTextMessage("as sent");
        message.setStringProperty("colour", "red");
        session.createProducer(jms.queue()).send(message);
        message.setText("changed");
        message.setStringProperty("colour", "blue");
        session.commit();
        Message received = jms.receive(jms.session().createConsumer(jms.queue()));
        assertThat(Jms.text(received)).isEqualTo("as sent");
        assertThat(received.getStringProperty("colour")).isEqualTo("red");
    }
}
