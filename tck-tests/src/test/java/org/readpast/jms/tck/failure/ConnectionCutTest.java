package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** The network between client and database fails while the database stays. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionCutTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RECEIVE = 20_000;

    private final String queueName = "cut." + UUID.randomUUID();
    private TcpProxy proxy;
    private ReadpastConnectionFactory factory;

    @BeforeEach
    void connect() throws Exception {
        proxy = TcpProxy.to(SharedPostgres.get().port());
        factory = factory(PostgresServer.urlThrough(proxy.port()) + "&socketTimeout=10&connectTimeout=10");
    }

    private static ReadpastConnectionFactory factory(String jdbcUrl) {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                jdbcUrl,
                "poolTimeoutMillis=5000",
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "idleCloseMillis=0"));
    }

    @AfterEach
    void disconnect() throws Exception {
        proxy.close();
    }

    @Test
    void commit_after_a_cut_is_a_rollback_and_its_messages_come_again() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            Queue queue = session.createQueue(queueName);
            Queue answers = session.createQueue(queueName + ".answers");
            send("one", "two");
            MessageConsumer consumer = session.createConsumer(queue);
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("two");
            session.createProducer(answers).send(session.createTextMessage("answer"));

            proxy.cut();

            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            Message again = consumer.receive(RECEIVE);
            assertThat(text(again)).isEqualTo("one");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("two");
            assertThat(session.createConsumer(answers).receiveNoWait()).isNull();
            session.commit();
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void receive_goes_on_after_a_cut_and_commit_tells_that_the_first_part_was_undone() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            send("one", "two");
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");

            proxy.cut();

            try {
                consumer.receive(1_000);
            } catch (JMSException e) {
                assertThat(e).isNotInstanceOf(TransactionRolledBackException.class);
            }
            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("two");
            session.commit();
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_the_server_has_not_freed_yet_is_counted_and_comes_first(boolean commits) throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(SharedPostgres.get().jdbcUrl());
                Connection connection = factory(driver.url()).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            send("one", "two");
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");

            // The server notices as the session asks for the message for the second time.
            String lock = "readpast.lock_messages(";
            driver.beforeNext(lock, () -> driver.beforeNext(lock, driver::noticeLost));
            driver.failStep(1, Fault.LOST_BEFORE, FaultyDriver.caller());
            if (commits) {
                assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            } else {
                session.rollback();
            }
            assertThat(driver.stop()).isTrue();
            assertThat(driver.countLost()).as("asked twice").isZero();

            Message again = consumer.receive(RECEIVE);
            assertThat(text(again)).isEqualTo("one");
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("two");
            session.commit();
        }
    }

    @Test
    void rollback_after_a_cut_succeeds_and_messages_come_again() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            send("one");
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");

            proxy.cut();

            session.rollback();
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");
            session.commit();
        }
    }

    @Test
    void acknowledge_after_a_cut_fails_and_messages_come_again() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            connection.start();
            send("one", "two");
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            consumer.receive(RECEIVE);
            Message second = consumer.receive(RECEIVE);

            proxy.cut();

            assertThatThrownBy(second::acknowledge).isInstanceOf(JMSException.class);
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");
            Message last = consumer.receive(RECEIVE);
            assertThat(text(last)).isEqualTo("two");
            last.acknowledge();
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void pooled_connections_that_were_cut_harm_no_new_work() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            producer.send(session.createTextMessage("before"));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("before");

            proxy.cut();

            // A claim puts nothing at stake, so it is tried again behind the caller's back.
            assertThat(consumer.receiveNoWait()).isNull();
            producer.send(session.createTextMessage("after"));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("after");
        }
    }

    @Test
    void many_pooled_connections_that_were_cut_harm_no_new_work() throws Exception {
        int many = 8;
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            Queue queue = session.createQueue(queueName);
            MessageConsumer consumer = session.createConsumer(queue);
            send(IntStream.range(0, many).mapToObj(String::valueOf).toArray(String[]::new));
            List<Session> holders = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                Session holder = connection.createSession(Session.SESSION_TRANSACTED);
                holders.add(holder);
                assertThat(holder.createConsumer(queue).receive(RECEIVE)).isNotNull();
            }
            for (Session holder : holders) {
                holder.commit();
                holder.close();
            }

            proxy.cut();

            assertThat(consumer.receiveNoWait()).isNull();
            session.createProducer(queue).send(session.createTextMessage("after"));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("after");
        }
    }

    @Test
    void listener_goes_on_when_the_network_is_back_and_the_exception_listener_hears_once() throws Exception {
        ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
        List<JMSException> problems = new CopyOnWriteArrayList<>();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch cut = new CountDownLatch(1);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.setExceptionListener(problems::add);
            session.createConsumer(session.createQueue(queueName)).setMessageListener(message -> {
                heard.add(text(message));
                busy.countDown();
                await().atMost(PATIENCE).until(() -> cut.getCount() == 0);
            });
            connection.start();
            send("one", "two", "three");
            assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();

            proxy.refuse();
            proxy.cut();
            cut.countDown();
            // Several attempts fail, of the listener's session and of those who watch and keep house.
            await().atMost(PATIENCE).until(() -> !problems.isEmpty() && proxy.refusals() >= 3);
            proxy.heal();

            await("the listener to go on").atMost(PATIENCE).until(() -> heard.contains("three"));
            assertThat(heard).containsExactly("one", "one", "two", "three");
            assertThat(problems).hasSize(1);
        }
    }

    @Test
    void several_listeners_of_a_connection_make_one_problem_of_one_outage() throws Exception {
        int listeners = 3;
        CountDownLatch busy = new CountDownLatch(listeners);
        CountDownLatch cut = new CountDownLatch(1);
        ConcurrentLinkedQueue<String> heardAgain = new ConcurrentLinkedQueue<>();
        List<JMSException> problems = new CopyOnWriteArrayList<>();
        try (Connection connection = factory.createConnection()) {
            connection.setExceptionListener(problems::add);
            for (int i = 0; i < listeners; i++) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                session.createConsumer(session.createQueue(queueName)).setMessageListener(message -> {
                    if (cut.getCount() == 0) {
                        heardAgain.add(text(message));
                        return;
                    }
                    busy.countDown();
                    await().atMost(PATIENCE).until(() -> cut.getCount() == 0);
                });
            }
            connection.start();
            send("one", "two", "three");
            assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();

            proxy.refuse();
            proxy.cut();
            cut.countDown();
            await().atMost(PATIENCE).until(() -> !problems.isEmpty() && proxy.refusals() >= 3);
            proxy.heal();

            // Whoever still asks what became of its acknowledgement as the database is back acknowledges again, and
            // hears no more of it.
            send("four");
            await().atMost(PATIENCE).until(() -> heardAgain.contains("four"));
            assertThat(heardAgain).doesNotHaveDuplicates();
            assertThat(problems).hasSize(1);
        }
    }

    @Test
    void connection_that_cannot_be_made_is_an_error_which_names_the_database() {
        proxy.refuse();
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("localhost:" + proxy.port());
        proxy.heal();
        assertThat(Boolean.TRUE).isEqualTo(canConnect());
    }

    private boolean canConnect() {
        try (Connection connection = factory.createConnection()) {
            return connection.getMetaData() != null;
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void database_that_does_not_answer_is_an_error_and_no_hang() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            send("one");

            proxy.stall();
            assertThatThrownBy(consumer::receiveNoWait)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("nothing was lost");

            proxy.heal();
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("one");
        }
    }

    /** §7.3.2: what cannot be thrown by the send is told to its listener; the message is the sender's again then. */
    @Test
    void asynchronous_send_that_fails_is_told_to_its_listener() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            producer.send(session.createTextMessage("before"));
            TextMessage message = session.createTextMessage("lost");

            proxy.refuse();
            proxy.cut();
            assertThat(outcome(producer, message)).isInstanceOf(JMSException.class);

            proxy.heal();
            message.setText("after");
            // A pool may still hand out a connection that was cut; such a send fails, and is told, too.
            await().atMost(PATIENCE).until(() -> outcome(producer, message) == null);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("before");
            assertThat(text(consumer.receive(RECEIVE))).isEqualTo("after");
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    /** What the listener of an asynchronous send is told: null for success. */
    private static Exception outcome(MessageProducer producer, Message message) throws Exception {
        CompletableFuture<Optional<Exception>> told = new CompletableFuture<>();
        producer.send(message, new CompletionListener() {
            @Override
            public void onCompletion(Message sent) {
                told.complete(Optional.empty());
            }

            @Override
            public void onException(Message failed, Exception problem) {
                told.complete(Optional.of(problem));
            }
        });
        return told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).orElse(null);
    }

    /** Past the proxy. */
    private void send(String... texts) throws JMSException {
        try (Connection connection =
                        new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl()).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queueName));
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    private static String text(Message message) {
        assertThat(message).isNotNull();
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}
