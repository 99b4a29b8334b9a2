package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** With verifyCommit: the database commits, its answer is lost, and the provider finds out by the row that was left behind. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VerifiedCommitTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RECEIVE = 20_000;
    private static final String MARKER = "commit_marker";

    private final String type = "doubt" + UUID.randomUUID().toString().replace("-", "");
    private final String queue = "verified." + UUID.randomUUID();

    static List<TestDatabase> databases() {
        return TestDatabase.servers().toList();
    }

    private static ReadpastConnectionFactory factory(TestDatabase database, TcpProxy proxy) {
        String url = database.urlThrough(proxy.port());
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                // So that the driver says in so many words what it executes, which the proxy can hear.
                database == TestDatabase.POSTGRESQL ? url + "&prepareThreshold=0" : url,
                "poolTimeoutMillis=20000",
                "idleCloseMillis=0",
                "verifyCommit=true"));
    }

    private Message message(Session session, String text) throws JMSException {
        Message message = session.createTextMessage(text);
        message.setJMSType(type);
        return message;
    }

    /** SQL Server's driver says the whole text before any value, PostgreSQL's one statement with its values after the other. */
    private void swallowAnswersToTheSend(TestDatabase database, TcpProxy proxy) {
        if (database == TestDatabase.POSTGRESQL) {
            proxy.swallowAnswersTo(MARKER, type);
        } else {
            proxy.swallowAnswersTo(type, MARKER);
        }
    }

    private static void loseTheAnswer(TcpProxy proxy) {
        await("the answer to be swallowed").atMost(PATIENCE).until(proxy::hasSwallowed);
        proxy.heal();
    }

    private void assertReceived(Connection connection, String... texts) throws JMSException {
        connection.start();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (String text : texts) {
                Message message = consumer.receive(RECEIVE);
                assertThat(message).isNotNull();
                assertThat(((TextMessage) message).getText()).isEqualTo(text);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void send_whose_answer_was_lost_succeeds_and_is_stored_once(TestDatabase database) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(database.port());
                Connection connection = factory(database, proxy).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            swallowAnswersToTheSend(database, proxy);
            Aside<Exception> send = Aside.attempt(() -> producer.send(message(session, "once")));
            loseTheAnswer(proxy);

            assertThat(send.result()).isNull();
            assertReceived(connection, "once");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void asynchronous_send_whose_answer_was_lost_is_completed(TestDatabase database) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(database.port());
                Connection connection = factory(database, proxy).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            CompletableFuture<Optional<Exception>> told = new CompletableFuture<>();
            swallowAnswersToTheSend(database, proxy);
            producer.send(message(session, "once"), new CompletionListener() {
                @Override
                public void onCompletion(Message sent) {
                    told.complete(Optional.empty());
                }

                @Override
                public void onException(Message failed, Exception problem) {
                    told.complete(Optional.of(problem));
                }
            });
            loseTheAnswer(proxy);

            assertThat(told.get(60, TimeUnit.SECONDS)).isEmpty();
            assertReceived(connection, "once");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void commit_of_sends_and_receives_whose_answer_was_lost_succeeds(TestDatabase database) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(database.port());
                Connection connection = factory(database, proxy).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            producer.send(session.createTextMessage("first"));
            session.commit();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            assertThat(consumer.receive(RECEIVE)).isNotNull();
            proxy.swallowAnswersTo(MARKER, type);
            producer.send(message(session, "one"));
            producer.send(message(session, "two"));
            Aside<Exception> commit = Aside.attempt(session::commit);
            loseTheAnswer(proxy);

            assertThat(commit.result()).isNull();
            consumer.close();
            assertReceived(connection, "one", "two");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void database_that_stays_away_leaves_the_doubt_and_it_is_told(TestDatabase database) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(database.port());
                Connection connection = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                                database.urlThrough(proxy.port()),
                                "poolTimeoutMillis=5000",
                                "idleCloseMillis=0",
                                "verifyCommit=true"))
                        .createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            swallowAnswersToTheSend(database, proxy);
            Aside<Exception> send = Aside.attempt(() -> producer.send(message(session, "who knows")));
            await("the answer to be swallowed").atMost(PATIENCE).until(proxy::hasSwallowed);
            proxy.refuse();
            proxy.cut();

            assertThat(send.result()).isInstanceOf(JMSException.class).hasMessageContaining("not known");
            proxy.heal();
        }
    }
}
