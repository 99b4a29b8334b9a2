package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §8.3.2 to §8.3.4: subscriptions with a name, shared or not, durable or not. */
class Ch08SubscriptionTest {

    private static final String NAME = "subscription";

    private static void publishNumbered(Jms jms, int from, int to) throws JMSException {
        Session session = jms.session();
        for (int i = from; i <= to; i++) {
            TextMessage message = session.createTextMessage(String.valueOf(i));
            message.setIntProperty("n", i);
            session.createProducer(jms.topic()).send(message);
        }
    }

    // Durable, not shared (§8.3.3)

    @ContractTest
    void durable_subscription_keeps_messages_while_nobody_consumes(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), NAME).close();
        jms.publish(jms.topic(), "1", "2");
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("1", "2");
        jms.assertNothingArrives(consumer);
        consumer.close();
        session.unsubscribe(NAME);
    }

    /** It outlives its connection, for a later one with the same client id. */
    @ContractTest
    void durable_subscription_outlives_its_connection(Jms jms) throws Exception {
        Connection first = jms.client("client");
        first.createSession().createDurableSubscriber(jms.topic(), NAME);
        first.close();
        jms.publish(jms.topic(), "1");
        Session again = jms.client("client").createSession();
        TopicSubscriber subscriber = again.createDurableSubscriber(jms.topic(), NAME);
        assertThat(subscriber.getTopic()).isEqualTo(jms.topic());
        assertThat(jms.receiveText(subscriber)).isEqualTo("1");
        subscriber.close();
        again.unsubscribe(NAME);
    }

    @ContractTest
    void unacknowledged_messages_of_a_durable_subscription_come_again(Jms jms) throws Exception {
        Connection first = jms.client("client");
        Session client = first.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createDurableConsumer(jms.topic(), NAME);
        jms.publish(jms.topic(), "1", "2");
        jms.receive(consumer).acknowledge();
        jms.receive(consumer);
        first.close();
        Session again = jms.client("client").createSession();
        MessageConsumer second = again.createDurableConsumer(jms.topic(), NAME);
        Message message = jms.receive(second);
        assertThat(Jms.text(message)).isEqualTo("2");
        jms.assertNothingArrives(second);
        second.close();
        again.unsubscribe(NAME);
    }

    @ContractTest
    void durable_subscription_needs_a_client_id(Jms jms) throws Exception {
        Session session = jms.session();
        Topic topic = jms.topic();
        assertThatThrownBy(() -> session.createDurableConsumer(topic, NAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, NAME, null, false))
                .isInstanceOf(IllegalStateException.class);
        JMSContext context = jms.context();
        assertThatThrownBy(() -> context.createDurableConsumer(topic, NAME))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    @ContractTest
    void client_ids_have_names_of_their_own(Jms jms) throws Exception {
        Session one = jms.client("one").createSession();
        Session two = jms.client("two").createSession();
        MessageConsumer first = one.createDurableConsumer(jms.topic(), NAME);
        MessageConsumer second = two.createDurableConsumer(jms.topic(), NAME);
        jms.publish(jms.topic(), "1");
        assertThat(jms.receiveText(first)).isEqualTo("1");
        assertThat(jms.receiveText(second)).isEqualTo("1");
        first.close();
        second.close();
        one.unsubscribe(NAME);
        two.unsubscribe(NAME);
    }

    @ContractTest
    void second_consumer_of_an_unshared_durable_subscription_is_refused(Jms jms) throws Exception {
        Connection connection = jms.client("client");
        Session session = connection.createSession();
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        Session other = connection.createSession();
        assertThatThrownBy(() -> session.createDurableConsumer(jms.topic(), NAME))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createDurableSubscriber(jms.topic(), NAME))
                .isInstanceOf(JMSException.class);
        jms.publish(jms.topic(), "1");
        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        consumer.close();
        MessageConsumer next = other.createDurableConsumer(jms.topic(), NAME);
        next.close();
        other.unsubscribe(NAME);
    }

    @ContractTest
    void selector_of_a_durable_subscription_selects(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), NAME, "n > 2", false).close();
        publishNumbered(jms, 1, 4);
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME, "n > 2", false);
        assertThat(consumer.getMessageSelector()).isEqualTo("n > 2");
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("3", "4");
        jms.assertNothingArrives(consumer);
        consumer.close();
        session.unsubscribe(NAME);
    }

    /** The same as unsubscribing and subscribing anew. */
    @ContractTest
    void another_selector_replaces_an_inactive_durable_subscription(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), NAME, "n > 2", false).close();
        publishNumbered(jms, 1, 4);
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME, "n < 2", false);
        jms.assertNothingArrives(consumer);
        publishNumbered(jms, 1, 4);
        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        jms.assertNothingArrives(consumer);
        consumer.close();
        session.unsubscribe(NAME);
    }

    @ContractTest
    void another_topic_replaces_an_inactive_durable_subscription(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), NAME).close();
        jms.publish(jms.topic(), "old");
        MessageConsumer consumer = session.createDurableConsumer(jms.topic("other"), NAME);
        jms.publish(jms.topic(), "old");
        jms.publish(jms.topic("other"), "new");
        assertThat(jms.receiveText(consumer)).isEqualTo("new");
        jms.assertNothingArrives(consumer);
        consumer.close();
        session.unsubscribe(NAME);
    }

    @ContractTest
    void another_nolocal_replaces_an_inactive_durable_subscription(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), NAME).close();
        jms.publish(jms.topic(), "old");
        TopicSubscriber subscriber = session.createDurableSubscriber(jms.topic(), NAME, null, true);
        assertThat(subscriber.getNoLocal()).isTrue();
        session.createProducer(jms.topic()).send(session.createTextMessage("own"));
        jms.publish(jms.topic(), "other");
        assertThat(jms.receiveText(subscriber)).isEqualTo("other");
        jms.assertNothingArrives(subscriber);
        subscriber.close();
        session.unsubscribe(NAME);
    }

    /** Also those of a later connection with the same client id. */
    @ContractTest
    void nolocal_of_a_durable_subscription_goes_by_the_client_id(Jms jms) throws Exception {
        Connection first = jms.client("client");
        first.createSession().createDurableConsumer(jms.topic(), NAME, null, true);
        first.close();
        Session second = jms.client("client").createSession();
        second.createProducer(jms.topic()).send(second.createTextMessage("own"));
        jms.publish(jms.topic(), "other");
        MessageConsumer consumer = second.createDurableConsumer(jms.topic(), NAME, null, true);
        assertThat(jms.receiveText(consumer)).isEqualTo("other");
        jms.assertNothingArrives(consumer);
        consumer.close();
        second.unsubscribe(NAME);
    }

    @ContractTest
    void invalid_arguments_are_refused(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        Topic topic = jms.topic();
        assertThatThrownBy(() -> session.createDurableConsumer(null, NAME))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, NAME, "x = ", false))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, NAME, "x = "))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, NAME, "x = "))
                .isInstanceOf(InvalidSelectorException.class);
    }

    /** §4.2.4 */
    @ContractTest
    void names_of_128_characters_are_allowed(Jms jms) throws Exception {
        String longName = ("A_b-c.9\u00e4" + "x".repeat(128)).substring(0, 128);
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), longName).close();
        jms.publish(jms.topic(), "1");
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), longName);
        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        consumer.close();
        session.unsubscribe(longName);
        session.createSharedConsumer(jms.topic(), longName).close();
    }

    @ContractTest
    void listener_of_a_durable_subscription_gets_what_was_kept(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), NAME).close();
        jms.publish(jms.topic(), "1", "2");
        Inbox inbox = new Inbox();
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        consumer.setMessageListener(inbox);
        assertThat(inbox.next().text()).isEqualTo("1");
        assertThat(inbox.next().text()).isEqualTo("2");
        consumer.close();
        session.unsubscribe(NAME);
    }

    // Unsubscribe

    @ContractTest
    void unsubscribed_messages_are_gone(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        session.createDurableConsumer(jms.topic(), NAME).close();
        jms.publish(jms.topic(), "never");
        session.unsubscribe(NAME);
        jms.publish(jms.topic(), "never either");
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        jms.assertNothingArrives(consumer);
        consumer.close();
        session.unsubscribe(NAME);
    }

    @ContractTest
    void unknown_name_is_not_unsubscribed(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        assertThatThrownBy(() -> session.unsubscribe("unknown")).isInstanceOf(InvalidDestinationException.class);
        JMSContext context = jms.context();
        assertThatThrownBy(() -> context.unsubscribe("unknown")).isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @ContractTest
    void active_subscription_is_not_unsubscribed(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        MessageConsumer consumer = session.createDurableConsumer(jms.topic(), NAME);
        assertThatThrownBy(() -> session.unsubscribe(NAME)).isInstanceOf(JMSException.class);
        jms.publish(jms.topic(), "still there");
        assertThat(jms.receiveText(consumer)).isEqualTo("still there");
        consumer.close();
        assertThatCode(() -> session.unsubscribe(NAME)).doesNotThrowAnyException();
    }

    @ContractTest
    void name_of_another_client_id_is_not_unsubscribed(Jms jms) throws Exception {
        Session mine = jms.client("mine").createSession();
        mine.createDurableConsumer(jms.topic(), NAME).close();
        Session other = jms.client("other").createSession();
        assertThatThrownBy(() -> other.unsubscribe(NAME)).isInstanceOf(InvalidDestinationException.class);
        mine.unsubscribe(NAME);
    }

    // Shared, not durable (§8.3.2)

    @ContractTest
    void consumers_of_a_shared_subscription_divide_its_messages(Jms jms) throws Exception {
        String name = jms.uniqueName("s");
        List<MessageConsumer> consumers = List.of(
                jms.session().createSharedConsumer(jms.topic(), name),
                jms.session().createSharedConsumer(jms.topic(), name),
                jms.session().createSharedConsumer(jms.topic(), name));
        MessageConsumer alone = jms.session().createConsumer(jms.topic());
        publishNumbered(jms, 1, 30);
        assertThat(jms.receiveTexts(alone, 30)).hasSize(30);
        List<String> got = new ArrayList<>();
        while (got.size() < 30) {
            int before = got.size();
            for (MessageConsumer consumer : consumers) {
                Message message = consumer.receive(Jms.GLANCE.toMillis());
                if (message != null) {
                    got.add(Jms.text(message));
                }
            }
            assertThat(got.size()).as("messages while some are missing").isGreaterThan(before);
        }
        assertThat(got).doesNotHaveDuplicates();
        for (MessageConsumer consumer : consumers) {
            jms.assertNothingArrives(consumer);
        }
    }

    @ContractTest
    void shared_subscription_goes_with_its_last_consumer(Jms jms) throws Exception {
        String name = jms.uniqueName("s");
        MessageConsumer first = jms.session().createSharedConsumer(jms.topic(), name);
        MessageConsumer second = jms.session().createSharedConsumer(jms.topic(), name);
        first.close();
        jms.publish(jms.topic(), "1");
        assertThat(jms.receiveText(second)).isEqualTo("1");
        jms.publish(jms.topic(), "left");
        second.close();
        jms.publish(jms.topic(), "missed");
        jms.assertNothingArrives(jms.session().createSharedConsumer(jms.topic(), name));
    }

    @ContractTest
    void shared_subscription_needs_no_client_id_and_is_told_apart_by_it(Jms jms) throws Exception {
        String name = jms.uniqueName("s");
        MessageConsumer without = jms.session().createSharedConsumer(jms.topic(), name);
        MessageConsumer with = jms.client("client").createSession().createSharedConsumer(jms.topic(), name);
        jms.publish(jms.topic(), "1");
        assertThat(jms.receiveText(without)).isEqualTo("1");
        assertThat(jms.receiveText(with)).isEqualTo("1");
    }

    @ContractTest
    void active_shared_subscription_keeps_topic_and_selector(Jms jms) throws Exception {
        String name = jms.uniqueName("s");
        Session session = jms.session();
        MessageConsumer consumer = session.createSharedConsumer(jms.topic(), name, "n > 2");
        assertThatThrownBy(() -> session.createSharedConsumer(jms.topic(), name, "n > 3"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(jms.topic(), name))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(jms.topic("other"), name, "n > 2"))
                .isInstanceOf(JMSException.class);
        publishNumbered(jms, 1, 3);
        assertThat(jms.receiveText(consumer)).isEqualTo("3");
        jms.assertNothingArrives(consumer);
    }

    /** §8.3.2: completely separate. */
    @ContractTest
    void shared_and_durable_subscription_of_one_name_are_separate(Jms jms) throws Exception {
        Connection connection = jms.client("client");
        Session session = connection.createSession();
        MessageConsumer shared = session.createSharedConsumer(jms.topic(), NAME);
        MessageConsumer durable = session.createDurableConsumer(jms.topic(), NAME);
        jms.publish(jms.topic(), "1");
        assertThat(jms.receiveText(shared)).isEqualTo("1");
        assertThat(jms.receiveText(durable)).isEqualTo("1");
        durable.close();
        session.unsubscribe(NAME);
        jms.publish(jms.topic(), "2");
        assertThat(jms.receiveText(shared)).isEqualTo("2");
    }

    // Shared and durable (§8.3.4)

    @ContractTest
    void shared_durable_subscription_keeps_and_divides(Jms jms) throws Exception {
        String name = jms.uniqueName("s");
        Session session = jms.session();
        session.createSharedDurableConsumer(jms.topic(), name).close();
        jms.publish(jms.topic(), "1", "2");
        MessageConsumer one = session.createSharedDurableConsumer(jms.topic(), name);
        assertThat(jms.receiveText(one)).isEqualTo("1");
        one.close();
        Session other = jms.session();
        MessageConsumer two = other.createSharedDurableConsumer(jms.topic(), name);
        assertThat(jms.receiveText(two)).isEqualTo("2");
        MessageConsumer three = session.createSharedDurableConsumer(jms.topic(), name);
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(JMSException.class);
        two.close();
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(JMSException.class);
        three.close();
        session.unsubscribe(name);
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(InvalidDestinationException.class);
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.3.4", why = "refuses another selector though nobody consumes")
    void another_selector_replaces_an_inactive_shared_durable_subscription_only(Jms jms) throws Exception {
        String name = jms.uniqueName("s");
        Session session = jms.session();
        MessageConsumer active = session.createSharedDurableConsumer(jms.topic(), name, "n > 2");
        assertThatThrownBy(() -> session.createSharedDurableConsumer(jms.topic(), name))
                .isInstanceOf(JMSException.class);
        publishNumbered(jms, 3, 3);
        active.close();
        MessageConsumer replaced = session.createSharedDurableConsumer(jms.topic(), name);
        jms.assertNothingArrives(replaced);
        publishNumbered(jms, 1, 1);
        assertThat(jms.receiveText(replaced)).isEqualTo("1");
        replaced.close();
        session.unsubscribe(name);
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.3.3", why = "lets both kinds use one subscription")
    void shared_and_unshared_durable_subscriptions_do_not_have_the_same_name(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        MessageConsumer shared = session.createSharedDurableConsumer(jms.topic(), NAME);
        assertThatThrownBy(() -> session.createDurableConsumer(jms.topic(), NAME))
                .isInstanceOf(JMSException.class);
        shared.close();
        assertThatThrownBy(() -> session.createDurableSubscriber(jms.topic(), NAME))
                .isInstanceOf(JMSException.class);
        session.unsubscribe(NAME);
        MessageConsumer unshared = session.createDurableConsumer(jms.topic(), NAME);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(jms.topic(), NAME))
                .isInstanceOf(JMSException.class);
        unshared.close();
        assertThatThrownBy(() -> session.createSharedDurableConsumer(jms.topic(), NAME))
                .isInstanceOf(JMSException.class);
        session.unsubscribe(NAME);
    }

    // The simplified API

    @ContractTest
    void context_has_all_kinds_of_subscriptions(Jms jms) throws Exception {
        String name = jms.uniqueName("s");
        JMSContext context = jms.closeAfterwards(jms.factory().createContext());
        context.setClientID(jms.uniqueName("client"));
        JMSConsumer durable = context.createDurableConsumer(jms.topic(), name);
        JMSConsumer shared = context.createSharedConsumer(jms.topic(), name);
        JMSConsumer selecting = context.createSharedConsumer(jms.topic(), name + "2", "n = 2");
        JMSConsumer sharedDurable = context.createSharedDurableConsumer(jms.topic(), name + "3");
        JMSConsumer deaf = context.createDurableConsumer(jms.topic(), name + "4", null, true);
        context.createProducer().setProperty("n", 1).send(jms.topic(), "1");
        for (JMSConsumer consumer : List.of(durable, shared, sharedDurable)) {
            assertThat(consumer.receiveBody(String.class, Jms.PATIENCE.toMillis()))
                    .isEqualTo("1");
        }
        jms.assertNothingArrives(selecting);
        jms.assertNothingArrives(deaf);
        assertThatThrownBy(() -> context.createDurableConsumer(jms.topic(), name))
                .isInstanceOf(JMSRuntimeException.class);
        assertThatThrownBy(() -> context.unsubscribe(name)).isInstanceOf(JMSRuntimeException.class);
        for (JMSConsumer consumer : List.of(durable, sharedDurable, deaf)) {
            consumer.close();
        }
        context.unsubscribe(name);
        context.unsubscribe(name + "3");
        context.unsubscribe(name + "4");
    }
}
