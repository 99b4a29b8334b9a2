package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §6.2.10, §3.6, §3.4.7, §3.5.11: acknowledgement, recovery, and how a message says that it comes again. */
class Ch06AcknowledgeTest {

    private static void assertDelivery(Message message, String text, int count) throws Exception {
        assertThat(Jms.text(message)).isEqualTo(text);
        assertThat(message.getIntProperty("JMSXDeliveryCount"))
                .as("JMSXDeliveryCount of " + text)
                .isEqualTo(count);
        assertThat(message.getJMSRedelivered()).as("JMSRedelivered of " + text).isEqualTo(count > 1);
    }

    /** §3.5.11, §3.4.7 */
    @ContractTest
    void first_delivery_counts_one_in_every_mode(Jms jms) throws Exception {
        for (int mode : new int[] {
            Session.AUTO_ACKNOWLEDGE,
            Session.CLIENT_ACKNOWLEDGE,
            Session.DUPS_OK_ACKNOWLEDGE,
            Session.SESSION_TRANSACTED
        }) {
            jms.send(jms.queue("" + mode), "sent");
            Session session = jms.session(mode);
            assertDelivery(jms.receive(session.createConsumer(jms.queue("" + mode))), "sent", 1);
        }
    }

    /** §6.2.10: acknowledged when receive returns successfully. */
    @ContractTest
    void auto_acknowledges_each_received_message(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("first");
        session.recover();
        assertThat(jms.receiveText(consumer)).isEqualTo("second");
        session.close();
        jms.assertEmpty(jms.queue());
    }

    /** §6.2.10 */
    @ContractTest
    void auto_acknowledges_with_every_form_of_receive(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(Jms.text(consumer.receive())).isEqualTo("first");
        assertThat(Jms.text(consumer.receive(Jms.PATIENCE.toMillis()))).isEqualTo("second");
        assertThat(Jms.text(consumer.receiveNoWait())).isEqualTo("third");
        session.close();
        jms.assertEmpty(jms.queue());
    }

    /** §6.2.10: acknowledged when the listener returns successfully. */
    @ContractTest
    void auto_acknowledges_when_the_listener_has_returned(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox();
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second");
        connection.start();
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §6.2.10 */
    @ContractTest
    void dups_ok_acknowledges_what_was_received(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        Session session = jms.session(Session.DUPS_OK_ACKNOWLEDGE);
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 3))
                .containsExactly("first", "second", "third");
        session.close();
        jms.assertEmpty(jms.queue());
    }

    /** §6.2.10 */
    @ContractTest
    void dups_ok_acknowledges_what_its_listener_heard(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox();
        connection
                .createSession(Session.DUPS_OK_ACKNOWLEDGE)
                .createConsumer(jms.queue())
                .setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second");
        connection.start();
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §3.6: with automatic acknowledgement, calls to acknowledge are ignored. */
    @ContractTest
    void acknowledge_is_ignored_where_it_has_no_meaning(Jms jms) throws Exception {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE}) {
            jms.send(jms.queue(), "sent");
            Session session = jms.session(mode);
            Message message = jms.receive(session.createConsumer(jms.queue()));
            assertThatCode(message::acknowledge).doesNotThrowAnyException();
            session.close();
        }
        jms.assertEmpty(jms.queue());
    }

    /** Message.acknowledge: ignored in a transacted session. */
    @ContractTest
    void acknowledge_does_not_commit(Jms jms) throws Exception {
        jms.send(jms.queue(), "sent");
        Session session = jms.transacted();
        jms.receive(session.createConsumer(jms.queue())).acknowledge();
        session.rollback();
        session.close();
        jms.assertHolds(jms.queue(), "sent");
    }

    /** Message.acknowledge: of a message that was never received, it is ignored. */
    @ContractTest
    void acknowledge_of_a_message_to_be_sent_is_ignored(Jms jms) throws Exception {
        Message message = jms.session(Session.CLIENT_ACKNOWLEDGE).createTextMessage("unsent");
        assertThatCode(message::acknowledge).doesNotThrowAnyException();
    }

    /** §6.2.10: acknowledging one message acknowledges all that the session has delivered. */
    @ContractTest
    void acknowledge_acknowledges_the_whole_session(Jms jms) throws Exception {
        jms.send(jms.queue("left"), "left");
        jms.send(jms.queue("right"), "right");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        jms.receive(session.createConsumer(jms.queue("left")));
        jms.receive(session.createConsumer(jms.queue("right"))).acknowledge();
        session.close();
        jms.assertEmpty(jms.queue("left"));
        jms.assertEmpty(jms.queue("right"));
    }

    /** §6.2.10: also those delivered after the message on which it is called. */
    @ContractTest
    void acknowledge_of_the_first_acknowledges_the_later_ones(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        Message first = jms.receive(consumer);
        jms.receive(consumer);
        first.acknowledge();
        session.close();
        jms.assertHolds(jms.queue(), "third");
    }

    /** §6.2.10 */
    @ContractTest
    void acknowledge_may_be_called_twice(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        Message first = jms.receive(session.createConsumer(jms.queue()));
        first.acknowledge();
        assertThatCode(first::acknowledge).doesNotThrowAnyException();
        session.close();
        jms.assertEmpty(jms.queue());
    }

    /** §8.8: closing the consumer has no effect on the acknowledgement of what it delivered. */
    @ContractTest
    void acknowledge_works_after_the_consumer_was_closed(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        Message first = jms.receive(consumer);
        consumer.close();
        first.acknowledge();
        session.close();
        jms.assertHolds(jms.queue(), "second");
    }

    /** §6.2.10 */
    @ContractTest
    void listener_may_acknowledge(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Inbox inbox = new Inbox(message -> {
            if (Jms.text(message).equals("second")) {
                message.acknowledge();
            }
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second", "third");
        connection.start();
        inbox.nextTexts(3);
        connection.close();
        jms.assertHolds(jms.queue(), "third");
    }

    /** §6.2.10: recover goes back to the first unacknowledged message, in order, and says so. */
    @ContractTest
    void recover_redelivers_what_was_not_acknowledged(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second", "third");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer).acknowledge();
        jms.receiveTexts(consumer, 2);
        session.recover();
        assertDelivery(jms.receive(consumer), "second", 2);
        assertDelivery(jms.receive(consumer), "third", 2);
        session.recover();
        assertDelivery(jms.receive(consumer), "second", 3);
        Message third = jms.receive(consumer);
        assertDelivery(third, "third", 3);
        third.acknowledge();
        session.recover();
        jms.assertNothingArrives(consumer);
    }

    /** §3.5.11: what the application was never given has not been delivered. */
    @ContractTest
    void recover_does_not_count_what_was_not_delivered(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        session.recover();
        assertDelivery(jms.receive(consumer), "first", 2);
        assertDelivery(jms.receive(consumer), "second", 1);
    }

    /** §6.2.10 */
    @ContractTest
    void recover_with_nothing_to_recover_does_nothing(Jms jms) throws Exception {
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        session.recover();
        jms.send(jms.queue(), "first");
        assertDelivery(jms.receive(consumer), "first", 1);
    }

    /** §6.2.10: it may be that higher priorities have arrived, and come first. */
    @ContractTest
    void recovered_messages_keep_their_place_before_later_ones(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("first");
        jms.send(jms.queue(), "third");
        session.recover();
        assertThat(jms.receiveTexts(consumer, 3)).containsExactly("first", "second", "third");
    }

    /** §6.2.10: recover within a listener: the message comes again to the same listener. */
    @ContractTest
    void listener_may_recover(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Inbox inbox = new Inbox(message -> {
            if (message.getJMSRedelivered()) {
                message.acknowledge();
            } else {
                session.recover();
            }
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first");
        connection.start();
        assertThat(inbox.next().deliveryCount()).isEqualTo(1);
        Inbox.Heard again = inbox.next();
        assertThat(again.text()).isEqualTo("first");
        assertThat(again.redelivered()).isTrue();
        assertThat(again.deliveryCount()).isEqualTo(2);
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §6.2.10: in an automatically acknowledged session a listener's recover brings its own message again. */
    @ContractTest
    void listener_of_an_automatic_session_may_recover(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        Inbox inbox = new Inbox(message -> {
            if (!message.getJMSRedelivered()) {
                session.recover();
            }
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first");
        connection.start();
        assertThat(inbox.next().deliveryCount()).isEqualTo(1);
        assertThat(inbox.next().deliveryCount()).isEqualTo(2);
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §6.2: what is not acknowledged when a session ends is redelivered to whoever comes next. */
    @ContractTest
    void unacknowledged_messages_go_to_the_next_session_marked_as_redelivered(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        jms.receive(session.createConsumer(jms.queue()));
        session.close();
        MessageConsumer next = jms.session().createConsumer(jms.queue());
        assertDelivery(jms.receive(next), "first", 2);
        assertDelivery(jms.receive(next), "second", 1);
    }

    /** §6.2.11: what is acknowledged is never delivered a second time. */
    @ContractTest
    void client_acknowledged_messages_never_come_again(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer);
        jms.receive(consumer).acknowledge();
        session.recover();
        jms.assertNothingArrives(consumer);
        session.close();
        jms.assertEmpty(jms.queue());
    }

    /** §6.2.10: a message that one session holds unacknowledged is not delivered to another. */
    @ContractTest
    void unacknowledged_message_is_hidden_from_others(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        Message first = jms.receive(session.createConsumer(jms.queue()));
        MessageConsumer other = jms.session().createConsumer(jms.queue());
        jms.assertNothingArrives(other);
        first.acknowledge();
        jms.assertNothingArrives(other);
    }

    /** §6.2.10: sends of a client-acknowledged session do not wait for acknowledge, nor does recover undo them. */
    @ContractTest
    void recover_does_not_take_back_what_was_sent(Jms jms) throws Exception {
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"));
        session.recover();
        jms.assertHolds(jms.queue(), "sent");
    }

    /** §6.2.10: recovery of one session does not touch what another holds. */
    @ContractTest
    void recover_concerns_its_own_session_only(Jms jms) throws Exception {
        Connection connection = jms.connection();
        jms.send(jms.queue("left"), "left");
        jms.send(jms.queue("right"), "right");
        Session left = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Session right = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer leftConsumer = left.createConsumer(jms.queue("left"));
        MessageConsumer rightConsumer = right.createConsumer(jms.queue("right"));
        jms.receive(leftConsumer);
        Message held = jms.receive(rightConsumer);
        left.recover();
        assertDelivery(jms.receive(leftConsumer), "left", 2);
        jms.assertNothingArrives(rightConsumer);
        held.acknowledge();
    }
}
