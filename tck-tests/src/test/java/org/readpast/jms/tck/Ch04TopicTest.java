package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §4.2, §8.3.1: topics and the subscriptions that live as long as their one consumer. */
class Ch04TopicTest {

    private static void publish(Session session, Topic topic, String... texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(topic)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** §4.2.2 */
    @ContractTest
    void each_subscriber_gets_its_own_copy(Jms jms) throws Exception {
        MessageConsumer one = jms.session().createConsumer(jms.topic());
        MessageConsumer two = jms.session().createConsumer(jms.topic());
        jms.publish(jms.topic(), "1", "2");
        assertThat(jms.receiveTexts(one, 2)).containsExactly("1", "2");
        assertThat(jms.receiveTexts(two, 2)).containsExactly("1", "2");
    }

    /** §4.2.2: each copy is a completely separate message. */
    @ContractTest
    void acknowledging_one_copy_leaves_the_other(Jms jms) throws Exception {
        Session client = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer one = client.createConsumer(jms.topic());
        MessageConsumer two = jms.session().createConsumer(jms.topic());
        jms.publish(jms.topic(), "1");
        jms.receive(one);
        assertThat(jms.receiveText(two)).isEqualTo("1");
        client.recover();
        Message again = jms.receive(one);
        assertThat(again.getJMSRedelivered()).isTrue();
        again.acknowledge();
        jms.assertNothingArrives(one);
    }

    /** §8.3.1: messages sent before the consumer existed, or after it was closed, are not for it. */
    @ContractTest
    void subscriber_gets_what_is_published_while_it_exists(Jms jms) throws Exception {
        jms.publish(jms.topic(), "before");
        Session session = jms.session();
        MessageConsumer first = session.createConsumer(jms.topic());
        jms.publish(jms.topic(), "during");
        assertThat(jms.receiveText(first)).isEqualTo("during");
        first.close();
        jms.publish(jms.topic(), "after");
        jms.assertNothingArrives(session.createConsumer(jms.topic()));
    }

    /** §8.3.1: it exists as soon as createConsumer returns, also on a connection that is not started. */
    @ContractTest
    void stopped_subscriber_misses_nothing(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.topic());
        jms.publish(jms.topic(), "1");
        connection.start();
        assertThat(jms.receiveText(consumer)).isEqualTo("1");
    }

    @ContractTest
    void publishing_to_nobody_is_no_error(Jms jms) throws Exception {
        assertThatCode(() -> jms.publish(jms.topic(), "1", "2", "3")).doesNotThrowAnyException();
    }

    @ContractTest
    void topics_are_told_apart_and_from_queues_of_the_same_name(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer topic = session.createConsumer(session.createTopic(jms.uniqueName("a")));
        MessageConsumer other = session.createConsumer(session.createTopic(jms.uniqueName("b")));
        jms.publish(session.createTopic(jms.uniqueName("a")), "1");
        assertThat(jms.receiveText(topic)).isEqualTo("1");
        jms.assertNothingArrives(other);
    }

    @ContractTest
    void listeners_get_their_copies(Jms jms) throws Exception {
        Inbox one = new Inbox();
        Inbox two = new Inbox();
        jms.session().createConsumer(jms.topic()).setMessageListener(one);
        jms.session().createConsumer(jms.topic()).setMessageListener(two);
        jms.publish(jms.topic(), "1", "2", "3");
        for (String text : List.of("1", "2", "3")) {
            assertThat(one.next().text()).isEqualTo(text);
            assertThat(two.next().text()).isEqualTo(text);
        }
    }

    /** §3.4.1: the destination of each copy is the topic. */
    @ContractTest
    void copies_carry_the_topic_and_all_headers(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.topic());
        TextMessage message = session.createTextMessage("1");
        message.setJMSCorrelationID("correlation");
        message.setJMSType("type");
        message.setIntProperty("number", 7);
        message.setJMSReplyTo(jms.topic("answers"));
        session.createProducer(jms.topic()).send(message);
        Message copy = jms.receive(consumer);
        assertThat(copy.getJMSDestination()).isEqualTo(jms.topic());
        assertThat(copy.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
        assertThat(copy.getJMSCorrelationID()).isEqualTo("correlation");
        assertThat(copy.getJMSType()).isEqualTo("type");
        assertThat(copy.getIntProperty("number")).isEqualTo(7);
        assertThat(copy.getJMSReplyTo()).isEqualTo(jms.topic("answers"));
        assertThat(copy.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    /** §3.4.10 */
    @ContractTest
    void higher_priority_goes_first(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(jms.topic());
        MessageProducer producer = session.createProducer(jms.topic());
        producer.setPriority(1);
        producer.send(session.createTextMessage("low"));
        producer.setPriority(9);
        producer.send(session.createTextMessage("high"));
        connection.start();
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("high", "low");
    }

    // Selectors and noLocal

    /** §4.2.2: only matching messages are added to the subscription. */
    @ContractTest
    void selector_of_a_subscriber_selects(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer red = session.createConsumer(jms.topic(), "colour = 'red'");
        MessageConsumer all = session.createConsumer(jms.topic(), "");
        for (String colour : List.of("red", "blue", "red")) {
            TextMessage message = session.createTextMessage(colour);
            message.setStringProperty("colour", colour);
            session.createProducer(jms.topic()).send(message);
        }
        assertThat(red.getMessageSelector()).isEqualTo("colour = 'red'");
        assertThat(jms.receiveTexts(red, 2)).containsExactly("red", "red");
        jms.assertNothingArrives(red);
        assertThat(jms.receiveTexts(all, 3)).containsExactly("red", "blue", "red");
    }

    @ContractTest
    void invalid_selector_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        Topic topic = jms.topic();
        assertThatThrownBy(() -> session.createConsumer(topic, "x = ")).isInstanceOf(InvalidSelectorException.class);
    }

    /** §8.3.1 */
    @ContractTest
    void subscriber_with_nolocal_hears_others_only(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        MessageConsumer deaf = session.createConsumer(jms.topic(), null, true);
        MessageConsumer all = session.createConsumer(jms.topic(), null, false);
        publish(connection.createSession(), jms.topic(), "own");
        jms.publish(jms.topic(), "other");
        assertThat(jms.receiveText(deaf)).isEqualTo("other");
        assertThat(jms.receiveTexts(all, 2)).containsExactly("own", "other");
    }

    // Transactions

    /** §6.2.7 */
    @ContractTest
    void publish_in_a_transaction_is_for_its_commit(Jms jms) throws Exception {
        MessageConsumer consumer = jms.session().createConsumer(jms.topic());
        Session transacted = jms.transacted();
        publish(transacted, jms.topic(), "never");
        transacted.rollback();
        publish(transacted, jms.topic(), "1", "2");
        jms.assertNothingArrives(consumer);
        transacted.commit();
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("1", "2");
    }

    @ContractTest
    void rolled_back_receive_comes_again(Jms jms) throws Exception {
        Session transacted = jms.transacted();
        MessageConsumer consumer = transacted.createConsumer(jms.topic());
        jms.publish(jms.topic(), "1", "2");
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("1", "2");
        transacted.rollback();
        Message first = jms.receive(consumer);
        assertThat(Jms.text(first)).isEqualTo("1");
        assertThat(first.getJMSRedelivered()).isTrue();
        assertThat(jms.receiveText(consumer)).isEqualTo("2");
        transacted.commit();
        jms.assertNothingArrives(consumer);
    }

    /** A transaction may take from a queue and publish what it makes of it. */
    @ContractTest
    void queue_to_topic_is_one_transaction(Jms jms) throws Exception {
        MessageConsumer subscriber = jms.session().createConsumer(jms.topic());
        Session transacted = jms.transacted();
        MessageConsumer consumer = transacted.createConsumer(jms.queue());
        jms.send(jms.queue(), "order");
        publish(transacted, jms.topic(), jms.receiveText(consumer));
        transacted.rollback();
        publish(transacted, jms.topic(), jms.receiveText(consumer) + " again");
        transacted.commit();
        assertThat(jms.receiveText(subscriber)).isEqualTo("order again");
        jms.assertNothingArrives(subscriber);
        jms.assertEmpty(jms.queue());
    }

    /** A consumer that is closed with messages unacknowledged does not hang, and its session goes on. */
    @ContractTest
    void subscriber_may_be_closed_with_messages_unacknowledged(Jms jms) throws Exception {
        for (int mode : List.of(Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED)) {
            Session session = jms.session(mode);
            MessageConsumer consumer = session.createConsumer(jms.topic());
            jms.publish(jms.topic(), "1", "2");
            Message message = jms.receive(consumer);
            consumer.close();
            if (mode == Session.CLIENT_ACKNOWLEDGE) {
                assertThatCode(message::acknowledge).doesNotThrowAnyException();
            } else {
                assertThatCode(session::commit).doesNotThrowAnyException();
            }
            jms.assertNothingArrives(session.createConsumer(jms.topic()));
        }
    }

    // Options of a send

    /** §7.9 */
    @ContractTest
    void delayed_message_comes_later(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.topic());
        assertThat(jms.sentBehindDelayed(session, jms.topic(), consumer)).containsExactly("now", "later");
    }

    /** §3.4.9 */
    @ContractTest
    void expired_copy_is_not_delivered(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(jms.topic());
        MessageProducer producer = session.createProducer(jms.topic());
        producer.setTimeToLive(1);
        producer.send(session.createTextMessage("short"));
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("long"));
        // The glance is longer than the life of the first message.
        jms.assertNothingArrives(session.createConsumer(jms.queue()));
        connection.start();
        assertThat(jms.receiveText(consumer)).isEqualTo("long");
    }

    /** §7.3 */
    @ContractTest
    void asynchronous_publish_reaches_subscribers_in_order(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = jms.session().createConsumer(jms.topic());
        MessageProducer producer = session.createProducer(jms.topic());
        CountDownLatch completed = new CountDownLatch(50);
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                completed.countDown();
            }

            @Override
            public void onException(Message message, Exception exception) {
                throw new AssertionError(exception);
            }
        };
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            sent.add("m" + i);
            producer.send(session.createTextMessage("m" + i), listener);
        }
        assertThat(completed.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(jms.receiveTexts(consumer, 50)).isEqualTo(sent);
    }

    @ContractTest
    void many_subscribers_get_a_message(Jms jms) throws Exception {
        Session session = jms.session();
        List<MessageConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            consumers.add(session.createConsumer(jms.topic()));
        }
        jms.publish(jms.topic(), "to all");
        for (MessageConsumer consumer : consumers) {
            assertThat(jms.receiveText(consumer)).isEqualTo("to all");
        }
    }

    @ContractTest
    void null_topic_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        assertThatThrownBy(() -> session.createSharedConsumer(null, "s"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(null, "s"))
                .isInstanceOf(InvalidDestinationException.class);
    }

    // Temporary topics

    /** §4.2.7 */
    @ContractTest
    void temporary_topic_carries_messages(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer consumer = session.createConsumer(topic);
        publish(session, topic, "own");
        jms.publish(topic, "other");
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("own", "other");
        assertThat(session.createTemporaryTopic()).isNotEqualTo(topic);
    }

    @ContractTest
    void temporary_topic_takes_replies(Jms jms) throws Exception {
        Session asking = jms.session();
        TemporaryTopic answers = asking.createTemporaryTopic();
        MessageConsumer answer = asking.createConsumer(answers);
        Message question = asking.createTextMessage("question");
        question.setJMSReplyTo(answers);
        asking.createProducer(jms.queue()).send(question);
        Session answering = jms.session();
        Message received = jms.receive(answering.createConsumer(jms.queue()));
        publish(answering, (Topic) received.getJMSReplyTo(), "answer");
        assertThat(jms.receiveText(answer)).isEqualTo("answer");
    }

    @ContractTest
    void another_connection_must_not_consume_from_a_temporary_topic(Jms jms) throws Exception {
        TemporaryTopic topic = jms.session().createTemporaryTopic();
        Session other = jms.session();
        assertThatThrownBy(() -> other.createConsumer(topic)).isInstanceOf(JMSException.class);
    }

    /** §4.2.7: it makes no sense to subscribe durably. */
    @ContractTest
    void temporary_topic_has_no_durable_subscription(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        TemporaryTopic topic = session.createTemporaryTopic();
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "s"))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @ContractTest
    void temporary_topic_is_deleted_when_nobody_consumes(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer consumer = session.createConsumer(topic);
        assertThatThrownBy(topic::delete).isInstanceOf(JMSException.class);
        consumer.close();
        assertThatCode(topic::delete).doesNotThrowAnyException();
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§10.3", why = "makes the address anew")
    void deleted_temporary_topic_takes_no_messages(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryTopic topic = session.createTemporaryTopic();
        topic.delete();
        assertThatThrownBy(() -> publish(session, topic, "never")).isInstanceOf(InvalidDestinationException.class);
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§6.2.2", why = "makes the address anew")
    void temporary_topic_is_gone_with_its_connection(Jms jms) throws Exception {
        Connection connection = jms.connection();
        TemporaryTopic topic = connection.createSession().createTemporaryTopic();
        connection.close();
        Session other = jms.session();
        assertThatThrownBy(() -> publish(other, topic, "never")).isInstanceOf(InvalidDestinationException.class);
    }

    // The simplified API

    @ContractTest
    void context_publishes_and_subscribes(Jms jms) throws Exception {
        JMSContext context = jms.context();
        JMSConsumer consumer = context.createConsumer(jms.topic(), "n > 1");
        context.createProducer().setProperty("n", 1).send(jms.topic(), "one");
        context.createProducer().setProperty("n", 2).send(jms.topic(), "two");
        assertThat(consumer.receiveBody(String.class, Jms.PATIENCE.toMillis())).isEqualTo("two");
        jms.assertNothingArrives(consumer);
        consumer.close();
    }

    @ContractTest
    void context_with_nolocal_hears_others_only(Jms jms) throws Exception {
        JMSContext context = jms.context();
        JMSConsumer consumer = context.createConsumer(jms.topic(), null, true);
        context.createProducer().send(jms.topic(), "own");
        jms.publish(jms.topic(), "other");
        assertThat(consumer.receiveBody(String.class, Jms.PATIENCE.toMillis())).isEqualTo("other");
    }

    @ContractTest
    void context_makes_temporary_topics(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TemporaryTopic topic = context.createTemporaryTopic();
        JMSConsumer consumer = context.createConsumer(topic);
        context.createProducer().send(topic, "sent");
        assertThat(consumer.receiveBody(String.class, Jms.PATIENCE.toMillis())).isEqualTo("sent");
    }
}
