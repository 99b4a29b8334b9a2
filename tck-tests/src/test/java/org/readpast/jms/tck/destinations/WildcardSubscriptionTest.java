package org.readpast.jms.tck.destinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/**
 * Subscriptions to all topics that match a pattern, as ActiveMQ has them. Artemis knows {@code *} too, but writes {@code #} where
 * ActiveMQ has {@code >}.
 */
class WildcardSubscriptionTest {

    private static final String BEYOND = "beyond the specification";
    private static final String OTHER_SIGN = "there # stands for any number of segments, and > for itself";

    @ContractTest
    void star_stands_for_exactly_one_segment(Jms jms) throws Exception {
        MessageConsumer last = jms.session().createConsumer(jms.topic("*"));
        MessageConsumer middle = jms.session().createConsumer(jms.topic("*.west"));
        jms.publish(jms.topic("eu"), "1");
        jms.publish(jms.topic("eu.west"), "2");
        jms.publish(jms.topic("us.west"), "3");
        jms.publish(jms.topic("us.east"), "4");
        jms.publish(jms.topic("eu.west.wales"), "5");
        jms.publish(jms.topic("us"), "6");

        assertThat(jms.receiveTexts(last, 2)).containsExactly("1", "6");
        assertThat(jms.receiveTexts(middle, 2)).containsExactly("2", "3");
        jms.assertNothingArrives(last);
        jms.assertNothingArrives(middle);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = OTHER_SIGN)
    void greater_than_stands_for_any_number_of_segments(Jms jms) throws Exception {
        MessageConsumer all = jms.session().createConsumer(jms.topic("eu.>"));
        jms.publish(jms.topic("eu"), "1");
        jms.publish(jms.topic("eu.west"), "2");
        jms.publish(jms.topic("eu.west.wales"), "3");
        jms.publish(jms.topic("europe"), "4");
        jms.publish(jms.topic("us.west"), "5");

        assertThat(jms.receiveTexts(all, 3)).containsExactly("1", "2", "3");
        jms.assertNothingArrives(all);
    }

    @ContractTest
    void destination_of_a_message_is_the_topic_that_it_was_published_to(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.topic("*"));
        jms.publish(jms.topic("a"), "1");
        Message message = jms.receive(consumer);

        assertThat(message.getJMSDestination()).isInstanceOf(Topic.class);
        assertThat(((Topic) message.getJMSDestination()).getTopicName())
                .isEqualTo(jms.topic("a").getTopicName());
    }

    @ContractTest
    void topic_may_be_older_or_younger_than_the_subscription(Jms jms) throws Exception {
        jms.publish(jms.topic("old"), "before");
        MessageConsumer consumer = jms.session().createConsumer(jms.topic("*"));
        jms.publish(jms.topic("old"), "1");
        jms.publish(jms.topic("young"), "2");

        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("1", "2");
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    void several_subscriptions_get_a_copy_each(Jms jms) throws Exception {
        MessageConsumer star = jms.session().createConsumer(jms.topic("*"));
        MessageConsumer exact = jms.session().createConsumer(jms.topic("a"));
        MessageConsumer again = jms.session().createConsumer(jms.topic("*"));
        jms.publish(jms.topic("a"), "1");
        jms.publish(jms.topic("b"), "2");

        assertThat(jms.receiveTexts(star, 2)).containsExactly("1", "2");
        assertThat(jms.receiveTexts(again, 2)).containsExactly("1", "2");
        assertThat(jms.receiveText(exact)).isEqualTo("1");
        jms.assertNothingArrives(exact);
    }

    @ContractTest
    void durable_subscription_keeps_what_matches_while_it_has_no_consumer(Jms jms) throws Exception {
        Session session = jms.client("id").createSession(Session.AUTO_ACKNOWLEDGE);
        session.createDurableConsumer(jms.topic("*"), "name").close();
        jms.publish(jms.topic("a"), "1");
        jms.publish(jms.topic("a.b"), "other");
        jms.publish(jms.topic("b"), "2");

        MessageConsumer consumer = session.createDurableConsumer(jms.topic("*"), "name");
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("1", "2");
        jms.assertNothingArrives(consumer);
        consumer.close();
        session.unsubscribe("name");
    }

    /** §8.3.3: another topic under the same name is as if the old subscription had been deleted. */
    @ContractTest
    void durable_subscription_to_another_pattern_is_a_new_one(Jms jms) throws Exception {
        Session session = jms.client("id").createSession(Session.AUTO_ACKNOWLEDGE);
        session.createDurableConsumer(jms.topic("*"), "name").close();
        jms.publish(jms.topic("a"), "lost");
        session.createDurableConsumer(jms.topic("*.west"), "name").close();
        jms.publish(jms.topic("b"), "not for it");
        jms.publish(jms.topic("eu.west"), "1");
        MessageConsumer west = session.createDurableConsumer(jms.topic("*.west"), "name");
        assertThat(jms.receiveText(west)).isEqualTo("1");
        jms.assertNothingArrives(west);
        west.close();

        MessageConsumer exact = session.createDurableConsumer(jms.topic("us.west"), "name");
        jms.publish(jms.topic("eu.west"), "not for it either");
        jms.publish(jms.topic("us.west"), "2");
        assertThat(jms.receiveText(exact)).isEqualTo("2");
        jms.assertNothingArrives(exact);
        exact.close();
        session.unsubscribe("name");
    }

    @ContractTest
    void consumers_of_a_shared_subscription_divide_what_matches(Jms jms) throws Exception {
        MessageConsumer one = jms.session().createSharedConsumer(jms.topic("*"), jms.uniqueName("shared"));
        MessageConsumer two = jms.session().createSharedConsumer(jms.topic("*"), jms.uniqueName("shared"));
        Inbox inbox = new Inbox();
        one.setMessageListener(inbox);
        two.setMessageListener(inbox);
        jms.publish(jms.topic("a"), "1");
        jms.publish(jms.topic("b"), "2");

        assertThat(inbox.nextTexts(2)).containsExactlyInAnyOrder("1", "2");
        inbox.assertNothingMore();
    }

    @ContractTest
    void shared_durable_subscription_keeps_what_matches(Jms jms) throws Exception {
        Session session = jms.session();
        String name = jms.uniqueName("shared");
        session.createSharedDurableConsumer(jms.topic("*"), name).close();
        jms.publish(jms.topic("a"), "1");
        MessageConsumer consumer = session.createSharedDurableConsumer(jms.topic("*"), name);

        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        consumer.close();
        session.unsubscribe(name);
    }

    @ContractTest
    void selector_and_no_local_hold_for_every_topic_that_matches(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        MessageConsumer others = session.createConsumer(jms.topic("*"), null, true);
        MessageConsumer urgent = session.createConsumer(jms.topic("*"), "JMSPriority > 5");
        MessageProducer producer = session.createProducer(jms.topic("a"));
        producer.setPriority(9);
        producer.send(session.createTextMessage("own"));
        jms.publish(jms.topic("b"), "from elsewhere");

        assertThat(jms.receiveText(others)).isEqualTo("from elsewhere");
        assertThat(jms.receiveText(urgent)).isEqualTo("own");
        jms.assertNothingArrives(others);
        jms.assertNothingArrives(urgent);
    }

    @ContractTest
    void messages_of_a_transaction_come_with_its_commit(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.topic("*"));
        Session publishing = jms.transacted();
        MessageProducer producer = publishing.createProducer(null);
        producer.send(jms.topic("a"), publishing.createTextMessage("dropped"));
        publishing.rollback();
        producer.send(jms.topic("a"), publishing.createTextMessage("1"));
        producer.send(jms.topic("b"), publishing.createTextMessage("2"));
        jms.assertNothingArrives(consumer);
        publishing.commit();

        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("1", "2");
    }

    @ContractTest
    void message_that_was_not_acknowledged_comes_again(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.topic("*"));
        jms.publish(jms.topic("a"), "1");
        jms.receive(consumer);
        session.rollback();
        Message again = jms.receive(consumer);

        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(((Topic) again.getJMSDestination()).getTopicName())
                .isEqualTo(jms.topic("a").getTopicName());
        session.commit();
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = BEYOND,
            why = "producers are refused when they send, with another exception")
    void nothing_can_be_published_to_a_pattern(Jms jms) throws Exception {
        Session session = jms.session();
        Topic pattern = jms.topic("*");
        assertThatThrownBy(() -> session.createProducer(pattern))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("wildcards");
        assertThatThrownBy(() -> session.createProducer(null).send(pattern, session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> jms.context().createProducer().send(pattern, "text"))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = "temporary topics match by their names, as others do")
    void temporary_topic_matches_nothing(Jms jms) throws Exception {
        MessageConsumer all = jms.session().createConsumer(jms.session().createTopic("*"));
        Session session = jms.session();
        TemporaryTopic temporary = session.createTemporaryTopic();
        MessageConsumer own = session.createConsumer(temporary);
        jms.publish(temporary, "1");

        assertThat(jms.receiveText(own)).isEqualTo("1");
        jms.assertNothingArrives(all);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = "a star anywhere in a name makes it a pattern")
    void star_within_a_segment_stands_for_itself(Jms jms) throws JMSException {
        MessageConsumer consumer = jms.session().createConsumer(jms.topic("a*"));
        jms.publish(jms.topic("ab"), "other");
        jms.publish(jms.topic("a*"), "1");

        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        jms.assertNothingArrives(consumer);
    }
}
