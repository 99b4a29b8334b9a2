package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §6.1.8: closing a connection. */
class Ch06ConnectionCloseTest {

    @ContractTest
    void closing_a_closed_connection_is_ignored(Jms jms) throws Exception {
        Connection connection = jms.connection();
        connection.close();
        assertThatCode(connection::close).doesNotThrowAnyException();
    }

    @ContractTest
    void closed_connection_is_of_no_use(Jms jms) throws Exception {
        Connection connection = jms.connection();
        connection.close();
        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createSession(Session.SESSION_TRANSACTED))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getMetaData).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getClientID).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.setClientID("late")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getExceptionListener).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.setExceptionListener(null)).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void close_of_the_connection_closes_its_sessions(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        connection.close();
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::getTransacted).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createProducer(jms.queue())).isInstanceOf(IllegalStateException.class);
        assertThatCode(session::close).doesNotThrowAnyException();
    }

    @ContractTest
    void close_of_the_connection_closes_its_consumers_and_producers(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        MessageProducer producer = session.createProducer(jms.queue());
        QueueBrowser browser = session.createBrowser(jms.queue());
        TextMessage message = session.createTextMessage("late");
        connection.close();
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        assertThatCode(consumer::close).doesNotThrowAnyException();
        assertThatCode(producer::close).doesNotThrowAnyException();
        assertThatCode(browser::close).doesNotThrowAnyException();
    }

    @ContractTest
    void close_ends_a_receive_without_time_limit_with_null(Jms jms) throws Exception {
        Connection connection = jms.connection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(consumer::receive);
        receiving.awaitInside("receive");
        connection.close();
        assertThat(receiving.result()).isNull();
    }

    @ContractTest
    void close_ends_a_receive_with_time_limit_with_null(Jms jms) throws Exception {
        Connection connection = jms.connection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(() -> consumer.receive(50_000));
        receiving.awaitInside("receive");
        connection.close();
        assertThat(receiving.result()).isNull();
    }

    @ContractTest
    void close_ends_a_receive_on_a_stopped_connection(Jms jms) throws Exception {
        jms.send(jms.queue(), "waiting");
        Connection connection = jms.stoppedConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        Elsewhere<Message> receiving = jms.elsewhere(consumer::receive);
        receiving.awaitInside("receive");
        connection.close();
        assertThat(receiving.result()).isNull();
        jms.assertHolds(jms.queue(), "waiting");
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
        jms.send(jms.queue(), "request");
        entered.await();
        Elsewhere<Void> closing = jms.elsewhere(() -> {
            connection.close();
            return null;
        });
        closing.assertKeepsRunning();
        leave.countDown();
        closing.result();
        assertThat(inbox.next().text()).isEqualTo("request");
        jms.assertEmpty(jms.queue());
    }

    /** While a listener completes, all facilities of the connection and its sessions remain available to it. */
    @ContractTest
    void listener_that_close_waits_for_can_still_send(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(jms.queue("replies"));
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Inbox inbox = new Inbox(message -> {
            entered.countDown();
            leave.await();
            producer.send(session.createTextMessage("reply"));
            session.commit();
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "request");
        entered.await();
        Elsewhere<Void> closing = jms.elsewhere(() -> {
            connection.close();
            return null;
        });
        closing.awaitInside("close");
        leave.countDown();
        closing.result();
        inbox.next();
        inbox.assertNothingMore();
        jms.assertHolds(jms.queue("replies"), "reply");
        jms.assertEmpty(jms.queue());
    }

    /** Of the two behaviours permitted, both Readpast and the reference refuse. */
    @ContractTest
    void close_within_the_connections_own_listener_is_refused(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox(message -> connection.close());
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "first", "second");
        assertThat(inbox.nextFailure()).isInstanceOf(IllegalStateException.class);
        assertThat(inbox.nextFailure()).isInstanceOf(IllegalStateException.class);
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
    }

    @ContractTest
    void close_of_another_connection_within_a_listener_is_fine(Jms jms) throws Exception {
        Connection other = jms.connection();
        other.createSession().createConsumer(jms.queue("other")).setMessageListener(new Inbox());
        Connection connection = jms.stoppedConnection();
        Inbox inbox = new Inbox(message -> other.close());
        connection.createSession().createConsumer(jms.queue()).setMessageListener(inbox);
        connection.start();
        jms.send(jms.queue(), "first");
        assertThat(inbox.next().text()).isEqualTo("first");
        assertThatThrownBy(other::createSession).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void close_rolls_back_what_was_sent(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        session.createProducer(jms.queue()).send(session.createTextMessage("never"));
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void close_rolls_back_what_was_received(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Connection connection = jms.connection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        jms.receiveTexts(session.createConsumer(jms.queue()), 2);
        connection.close();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    @ContractTest
    void close_acknowledges_nothing_of_a_client_acknowledged_session(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Connection connection = jms.connection();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        jms.receive(consumer).acknowledge();
        jms.receive(consumer);
        connection.close();
        jms.assertHolds(jms.queue(), "second");
    }

    @ContractTest
    void acknowledge_after_close_is_refused(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Connection connection = jms.connection();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Message message = jms.receive(session.createConsumer(jms.queue()));
        connection.close();
        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void received_message_stays_readable_after_close(Jms jms) throws Exception {
        jms.send(jms.queue(), "first");
        Connection connection = jms.connection();
        Message message = jms.receive(connection.createSession().createConsumer(jms.queue()));
        connection.close();
        assertThat(Jms.text(message)).isEqualTo("first");
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @ContractTest
    void message_made_by_a_closed_connection_can_be_sent_by_another(Jms jms) throws Exception {
        Connection connection = jms.connection();
        TextMessage message = connection.createSession().createTextMessage("made earlier");
        connection.close();
        jms.session().createProducer(jms.queue()).send(message);
        jms.assertHolds(jms.queue(), "made earlier");
    }
}
