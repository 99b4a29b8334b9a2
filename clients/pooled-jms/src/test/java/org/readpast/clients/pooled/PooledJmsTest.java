package org.readpast.clients.pooled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.readpast.jms.ReadpastConnectionFactory;

/** The pool that applications without a container put before their broker's factory. */
class PooledJmsTest {

    private static final int THREADS = 4;
    private static final int MESSAGES = 50;

    private static EmbeddedPostgres server;

    private final JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();

    @BeforeAll
    static void startServer() throws IOException {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    static List<String> urls() {
        return List.of(
                "readpast:jdbc:h2:mem:pooled",
                "readpast:" + server.getJdbcUrl("postgres", "postgres") + "#createSchema=true");
    }

    private JmsPoolConnectionFactory pool(String url) {
        pool.setConnectionFactory(new ReadpastConnectionFactory(url));
        pool.setMaxConnections(2);
        return pool;
    }

    @AfterEach
    void stopPool() {
        pool.stop();
    }

    private static String name() {
        return "pooled." + UUID.randomUUID();
    }

    @ParameterizedTest
    @MethodSource("urls")
    void threads_that_borrow_for_each_message_send_and_receive_all_of_them_once(String url) throws Exception {
        pool(url);
        String queue = name();
        ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
        inThreads(thread -> {
            for (int i = 0; i < MESSAGES; i++) {
                try (JMSContext context = pool.createContext(JMSContext.SESSION_TRANSACTED)) {
                    context.createProducer().send(context.createQueue(queue), thread + "-" + i);
                    context.commit();
                }
            }
            return null;
        });
        inThreads(thread -> {
            for (int i = 0; i < MESSAGES; i++) {
                try (Connection connection = pool.createConnection();
                        Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
                    connection.start();
                    MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
                    received.add(consumer.receive(30_000).getBody(String.class));
                    session.commit();
                }
            }
            return null;
        });
        assertThat(received).hasSize(THREADS * MESSAGES).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("urls")
    void what_is_not_committed_when_a_session_goes_back_is_rolled_back(String url) throws Exception {
        pool(url);
        String queue = name();
        try (Connection connection = pool.createConnection()) {
            try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
                session.createProducer(session.createQueue(queue)).send(session.createTextMessage("never"));
            }
            try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
                connection.start();
                Queue same = session.createQueue(queue);
                session.commit();
                assertThat(session.createConsumer(same).receiveNoWait()).isNull();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void a_client_id_is_set_on_a_connection_that_is_new(String url) throws Exception {
        pool(url).setUseProviderJMSContext(false);
        try (Connection connection = pool.createConnection()) {
            String id = name();
            connection.setClientID(id);
            assertThat(connection.getClientID()).isEqualTo(id);
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void request_and_reply(String url) throws Exception {
        pool(url);
        String queue = name();
        try (JMSContext asking = pool.createContext();
                JMSContext answering = pool.createContext()) {
            answering.createConsumer(answering.createQueue(queue)).setMessageListener(message -> {
                try {
                    answering
                            .createProducer()
                            .setJMSCorrelationID(message.getJMSMessageID())
                            .send(message.getJMSReplyTo(), "yes");
                } catch (JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            Queue replies = asking.createTemporaryQueue();
            Message request = asking.createTextMessage("well?");
            request.setJMSReplyTo(replies);
            asking.createProducer().send(asking.createQueue(queue), request);
            assertThat(asking.createConsumer(replies).receive(30_000).getBody(String.class))
                    .isEqualTo("yes");
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void a_pool_that_is_stopped_closes_what_it_has_lent(String url) throws Exception {
        pool(url);
        Connection connection = pool.createConnection();
        connection.createSession().createProducer(null);
        pool.stop();
        assertThatThrownBy(connection::createSession).isInstanceOf(JMSException.class);
    }

    private static void inThreads(Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            IntStream.range(0, THREADS).forEach(thread -> all.add(() -> work.by(thread)));
            for (Future<Void> done : threads.invokeAll(all)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @FunctionalInterface
    private interface Work {
        Void by(int thread) throws Exception;
    }
}
