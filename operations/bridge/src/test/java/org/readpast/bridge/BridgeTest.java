package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.bridge.batch.MessageCopy;
import org.readpast.bridge.batch.Step;
import org.readpast.jms.ReadpastConnectionFactory;

class BridgeTest {

    private static final String DEAD_LETTERS = "readpast.bridge.test.dead";

    @TempDir
    Path folder;

    static Stream<Arguments> pairs() {
        return FaultsTest.pairs();
    }

    static Stream<Arguments> artemis() {
        return pairs().filter(pair -> pair.get()[0].equals(TestBroker.ARTEMIS));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_message_crosses_each_way_once_and_again_when_its_dead_letter_is_sent_back(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder);
                Bridge bridge = rig.started("over ping", "back ping", "temporary-replies no")) {
            rig.onBroker(Rig.send("ping", 0, 1));
            Message dead = rig.onBroker(session -> {
                Message received = session.createConsumer(session.createQueue(DEAD_LETTERS))
                        .receive(60_000);
                session.createProducer(session.createQueue("ping")).send(received);
                return received;
            });
            assertThat(dead.getStringProperty(MessageCopy.REASON)).isEqualTo("it has crossed this way before");
            assertThat(dead.getStringProperty(MessageCopy.SOURCE)).isEqualTo("queue://ping");
            assertThat(dead.propertyExists(MessageCopy.HOPS)).isFalse();
            Message again = rig.onBroker(session ->
                    session.createConsumer(session.createQueue(DEAD_LETTERS)).receive(60_000));
            assertThat(((TextMessage) again).getText()).isEqualTo("0");
            Rig.eventually(() -> assertThat(bridge.status())
                    .satisfiesExactly(
                            over -> {
                                assertThat(over.crossed()).isEqualTo(2);
                                assertThat(over.deadLetters()).isEqualTo(2);
                            },
                            back -> assertThat(back.crossed()).isEqualTo(2)));
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_message_that_the_other_side_refuses_is_a_dead_letter_and_others_cross(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            String id = rig.onBroker(session -> {
                MessageProducer producer = session.createProducer(session.createQueue("orders"));
                producer.send(session.createTextMessage("0"));
                Message poison = session.createTextMessage("poison ".repeat(1_000));
                poison.setIntProperty("kept", 1);
                producer.send(poison);
                producer.send(session.createTextMessage("1"));
                return poison.getJMSMessageID();
            });
            ReadpastConnectionFactory small = rig.database.factory();
            small.setProperty("maxBodyBytes", "2000");
            try (Bridge bridge = new Bridge(
                    BridgeRules.parse(List.of("name test", "over orders", "temporary-replies no")),
                    Side.of(rig.broker.factory()),
                    Side.of(small))) {
                bridge.createTables();
                bridge.start();
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 2)), 2);
                Message dead = rig.onBroker(session -> session.createConsumer(session.createQueue(DEAD_LETTERS))
                        .receive(60_000));
                assertThat(((TextMessage) dead).getText()).startsWith("poison");
                assertThat(dead.getIntProperty("kept")).isEqualTo(1);
                assertThat(dead.getStringProperty(MessageCopy.MESSAGE_ID)).isEqualTo(id);
                assertThat(dead.getStringProperty(MessageCopy.REASON)).contains("maxBodyBytes");
                Rig.eventually(
                        () -> assertThat(bridge.status().get(0).deadLetters()).isEqualTo(1));
            }
        }
    }

    static Stream<Arguments> pairsOnPostgres() {
        return FaultsTest.pairsOnPostgres();
    }

    /** As in a failover, in which the database can be reached again at once. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairsOnPostgres")
    void a_message_whose_connection_is_lost_again_and_again_is_no_dead_letter(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, 1));
            AtomicInteger cuts = new AtomicInteger();
            Step.Listener cut = step -> {
                if (step == Step.WRITTEN && cuts.incrementAndGet() <= 4) {
                    rig.database.cutConnections();
                }
            };
            try (Bridge bridge = rig.bridge(cut, "over orders", "temporary-replies no")) {
                bridge.start();
                Rig.eventually(() -> assertThat(bridge.status())
                        .singleElement()
                        .satisfies(link ->
                                assertThat(link.crossed() + link.deadLetters()).isEqualTo(1)));
                assertThat(bridge.status().get(0).deadLetters()).isZero();
                assertThat(bridge.status().get(0).failures()).isEqualTo(4);
            }
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 1)), 1);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("artemis")
    void a_message_without_an_id_is_a_dead_letter_unless_it_may_come_twice(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            Rig.Work<Void> send = session -> {
                MessageProducer producer = session.createProducer(session.createQueue("orders"));
                producer.setDisableMessageID(true);
                producer.send(session.createTextMessage("0"));
                return null;
            };
            rig.onBroker(send);
            assertThat(rig.bridge("over orders", "temporary-replies no").preview())
                    .singleElement()
                    .satisfies(preview -> assertThat(preview.remarks())
                            .containsEntry("has no JMSMessageID: goes to the dead letters of the bridge", 1));
            try (Bridge bridge = rig.started("over orders", "temporary-replies no")) {
                Message dead = rig.onBroker(session -> session.createConsumer(session.createQueue(DEAD_LETTERS))
                        .receive(60_000));
                assertThat(dead.getStringProperty(MessageCopy.REASON)).startsWith("it has no JMSMessageID");
                assertThat(bridge.status().get(0).crossed()).isZero();
            }
            rig.onBroker(send);
            try (Bridge bridge = rig.started("over orders", "without-id at-least-once", "temporary-replies no")) {
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 1)), 1);
                assertThat(bridge.status().get(0).failures()).isZero();
            }
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_batch_has_no_more_messages_than_may_cross_in_a_second(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, 30));
            AtomicLong before = new AtomicLong();
            List<Long> batches = new CopyOnWriteArrayList<>();
            AtomicReference<Bridge> moving = new AtomicReference<>();
            Step.Listener counting = step -> {
                if (step == Step.LET_GO) {
                    long crossed = moving.get().status().get(0).crossed();
                    batches.add(crossed - before.getAndSet(crossed));
                }
            };
            try (Bridge bridge = rig.bridge(counting, "over orders", "rate 10", "temporary-replies no")) {
                moving.set(bridge);
                bridge.start();
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 30)), 30);
            }
            assertThat(batches).allSatisfy(batch -> assertThat(batch).isLessThanOrEqualTo(10));
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void one_message_comes_through_two_subscriptions(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder);
                Bridge bridge = rig.started(
                        "over topic://prices?subscription=s&clientId=a queue://a",
                        "over topic://prices?subscription=s&clientId=b queue://b",
                        "temporary-replies no")) {
            Rig.eventually(() -> assertThat(bridge.status())
                    .allSatisfy(link -> assertThat(link.state()).isEqualTo(LinkStatus.State.RUNNING)));
            rig.onBroker(session -> {
                session.createProducer(session.createTopic("prices")).send(session.createTextMessage("0"));
                return null;
            });
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("a", 1)), 1);
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("b", 1)), 1);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_side_that_was_restored_is_noticed(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            for (int part = 0; part < 3; part++) {
                rig.onBroker(Rig.send("orders", part, part + 1));
                rig.onReadpast(Rig.send("answers", part, part + 1));
                try (Bridge bridge = rig.started("over orders", "back answers", "temporary-replies no")) {
                    Rig.untilCrossed(bridge, 2);
                }
            }
            rig.database.run("UPDATE readpast.bridge_link SET batch_number = 1, batch_record = ''");
            Bridge bridge = rig.started("over orders", "back answers", "temporary-replies no");
            Rig.eventually(() -> assertThat(bridge.status()).allSatisfy(link -> {
                assertThat(link.state()).isEqualTo(LinkStatus.State.STOPPED);
                assertThat(link.lastFailure())
                        .matches("the broker is at batch \\d+ of this link and the database at batch 1,.*");
            }));
            Bridge onwards = rig.bridge("over orders", "back answers", "temporary-replies no");
            onwards.startAfterRestore();
            rig.onBroker(Rig.send("orders", 3, 4));
            rig.onReadpast(Rig.send("answers", 3, 4));
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 4)), 4);
            Rig.assertEachOnce(rig.onBroker(Rig.receive("answers", 4)), 4);
        }
    }

    /** What had crossed into Readpast since the backup comes twice, but for the last batch; what had crossed into the broker is lost. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_broker_that_was_restored_is_noticed_and_what_comes_twice_or_is_lost_is_what_the_page_says(
            String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder.resolve("broker"))) {
            rig.onBroker(Rig.send("orders", 0, 3));
            rig.onReadpast(Rig.send("answers", 0, 3));
            String[] rules = {"over orders", "back answers", "batch 1", "temporary-replies no"};
            try (Bridge bridge = rig.started(rules)) {
                Rig.untilCrossed(bridge, 6);
            }
            rig.onBroker(Rig.send("orders", 3, 6));
            rig.broker.backUpTo(folder.resolve("backup"));
            rig.onReadpast(Rig.send("answers", 3, 6));
            try (Bridge bridge = rig.started(rules)) {
                Rig.untilCrossed(bridge, 6);
            }
            rig.broker.restore(folder.resolve("backup"));

            try (Bridge bridge = rig.started(rules)) {
                Rig.eventually(() -> assertThat(bridge.status()).allSatisfy(link -> {
                    assertThat(link.state()).isEqualTo(LinkStatus.State.STOPPED);
                    assertThat(link.lastFailure()).contains("one of the two was restored from a backup");
                }));
            }
            try (Bridge onwards = rig.bridge(rules)) {
                onwards.startAfterRestore();
                rig.onReadpast(Rig.send("answers", 6, 7));
                assertThat(Rig.texts(rig.onReadpast(Rig.receive("orders", 8))))
                        .containsExactly("0", "1", "2", "3", "4", "5", "3", "4");
                assertThat(Rig.texts(rig.onBroker(Rig.receive("answers", 4)))).containsExactly("0", "1", "2", "6");
            }
        }
    }

    /** It is no redelivery: somebody may have sent it again by hand. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void of_two_messages_of_one_id_in_a_batch_the_second_is_a_dead_letter(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("answers", 0, 2));
            rig.database.run(
                    "UPDATE readpast.message SET jms_message_id = (SELECT MIN(jms_message_id) FROM readpast.message)");
            try (Bridge bridge = rig.started("back answers", "temporary-replies no")) {
                Message dead = rig.onReadpast(session -> session.createConsumer(session.createQueue(DEAD_LETTERS))
                        .receive(60_000));
                assertThat(((TextMessage) dead).getText()).isEqualTo("1");
                assertThat(dead.getStringProperty(MessageCopy.REASON))
                        .startsWith("another message with its JMSMessageID came with it");
                Rig.assertEachOnce(rig.onBroker(Rig.receive("answers", 1)), 1);
                Rig.eventually(
                        () -> assertThat(bridge.status().get(0).deadLetters()).isEqualTo(1));
            }
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_reply_finds_its_requester_on_the_other_side_after_a_restart_of_the_bridge(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            String[] rules = {"over service", "back help"};
            requestAndReply(rig, "service", rig.broker.factory(), rig.database.factory(), rules);
            requestAndReply(rig, "help", rig.database.factory(), rig.broker.factory(), rules);
        }
    }

    private static void requestAndReply(
            Rig rig, String service, ConnectionFactory here, ConnectionFactory there, String[] rules) throws Exception {
        try (Connection connection = here.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Connection other = there.createConnection();
                Session replying = other.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            other.start();
            TemporaryQueue answers = session.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(answers);
            MessageProducer producer = session.createProducer(session.createQueue(service));
            Message byId = session.createTextMessage("by the id of the request");
            byId.setJMSReplyTo(answers);
            producer.send(byId);
            Message byCorrelation = session.createTextMessage("by its correlation id");
            byCorrelation.setJMSReplyTo(answers);
            byCorrelation.setJMSCorrelationID("of " + service);
            producer.send(byCorrelation);
            try (Bridge bridge = rig.started(rules)) {
                Rig.untilCrossed(bridge, 2);
            }
            MessageConsumer requests = replying.createConsumer(replying.createQueue(service));
            for (int i = 0; i < 2; i++) {
                Message request = requests.receive(20_000);
                Message reply = replying.createTextMessage("re: " + ((TextMessage) request).getText());
                reply.setJMSCorrelationID(
                        request.getJMSCorrelationID() == null
                                ? request.getJMSMessageID()
                                : request.getJMSCorrelationID());
                replying.createProducer(request.getJMSReplyTo()).send(reply);
            }
            try (Bridge bridge = rig.started(rules)) {
                Rig.untilCrossed(bridge, 2);
                Message first = consumer.receive(60_000);
                Message second = consumer.receive(60_000);
                assertThat(first).as(() -> bridge.status().toString()).isNotNull();
                assertThat(Rig.texts(List.of(first, second)))
                        .containsExactly("re: by the id of the request", "re: by its correlation id");
                assertThat(first.getJMSCorrelationID()).isEqualTo(byId.getJMSMessageID());
                assertThat(second.getJMSCorrelationID()).isEqualTo("of " + service);
                assertThat(bridge.status())
                        .allSatisfy(link ->
                                assertThat(link.failures()).as(link.toString()).isZero());
            }
        }
    }

    private static void awaitIn(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Message request(Session session, String text, String to, Destination replyTo) throws JMSException {
        Message request = session.createTextMessage(text);
        request.setJMSReplyTo(replyTo);
        session.createProducer(session.createQueue(to)).send(request);
        return request;
    }

    /** The broker gives a request out before the database knows that it has crossed. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_reply_that_is_faster_than_the_bridge_finds_its_requester(String broker, String database) throws Exception {
        CountDownLatch replied = new CountDownLatch(1);
        Step.Listener slow = step -> {
            if (step == Step.ARRIVED) {
                awaitIn(replied);
            }
        };
        try (Rig rig = new Rig(broker, database, folder);
                Connection connection = rig.database.factory().createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Bridge bridge = rig.bridge(slow, "back help", "over answers")) {
            bridge.start();
            connection.start();
            Queue answers = session.createQueue("answers");
            try (MessageConsumer consumer = session.createConsumer(answers)) {
                Message request = request(session, "request", "help", answers);
                rig.onBroker(replying -> {
                    Message there = Rig.receive("help", 1).with(replying).get(0);
                    Message reply = replying.createTextMessage("reply");
                    reply.setJMSCorrelationID(there.getJMSMessageID());
                    replying.createProducer(there.getJMSReplyTo()).send(reply);
                    return null;
                });
                Message reply = consumer.receive(60_000);
                assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
            } finally {
                replied.countDown();
            }
        }
    }

    /** Both of its sides want to go on, whichever way the rules go. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_reply_is_replied_to(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder);
                Connection connection = rig.database.factory().createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Connection other = rig.broker.factory().createConnection();
                Session replying = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Bridge bridge = rig.started("back help")) {
            connection.start();
            other.start();
            TemporaryQueue answers = session.createTemporaryQueue();
            TemporaryQueue onwards = replying.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(answers);
            MessageConsumer replier = replying.createConsumer(onwards);
            request(session, "request", "help", answers);
            answer(replying, replying.createConsumer(replying.createQueue("help")), "reply", onwards);
            answer(session, consumer, "thanks", null);
            Message thanks = replier.receive(60_000);
            assertThat(thanks).as(() -> bridge.status().toString()).isNotNull();
            assertThat(((TextMessage) thanks).getText()).isEqualTo("thanks");
        }
    }

    private static void answer(Session session, MessageConsumer consumer, String text, Destination replyTo)
            throws JMSException {
        Message request = consumer.receive(60_000);
        Message reply = session.createTextMessage(text);
        reply.setJMSCorrelationID(request.getJMSMessageID());
        reply.setJMSReplyTo(replyTo);
        session.createProducer(request.getJMSReplyTo()).send(reply);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void what_came_over_goes_back_by_a_bridge_of_the_same_name_whose_sides_are_exchanged(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, 1));
            try (Bridge bridge = rig.started("over orders", "temporary-replies no")) {
                Rig.untilCrossed(bridge, 1);
            }
            try (Bridge bridge = new Bridge(
                    BridgeRules.parse(List.of("name test", "over orders", "temporary-replies no")),
                    Side.of(rig.database.factory()),
                    Side.of(rig.broker.factory()))) {
                bridge.start();
                Rig.untilCrossed(bridge, 1);
                assertThat(bridge.status().get(0).deadLetters()).isZero();
            }
            Rig.assertEachOnce(rig.onBroker(Rig.receive("orders", 1)), 1);
        }
    }

    /** Of Readpast it is the client that counts, so of either Readpast its bridge. */
    @Test
    void between_two_readpasts_neither_takes_a_message_away_that_was_delivered_often() throws Exception {
        TestDatabase old = new TestDatabase(TestDatabase.H2);
        TestDatabase database = new TestDatabase(TestDatabase.H2);
        try (JMSContext context = old.factory().createContext()) {
            context.createProducer().send(context.createQueue("orders"), "0");
        }
        old.run("UPDATE readpast.message SET delivery_count = 20");
        try (Bridge bridge = new Bridge(
                        BridgeRules.parse(List.of("name test", "over orders", "temporary-replies no")),
                        Side.of(old.factory()),
                        Side.of(database.factory()));
                JMSContext context = database.factory().createContext()) {
            bridge.createTables();
            bridge.start();
            assertThat(context.createConsumer(context.createQueue("orders")).receiveBody(String.class, 60_000))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("artemis")
    void without_its_tables_it_does_not_start(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            Bridge bridge = new Bridge(
                    BridgeRules.parse(List.of("name test", "over orders")),
                    Side.of(rig.broker.factory()),
                    Side.of(rig.database.factory()));
            assertThatThrownBy(bridge::start).isInstanceOf(SQLException.class).hasMessageContainingAll("bridge_link");
        }
    }
}
