package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §2.7, §4.2, §9.2: the publish/subscribe domain's own interfaces, and what they inherit but must refuse. */
@OfTheClient
class Ch09TopicDomainTest {

    private static TopicSession topicSession(Jms jms) throws Exception {
        return jms.topicConnection().createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
    }

    @ContractTest
    void publisher_and_subscriber_carry_messages(Jms jms) throws Exception {
        TopicSession session = topicSession(jms);
        TopicSubscriber subscriber = session.createSubscriber(jms.topic());
        assertThat(subscriber.getTopic()).isEqualTo(jms.topic());
        assertThat(subscriber.getNoLocal()).isFalse();
        TopicPublisher publisher = session.createPublisher(jms.topic());
        assertThat(publisher.getTopic()).isEqualTo(jms.topic());
        publisher.publish(session.createTextMessage("1"));
        publisher.publish(session.createTextMessage("2"), DeliveryMode.NON_PERSISTENT, 4, 0);
        publisher.send(session.createTextMessage("3"));
        assertThat(jms.receiveTexts(subscriber, 3)).containsExactly("1", "2", "3");
    }

    @ContractTest
    void unbound_publisher_is_given_the_topic_with_each_message(Jms jms) throws Exception {
        TopicSession session = topicSession(jms);
        TopicSubscriber left = session.createSubscriber(jms.topic("left"));
        TopicSubscriber right = session.createSubscriber(jms.topic("right"));
        TopicPublisher publisher = session.createPublisher(null);
        publisher.publish(jms.topic("left"), session.createTextMessage("1"));
        publisher.publish(jms.topic("right"), session.createTextMessage("2"), DeliveryMode.PERSISTENT, 4, 0);
        TextMessage never = session.createTextMessage("never");
        assertThatThrownBy(() -> publisher.publish(never)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(jms.receiveText(left)).isEqualTo("1");
        assertThat(jms.receiveText(right)).isEqualTo("2");
    }

    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.1", why = "getMessageSelector returns what it made of the selector")
    void subscriber_with_nolocal_and_selector(Jms jms) throws Exception {
        TopicConnection connection = jms.topicConnection();
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSubscriber subscriber = session.createSubscriber(jms.topic(), "n = 1", true);
        assertThat(subscriber.getNoLocal()).isTrue();
        assertThat(subscriber.getMessageSelector()).isEqualTo("n = 1");
        TopicSession other = topicSession(jms);
        for (TopicSession from : new TopicSession[] {session, other}) {
            for (int n = 0; n < 2; n++) {
                TextMessage message = from.createTextMessage((from == session ? "own " : "other ") + n);
                message.setIntProperty("n", n);
                from.createPublisher(jms.topic()).publish(message);
            }
        }
        assertThat(jms.receiveText(subscriber)).isEqualTo("other 1");
        jms.assertNothingArrives(subscriber);
    }

    /** A unified producer and consumer of a topic session. */
    @ContractTest
    void topic_session_has_what_all_sessions_have(Jms jms) throws Exception {
        TopicSession session = topicSession(jms);
        MessageConsumer consumer = session.createConsumer(jms.topic());
        MessageProducer producer = session.createProducer(jms.topic());
        producer.send(session.createTextMessage("1"));
        assertThat(jms.receiveText(consumer)).isEqualTo("1");
    }

    @ContractTest
    void durable_subscriber_of_the_domain(Jms jms) throws Exception {
        TopicConnection connection =
                jms.closeAfterwards(jms.target().topicConnectionFactory().createTopicConnection());
        connection.setClientID(jms.uniqueName("client"));
        connection.start();
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createDurableSubscriber(jms.topic(), "d").close();
        jms.publish(jms.topic(), "kept");
        TopicSubscriber subscriber = session.createDurableSubscriber(jms.topic(), "d", null, false);
        assertThat(jms.receiveText(subscriber)).isEqualTo("kept");
        subscriber.close();
        session.unsubscribe("d");
    }

    /** As Session and §8.3.3 have it. By TopicSession's Javadoc it would be refused until the message is acknowledged. */
    @ContractTest
    void durable_subscriber_of_unacknowledged_messages_can_be_made_again(Jms jms) throws Exception {
        TopicConnection connection =
                jms.closeAfterwards(jms.target().topicConnectionFactory().createTopicConnection());
        connection.setClientID(jms.uniqueName("client"));
        connection.start();
        TopicSession session = connection.createTopicSession(false, Session.CLIENT_ACKNOWLEDGE);
        TopicSubscriber subscriber = session.createDurableSubscriber(jms.topic(), "d");
        jms.publish(jms.topic(), "1", "2");
        Message first = jms.receive(subscriber);
        subscriber.close();
        TopicSubscriber again = session.createDurableSubscriber(jms.topic(), "d");
        assertThat(jms.receiveText(again)).isEqualTo("2");
        first.acknowledge();
        again.close();
        session.unsubscribe("d");
    }

    /** §4.2.9 */
    @ContractTest
    void requestor_gets_its_reply(Jms jms) throws Exception {
        TopicSession answering = topicSession(jms);
        TopicPublisher answers = answering.createPublisher(null);
        answering.createSubscriber(jms.topic()).setMessageListener(question -> {
            try {
                Message answer = answering.createTextMessage("answer to " + Jms.text(question));
                answers.publish((jakarta.jms.Topic) question.getJMSReplyTo(), answer);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        TopicSession asking = topicSession(jms);
        TopicRequestor requestor = jms.closeAfterwards(new Closeable(new TopicRequestor(asking, jms.topic())))
                .requestor();
        for (String text : new String[] {"1", "2"}) {
            Message answer = jms.elsewhere(() -> requestor.request(asking.createTextMessage(text)))
                    .result();
            assertThat(Jms.text(answer)).isEqualTo("answer to " + text);
        }
    }

    private record Closeable(TopicRequestor requestor) implements AutoCloseable {
        @Override
        public void close() throws jakarta.jms.JMSException {
            requestor.close();
        }
    }

    /** §9.2 */
    @ContractTest
    void topic_session_has_no_queues(Jms jms) throws Exception {
        TopicSession session = topicSession(jms);
        Queue queue = jms.queue();
        assertThatThrownBy(() -> session.createBrowser(queue)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createBrowser(queue, "x = 1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createQueue("q")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTemporaryQueue).isInstanceOf(IllegalStateException.class);
    }
}
