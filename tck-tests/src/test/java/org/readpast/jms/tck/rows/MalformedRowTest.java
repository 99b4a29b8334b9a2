package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A row that is no message stops nobody: it counts as delivered, ends among the dead letters as it is, and is shown for what it is. Each
 * test has five messages, of which the first is malformed.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
@Tag("extended")
class MalformedRowTest {

    private static final long PATIENCE = 60_000;
    private static final int MAXIMUM = 3;
    private static final String SCHEMA = "rows_" + Long.toString(System.nanoTime(), 36);
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static final String[] SOUND = {"m1", "m2", "m3", "m4"};

    private final String queue = "rows." + TESTS.incrementAndGet();
    private final String dead = "dead." + queue;
    private final RowTable table;
    private final ReadpastConnectionFactory factory;
    private String malformed;
    private RowTable.Content content;

    MalformedRowTest(TestDatabase database) throws JMSException {
        table = new RowTable(database, SCHEMA);
        factory = new ReadpastConnectionFactory(database.readpastUrl(
                "schema=" + SCHEMA,
                "redelivery.rows.*.maximumDeliveries=" + MAXIMUM,
                "redelivery.rows.*.deadLetterDestination=dead.*"));
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void install() throws Exception {
        factory.createConnection().close();
        table.dropChecks();
    }

    /** Sends five messages, and spoils the row of the first. */
    private void send(Malformation malformation) throws Exception {
        List<String> ids = new ArrayList<>();
        try (JMSContext context = factory.createContext()) {
            for (int i = 0; i < 5; i++) {
                TextMessage message = context.createTextMessage("m" + i);
                message.setIntProperty("n", i);
                context.createProducer().send(context.createQueue(queue), message);
                ids.add(message.getJMSMessageID());
            }
        }
        malformed = ids.get(0);
        table.change(malformed, malformation.change(table.database()));
        content = table.content(queue, malformed);
    }

    private void isDeadLetterAsItWas(Malformation malformation) throws Exception {
        await().atMost(Duration.ofMillis(PATIENCE))
                .untilAsserted(() ->
                        assertThat(table.content(dead, malformed)).isNotNull().isEqualTo(content));
        assertThat(table.reason(malformed)).contains(malformation.column()).contains(malformation.value());
    }

    @ParameterizedTest
    @EnumSource(Malformation.class)
    void receive_fails_up_to_the_maximum_and_goes_on(Malformation malformation) throws Exception {
        send(malformation);
        List<String> received = new ArrayList<>();
        List<MessageFormatRuntimeException> failures = new ArrayList<>();
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            while (received.size() < SOUND.length || failures.size() < MAXIMUM) {
                try {
                    received.add(consumer.receive(PATIENCE).getBody(String.class));
                } catch (MessageFormatRuntimeException e) {
                    failures.add(e);
                }
            }
            assertThat(received).containsExactly(SOUND);
            assertThat(failures)
                    .hasSize(MAXIMUM)
                    .allSatisfy(e -> assertThat(e)
                            .hasMessageContaining(malformation.column())
                            .hasMessageContaining(malformed));
            assertThat(consumer.receiveNoWait()).isNull();
        }
        isDeadLetterAsItWas(malformation);
    }

    @ParameterizedTest
    @EnumSource(Malformation.class)
    void consumer_with_a_selector_goes_on(Malformation malformation) throws Exception {
        send(malformation);
        List<String> received = new CopyOnWriteArrayList<>();
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue), "n >= 0")) {
            consumer.setMessageListener(message -> received.add(body(message)));
            await().atMost(Duration.ofMillis(PATIENCE))
                    .untilAsserted(() -> assertThat(received).containsExactly(SOUND));
            isDeadLetterAsItWas(malformation);
        }
    }

    @ParameterizedTest
    @EnumSource(Malformation.class)
    void browsers_and_views_show_it_and_go_on(Malformation malformation) throws Exception {
        send(malformation);
        try (JMSContext context = factory.createContext();
                QueueBrowser browser = context.createBrowser(context.createQueue(queue));
                QueueBrowser selective = context.createBrowser(context.createQueue(queue), "n >= 0")) {
            List<String> shown = new ArrayList<>();
            for (Object next : shown(browser)) {
                Message message = (Message) next;
                if (message.getJMSMessageID().equals(malformed)) {
                    assertThat(message).isInstanceOf(BytesMessage.class);
                    assertThat(message.getStringProperty("JMS_READPAST_Unreadable"))
                            .contains(malformation.column())
                            .contains(malformation.value());
                } else {
                    shown.add(body(message));
                }
            }
            assertThat(shown).containsExactly(SOUND);
            assertThat(shown(selective)).hasSize(5);
        }
        assertThat(table.shown(queue)).isEqualTo(5);
        // How deep JSON is, and whether bytes are text, is for programs to tell.
        if (malformation != Malformation.PROPERTIES_TOO_DEEP && malformation != Malformation.NO_TEXT) {
            assertThat(table.problem(malformed)).contains(malformation.column());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void listener_goes_on(Mode mode) throws Exception {
        send(Malformation.UNKNOWN_KIND);
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Connection connection = factory.createConnection()) {
            List<JMSException> reported = new CopyOnWriteArrayList<>();
            connection.setExceptionListener(reported::add);
            Session session = connection.createSession(mode.mode);
            session.createConsumer(session.createQueue(queue)).setMessageListener(message -> {
                heard.add(body(message));
                mode.settle(session, message);
            });
            connection.start();
            await().atMost(Duration.ofMillis(PATIENCE))
                    .untilAsserted(() -> assertThat(heard).containsExactlyInAnyOrder(SOUND));
            await().atMost(Duration.ofMillis(PATIENCE)).until(() -> !reported.isEmpty());
            assertThat(reported).allSatisfy(e -> assertThat(e).isInstanceOf(MessageFormatException.class));
        }
        // In a transacted session it comes again when a transaction ends, and there were four of them.
        isDeadLetterAsItWas(Malformation.UNKNOWN_KIND);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void what_a_session_acknowledges_does_not_contain_it(Mode mode) throws Exception {
        send(Malformation.NO_BODY);
        List<String> received = new ArrayList<>();
        int failed = 0;
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(mode.mode);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            connection.start();
            while (received.size() < SOUND.length || failed < MAXIMUM) {
                try {
                    Message message = consumer.receive(PATIENCE);
                    received.add(body(message));
                    mode.settle(session, message);
                } catch (MessageFormatException e) {
                    failed++;
                    mode.settle(session, null);
                }
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
        assertThat(received).containsExactly(SOUND);
        assertThat(failed).isEqualTo(MAXIMUM);
        isDeadLetterAsItWas(Malformation.NO_BODY);
    }

    @ParameterizedTest
    @EnumSource(
            value = Malformation.class,
            names = {"UNKNOWN_KIND", "NO_BODY", "ARRAY_OF_PROPERTIES"})
    void consumer_by_lease_goes_on(Malformation malformation) throws Exception {
        send(malformation);
        List<String> heard = new CopyOnWriteArrayList<>();
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer =
                        context.createConsumer(context.createQueue(queue + "?consumer.leaseSeconds=600"))) {
            consumer.setMessageListener(message -> heard.add(body(message)));
            await().atMost(Duration.ofMillis(PATIENCE))
                    .untilAsserted(() -> assertThat(heard).containsExactly(SOUND));
            isDeadLetterAsItWas(malformation);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Malformation.class,
            names = {"UNKNOWN_KIND", "NO_BODY", "ARRAY_OF_PROPERTIES"})
    void receiver_in_a_transaction_of_the_applications_goes_on_though_that_is_rolled_back(Malformation malformation)
            throws Exception {
        send(malformation);
        List<String> received = new ArrayList<>();
        int failed = 0;
        while (received.size() < SOUND.length) {
            try (java.sql.Connection sql = table.database().connect()) {
                sql.setAutoCommit(false);
                try (Connection connection = factory.createConnection(sql);
                        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
                    connection.start();
                    received.add(body(
                            session.createConsumer(session.createQueue(queue)).receive(PATIENCE)));
                    sql.commit();
                } catch (MessageFormatException e) {
                    failed++;
                    sql.rollback();
                }
            }
        }
        assertThat(received).containsExactly(SOUND);
        assertThat(failed).isEqualTo(MAXIMUM);
        isDeadLetterAsItWas(malformation);
    }

    @ParameterizedTest
    @EnumSource(value = Malformation.class, mode = EnumSource.Mode.EXCLUDE, names = "COUNT_BELOW_ZERO")
    void consumer_of_the_dead_letters_gets_it_as_bytes_with_the_reason(Malformation malformation) throws Exception {
        send(malformation);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
                JMSConsumer reader = context.createConsumer(context.createQueue(dead))) {
            for (int failed = 0; failed < MAXIMUM; ) {
                try {
                    consumer.receive(PATIENCE);
                } catch (MessageFormatRuntimeException e) {
                    failed++;
                }
            }
            for (int rest = 4; rest > 0 && consumer.receiveNoWait() != null; rest--) {}
            isDeadLetterAsItWas(malformation);
            BytesMessage letter = (BytesMessage) reader.receive(PATIENCE);
            assertThat(letter.getJMSMessageID()).isEqualTo(malformed);
            assertThat(letter.getStringProperty("JMS_READPAST_Unreadable")).contains(malformation.column());
            assertThat(reader.receiveNoWait()).isNull();
        }
    }

    private static List<Object> shown(QueueBrowser browser) throws JMSException {
        return new ArrayList<>(Collections.list((Enumeration<?>) browser.getEnumeration()));
    }

    private static String body(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The acknowledge modes, and how an application ends its work with a message in each. */
    enum Mode {
        AUTO(Session.AUTO_ACKNOWLEDGE),
        DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE),
        CLIENT(Session.CLIENT_ACKNOWLEDGE),
        TRANSACTED(Session.SESSION_TRANSACTED);

        private final int mode;

        Mode(int mode) {
            this.mode = mode;
        }

        /** @param message null where it could not be read */
        void settle(Session session, Message message) {
            try {
                if (this == TRANSACTED) {
                    session.commit();
                } else if (this == CLIENT && message == null) {
                    session.recover();
                } else if (this == CLIENT) {
                    message.acknowledge();
                }
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
