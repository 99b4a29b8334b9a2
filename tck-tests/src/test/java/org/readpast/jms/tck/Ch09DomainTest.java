package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §2.7, §9.2: the point-to-point domain's own interfaces, and what they inherit but must refuse. */
@OfTheClient
class Ch09DomainTest {

    private static QueueSession queueSession(Jms jms) throws Exception {
        return jms.queueConnection().createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
    }

    /** A topic as another, unified, session makes it. */
    private static Topic topic(Jms jms) throws Exception {
        return jms.session().createTopic(jms.uniqueName("topic"));
    }

    /** §2.7 */
    @ContractTest
    void sender_and_receiver_carry_messages(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        QueueSender sender = session.createSender(jms.queue());
        assertThat(sender.getQueue()).isEqualTo(jms.queue());
        sender.send(session.createTextMessage("1"));
        sender.send(session.createTextMessage("2"), DeliveryMode.PERSISTENT, 4, 0);
        QueueReceiver receiver = session.createReceiver(jms.queue());
        assertThat(jms.receiveTexts(receiver, 2)).containsExactly("1", "2");
    }

    /** §2.7, QueueSender.send(Queue, Message) */
    @ContractTest
    void unbound_sender_is_given_the_queue_with_each_send(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        QueueSender sender = session.createSender(null);
        sender.send(jms.queue("left"), session.createTextMessage("1"));
        sender.send(jms.queue("right"), session.createTextMessage("2"), DeliveryMode.NON_PERSISTENT, 4, 0);
        TextMessage never = session.createTextMessage("never");
        assertThatThrownBy(() -> sender.send(never)).isInstanceOf(UnsupportedOperationException.class);
        jms.assertHolds(jms.queue("left"), "1");
        jms.assertHolds(jms.queue("right"), "2");
    }

    /** §2.7 */
    @ContractTest
    void receiver_takes_a_selector(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        Message message = session.createTextMessage("matches");
        message.setIntProperty("n", 7);
        session.createSender(jms.queue()).send(message);
        QueueReceiver receiver = session.createReceiver(jms.queue(), "n = 7");
        assertThat(receiver.getMessageSelector()).isEqualTo("n = 7");
        assertThat(jms.receiveText(receiver)).isEqualTo("matches");
    }

    /** §2.7: modes and transactions are those of any session. */
    @ContractTest
    void queue_session_may_be_transacted(Jms jms) throws Exception {
        QueueSession session = jms.queueConnection().createQueueSession(true, Session.SESSION_TRANSACTED);
        session.createSender(jms.queue()).send(session.createTextMessage("never"));
        session.rollback();
        session.createSender(jms.queue()).send(session.createTextMessage("sent"));
        session.commit();
        assertThat(session.getTransacted()).isTrue();
        jms.assertHolds(jms.queue(), "sent");
    }

    /** §2.7: a queue connection is a connection. */
    @ContractTest
    void queue_connection_makes_plain_sessions_too(Jms jms) throws Exception {
        QueueConnection connection = jms.queueConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"));
        assertThat(jms.receiveText(session.createConsumer(jms.queue()))).isEqualTo("sent");
    }

    /** §2.7 */
    @ContractTest
    void queue_connection_is_made_with_credentials(Jms jms) throws Exception {
        QueueConnection connection = jms.closeAfterwards(jms.queueFactory()
                .createQueueConnection(jms.target().user(), jms.target().password()));
        assertThat(connection
                        .createQueueSession(false, Session.CLIENT_ACKNOWLEDGE)
                        .getAcknowledgeMode())
                .isEqualTo(Session.CLIENT_ACKNOWLEDGE);
    }

    /** §2.7 */
    @ContractTest
    void queue_session_browses(Jms jms) throws Exception {
        jms.send(jms.queue(), "seen");
        QueueSession session = queueSession(jms);
        assertThat(Jms.text((Message)
                        session.createBrowser(jms.queue()).getEnumeration().nextElement()))
                .isEqualTo("seen");
        jms.assertHolds(jms.queue(), "seen");
    }

    /** §10.3 */
    @ContractTest
    void queue_session_refuses_null_and_foreign_queues(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        Queue foreign = () -> "foreign";
        assertThatThrownBy(() -> session.createReceiver(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createReceiver(foreign)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSender(foreign)).isInstanceOf(InvalidDestinationException.class);
    }

    /** §9.2, table 9-1 */
    @ContractTest
    void queue_session_has_no_topics(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        assertThatThrownBy(() -> session.createTopic("t")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTemporaryTopic).isInstanceOf(IllegalStateException.class);
    }

    /** §9.2, table 9-1 */
    @ContractTest
    void queue_session_has_no_durable_subscribers(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        Topic topic = topic(jms);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "s", null, false))
                .isInstanceOf(IllegalStateException.class);
    }

    /** §9.2, table 9-1 */
    @ContractTest
    void queue_session_has_no_durable_consumers(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        Topic topic = topic(jms);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s", null, false))
                .isInstanceOf(IllegalStateException.class);
    }

    /** §9.2, table 9-1 */
    @ContractTest
    void queue_session_has_no_shared_consumers(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        Topic topic = topic(jms);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, "s", null))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "s"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "s", null))
                .isInstanceOf(IllegalStateException.class);
    }

    /** §9.2, table 9-1 */
    @ContractTest
    void queue_session_has_nothing_to_unsubscribe(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(IllegalStateException.class);
    }

    /** §9.2, table 9-1 */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§9.2", why = "returns null")
    void queue_connection_has_no_subscription_consumers(Jms jms) throws Exception {
        QueueConnection connection = jms.queueConnection();
        Topic topic = topic(jms);
        assertThatThrownBy(() -> connection.createSharedConnectionConsumer(topic, "s", null, null, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "s", null, null, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createSharedDurableConnectionConsumer(topic, "s", null, null, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    /** §6.2.15 in the domain's own words. */
    @ContractTest
    void closed_queue_session_makes_nothing(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        session.close();
        assertThatThrownBy(() -> session.createReceiver(jms.queue())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSender(jms.queue())).isInstanceOf(IllegalStateException.class);
    }

    /** §6.1.8 in the domain's own words. */
    @ContractTest
    void closed_queue_connection_makes_nothing(Jms jms) throws Exception {
        QueueConnection connection = jms.queueConnection();
        connection.close();
        assertThatThrownBy(() -> connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE))
                .isInstanceOf(IllegalStateException.class);
    }

    /** §2.7: the domains meet in the unified session; a sender is a producer. */
    @ContractTest
    void sender_is_a_producer(Jms jms) throws Exception {
        QueueSession session = queueSession(jms);
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("sent"));
        jms.assertHolds(jms.queue(), "sent");
    }
}
