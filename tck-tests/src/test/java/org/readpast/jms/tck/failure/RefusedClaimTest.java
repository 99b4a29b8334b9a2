package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * The server begins to refuse claims while a session has one: what is under way still commits, in the same round trip in which the
 * claim behind it is refused.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedClaimTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MESSAGES = 20;
    private static final String USER = "application";

    private static PostgresServer server;

    private final String queue = "readonly." + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
        new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(server.jdbcUrl(), "idleCloseMillis=0"))
                .createConnection()
                .close();
        server.execute(
                "CREATE ROLE " + USER + " LOGIN",
                "GRANT USAGE ON SCHEMA readpast TO " + USER,
                "GRANT ALL ON ALL TABLES IN SCHEMA readpast TO " + USER,
                "GRANT ALL ON ALL SEQUENCES IN SCHEMA readpast TO " + USER);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** Why claims are refused, and what is neither refused nor undone by that. */
    enum Refusal {

        /** Before a planned switchover, or to guard a full disk: a transaction that is open goes on, the next one may not write. */
        READ_ONLY {
            @Override
            void begin() throws Exception {
                readOnly(true);
            }

            @Override
            void end() throws Exception {
                readOnly(false);
            }
        },

        /** A right that claims need and acknowledgements do not. */
        WITHOUT_RIGHT {
            @Override
            void begin() throws Exception {
                server.execute("REVOKE UPDATE ON readpast.message FROM " + USER);
            }

            @Override
            void end() throws Exception {
                server.execute("GRANT UPDATE ON readpast.message TO " + USER);
            }
        };

        abstract void begin() throws Exception;

        abstract void end() throws Exception;
    }

    @AfterEach
    void endRefusals() throws Exception {
        for (Refusal refusal : Refusal.values()) {
            refusal.end();
        }
    }

    private static Connection connect() throws JMSException {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                        PostgresServer.urlThrough(server.port(), USER, ""),
                        "idleCloseMillis=0",
                        // For so long what became of an acknowledgement is asked for, which is refused as well.
                        "poolTimeoutMillis=5000",
                        // What was received last is held for so long, and the transaction with it is open.
                        "receiveAheadMillis=60000",
                        "recoveryDelayMillis=50",
                        "recoveryCeilingMillis=500"))
                .createConnection();
    }

    /** Returns when those who are connected know of it. */
    private static void readOnly(boolean now) throws Exception {
        try (java.sql.Connection connection = server.connect();
                java.sql.Statement statement = connection.createStatement()) {
            statement.execute("SET default_transaction_read_only = off");
            statement.execute("ALTER SYSTEM SET default_transaction_read_only = " + (now ? "on" : "off"));
            statement.execute("RESET default_transaction_read_only");
            statement.execute("SELECT pg_reload_conf()");
        }
        await().atMost(PATIENCE).until(() -> isReadOnly() == now);
    }

    /** As a new session is: the server begins one when it has told all others of what has changed. */
    private static boolean isReadOnly() throws Exception {
        try (java.sql.Connection connection = server.connect();
                java.sql.Statement statement = connection.createStatement();
                java.sql.ResultSet row = statement.executeQuery("SHOW default_transaction_read_only")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private List<String> send(Session session) throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        List<String> texts =
                IntStream.range(0, MESSAGES).mapToObj(String::valueOf).toList();
        for (String text : texts) {
            producer.send(session.createTextMessage(text));
        }
        return texts;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void receive_loses_no_message(Refusal refusal) throws Exception {
        try (Connection connection = connect();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            List<String> sent = send(session);
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            List<String> received = new ArrayList<>();
            received.add(text(consumer.receiveNoWait()));
            received.add(text(consumer.receiveNoWait()));

            refusal.begin();
            boolean refused = false;
            while (!refused && received.size() < MESSAGES) {
                try {
                    received.add(text(consumer.receiveNoWait()));
                } catch (JMSException e) {
                    refused = true;
                }
            }
            refusal.end();
            Message next = consumer.receiveNoWait();
            while (next != null) {
                received.add(text(next));
                next = consumer.receiveNoWait();
            }

            assertThat(refused).isTrue();
            assertThat(received).containsExactlyElementsOf(sent);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void listener_gets_each_message_once(Refusal refusal) throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        List<JMSException> problems = new CopyOnWriteArrayList<>();
        try (Connection connection = connect();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            List<String> sent = send(sending);
            connection.setExceptionListener(problems::add);
            session.createConsumer(session.createQueue(queue)).setMessageListener(message -> {
                received.add(text(message));
                if (received.size() == 2) {
                    try {
                        refusal.begin();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            });
            connection.start();
            await("the refusal").atMost(PATIENCE).until(() -> !problems.isEmpty());
            refusal.end();

            await("the last message").atMost(PATIENCE).until(() -> received.contains(String.valueOf(MESSAGES - 1)));
            assertThat(received).containsExactlyElementsOf(sent);
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
