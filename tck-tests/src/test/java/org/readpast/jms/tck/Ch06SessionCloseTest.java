package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §6.2.15: closing a session. */
class Ch06SessionCloseTest {

    @ContractTest
    void closing_a_closed_session_is_ignored(Jms jms) throws Exception {
        Session session = jms.session();
        session.close();
        assertThatCode(session::close).doesNotThrowAnyException();
    }

    @ContractTest
    void closed_session_is_of_no_use(Jms jms) throws Exception {
        Session session = jms.session();
        session.close();
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTextMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createBytesMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createMapMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createStreamMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createObjectMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::getTransacted).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::getAcknowledgeMode).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createConsumer(jms.queue())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createProducer(jms.queue())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createBrowser(jms.queue())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createQueue("any")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTemporaryQueue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::getMessageListener).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void closed_transacted_session_neither_commits_nor_rolls_back(Jms jms) throws Exception {
        Session session = jms.transacted();
        session.close();
        assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void consumer_of_a_closed_session_is_of_no_use(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        session.close();
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.setMessageListener(new Inbox())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::getMessageListener).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::getMessageSelector).isInstanceOf(IllegalStateException.class);
        assertThatCode(consumer::close).doesNotThrowAnyException();
    }

    @ContractTest
    void producer_of_a_closed_session_is_of_no_use(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("late");
        session.close();
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getDestination).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getPriority).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getDeliveryMode).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getTimeToLive).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.setPriority(1)).isInstanceOf(IllegalStateException.class);
        assertThatCode(producer::close).doesNotThrowAnyException();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void browser_of_a_closed_session_may_be_closed(Jms jms) throws Exception {
        Session session = jms.session();
        QueueBrowser browser = session.createBrowser(jms.queue());
        session.close();
        assertThatCode(browser::close).doesNotThrowAnyException();
    }

    @ContractTest
    void close_ends_a_pending_receive_with_null(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(consumer::receive);
        receiving.awaitInside("receive");
        session.close();
        assertThat(receiving.result()).isNull();
    }

    @ContractTest
    void close_waits_for_a_running_listener(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Inbox inbox = new Inbox(message -> {
            entered.countDown();
            leave.await();
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "first");
        entered.await();
        Elsewhere<Void> closing = jms.elsewhere(() -> {
            session.close();
            return null;
        });
        closing.assertKeepsRunning();
        leave.countDown();
        closing.result();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void no_listener_is_called_after_close(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        Inbox inbox = new Inbox();
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first");
        inbox.next();
        session.close();
        jms.send(jms.queue(), "second");
        inbox.assertNothingMore();
        jms.assertHolds(jms.queue(), "second");
    }

    /** Of the two behaviours permitted, the one that the TCK asks for, and that of the reference; the session goes on. */
    @ContractTest
    void close_within_the_sessions_own_listener_is_refused(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        Inbox inbox = new Inbox(message -> session.close());
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first", "second");
        connection.start();
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
        assertThat(inbox.nextFailure()).isInstanceOf(IllegalStateException.class);
        assertThat(session.createMessage()).isNotNull();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void close_rolls_back_what_was_sent(Jms jms) throws Exception {
        Session session = jms.transacted();
        session.createProducer(jms.queue()).send(session.createTextMessage("never"));
        session.close();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void close_rolls_back_what_was_received(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.transacted();
        jms.receiveTexts(session.createConsumer(jms.queue()), 2);
        session.close();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** What was delivered and comes again has been delivered before (§3.4.7). */
    @ContractTest
    void message_rolled_back_by_close_is_redelivered(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.transacted();
        jms.receive(session.createConsumer(jms.queue()));
        session.close();
        Message again = jms.receive(jms.session().createConsumer(jms.queue()));
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @ContractTest
    void close_acknowledges_nothing_of_a_client_acknowledged_session(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        jms.receiveTexts(session.createConsumer(jms.queue()), 2);
        session.close();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    @ContractTest
    void acknowledge_after_close_is_refused(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        Message message = jms.receive(session.createConsumer(jms.queue()));
        session.close();
        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
        assertThat(Jms.text(message)).isEqualTo("first");
    }

    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§6.2.15",
            why = "ignores acknowledge where it acknowledges by itself, closed or not")
    void acknowledge_is_refused_after_close_of_an_automatic_session_too(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Session session = jms.session();
        Message message = jms.receive(session.createConsumer(jms.queue()));
        session.close();
        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void automatically_acknowledged_messages_do_not_come_again(Jms jms) throws Exception {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE}) {
            jms.send(jms.queue(), "first", "second", "third");
            Session session = jms.session(mode);
            jms.receiveTexts(session.createConsumer(jms.queue()), 2);
            session.close();
            jms.assertHolds(jms.queue(), "third");
        }
    }

    @ContractTest
    void close_of_one_session_leaves_the_others_alone(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session first = connection.createSession();
        Session second = connection.createSession();
        MessageConsumer consumer = second.createConsumer(jms.queue());
        first.close();
        jms.send(jms.queue(), "sent");
        assertThat(jms.receiveText(consumer)).isEqualTo("sent");
    }

    /** AutoCloseable: the end of a try statement closes. */
    @ContractTest
    void try_with_resources_closes(Jms jms) throws Exception {
        Connection outer;
        Session inner;
        try (Connection connection = jms.factory().createConnection();
                Session session = connection.createSession()) {
            outer = connection;
            inner = session;
            session.createProducer(jms.queue()).send(session.createTextMessage("sent"));
        }
        assertThatThrownBy(inner::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(outer::createSession).isInstanceOf(IllegalStateException.class);
        jms.assertHolds(jms.queue(), "sent");
    }
}
