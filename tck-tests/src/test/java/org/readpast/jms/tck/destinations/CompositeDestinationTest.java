package org.readpast.jms.tck.destinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** Destinations that stand for several, as ActiveMQ has them: one send, a copy in each. */
class CompositeDestinationTest {

    private static final String BEYOND = "beyond the specification";
    private static final String ONE_NAME = "a name with commas in it is the name of one destination";

    /** A queue, a topic and another queue. Its name is the shortest for these members, however it was written. */
    private static Queue composite(Jms jms, Session session) throws JMSException {
        String begin = jms.uniqueName("a") + ",topic://" + jms.uniqueName("b") + ",";
        Queue composite = session.createQueue(begin + " queue://" + jms.uniqueName("c"));
        assertThat(composite.getQueueName()).isEqualTo(begin + jms.uniqueName("c"));
        return composite;
    }

    private static List<MessageConsumer> consumers(Jms jms) throws JMSException {
        Session session = jms.session();
        return List.of(
                session.createConsumer(jms.queue("a")),
                session.createConsumer(jms.topic("b")),
                session.createConsumer(jms.queue("c")));
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void each_member_gets_a_copy_with_its_own_destination(Jms jms) throws Exception {
        List<MessageConsumer> consumers = consumers(jms);
        Session session = jms.session();
        Queue composite = composite(jms, session);
        TextMessage sent = session.createTextMessage("1");
        session.createProducer(composite).send(sent);

        assertThat(sent.getJMSDestination()).isEqualTo(composite);
        Message first = jms.receive(consumers.get(0));
        assertThat(first.getJMSDestination()).isEqualTo(jms.queue("a"));
        assertThat(first.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(jms.receive(consumers.get(1)).getJMSDestination()).isEqualTo(jms.topic("b"));
        assertThat(jms.receive(consumers.get(2)).getJMSDestination()).isEqualTo(jms.queue("c"));
        for (MessageConsumer consumer : consumers) {
            jms.assertNothingArrives(consumer);
        }
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void copies_come_with_the_commit_and_go_with_the_rollback(Jms jms) throws Exception {
        List<MessageConsumer> consumers = consumers(jms);
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(composite(jms, session));
        producer.send(session.createTextMessage("dropped"));
        session.rollback();
        producer.send(session.createTextMessage("1"));
        jms.assertNothingArrives(consumers.get(0));
        session.commit();

        for (MessageConsumer consumer : consumers) {
            assertThat(jms.receiveText(consumer)).isEqualTo("1");
            jms.assertNothingArrives(consumer);
        }
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void asynchronous_send_is_complete_when_each_member_has_its_copy(Jms jms) throws Exception {
        List<MessageConsumer> consumers = consumers(jms);
        Session session = jms.session();
        CompletableFuture<Message> completed = new CompletableFuture<>();
        TextMessage sent = session.createTextMessage("1");
        session.createProducer(composite(jms, session)).send(sent, new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                completed.complete(message);
            }

            @Override
            public void onException(Message message, Exception problem) {
                completed.completeExceptionally(problem);
            }
        });

        assertThat(completed.get(Jms.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isSameAs(sent);
        for (MessageConsumer consumer : consumers) {
            assertThat(jms.receiveText(consumer)).isEqualTo("1");
            jms.assertNothingArrives(consumer);
        }
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void producer_of_a_context_sends_to_each_member(Jms jms) throws Exception {
        List<MessageConsumer> consumers = consumers(jms);
        Topic composite = jms.context()
                .createTopic("queue://" + jms.uniqueName("a") + "," + jms.uniqueName("b") + ",queue://"
                        + jms.uniqueName("c"));
        assertThat(composite.getTopicName())
                .isEqualTo("queue://" + jms.uniqueName("a") + "," + jms.uniqueName("b") + ",queue://"
                        + jms.uniqueName("c"));
        jms.context().createProducer().setProperty("colour", "red").send(composite, "1");

        for (MessageConsumer consumer : consumers) {
            assertThat(jms.receive(consumer).getStringProperty("colour")).isEqualTo("red");
        }
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void member_that_is_named_twice_gets_one_copy(Jms jms) throws Exception {
        String a = jms.uniqueName("a");
        Session session = jms.session();
        Queue queue = session.createQueue(a + ",queue://" + a + "," + a);
        assertThat(queue).isEqualTo(jms.queue("a"));
        jms.send(queue, "1");
        MessageConsumer consumer = session.createConsumer(jms.queue("a"));

        assertThat(jms.receiveText(consumer)).isEqualTo("1");
        jms.assertNothingArrives(consumer);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void no_member_gets_a_copy_where_one_of_them_cannot(Jms jms) throws Exception {
        Session session = jms.session();
        Queue composite = session.createQueue(jms.uniqueName("a") + "," + "x".repeat(500));
        MessageProducer producer = session.createProducer(composite);
        assertThatThrownBy(() -> producer.send(session.createTextMessage("1"))).isInstanceOf(JMSException.class);
        Session transacted = jms.transacted();
        MessageProducer other = transacted.createProducer(composite);
        assertThatThrownBy(() -> other.send(transacted.createTextMessage("1"))).isInstanceOf(JMSException.class);
        transacted.commit();

        jms.assertNothingArrives(session.createConsumer(jms.queue("a")));
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void delayed_copies_of_each_member_come_when_they_are_due(Jms jms) throws Exception {
        List<MessageConsumer> consumers = consumers(jms);
        Session session = jms.session();
        MessageProducer producer = session.createProducer(composite(jms, session));
        producer.setDeliveryDelay(300);
        TextMessage sent = session.createTextMessage("1");
        producer.send(sent);

        for (MessageConsumer consumer : consumers) {
            Message received = jms.receive(consumer);
            assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
        }
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void topic_among_the_members_is_published_to_subscriptions_with_wildcards(Jms jms) throws Exception {
        MessageConsumer matching = jms.session().createConsumer(jms.topic("*"));
        jms.send(composite(jms, jms.session()), "1");

        assertThat(jms.receiveText(matching)).isEqualTo("1");
        jms.assertNothingArrives(matching);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void composite_destination_can_only_be_sent_to(Jms jms) throws Exception {
        Session session = jms.client("id").createSession(Session.AUTO_ACKNOWLEDGE);
        Queue queues = composite(jms, session);
        Topic topics = session.createTopic(jms.uniqueName("a") + "," + jms.uniqueName("b"));
        assertThatThrownBy(() -> session.createConsumer(queues))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("can only be sent to");
        assertThatThrownBy(() -> session.createBrowser(queues)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createConsumer(topics)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topics, "name"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topics, "name"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> jms.context().createConsumer(queues))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = BEYOND, why = ONE_NAME)
    void members_that_are_not_understood_are_refused(Jms jms) throws Exception {
        Session session = jms.session();
        for (String name : List.of("a,", "a,,b", "a,mailbox://b", "a,topic://b.*")) {
            assertThatThrownBy(() -> session.createQueue(name))
                    .as(name)
                    .isInstanceOf(InvalidDestinationException.class);
        }
        String temporary = session.createTemporaryQueue().getQueueName();
        assertThatThrownBy(() -> session.createQueue("a,temp-queue://" + temporary))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("temporary");
        assertThatThrownBy(() -> jms.context().createTopic("a,b.>"))
                .isInstanceOf(InvalidDestinationRuntimeException.class)
                .hasMessageContaining("wildcards");
    }
}
