package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §8.7: asynchronous delivery, and listeners that throw. */
class Ch08MessageListenerTest {

    /** A listener that fails at the first delivery of the text "bad". */
    private static Inbox failingOnce() {
        return new Inbox(message -> {
            if (Jms.text(message).equals("bad") && !message.getJMSRedelivered()) {
                throw new IllegalArgumentException("the listener fails on purpose");
            }
        });
    }

    private static Inbox failingAlways() {
        return new Inbox(message -> {
            if (Jms.text(message).equals("bad")) {
                throw new IllegalArgumentException("the listener fails on purpose");
            }
        });
    }

    private static Connection listening(Jms jms, int mode, Inbox inbox) throws Exception {
        Connection connection = jms.stoppedConnection();
        connection.createSession(mode).createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "bad", "good");
        connection.start();
        return connection;
    }

    private static void assertNext(Inbox inbox, String text, int count) throws Exception {
        Inbox.Heard heard = inbox.next();
        assertThat(heard.text()).isEqualTo(text);
        assertThat(heard.deliveryCount()).isEqualTo(count);
        assertThat(heard.redelivered()).isEqualTo(count > 1);
    }

    @ContractTest
    void messages_reach_the_listener_as_they_arrive(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        jms.session().createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "first");
        assertThat(inbox.next().text()).isEqualTo("first");
        jms.send(jms.queue(), "second");
        assertThat(inbox.next().text()).isEqualTo("second");
        inbox.assertNothingMore();
    }

    @ContractTest
    void listener_with_a_selector_hears_what_matches(Jms jms) throws Exception {
        Session session = jms.session();
        Inbox inbox = new Inbox();
        jms.session().createConsumer(jms.queue(), "n > 1").setMessageListener(inbox);
        for (int n = 0; n < 4; n++) {
            var message = session.createTextMessage("n" + n);
            message.setIntProperty("n", n);
            session.createProducer(jms.queue()).send(message);
        }
        assertThat(inbox.nextTexts(2)).containsExactly("n2", "n3");
        inbox.assertNothingMore();
    }

    /** §8.7: immediately redelivered, before later messages. */
    @ContractTest
    void message_whose_listener_threw_is_redelivered_at_once_in_auto(Jms jms) throws Exception {
        Inbox inbox = failingOnce();
        Connection connection = listening(jms, Session.AUTO_ACKNOWLEDGE, inbox);
        assertNext(inbox, "bad", 1);
        assertNext(inbox, "bad", 2);
        assertNext(inbox, "good", 1);
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §8.7 */
    @ContractTest
    void message_whose_listener_threw_is_redelivered_at_once_in_dups_ok(Jms jms) throws Exception {
        Inbox inbox = failingOnce();
        Connection connection = listening(jms, Session.DUPS_OK_ACKNOWLEDGE, inbox);
        assertNext(inbox, "bad", 1);
        assertNext(inbox, "bad", 2);
        assertNext(inbox, "good", 1);
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §8.7: the next message is delivered; only recover brings the failed one back. */
    @ContractTest
    void next_message_is_delivered_after_a_throw_in_client_acknowledge(Jms jms) throws Exception {
        Inbox inbox = failingAlways();
        Connection connection = listening(jms, Session.CLIENT_ACKNOWLEDGE, inbox);
        assertNext(inbox, "bad", 1);
        assertNext(inbox, "good", 1);
        inbox.assertNothingMore();
        connection.close();
        jms.assertHolds(jms.queue(), "bad", "good");
    }

    /** §8.7: a listener that acknowledges the next message acknowledges the failed one with it (§6.2.10). */
    @ContractTest
    void acknowledge_after_a_throw_covers_the_failed_message(Jms jms) throws Exception {
        Inbox inbox = new Inbox(message -> {
            if (Jms.text(message).equals("bad")) {
                throw new IllegalArgumentException("the listener fails on purpose");
            }
            message.acknowledge();
        });
        Connection connection = listening(jms, Session.CLIENT_ACKNOWLEDGE, inbox);
        assertThat(inbox.nextTexts(2)).containsExactly("bad", "good");
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §8.7: a RuntimeException does not roll back the session by itself. */
    @ContractTest
    void next_message_is_delivered_after_a_throw_in_a_transaction(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Inbox inbox = new Inbox(message -> {
            if (Jms.text(message).equals("bad")) {
                throw new IllegalArgumentException("the listener fails on purpose");
            }
            session.commit();
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        jms.send(jms.queue(), "bad", "good");
        connection.start();
        assertNext(inbox, "bad", 1);
        assertNext(inbox, "good", 1);
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §8.7 */
    @ContractTest
    void message_whose_listener_threw_stays_in_the_transaction(Jms jms) throws Exception {
        Inbox inbox = failingAlways();
        Connection connection = listening(jms, Session.SESSION_TRANSACTED, inbox);
        assertNext(inbox, "bad", 1);
        assertNext(inbox, "good", 1);
        inbox.assertNothingMore();
        connection.close();
        jms.assertHolds(jms.queue(), "bad", "good");
    }

    /** §8.7: the number of redeliveries is the provider's; in the end the messages behind are delivered. */
    @ContractTest
    void message_that_always_fails_does_not_block_those_behind_it(Jms jms) throws Exception {
        AtomicInteger failed = new AtomicInteger();
        Inbox inbox = new Inbox(message -> {
            if (Jms.text(message).equals("bad")) {
                failed.incrementAndGet();
                throw new IllegalArgumentException("the listener fails on purpose");
            }
        });
        listening(jms, Session.AUTO_ACKNOWLEDGE, inbox);
        Inbox.Heard heard = inbox.next();
        while (heard.text().equals("bad")) {
            heard = inbox.next();
        }
        assertThat(heard.text()).isEqualTo("good");
        assertThat(failed).hasValueGreaterThan(1);
        inbox.assertNothingMore();
    }

    /** A listener that once threw is called for the messages that arrive later. */
    @ContractTest
    void listener_lives_on_after_it_threw(Jms jms) throws Exception {
        Inbox inbox = failingOnce();
        listening(jms, Session.AUTO_ACKNOWLEDGE, inbox);
        assertThat(inbox.nextTexts(3)).containsExactly("bad", "bad", "good");
        jms.send(jms.queue(), "later");
        assertNext(inbox, "later", 1);
    }

    /** MessageConsumer.setMessageListener: a listener may be replaced while the connection is stopped. */
    @ContractTest
    void listener_may_be_replaced(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        MessageConsumer consumer = connection.createSession().createConsumer(jms.queue());
        Inbox first = new Inbox();
        Inbox second = new Inbox();
        consumer.setMessageListener(first);
        connection.start();
        jms.send(jms.queue(), "for the first");
        assertThat(first.next().text()).isEqualTo("for the first");
        connection.stop();
        consumer.setMessageListener(second);
        connection.start();
        jms.send(jms.queue(), "for the second");
        assertThat(second.next().text()).isEqualTo("for the second");
        first.assertNothingMore();
    }

    /** What was sent before there was a listener reaches it. */
    @ContractTest
    void listener_hears_what_was_there_before(Jms jms) throws Exception {
        jms.send(jms.queue(), "first", "second");
        Inbox inbox = new Inbox();
        jms.session().createConsumer(jms.queue()).setMessageListener(inbox);
        assertThat(inbox.nextTexts(2)).containsExactly("first", "second");
    }
}
