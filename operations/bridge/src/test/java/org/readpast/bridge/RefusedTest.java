package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TransactionRolledBackException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.bridge.batch.MessageCopy;
import org.readpast.bridge.batch.Step;
import org.readpast.bridge.ends.ReadpastEnd;
import org.readpast.jms.ReadpastConnectionFactory;

/** What the other side does not take: whether it becomes a dead letter, and that others cross. */
class RefusedTest {

    private static final String DEAD_LETTERS = "readpast.bridge.test.dead";

    @TempDir
    Path folder;

    /** Its class needs one that is not there. */
    static final class Unreadable implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) {
            throw new NoClassDefFoundError("made to fail");
        }
    }

    static Stream<Arguments> pairs() {
        return FaultsTest.pairs();
    }

    @Test
    void a_body_that_no_array_holds_is_refused_before_it_is_read() throws Exception {
        BytesMessage huge = (BytesMessage) Proxy.newProxyInstance(
                RefusedTest.class.getClassLoader(),
                new Class<?>[] {BytesMessage.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getBodyLength" -> 3L << 30;
                    case "readBytes" -> throw new IllegalStateException("read");
                    default -> null;
                });
        try (Connection connection = new TestDatabase(TestDatabase.H2).factory().createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            assertThatThrownBy(() -> MessageCopy.of(huge, session, "test:into"))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("3221225472 bytes");
        }
    }

    private static void untilItWaits(Bridge bridge, String reason) {
        Rig.eventually(() -> assertThat(bridge.status()).singleElement().satisfies(link -> {
            assertThat(link.failures() + link.deadLetters()).as(link.toString()).isGreaterThan(3);
            assertThat(link.lastFailure()).contains(reason);
        }));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_queue_that_an_administrator_has_paused_is_waited_for(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("orders", 0, 1));
            String orders = " WHERE kind = 'Q' AND name = 'orders'";
            rig.database.run("UPDATE readpast.destination SET paused = 'send', paused_at = CURRENT_TIMESTAMP" + orders);
            Bridge bridge = rig.started("over orders", "temporary-replies no");
            rig.onBroker(Rig.send("orders", 1, 2));
            untilItWaits(bridge, "an administrator has paused it");
            rig.database.run("UPDATE readpast.destination SET paused = NULL, paused_at = NULL" + orders);
            List<Message> received = rig.onReadpast(Rig.receive("orders", 2));
            Rig.assertEachOnce(received, 2);
            assertThat(bridge.status().get(0).deadLetters()).isZero();
            // The broker counts deliveries, and each attempt so far would have been one.
            assertThat(received.get(1).getStringProperty(MessageCopy.DELIVERIES))
                    .isIn(null, "2", "3");
        }
    }

    @Test
    void what_refuses_all_messages_is_none_of_their_own_but_a_requester_who_is_gone_is() {
        JMSException denied = new JMSSecurityException("may not create the queue");
        assertThat(ReadpastEnd.hasRefused(denied, true)).isFalse();
        assertThat(ReadpastEnd.hasRefused(denied, false)).isTrue();
        JMSException full = new ResourceAllocationException("no space");
        assertThat(ReadpastEnd.hasRefused(full, true)).isFalse();
        assertThat(ReadpastEnd.hasRefused(full, false)).isFalse();
        JMSException failedOver = new TransactionRolledBackException("failed over");
        assertThat(ReadpastEnd.hasRefused(failedOver, true)).isFalse();
        assertThat(ReadpastEnd.hasRefused(failedOver, false)).isFalse();
    }

    @Test
    void a_lack_of_memory_is_not_taken_for_a_messages_own() throws Exception {
        BytesMessage message = (BytesMessage) Proxy.newProxyInstance(
                RefusedTest.class.getClassLoader(), new Class<?>[] {BytesMessage.class}, (proxy, method, arguments) -> {
                    throw new OutOfMemoryError("made to fail");
                });
        BridgeRules rules = BridgeRules.parse(List.of("name test", "over orders"));
        Sending sending = new Sending(rules, rules.rules().get(0), "test:into", null, null);
        try (Connection connection = new TestDatabase(TestDatabase.H2).factory().createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            assertThatThrownBy(() -> sending.send(message, null, session, null)).isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void what_a_link_has_waited_for_is_told_no_more_when_it_runs() {
        Progress progress = new Progress("over orders");
        progress.failed("the broker is away");
        progress.is(LinkStatus.State.WAITING_FOR_TOKEN);
        progress.waits("no token seen");
        assertThat(progress.status().lastFailure()).isEqualTo("no token seen");
        progress.is(LinkStatus.State.RUNNING);
        assertThat(progress.status().lastFailure()).isEqualTo("the broker is away");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_target_that_is_not_there_yet_is_waited_for(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            ReadpastConnectionFactory made = rig.database.factory();
            made.setProperty("autoCreate", "false");
            try (Bridge bridge = new Bridge(
                    BridgeRules.parse(List.of("name test", "over orders", "temporary-replies no")),
                    Side.of(rig.broker.factory()),
                    Side.of(made))) {
                bridge.createTables();
                bridge.start();
                rig.onBroker(Rig.send("orders", 1, 2));
                untilItWaits(bridge, "orders");
                rig.onReadpast(Rig.send("orders", 0, 1));
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 2)), 2);
                assertThat(bridge.status().get(0).deadLetters()).isZero();
            }
        }
    }

    static Stream<Arguments> artemis() {
        return BridgeTest.artemis();
    }

    /** Artemis' client says so only in words. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("artemis")
    void a_target_at_the_broker_that_is_not_there_yet_is_waited_for(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            Bridge bridge = rig.started("back orders made.orders", "temporary-replies no");
            rig.onReadpast(Rig.send("orders", 0, 1));
            untilItWaits(bridge, "There is no queue with name made.orders");
            MBeanServer beans = rig.broker.beans();
            ObjectName server = beans.queryNames(new ObjectName("org.apache.activemq.artemis:broker=*"), null)
                    .iterator()
                    .next();
            Invocation invocation = (operation, arguments) -> {
                String[] types = new String[arguments.length];
                Arrays.fill(types, String.class.getName());
                beans.invoke(server, operation, arguments, types);
            };
            String queue = "{\"name\":\"made.orders\",\"address\":\"made.orders\",\"routing-type\":\"ANYCAST\"}";
            invocation.of("createAddress", "made.orders", "ANYCAST");
            invocation.of("createQueue", queue);
            Rig.assertEachOnce(rig.onBroker(Rig.receive("made.orders", 1)), 1);

            // The broker takes what is sent to the address of a queue that is gone, and keeps none of it.
            invocation.of("destroyQueue", "made.orders");
            rig.onReadpast(Rig.send("orders", 1, 2));
            untilItWaits(bridge, "There is no queue with name made.orders");
            invocation.of("createQueue", queue);
            assertThat(rig.onBroker(Rig.receive("made.orders", 1))).hasSize(1);
            assertThat(bridge.status().get(0).deadLetters()).isZero();
        }
    }

    @FunctionalInterface
    private interface Invocation {
        void of(String operation, String... arguments) throws Exception;
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_table_of_the_bridge_that_cannot_be_written_is_waited_for(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            Bridge bridge = rig.started("over orders", "temporary-replies no");
            // By then it has looked for pairs that are too old.
            rig.onBroker(Rig.send("orders", 0, 1));
            Rig.untilCrossed(bridge, 1);
            rig.database.run(renamed("bridge_pair", "away"));
            rig.onBroker(session -> {
                Message request = session.createTextMessage("1");
                request.setJMSReplyTo(session.createQueue("answers"));
                session.createProducer(session.createQueue("orders")).send(request);
                return null;
            });
            untilItWaits(bridge, "bridge_pair");
            rig.database.run(renamed("away", "bridge_pair"));
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 2)), 2);
            assertThat(bridge.status().get(0).deadLetters()).isZero();
        }
    }

    private static String renamed(String from, String to) {
        return "ALTER TABLE readpast." + from + " RENAME TO " + to;
    }

    /** Anybody may have written it into the table; and ActiveMQ's client throws an IllegalArgumentException for a name that is blank. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_reply_to_that_the_other_side_or_this_one_cannot_read_holds_up_no_others(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("answers", 0, 3));
            String set = "UPDATE readpast.message SET reply_to = '%s'"
                    + " WHERE message_id = (SELECT MIN(message_id) FROM readpast.message) + %d";
            rig.database.run(set.formatted("nobody", 0));
            rig.database.run(set.formatted("queue:// ", 1));
            try (Bridge bridge = rig.started("back answers", "temporary-replies no")) {
                Rig.untilCrossed(bridge, 3);
                List<String> dead = broker.equals(TestBroker.ACTIVEMQ) ? List.of("0", "1") : List.of("0");
                List<Message> letters = rig.onReadpast(Rig.receive(DEAD_LETTERS, dead.size()));
                assertThat(Rig.texts(letters)).isEqualTo(dead);
                assertThat(letters.get(0).getStringProperty(MessageCopy.REASON))
                        .startsWith("its JMSReplyTo is refused: JMSReplyTo was stored as 'nobody'");
                assertThat(letters.get(0).getStringProperty(MessageCopy.DROPPED))
                        .isEqualTo("JMSReplyTo");
                assertThat(letters.get(0).getJMSReplyTo()).isNull();
                assertThat(Rig.texts(rig.onBroker(Rig.receive("answers", 3 - dead.size()))))
                        .contains("2");
            }
        }
    }

    /** Which is one queue for all rules, while an id is the application's for each of its queues. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void no_dead_letter_is_taken_for_a_duplicate_of_another(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            for (String queue : List.of("a", "b")) {
                rig.onReadpast(marked(queue, "test:out"));
                rig.onBroker(marked(queue, "test:into"));
            }
            try (Bridge bridge = rig.started("over a", "over b", "back a", "back b", "temporary-replies no")) {
                Rig.eventually(() -> assertThat(bridge.status())
                        .allSatisfy(link -> assertThat(link.deadLetters()).isEqualTo(1)));
                assertThat(rig.onReadpast(Rig.receive(DEAD_LETTERS, 2))).hasSize(2);
                assertThat(rig.onBroker(Rig.receive(DEAD_LETTERS, 2))).hasSize(2);
            }
        }
    }

    private static Rig.Work<Void> marked(String queue, String hop) {
        return session -> {
            Message message = session.createTextMessage(queue);
            message.setStringProperty("_AMQ_DUPL_ID", "x");
            message.setStringProperty(MessageCopy.HOPS, hop);
            session.createProducer(session.createQueue(queue)).send(message);
            return null;
        };
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void an_object_whose_class_cannot_be_loaded_is_a_dead_letter_and_others_cross(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(session -> {
                session.createProducer(session.createQueue("orders"))
                        .send(session.createObjectMessage(new Unreadable()));
                return null;
            });
            rig.onBroker(Rig.send("orders", 0, 1));
            try (Bridge bridge = rig.started("over orders", "temporary-replies no")) {
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 1)), 1);
                // Counted once the broker has it, which is after what goes on has arrived.
                Rig.eventually(
                        () -> assertThat(bridge.status().get(0).deadLetters()).isEqualTo(1));
                Message dead = rig.onBroker(session -> session.createConsumer(session.createQueue(DEAD_LETTERS))
                        .receive(60_000));
                assertThat(dead.getStringProperty(MessageCopy.REASON))
                        .isEqualTo("it cannot be copied: java.lang.NoClassDefFoundError: made to fail");
            }
        }
    }

    /** As of a sender that has no need of ids. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("artemis")
    void one_without_a_usable_id_is_a_dead_letter_too_where_such_messages_cross(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(session -> {
                MessageProducer producer = session.createProducer(session.createQueue("orders"));
                producer.setDisableMessageID(true);
                producer.send(session.createObjectMessage(new Unreadable()));
                producer.send(session.createTextMessage("0"));
                return null;
            });
            try (Bridge bridge = rig.started("over orders", "without-id at-least-once", "temporary-replies no")) {
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 1)), 1);
                Rig.eventually(
                        () -> assertThat(bridge.status().get(0).deadLetters()).isEqualTo(1));
                assertThat(rig.onBroker(Rig.receive(DEAD_LETTERS, 1)).get(0).getStringProperty(MessageCopy.REASON))
                        .isEqualTo("it cannot be copied: java.lang.NoClassDefFoundError: made to fail");
            }
        }
    }

    /** Only Readpast shows such rows as messages of bytes, so that nobody takes them for what they were meant to be. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_row_that_is_no_message_does_not_cross_as_one_of_bytes(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("orders", 0, 2));
            rig.database.run("UPDATE readpast.message SET body_kind = 2"
                    + " WHERE message_id = (SELECT MAX(message_id) FROM readpast.message)");
            Bridge bridge = rig.bridge("back orders", "temporary-replies no");
            assertThat(bridge.preview().get(0).remarks())
                    .containsEntry("cannot be read: goes to the dead letters of the bridge", 1);
            bridge.start();
            Rig.untilCrossed(bridge, 2);
            assertThat(rig.onReadpast(Rig.receive(DEAD_LETTERS, 1)).get(0).getStringProperty(MessageCopy.REASON))
                    .startsWith("it cannot be read: ")
                    .contains("body_format");
            Rig.assertEachOnce(rig.onBroker(Rig.receive("orders", 1)), 1);
        }
    }

    /** The broker is there again when it is asked, and so was each connection. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_message_on_which_the_brokers_client_fails_over_again_and_again_is_no_dead_letter(
            String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("orders", 0, 1));
            String address = "tcp://localhost:" + rig.broker.port;
            AtomicInteger restarts = new AtomicInteger();
            Step.Listener restart = step -> {
                if (step == Step.WRITTEN && restarts.incrementAndGet() <= 4) {
                    rig.restartBroker();
                }
            };
            try (Bridge bridge = new Bridge(
                    BridgeRules.parse(List.of("name test", "back orders", "temporary-replies no")),
                    Side.of(BrokerUrl.factory(
                            broker.equals(TestBroker.ARTEMIS)
                                    ? "artemis:" + address + "?reconnectAttempts=-1"
                                    : "activemq:failover:(" + address + ")",
                            RefusedTest.class.getClassLoader())),
                    Side.of(rig.database.factory()),
                    restart)) {
                bridge.createTables();
                bridge.start();
                Rig.untilCrossed(bridge, 1);
                assertThat(bridge.status().get(0).deadLetters()).isZero();
            }
            Rig.assertEachOnce(rig.onBroker(Rig.receive("orders", 1)), 1);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_link_begins_anew_after_an_error_and_says_which(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, 1));
            AtomicBoolean hasFailed = new AtomicBoolean();
            Step.Listener once = step -> {
                if (hasFailed.compareAndSet(false, true)) {
                    throw new StackOverflowError();
                }
            };
            try (Bridge bridge = rig.bridge(once, "over orders", "temporary-replies no")) {
                bridge.start();
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 1)), 1);
                assertThat(bridge.status().get(0).lastFailure()).isEqualTo("java.lang.StackOverflowError");
            }
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_reply_arrives_although_the_requesters_of_ten_before_it_have_gone(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder);
                Connection connection = rig.database.factory().createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            List<TemporaryQueue> answers = new ArrayList<>();
            MessageProducer producer = session.createProducer(session.createQueue("help"));
            for (int i = 0; i <= 10; i++) {
                answers.add(session.createTemporaryQueue());
                Message request = session.createTextMessage(Integer.toString(i));
                request.setJMSReplyTo(answers.get(i));
                producer.send(request);
            }
            try (Bridge bridge = rig.started("back help")) {
                Rig.untilCrossed(bridge, 11);
            }
            rig.onBroker(replying -> {
                MessageConsumer requests = replying.createConsumer(replying.createQueue("help"));
                for (int i = 0; i <= 10; i++) {
                    Message request = requests.receive(60_000);
                    Message reply = replying.createTextMessage("reply");
                    reply.setJMSCorrelationID(request.getJMSMessageID());
                    replying.createProducer(request.getJMSReplyTo()).send(reply);
                }
                return null;
            });
            for (TemporaryQueue gone : answers.subList(0, 10)) {
                gone.delete();
            }
            try (Bridge bridge = rig.started("back help");
                    MessageConsumer consumer = session.createConsumer(answers.get(10))) {
                assertThat(consumer.receive(60_000))
                        .as(() -> bridge.status().toString())
                        .isNotNull();
                Rig.eventually(
                        () -> assertThat(bridge.status().get(1).deadLetters()).isEqualTo(10));
            }
        }
    }
}
