package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;

/**
 * §8.3.3, §8.3.4: "It is erroneous for a client to delete a durable subscription while it has an active consumer or while a
 * message received from it is part of a current transaction or has not been acknowledged in the session." What is erroneous is
 * refused, and harms nothing.
 */
class Ch08UnsubscribeTest {

    private static final String NAME = "subscription";

    private static final String DELETES = "lets it be deleted";

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.3.3", why = DELETES)
    void subscription_with_an_unacknowledged_message_is_not_deleted(Jms jms) throws Exception {
        Connection connection = jms.client("client");
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        jms.publish(jms.topic(), "1", "2");
        Message message = jms.receive(consumer);
        consumer.close();
        assertThatThrownBy(() -> session.unsubscribe(NAME)).isInstanceOf(JMSException.class);
        message.acknowledge();
        assertHoldsAndUnsubscribe(jms, session, "2");
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.3.3", why = DELETES)
    void subscription_with_a_message_in_a_transaction_is_not_deleted(Jms jms) throws Exception {
        Connection connection = jms.client("client");
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        jms.publish(jms.topic(), "1");
        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        consumer.close();
        assertThatThrownBy(() -> session.unsubscribe(NAME)).isInstanceOf(JMSException.class);
        session.rollback();
        Session next = connection.createSession();
        assertHoldsAndUnsubscribe(jms, next, "1");
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.3.3", why = DELETES)
    void another_session_does_not_delete_it_either(Jms jms) throws Exception {
        Connection connection = jms.client("client");
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        jms.publish(jms.topic(), "1");
        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        consumer.close();
        Session other = connection.createSession();
        assertThatThrownBy(() -> other.unsubscribe(NAME)).isInstanceOf(JMSException.class);
        session.commit();
        other.unsubscribe(NAME);
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.3.4", why = DELETES)
    void shared_subscription_with_an_unacknowledged_message_is_not_deleted(Jms jms) throws Exception {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        String name = jms.uniqueName("shared");
        JMSConsumer consumer = context.createSharedDurableConsumer(jms.topic(), name);
        jms.publish(jms.topic(), "1");
        assertThat(Jms.text(jms.receive(consumer))).isEqualTo("1");
        consumer.close();
        assertThatThrownBy(() -> context.unsubscribe(name)).isInstanceOf(JMSRuntimeException.class);
        context.acknowledge();
        context.unsubscribe(name);
    }

    @ContractTest
    void active_shared_subscription_is_not_deleted(Jms jms) throws Exception {
        Session session = jms.session();
        String name = jms.uniqueName("shared");
        MessageConsumer one = session.createSharedDurableConsumer(jms.topic(), name);
        MessageConsumer two = jms.session().createSharedDurableConsumer(jms.topic(), name);
        two.close();
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(JMSException.class);
        jms.publish(jms.topic(), "still there");
        assertThat(jms.receiveText(one)).isEqualTo("still there");
        one.close();
        session.unsubscribe(name);
    }

    /** Neither does a consumer that asks for something else: that would delete the old subscription (§8.3.3). */
    @ContractTest
    void active_subscription_keeps_its_topic_and_selector(Jms jms) throws Exception {
        Connection connection = jms.client("client");
        Session session = connection.createSession();
        Session other = connection.createSession();
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        Topic elsewhere = jms.topic("elsewhere");
        assertThatThrownBy(() -> other.createDurableConsumer(elsewhere, NAME)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createDurableConsumer(jms.topic(), NAME, "n = 1", false))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createDurableConsumer(jms.topic(), NAME, null, true))
                .isInstanceOf(JMSException.class);
        jms.publish(elsewhere, "elsewhere");
        jms.publish(jms.topic(), "here");
        assertThat(jms.receiveText(consumer)).isEqualTo("here");
        jms.assertNothingArrives(consumer);
        consumer.close();
        session.unsubscribe(NAME);
    }

    private static void assertHoldsAndUnsubscribe(Jms jms, Session session, String text) throws JMSException {
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        Message message = jms.receive(consumer);
        assertThat(Jms.text(message)).isEqualTo(text);
        message.acknowledge();
        consumer.close();
        session.unsubscribe(NAME);
    }
}
