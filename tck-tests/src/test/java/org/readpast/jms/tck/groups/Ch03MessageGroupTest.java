package org.readpast.jms.tck.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/**
 * §3.5.11: JMSXGroupID names the group that a message is part of. What a provider does with groups the specification leaves
 * open; what users of ActiveMQ and Artemis know is that one consumer at a time gets a group's messages, in order.
 */
class Ch03MessageGroupTest {

    private static final int[] MODES = {
        Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED
    };

    /** Sends texts, each in the group that its first letter names; digits have none. */
    private static void send(Jms jms, Queue queue, String... texts) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(queue);
        for (String text : texts) {
            producer.send(grouped(session, text));
        }
    }

    private static TextMessage grouped(Session session, String text) throws JMSException {
        TextMessage message = session.createTextMessage(text);
        if (!Character.isDigit(text.charAt(0))) {
            message.setStringProperty("JMSXGroupID", text.substring(0, 1));
        }
        return message;
    }

    private static List<String> remaining(MessageConsumer consumer) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message message = consumer.receive(1_000); message != null; message = consumer.receive(1_000)) {
            texts.add(Jms.text(message));
        }
        return texts;
    }

    private static String[] series(String letter, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> letter + i).toArray(String[]::new);
    }

    @ContractTest
    void one_consumer_gets_a_group_and_another_gets_nothing_of_it(Jms jms) throws Exception {
        MessageConsumer one = jms.session().createConsumer(jms.queue());
        MessageConsumer two = jms.session().createConsumer(jms.queue());
        send(jms, jms.queue(), "a1");
        MessageConsumer owner = one;
        Message first = one.receive(1_000);
        if (first == null) {
            owner = two;
            first = jms.receive(two);
        }
        assertThat(Jms.text(first)).isEqualTo("a1");
        MessageConsumer other = owner == one ? two : one;
        for (int i = 2; i < 6; i++) {
            send(jms, jms.queue(), "a" + i);
            jms.assertNothingArrives(other);
            assertThat(jms.receiveText(owner)).isEqualTo("a" + i);
        }
    }

    @ContractTest
    void group_id_and_sequence_come_with_the_message(Jms jms) throws Exception {
        Session session = jms.session();
        TextMessage sent = session.createTextMessage("text");
        sent.setStringProperty("JMSXGroupID", "group");
        sent.setIntProperty("JMSXGroupSeq", 3);
        session.createProducer(jms.queue()).send(sent);

        Message received = jms.receive(session.createConsumer(jms.queue()));

        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("group");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
    }

    @ContractTest
    void lone_consumer_gets_all_groups_in_the_order_of_sending(Jms jms) throws Exception {
        String[] texts = IntStream.range(0, 120)
                .mapToObj(i -> "abcd5".charAt(i * 3 % 5) + "" + i)
                .toArray(String[]::new);
        send(jms, jms.queue(), texts);
        for (int mode : MODES) {
            Session session = jms.session(mode);
            MessageConsumer consumer = session.createConsumer(jms.queue());
            assertThat(jms.receiveTexts(consumer, 120)).as("mode " + mode).containsExactly(texts);
            if (mode == Session.CLIENT_ACKNOWLEDGE) {
                session.recover();
            } else if (mode == Session.SESSION_TRANSACTED) {
                session.rollback();
            }
            session.close();
            if (mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE) {
                send(jms, jms.queue(), texts);
            }
        }
    }

    @ContractTest
    void groups_keep_their_order_under_concurrent_listeners(Jms jms) throws Exception {
        List<Delivered> delivered = new CopyOnWriteArrayList<>();
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.AUTO_ACKNOWLEDGE}) {
            MessageConsumer consumer = jms.session(mode).createConsumer(jms.queue());
            consumer.setMessageListener(
                    new Inbox(message -> delivered.add(new Delivered(consumer, Jms.text(message)))));
        }
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            for (String letter : List.of("a", "b", "c", "d", "e")) {
                sent.add(letter + i);
            }
        }
        send(jms, jms.queue(), sent.toArray(String[]::new));

        await().atMost(Jms.PATIENCE.multipliedBy(3)).until(() -> delivered.size() >= sent.size());

        for (String letter : List.of("a", "b", "c", "d", "e")) {
            List<Delivered> ofGroup = delivered.stream()
                    .filter(one -> one.text().startsWith(letter))
                    .toList();
            assertThat(ofGroup).extracting(Delivered::text).containsExactly(series(letter, 0, 40));
            assertThat(ofGroup)
                    .extracting(Delivered::to)
                    .containsOnly(ofGroup.get(0).to());
        }
    }

    /** A message as a listener had it. */
    private record Delivered(MessageConsumer to, String text) {}

    @ContractTest
    void rolled_back_messages_of_a_group_come_again_in_order_and_to_the_same_consumer(Jms jms) throws Exception {
        send(jms, jms.queue(), "a1", "a2", "a3");
        Session session = jms.transacted();
        MessageConsumer owner = session.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(owner, 2)).containsExactly("a1", "a2");
        MessageConsumer other = jms.session().createConsumer(jms.queue());

        session.rollback();

        jms.assertNothingArrives(other);
        assertThat(jms.receiveTexts(owner, 3)).containsExactly("a1", "a2", "a3");
        session.commit();
    }

    @ContractTest
    void recovered_messages_of_a_group_come_again_in_order(Jms jms) throws Exception {
        send(jms, jms.queue(), "a1", "a2", "a3");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("a1", "a2");

        session.recover();

        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("a1", "a2");
        jms.receive(consumer).acknowledge();
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    void group_moves_on_when_its_consumer_closes(Jms jms) throws Exception {
        send(jms, jms.queue(), "a1", "a2", "a3");
        MessageConsumer first = jms.session().createConsumer(jms.queue());
        assertThat(jms.receiveText(first)).isEqualTo("a1");
        MessageConsumer second = jms.session().createConsumer(jms.queue());
        jms.assertNothingArrives(second);

        first.close();

        assertThat(jms.receiveTexts(second, 2)).containsExactly("a2", "a3");
    }

    @ContractTest
    void group_moves_on_when_the_connection_of_its_consumer_closes(Jms jms) throws Exception {
        send(jms, jms.queue(), "a1", "a2", "a3");
        jakarta.jms.Connection connection = jms.connection();
        MessageConsumer first =
                connection.createSession(Session.SESSION_TRANSACTED).createConsumer(jms.queue());
        assertThat(jms.receiveText(first)).isEqualTo("a1");
        MessageConsumer second = jms.session().createConsumer(jms.queue());

        connection.close();

        assertThat(jms.receiveTexts(second, 3)).containsExactly("a1", "a2", "a3");
    }

    @ContractTest
    void messages_of_no_group_come_among_those_of_groups(Jms jms) throws Exception {
        send(jms, jms.queue(), "a1", "1", "a2", "2", "b1", "3");
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 6)).containsExactly("a1", "1", "a2", "2", "b1", "3");
        session.commit();
        assertThat(remaining(consumer)).isEmpty();
    }

    @ContractTest
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.5.11",
            why =
                    "while the consumer of a group takes nothing, what lies behind a long backlog of the group comes to nobody")
    void consumer_of_one_group_gets_on_behind_a_backlog_of_another(Jms jms) throws Exception {
        send(jms, jms.queue(), "a0");
        MessageConsumer busy = jms.session(Session.CLIENT_ACKNOWLEDGE).createConsumer(jms.queue());
        assertThat(jms.receiveText(busy)).isEqualTo("a0");
        Session sending = jms.transacted();
        MessageProducer producer = sending.createProducer(jms.queue());
        for (int i = 1; i <= 10_000; i++) {
            producer.send(grouped(sending, "a" + i));
            if (i % 1_000 == 0) {
                sending.commit();
            }
        }
        producer.send(grouped(sending, "b1"));
        producer.send(grouped(sending, "b2"));
        sending.commit();

        MessageConsumer free = jms.session().createConsumer(jms.queue());

        assertThat(jms.receiveTexts(free, 2)).containsExactly("b1", "b2");
    }

    @ContractTest
    void selecting_consumer_gets_what_it_selects_of_a_group_in_order(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int i = 0; i < 6; i++) {
            TextMessage message = grouped(session, "a" + i);
            message.setBooleanProperty("even", i % 2 == 0);
            producer.send(message);
        }
        MessageConsumer consumer = session.createConsumer(jms.queue(), "even = TRUE");
        assertThat(jms.receiveTexts(consumer, 3)).containsExactly("a0", "a2", "a4");
        jms.assertNothingArrives(consumer);
        consumer.close();
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 3)).containsExactly("a1", "a3", "a5");
    }

    @ContractTest
    void two_consumers_of_one_session_share_its_groups(Jms jms) throws Exception {
        send(jms, jms.queue(), "a1", "a2");
        Session session = jms.transacted();
        MessageConsumer one = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(one)).isEqualTo("a1");
        one.close();
        session.commit();
        MessageConsumer two = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(two)).isEqualTo("a2");
        session.commit();
    }

    @ContractTest
    void shared_subscription_has_groups_too(Jms jms) throws Exception {
        Topic topic = jms.topic();
        MessageConsumer one = jms.session().createSharedConsumer(topic, jms.uniqueName("shared"));
        MessageConsumer two = jms.session().createSharedConsumer(topic, jms.uniqueName("shared"));
        Session session = jms.session();
        MessageProducer producer = session.createProducer(topic);
        for (int i = 0; i < 10; i++) {
            producer.send(grouped(session, "a" + i));
        }
        List<String> first = remaining(one);
        List<String> second = remaining(two);
        List<String> all = first.isEmpty() ? second : first;
        assertThat(all).containsExactly(series("a", 0, 10));
        assertThat(first.isEmpty() || second.isEmpty()).isTrue();
    }
}
