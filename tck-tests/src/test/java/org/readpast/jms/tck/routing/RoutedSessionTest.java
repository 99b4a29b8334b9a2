package org.readpast.jms.tck.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;

/** The rules of sessions, connections and temporary destinations, also where these are in two databases at the same time. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("kinds")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutedSessionTest {

    private static final long RECEIVE = 60_000;
    private static final Duration PATIENCE = Duration.ofMillis(RECEIVE);
    private static final int MANY = 40;

    private final TestDatabase kind;
    private TwoDatabases databases;
    private ReadpastConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Queue home;
    private Queue west;

    RoutedSessionTest(TestDatabase kind) {
        this.kind = kind;
    }

    static Stream<TestDatabase> kinds() {
        return TwoDatabases.kinds();
    }

    @BeforeEach
    void open() throws Exception {
        databases = TwoDatabases.of(kind);
        factory = databases.factory();
        connection = factory.createConnection();
        session = connection.createSession();
        home = session.createQueue("a");
        west = session.createQueue("west.a");
    }

    @AfterEach
    void close() throws Exception {
        factory.close();
    }

    @Test
    void listeners_of_a_session_run_one_at_a_time_and_may_send_to_both() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        MessageProducer producer = session.createProducer(null);
        Queue homeCopies = session.createQueue("copies");
        Queue westCopies = session.createQueue("west.copies");
        for (Queue queue : List.of(home, west)) {
            session.createConsumer(queue).setMessageListener(message -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                try {
                    producer.send(queue == home ? westCopies : homeCopies, message);
                    got.add(((TextMessage) message).getText());
                } catch (JMSException e) {
                    got.add(e.toString());
                } finally {
                    running.decrementAndGet();
                }
            });
        }
        send(home, MANY);
        send(west, MANY);
        connection.start();

        await().atMost(PATIENCE).until(() -> got.size() >= 2 * MANY);
        assertThat(most).hasValue(1);
        assertThat(got).containsExactlyInAnyOrderElementsOf(numbers("a", "west.a"));
        session.close();
        assertThat(TwoDatabases.count(databases.west(), "west.copies")).isEqualTo(MANY);
        assertThat(TwoDatabases.count(databases.home(), "copies")).isEqualTo(MANY);
    }

    @Test
    void a_listener_may_close_and_set_listeners_of_another_database() throws Exception {
        CountDownLatch second = new CountDownLatch(2);
        MessageConsumer toClose = session.createConsumer(west);
        MessageConsumer toListen = session.createConsumer(session.createQueue("west.b"));
        AtomicReference<Exception> problem = new AtomicReference<>();
        toClose.setMessageListener(message -> {});
        session.createConsumer(home).setMessageListener(message -> {
            try {
                toClose.close();
                toListen.setMessageListener(other -> second.countDown());
                session.recover();
                if (message.getJMSRedelivered()) {
                    second.countDown();
                }
            } catch (JMSException e) {
                problem.set(e);
            }
        });
        connection.start();
        send(home, 1);
        send(session.createQueue("west.b"), 1);
        await().atMost(PATIENCE).until(() -> second.getCount() == 0 || problem.get() != null);
        assertThat(problem).hasNullValue();
    }

    @Test
    void nothing_is_received_synchronously_beside_a_listener_in_another_database() throws Exception {
        MessageConsumer receiver = session.createConsumer(west);
        session.createConsumer(home).setMessageListener(message -> {});
        assertThatThrownBy(receiver::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void stop_and_close_wait_for_a_running_listener_and_are_refused_to_it() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        ConcurrentLinkedQueue<Exception> refusals = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Exception> problems = new ConcurrentLinkedQueue<>();
        MessageProducer producer = session.createProducer(null);
        // So that there is a part in each database.
        producer.send(home, session.createTextMessage("home"));
        session.createConsumer(west).setMessageListener(message -> {
            for (Aside.Action action : List.<Aside.Action>of(connection::stop, connection::close, session::close)) {
                try {
                    action.run();
                } catch (Exception e) {
                    refusals.add(e);
                }
            }
            entered.countDown();
            try {
                leave.await();
                producer.send(home, session.createTextMessage("last"));
                producer.send(session.createQueue("west.late"), session.createTextMessage("last"));
            } catch (JMSException | InterruptedException e) {
                problems.add(e);
            }
        });
        connection.start();
        send(west, 1);
        entered.await();
        assertThat(refusals).hasSize(3).allMatch(IllegalStateException.class::isInstance);

        Aside<Exception> closing = Aside.attempt(connection::close);
        await().atMost(PATIENCE).until(() -> closing.restsIn("waitUntil") || closing.isDone());
        assertThat(closing.isDone()).isFalse();
        leave.countDown();
        assertThat(closing.result()).isNull();
        assertThat(problems).isEmpty();
        assertThat(TwoDatabases.count(databases.home(), "a")).isEqualTo(2);
        assertThat(TwoDatabases.count(databases.west(), "west.late")).isEqualTo(1);
        assertThat(TwoDatabases.count(databases.west(), "west.a")).isZero();
        assertThatThrownBy(() -> connection.createSession()).isInstanceOf(IllegalStateException.class);
        connection.close();
    }

    /** What a listener sends asynchronously is waited for, though its session has used that database for the first time. */
    @Test
    void close_waits_for_completions_of_a_database_that_the_last_listener_was_the_first_to_use() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        CountDownLatch completing = new CountDownLatch(1);
        CountDownLatch complete = new CountDownLatch(1);
        ConcurrentLinkedQueue<Exception> problems = new ConcurrentLinkedQueue<>();
        CompletionListener completions = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                completing.countDown();
                try {
                    complete.await();
                } catch (InterruptedException e) {
                    problems.add(e);
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                problems.add(exception);
            }
        };
        session.createConsumer(home).setMessageListener(message -> {
            entered.countDown();
            try {
                leave.await();
                session.createProducer(west).send(session.createTextMessage("last"), completions);
            } catch (JMSException | InterruptedException e) {
                problems.add(e);
            }
        });
        connection.start();
        send(home, 1);
        entered.await();

        Aside<Exception> closing = Aside.attempt(session::close);
        await().until(() -> closing.restsIn("awaitFree"));
        leave.countDown();
        completing.await();
        await().until(() -> closing.restsIn("awaitCompleted") || closing.isDone());
        assertThat(closing.isDone()).isFalse();
        complete.countDown();
        assertThat(closing.result()).isNull();
        assertThat(problems).isEmpty();
        assertThat(TwoDatabases.count(databases.west(), "west.a")).isOne();
    }

    @Test
    void what_is_stopped_delivers_nothing_and_goes_on_when_started() throws Exception {
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        for (Queue queue : List.of(home, west)) {
            session.createConsumer(queue).setMessageListener(message -> got.add(message.toString()));
        }
        connection.start();
        connection.stop();
        connection.stop();
        send(home, 1);
        send(west, 1);
        try (Connection other = factory.createConnection();
                Session look = other.createSession()) {
            assertThat(look.createBrowser(home).getEnumeration().hasMoreElements())
                    .isTrue();
            assertThat(look.createBrowser(west).getEnumeration().hasMoreElements())
                    .isTrue();
        }
        assertThat(got).isEmpty();
        connection.start();
        await().atMost(PATIENCE).until(() -> got.size() == 2);
    }

    @Test
    void a_pending_receive_ends_with_its_connection() throws Exception {
        connection.start();
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(replies);
        for (Queue queue : List.of(home, west)) {
            Message request = session.createTextMessage("request");
            request.setJMSReplyTo(replies);
            session.createProducer(queue).send(request);
        }
        Aside<Message> waiting = Aside.call(consumer::receive);
        await().atMost(PATIENCE).until(() -> waiting.restsIn("await"));
        connection.close();
        assertThat(waiting.result()).isNull();
    }

    @Test
    void completions_come_one_at_a_time_in_the_order_of_the_sends() throws Exception {
        AtomicInteger running = new AtomicInteger();
        ConcurrentLinkedQueue<String> completed = new ConcurrentLinkedQueue<>();
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    assertThat(running.incrementAndGet()).isEqualTo(1);
                    completed.add(((TextMessage) message).getText());
                    running.decrementAndGet();
                } catch (JMSException e) {
                    throw new IllegalArgumentException(e);
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                completed.add(exception.toString());
            }
        };
        List<String> sent = new ArrayList<>();
        try (MessageProducer producer = session.createProducer(null)) {
            for (int i = 0; i < MANY; i++) {
                sent.add("message " + i);
                producer.send(i % 4 < 2 ? home : west, session.createTextMessage("message " + i), listener);
            }
        }
        assertThat(completed).containsExactlyElementsOf(sent);
    }

    @Test
    void a_completion_listener_sends_asynchronously_to_its_own_database_alone() throws Exception {
        CompletableFuture<Exception> refusal = new CompletableFuture<>();
        try (MessageProducer producer = session.createProducer(null)) {
            CompletionListener ignored = new CompletionListener() {
                @Override
                public void onCompletion(Message message) {}

                @Override
                public void onException(Message message, Exception exception) {}
            };
            producer.send(home, session.createMessage(), new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    try {
                        producer.send(home, session.createMessage(), ignored);
                        producer.send(west, session.createMessage());
                        producer.send(west, session.createMessage(), ignored);
                        refusal.complete(null);
                    } catch (JMSException e) {
                        refusal.complete(e);
                    }
                }

                @Override
                public void onException(Message message, Exception exception) {
                    refusal.complete(exception);
                }
            });
            assertThat(refusal.get(RECEIVE, TimeUnit.MILLISECONDS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another database");
        }
        assertThat(TwoDatabases.count(databases.home(), "a")).isEqualTo(2);
        assertThat(TwoDatabases.count(databases.west(), "west.a")).isEqualTo(1);
    }

    @Test
    void replies_come_to_a_temporary_queue_from_both_databases() throws Exception {
        connection.start();
        TemporaryQueue replies = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(replies);
        request(home, replies, "one");
        Aside<Message> waiting = Aside.call(() -> consumer.receive(RECEIVE));
        try (Connection other = factory.createConnection();
                Connection westAlone = factory.database("west").createConnection()) {
            answer(other, "a");
            assertThat(((TextMessage) waiting.result()).getText()).isEqualTo("answer to one");

            // It is made there while somebody waits for it.
            Aside<Message> further = Aside.call(() -> consumer.receive(RECEIVE));
            await().atMost(PATIENCE).until(() -> further.restsIn("await"));
            try (Session sending = connection.createSession()) {
                MessageProducer producer = sending.createProducer(west);
                TextMessage request = sending.createTextMessage("two");
                request.setJMSReplyTo(replies);
                producer.send(request);
            }
            answer(westAlone, "west.a");
            assertThat(((TextMessage) further.result()).getText()).isEqualTo("answer to two");

            request(home, replies, "three");
            request(west, replies, "four");
            answer(other, "a");
            answer(other, "west.a");
            assertThat(List.of(text(consumer), text(consumer)))
                    .containsExactlyInAnyOrder("answer to three", "answer to four");
            try (Session foreign = other.createSession()) {
                assertThatThrownBy(() -> foreign.createConsumer(replies))
                        .isInstanceOf(InvalidDestinationException.class);
            }
            assertThatThrownBy(replies::delete).isInstanceOf(IllegalStateException.class);
            consumer.close();
            replies.delete();
            MessageProducer late = session.createProducer(null);
            assertThatThrownBy(() -> late.send(replies, session.createMessage()))
                    .isInstanceOf(InvalidDestinationException.class);
        }
        for (String url : List.of(databases.home(), databases.west())) {
            assertThat(TwoDatabases.count(url, replies.getQueueName())).isZero();
        }
    }

    @Test
    void a_listener_hears_replies_from_both_databases() throws Exception {
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        TemporaryQueue replies = session.createTemporaryQueue();
        session.createConsumer(replies).setMessageListener(message -> {
            try {
                got.add(((TextMessage) message).getText());
            } catch (JMSException e) {
                got.add(e.toString());
            }
        });
        connection.start();
        try (Connection other = factory.createConnection();
                Session sending = connection.createSession()) {
            for (Queue queue : List.of(home, west)) {
                TextMessage request = sending.createTextMessage(queue.getQueueName());
                request.setJMSReplyTo(replies);
                sending.createProducer(queue).send(request);
                answer(other, queue.getQueueName());
            }
        }
        await().atMost(PATIENCE).until(() -> got.size() == 2);
        assertThat(got).containsExactlyInAnyOrder("answer to a", "answer to west.a");
    }

    @Test
    void a_temporary_queue_is_gone_with_its_connection_in_both_databases() throws Exception {
        TemporaryQueue replies = session.createTemporaryQueue();
        request(home, replies, "one");
        request(west, replies, "two");
        connection.close();
        try (JMSContext other = factory.createContext()) {
            assertThatThrownBy(() -> other.createProducer().send(replies, "late"))
                    .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class);
        }
    }

    @Test
    void a_temporary_topic_is_in_one_database() throws Exception {
        connection.start();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer consumer = session.createConsumer(topic);
        session.createProducer(topic).send(session.createTextMessage("one"));
        assertThat(text(consumer)).isEqualTo("one");
        request(home, topic, "two");
        assertThatThrownBy(() -> request(west, topic, "three"))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContainingAll("'home'", "'west'", "temporary queue");
        consumer.close();
        topic.delete();
    }

    private void request(Queue queue, jakarta.jms.Destination replyTo, String text) throws JMSException {
        TextMessage request = session.createTextMessage(text);
        request.setJMSReplyTo(replyTo);
        session.createProducer(queue).send(request);
    }

    private static void answer(Connection other, String queue) throws JMSException {
        other.start();
        try (Session answering = other.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = answering.createConsumer(answering.createQueue(queue))) {
            TextMessage request = (TextMessage) consumer.receive(RECEIVE);
            answering
                    .createProducer(request.getJMSReplyTo())
                    .send(answering.createTextMessage("answer to " + request.getText()));
            answering.commit();
        }
    }

    private void send(Queue queue, int count) throws JMSException {
        try (Connection other = factory.createConnection();
                Session sending = other.createSession();
                MessageProducer producer = sending.createProducer(queue)) {
            for (int i = 0; i < count; i++) {
                producer.send(sending.createTextMessage(queue.getQueueName() + " " + i));
            }
        }
    }

    private static List<String> numbers(String... names) {
        return Stream.of(names)
                .flatMap(name -> IntStream.range(0, MANY).mapToObj(i -> name + " " + i))
                .toList();
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        return ((TextMessage) consumer.receive(RECEIVE)).getText();
    }
}
