package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** §7.3: asynchronous send. */
@OfTheClient
class Ch07AsyncSendTest {

    /** What to do within a callback. */
    private interface Reaction {
        void to(Message message) throws Exception;
    }

    /** Keeps the callbacks in the order in which they came. */
    private static final class Completions implements CompletionListener {
        record Completed(String text, Exception failure, Thread thread) {}

        private final BlockingQueue<Completed> completed = new LinkedBlockingQueue<>();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final Reaction reaction;

        Completions() {
            this(message -> {});
        }

        Completions(Reaction reaction) {
            this.reaction = reaction;
        }

        @Override
        public void onCompletion(Message message) {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            Exception failure = null;
            try {
                reaction.to(message);
            } catch (Exception e) {
                failure = e;
            }
            inside.decrementAndGet();
            keep(message, failure);
        }

        @Override
        public void onException(Message message, Exception exception) {
            keep(message, exception);
        }

        private void keep(Message message, Exception failure) {
            try {
                completed.add(new Completed(Jms.text(message), failure, Thread.currentThread()));
            } catch (Exception e) {
                completed.add(new Completed(null, e, Thread.currentThread()));
            }
        }

        Completed next() throws InterruptedException {
            Completed next = completed.poll(Jms.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(next).as("callback").isNotNull();
            return next;
        }

        List<String> nextTexts(int count) throws InterruptedException {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Completed next = next();
                assertThat(next.failure()).isNull();
                texts.add(next.text());
            }
            return texts;
        }

        void assertNothingMore() throws InterruptedException {
            assertThat(completed.poll(Jms.GLANCE.toMillis(), TimeUnit.MILLISECONDS))
                    .as("no callback")
                    .isNull();
        }
    }

    /** §7.3.1 */
    @ContractTest
    void completed_message_is_on_the_queue(Jms jms) throws Exception {
        Session session = jms.session();
        Completions completions = new Completions();
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"), completions);
        assertThat(completions.next()).satisfies(completed -> {
            assertThat(completed.text()).isEqualTo("sent");
            assertThat(completed.failure()).isNull();
        });
        jms.assertHolds(jms.queue(), "sent");
    }

    /** §7.3 */
    @ContractTest
    void asynchronous_send_knows_all_its_forms(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer bound = session.createProducer(jms.queue());
        MessageProducer unbound = session.createProducer(null);
        Completions completions = new Completions();
        bound.send(session.createTextMessage("1"), completions);
        bound.send(session.createTextMessage("2"), DeliveryMode.PERSISTENT, 4, 0, completions);
        unbound.send(jms.queue(), session.createTextMessage("3"), completions);
        unbound.send(jms.queue(), session.createTextMessage("4"), DeliveryMode.PERSISTENT, 4, 0, completions);
        completions.nextTexts(4);
        jms.assertHolds(jms.queue(), "1", "2", "3", "4");
    }

    /** §7.3.8 */
    @ContractTest
    void callback_is_not_on_the_senders_thread(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Completions completions = new Completions();
        for (int i = 0; i < 5; i++) {
            producer.send(session.createTextMessage("m" + i), completions);
            assertThat(completions.next().thread()).isNotSameAs(Thread.currentThread());
        }
    }

    /** §7.3.8: in the order of the sends, one callback at a time. */
    @ContractTest
    void callbacks_come_in_order_one_at_a_time(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Completions completions = new Completions();
        List<String> texts = IntStream.range(0, 50).mapToObj(i -> "m" + i).toList();
        for (String text : texts) {
            producer.send(session.createTextMessage(text), completions);
        }
        assertThat(completions.nextTexts(50)).isEqualTo(texts);
        assertThat(completions.overlaps).hasValue(0);
        assertThat(jms.receiveTexts(jms.session().createConsumer(jms.queue()), 50))
                .isEqualTo(texts);
    }

    /** §7.3.3: the order of messages holds across synchronous and asynchronous sends. */
    @ContractTest
    void mixed_sends_keep_their_order(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Completions completions = new Completions();
        List<String> texts = IntStream.range(0, 30).mapToObj(i -> "m" + i).toList();
        for (int i = 0; i < 30; i++) {
            TextMessage message = session.createTextMessage(texts.get(i));
            if (i % 3 == 0) {
                producer.send(message);
            } else {
                producer.send(message, completions);
            }
        }
        completions.nextTexts(20);
        assertThat(jms.receiveTexts(jms.session().createConsumer(jms.queue()), 30))
                .isEqualTo(texts);
    }

    /** §7.3.6: the header fields that a send sets may be read once the callback has come. */
    @ContractTest
    void headers_are_set_when_the_callback_comes(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("sent");
        Completions completions = new Completions();
        producer.send(message, DeliveryMode.NON_PERSISTENT, 8, 60_000, completions);
        assertThat(completions.next().failure()).isNull();
        Message received = jms.receive(jms.session().createConsumer(jms.queue()));
        assertThat(message.getJMSMessageID()).isNotNull().isEqualTo(received.getJMSMessageID());
        assertThat(message.getJMSPriority()).isEqualTo(8);
        assertThat(message.getJMSTimestamp()).isEqualTo(received.getJMSTimestamp());
        assertThat(message.getJMSExpiration()).isEqualTo(received.getJMSExpiration());
        assertThat(message.getJMSDestination()).isEqualTo(jms.queue());
    }

    /** CompletionListener.onCompletion: the message that was sent; it may be read there. */
    @ContractTest
    void callback_is_given_the_message_that_was_sent(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("sent");
        BlockingQueue<String> ids = new LinkedBlockingQueue<>();
        Completions completions = new Completions(completed -> ids.add(completed.getJMSMessageID()));
        producer.send(message, completions);
        assertThat(completions.next().failure()).isNull();
        assertThat(ids.take()).isEqualTo(message.getJMSMessageID());
    }

    /** §7.3.9: when the callback has come, the message may be changed and sent again. */
    @ContractTest
    void message_may_be_sent_again_after_its_callback(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("first");
        Completions completions = new Completions();
        producer.send(message, completions);
        completions.next();
        message.setText("second");
        producer.send(message, completions);
        completions.next();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** §7.3.9: a change before the callback is refused, or does no harm; what was sent arrives as it was. */
    @ContractTest
    void change_before_the_callback_does_no_harm(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Completions completions = new Completions(message -> {
            entered.countDown();
            leave.await();
        });
        producer.send(session.createTextMessage("first"), completions);
        entered.await();
        TextMessage second = session.createTextMessage("second");
        producer.send(second, completions);
        try {
            second.setText("changed");
        } catch (JMSException refused) {
            assertThat(refused).hasMessageNotContaining("null");
        }
        leave.countDown();
        completions.next();
        completions.next();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** What would change the object of a message that is being sent, and must be refused then. */
    static List<Change> changes() {
        return List.of(
                new Change("body", message -> message.setText("changed")),
                new Change("clearBody", Message::clearBody),
                new Change("property", message -> message.setStringProperty("p", "changed")),
                new Change("clearProperties", Message::clearProperties),
                new Change("JMSCorrelationID", message -> message.setJMSCorrelationID("changed")),
                new Change("JMSType", message -> message.setJMSType("changed")),
                new Change("JMSReplyTo", message -> message.setJMSReplyTo(null)),
                new Change("JMSMessageID", message -> message.setJMSMessageID("ID:changed")));
    }

    private record Change(String name, Attempt attempt) {
        @Override
        public String toString() {
            return name;
        }
    }

    private interface Attempt {
        void at(TextMessage message) throws JMSException;
    }

    /**
     * §7.3.9: "A provider may throw a JMSException if the application attempts to access or modify the Message object after the
     * send method has returned and before the CompletionListener has been invoked." Readpast does so where it is modified.
     */
    @ContractTest
    @CasesFrom("changes")
    @Deviation(target = ARTEMIS, clause = "§7.3.9", why = "makes no use of the permission, and lets it be changed")
    void change_before_the_callback_is_refused(Jms jms, Change change) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        CountDownLatch leave = new CountDownLatch(1);
        Completions completions = new Completions(message -> leave.await());
        TextMessage message = session.createTextMessage("second");
        message.setStringProperty("p", "set");
        try {
            producer.send(session.createTextMessage("first"), completions);
            producer.send(message, completions);
            assertThatThrownBy(() -> change.attempt().at(message))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("CompletionListener");
            assertThat(message.getText()).isEqualTo("second");
            assertThat(message.getStringProperty("p")).isEqualTo("set");
        } finally {
            leave.countDown();
        }
        completions.nextTexts(2);
        change.attempt().at(message);
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** §7.3.9: a send sets header fields, so that a second one of the same object is a change, too. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§7.3.9", why = "makes no use of the permission, and lets it be sent again")
    void second_send_of_a_message_before_its_callback_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        CountDownLatch leave = new CountDownLatch(1);
        Completions completions = new Completions(message -> leave.await());
        TextMessage message = session.createTextMessage("second");
        try {
            producer.send(session.createTextMessage("first"), completions);
            producer.send(message, completions);
            assertThatThrownBy(() -> producer.send(message, completions)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        } finally {
            leave.countDown();
        }
        completions.nextTexts(2);
        producer.send(message, completions);
        completions.nextTexts(1);
        jms.assertHolds(jms.queue(), "first", "second", "second");
    }

    /** §7.3.9: within the callback the message is the application's again. */
    @ContractTest
    void message_may_be_changed_within_its_callback(Jms jms) throws Exception {
        Session session = jms.session();
        Completions completions = new Completions(message -> message.setStringProperty("p", "changed"));
        TextMessage message = session.createTextMessage("sent");
        session.createProducer(jms.queue()).send(message, completions);
        assertThat(completions.next().failure()).isNull();
        assertThat(message.getStringProperty("p")).isEqualTo("changed");
    }

    /** §7.3.9: a send that is refused at the call leaves the message to the application. */
    @ContractTest
    void message_may_be_changed_after_its_send_was_refused(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        TextMessage message = session.createTextMessage("sent");
        producer.close();
        assertThatThrownBy(() -> producer.send(message, new Completions())).isInstanceOf(IllegalStateException.class);
        message.setText("changed");
        assertThat(message.getText()).isEqualTo("changed");
    }

    /** MessageProducer.send: IllegalArgumentException if the listener is null. */
    @ContractTest
    void null_completion_listener_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        TextMessage message = session.createTextMessage("never");
        MessageProducer bound = session.createProducer(jms.queue());
        MessageProducer unbound = session.createProducer(null);
        assertThatThrownBy(() -> bound.send(message, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> unbound.send(jms.queue(), message, null)).isInstanceOf(IllegalArgumentException.class);
        jms.assertEmpty(jms.queue());
    }

    /** §7.3.2: what is wrong at the call is thrown there, and no callback comes. */
    @ContractTest
    void errors_of_the_call_are_thrown_and_not_called_back(Jms jms) throws Exception {
        Session session = jms.session();
        TextMessage message = session.createTextMessage("never");
        MessageProducer bound = session.createProducer(jms.queue());
        MessageProducer unbound = session.createProducer(null);
        Completions completions = new Completions();
        assertThatThrownBy(() -> unbound.send(null, message, completions))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> unbound.send(message, completions)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> bound.send(jms.queue(), message, completions))
                .isInstanceOf(UnsupportedOperationException.class);
        bound.close();
        assertThatThrownBy(() -> bound.send(message, completions)).isInstanceOf(IllegalStateException.class);
        completions.assertNothingMore();
    }

    /** §7.3.2, MessageProducer.send: MessageFormatException if an invalid message is specified. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§10.3", why = "throws a NullPointerException")
    void null_message_is_refused(Jms jms) throws Exception {
        MessageProducer producer = jms.session().createProducer(jms.queue());
        Completions completions = new Completions();
        assertThatThrownBy(() -> producer.send((Message) null, completions)).isInstanceOf(MessageFormatException.class);
        completions.assertNothingMore();
    }

    private static void assertCloseWaits(Jms jms, AutoCloseable closed, MessageProducer producer, Session session)
            throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Completions completions = new Completions(message -> {
            entered.countDown();
            leave.await();
        });
        producer.send(session.createTextMessage("first"), completions);
        entered.await();
        Elsewhere<Void> closing = jms.elsewhere(() -> {
            closed.close();
            return null;
        });
        closing.assertKeepsRunning();
        leave.countDown();
        closing.result();
        assertThat(completions.next().failure()).isNull();
        jms.assertHolds(jms.queue(), "first");
    }

    /** §7.3.4 */
    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§7.3.4",
            why = "does not wait for callbacks that are running",
            nowAndThen = true)
    void close_of_the_producer_waits_for_callbacks(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        assertCloseWaits(jms, producer, producer, session);
    }

    /** §7.3.4 */
    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§7.3.4",
            why = "does not wait for callbacks that are running",
            nowAndThen = true)
    void close_of_the_session_waits_for_callbacks(Jms jms) throws Exception {
        Session session = jms.session();
        assertCloseWaits(jms, session, session.createProducer(jms.queue()), session);
    }

    /** §7.3.4 */
    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§7.3.4",
            why = "does not wait for callbacks that are running",
            nowAndThen = true)
    void close_of_the_connection_waits_for_callbacks(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        assertCloseWaits(jms, connection, session.createProducer(jms.queue()), session);
    }

    /** §7.3.4: a commit comes after all callbacks, and with all messages. */
    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§7.3.4",
            why = "does not wait for callbacks that are running",
            nowAndThen = true)
    void commit_waits_for_callbacks(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Completions completions = new Completions(message -> {
            entered.countDown();
            leave.await();
        });
        producer.send(session.createTextMessage("first"), completions);
        producer.send(session.createTextMessage("second"), completions);
        entered.await();
        Elsewhere<Void> committing = jms.elsewhere(() -> {
            session.commit();
            return null;
        });
        committing.assertKeepsRunning();
        leave.countDown();
        committing.result();
        assertThat(completions.completed).hasSize(2);
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** §7.3.4 */
    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§7.3.4",
            why = "does not wait for callbacks that are running",
            nowAndThen = true)
    void rollback_waits_for_callbacks(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Completions completions = new Completions(message -> {
            entered.countDown();
            leave.await();
        });
        producer.send(session.createTextMessage("never"), completions);
        entered.await();
        Elsewhere<Void> rollingBack = jms.elsewhere(() -> {
            session.rollback();
            return null;
        });
        rollingBack.assertKeepsRunning();
        leave.countDown();
        rollingBack.result();
        jms.assertEmpty(jms.queue());
    }

    /** §7.3.1: with a transaction, too, completion is only that of the send. */
    @ContractTest
    void completed_send_of_a_transaction_is_not_delivered_before_the_commit(Jms jms) throws Exception {
        Session session = jms.transacted();
        Completions completions = new Completions();
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"), completions);
        assertThat(completions.next().failure()).isNull();
        jms.assertEmpty(jms.queue());
        session.commit();
        jms.assertHolds(jms.queue(), "sent");
    }

    /** §7.3.4: a callback must not close its own producer. */
    @ContractTest
    void close_of_its_producer_within_a_callback_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Completions completions = new Completions(message -> producer.close());
        producer.send(session.createTextMessage("sent"), completions);
        assertThat(completions.next().failure()).isInstanceOf(IllegalStateException.class);
    }

    /** §7.3.4 */
    @ContractTest
    void close_of_its_session_within_a_callback_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        Completions completions = new Completions(message -> session.close());
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"), completions);
        assertThat(completions.next().failure()).isInstanceOf(IllegalStateException.class);
    }

    /** §7.3.4 */
    @ContractTest
    void close_of_its_connection_within_a_callback_is_refused(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        Completions completions = new Completions(message -> connection.close());
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"), completions);
        assertThat(completions.next().failure()).isInstanceOf(IllegalStateException.class);
    }

    /** §7.3.4 */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§7.3.4", why = "lets a callback commit and roll back")
    void commit_and_rollback_within_a_callback_are_refused(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        Completions committing = new Completions(message -> session.commit());
        Completions rollingBack = new Completions(message -> session.rollback());
        producer.send(session.createTextMessage("first"), committing);
        assertThat(committing.next().failure()).isInstanceOf(IllegalStateException.class);
        producer.send(session.createTextMessage("second"), rollingBack);
        assertThat(rollingBack.next().failure()).isInstanceOf(IllegalStateException.class);
        session.commit();
        jms.assertHolds(jms.queue(), "first", "second");
    }

    /** §7.3.4 names close, commit and rollback; the TCK asks for stop to be allowed. */
    @ContractTest
    void stop_of_its_connection_within_a_callback_is_fine(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        Completions completions = new Completions(message -> connection.stop());
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"), completions);
        assertThat(completions.next().failure()).isNull();
        jms.assertNothingArrives(connection.createSession().createConsumer(jms.queue()));
        connection.close();
        jms.assertHolds(jms.queue(), "sent");
    }

    /** §7.3.4: of another connection a callback may close what it likes. */
    @ContractTest
    void close_of_another_connection_within_a_callback_is_fine(Jms jms) throws Exception {
        Connection other = jms.connection();
        Session session = jms.session();
        Completions completions = new Completions(message -> other.close());
        session.createProducer(jms.queue()).send(session.createTextMessage("sent"), completions);
        assertThat(completions.next().failure()).isNull();
        assertThatThrownBy(other::createSession).isInstanceOf(IllegalStateException.class);
    }

    /** A callback that throws does not keep the later ones from coming. */
    @ContractTest
    void callback_that_throws_does_not_stop_those_behind_it(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        CompletionListener throwing = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                throw new IllegalArgumentException("the callback fails on purpose");
            }

            @Override
            public void onException(Message message, Exception exception) {
                throw new IllegalArgumentException("the callback fails on purpose", exception);
            }
        };
        Completions completions = new Completions();
        producer.send(session.createTextMessage("first"), throwing);
        producer.send(session.createTextMessage("second"), completions);
        assertThat(completions.nextTexts(1)).containsExactly("second");
        jms.assertHolds(jms.queue(), "first", "second");
    }
}
