package org.readpast.jms.tck.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.operations.administration.QueueMove;

/** A queue that is moved to another database: senders turn first, consumers when nothing is left in the old place. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("kinds")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class MovedQueueTest {

    private static final long RECEIVE = 30_000;
    private static final String QUEUE = "orders";

    /** The common pool has fewer threads than wait for each other, on a machine of three to five processors. */
    private static final Executor ON_ITS_OWN_THREAD = task -> new Thread(task, "on-its-own").start();

    private final TestDatabase kind;
    private TwoDatabases databases;
    private ReadpastConnectionFactory factory;
    private java.sql.Connection home;
    private java.sql.Connection west;

    MovedQueueTest(TestDatabase kind) {
        this.kind = kind;
    }

    static Stream<TestDatabase> kinds() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void open() throws Exception {
        databases = TwoDatabases.of(kind);
        factory = databases.factory();
        makeIn(databases.home());
        makeIn(databases.west());
        home = DriverManager.getConnection(databases.home());
        west = DriverManager.getConnection(databases.west());
    }

    /** A consumer brings it into being. */
    private void makeIn(String url) throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:" + url)) {
            factory.setCreateSchema("true");
            try (JMSContext context = factory.createContext()) {
                context.createConsumer(context.createQueue(QUEUE)).close();
            }
        }
        if (kind == TestDatabase.SQLSERVER) {
            // A stand-in gives each connection a range of numbers of its own, which SQL Server does not.
            TwoDatabases.execute(url, "ALTER SEQUENCE " + kind.schema() + ".message_seq CACHE 1");
        }
    }

    private boolean isOnBabelfish() throws SQLException {
        if (kind != TestDatabase.SQLSERVER) {
            return false;
        }
        try (var statement = home.createStatement();
                var row = statement.executeQuery("SELECT SERVERPROPERTY('Babelfish')")) {
            return row.next() && row.getInt(1) == 1;
        }
    }

    /** A call of one of the programs in SQL. */
    private String call(String function, String arguments) {
        return kind == TestDatabase.SQLSERVER
                ? "EXECUTE " + kind.schema() + "." + function + " " + arguments
                : "SELECT " + kind.schema() + "." + function + "(" + arguments + ")";
    }

    @AfterEach
    void close() throws Exception {
        factory.close();
        home.close();
        west.close();
        databases.drop(kind);
    }

    private QueueMove there() {
        return move("home", home, "west", west);
    }

    private QueueMove back() {
        return move("west", west, "home", home);
    }

    private static QueueMove move(String from, java.sql.Connection old, String to, java.sql.Connection next) {
        return new QueueMove(
                QUEUE, new QueueMove.Place(from, old, "readpast"), new QueueMove.Place(to, next, "readpast"), "ada");
    }

    private static void send(JMSContext context, int from, int to) {
        Queue queue = context.createQueue(QUEUE);
        for (int i = from; i <= to; i++) {
            context.createProducer().send(queue, String.valueOf(i));
        }
    }

    private static List<String> receive(JMSConsumer consumer, int count) {
        List<String> received = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            received.add(consumer.receiveBody(String.class, RECEIVE));
        }
        return received;
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(String::valueOf).toList();
    }

    private static void awaitFinished(QueueMove move) {
        await().atMost(1, TimeUnit.MINUTES).until(move::finish);
    }

    private int countAtHome() throws SQLException {
        return TwoDatabases.count(databases.home(), QUEUE);
    }

    private int countInWest() throws SQLException {
        return TwoDatabases.count(databases.west(), QUEUE);
    }

    @Test
    void senders_turn_at_once_and_consumers_when_nothing_is_left() throws Exception {
        try (JMSContext sending = factory.createContext();
                JMSContext receiving = factory.createContext()) {
            JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
            send(sending, 1, 3);
            there().begin();
            send(sending, 4, 6);

            assertThat(countAtHome()).isEqualTo(3);
            assertThat(countInWest()).isEqualTo(3);
            assertThat(receive(consumer, 2)).isEqualTo(numbers(1, 2));
            assertThat(there().finish()).as("something is left").isFalse();
            assertThat(receive(consumer, 1)).isEqualTo(numbers(3, 3));
            assertThat(consumer.receive(1000)).as("not finished").isNull();
            awaitFinished(there());
            assertThat(receive(consumer, 3)).isEqualTo(numbers(4, 6));
        }
        assertThat(countInWest()).isZero();
    }

    @Test
    void consumer_that_waits_turns() throws Exception {
        try (JMSContext sending = factory.createContext();
                JMSContext receiving = factory.createContext()) {
            JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
            CompletableFuture<String> received =
                    CompletableFuture.supplyAsync(() -> consumer.receiveBody(String.class, RECEIVE));
            there().begin();
            awaitFinished(there());
            send(sending, 1, 1);

            assertThat(received.get()).isEqualTo("1");
        }
    }

    @Test
    void consumer_that_has_missed_a_move_before_the_way_back_drains_both() throws Exception {
        try (JMSContext sending = factory.createContext();
                JMSContext receiving = factory.createContext()) {
            JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
            there().begin();
            send(sending, 1, 2);
            awaitFinished(there());
            back().begin();
            send(sending, 3, 4);
            CompletableFuture<Void> finished = CompletableFuture.runAsync(() -> awaitFinished(back()));
            assertThat(receive(consumer, 4)).containsExactlyInAnyOrderElementsOf(numbers(1, 4));
            finished.get();
        }
    }

    private void mark(String url, String stage, String database) throws SQLException {
        TwoDatabases.execute(
                url,
                "UPDATE " + kind.schema() + ".destination SET moved = '" + stage + "', moved_database = '" + database
                        + "' WHERE name = '" + QUEUE + "'");
    }

    @Test
    void consumer_does_not_turn_in_the_middle_of_its_sessions_transaction() throws Exception {
        for (int mode : List.of(JMSContext.SESSION_TRANSACTED, JMSContext.CLIENT_ACKNOWLEDGE)) {
            try (JMSContext sending = factory.createContext();
                    JMSContext connection = factory.createContext();
                    JMSContext receiving = connection.createContext(mode)) {
                there().begin();
                awaitFinished(there());
                JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
                send(sending, 1, 1);
                assertThat(receive(consumer, 1)).isEqualTo(numbers(1, 1));
                List<JMSConsumer> others = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    others.add(connection
                            .createContext(JMSContext.AUTO_ACKNOWLEDGE)
                            .createConsumer(connection.createQueue(QUEUE)));
                }
                mark(databases.home(), "here", "west");
                try (ReadpastConnectionFactory plain = new ReadpastConnectionFactory("readpast:" + databases.home());
                        JMSContext context = plain.createContext()) {
                    send(context, 2, 6);
                }
                // As if they had missed that it had left before it came again.
                mark(databases.home(), "away", "west");
                mark(databases.west(), "here", "home");
                for (JMSConsumer other : others) {
                    assertThat(other.receive(RECEIVE)).as("from the old place").isNotNull();
                }

                assertThat(consumer.receiveNoWait()).isNull();
                end(receiving);
                awaitFinished(there());
                send(sending, 7, 7);
                assertThat(receive(consumer, 1)).isEqualTo(numbers(7, 7));
                end(receiving);
            }
        }
    }

    private static void end(JMSContext context) {
        if (context.getTransacted()) {
            context.commit();
        } else {
            context.acknowledge();
        }
    }

    @Test
    void listeners_turn_in_each_kind_of_session() throws Exception {
        for (int mode : List.of(JMSContext.AUTO_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED)) {
            List<String> heard = new CopyOnWriteArrayList<>();
            try (JMSContext sending = factory.createContext();
                    JMSContext receiving = factory.createContext(mode)) {
                receiving.createConsumer(receiving.createQueue(QUEUE)).setMessageListener(message -> {
                    try {
                        heard.add(((TextMessage) message).getText());
                        if (mode == JMSContext.SESSION_TRANSACTED) {
                            receiving.commit();
                        }
                    } catch (JMSException e) {
                        heard.add(e.toString());
                    }
                });
                send(sending, 1, 3);
                there().begin();
                send(sending, 4, 6);
                awaitFinished(there());
                await().atMost(1, TimeUnit.MINUTES).until(() -> heard.size() == 6);
                assertThat(heard).isEqualTo(numbers(1, 6));

                back().begin();
                send(sending, 7, 9);
                assertThat(countInWest()).isZero();
                awaitFinished(back());
                await().atMost(1, TimeUnit.MINUTES).until(() -> heard.size() == 9);
                assertThat(heard).isEqualTo(numbers(1, 9));
            }
        }
    }

    @Test
    void transaction_that_is_caught_is_refused_and_its_repetition_goes_to_the_new_place() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue(QUEUE))) {
            producer.send(session.createTextMessage("1"));
            session.commit();
            there().begin();
            assertThatThrownBy(() -> {
                        producer.send(session.createTextMessage("2"));
                        session.commit();
                    })
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("moved to");
            session.rollback();
            producer.send(session.createTextMessage("2"));
            session.commit();
        }
        assertThat(countAtHome()).isEqualTo(1);
        assertThat(countInWest()).isEqualTo(1);
    }

    @Test
    void who_puts_a_message_back_in_the_transaction_that_has_received_it_is_told_why_not() throws Exception {
        try (JMSContext sending = factory.createContext();
                JMSContext receiving = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            send(sending, 1, 1);
            there().begin();
            send(sending, 2, 2);
            Queue queue = receiving.createQueue(QUEUE);
            Message message = receiving.createConsumer(queue).receive(RECEIVE);
            assertThat(message.getBody(String.class)).isEqualTo("1");
            assertThatThrownBy(() -> receiving.createProducer().send(queue, message))
                    .isInstanceOf(IllegalStateRuntimeException.class)
                    .hasMessageContaining("a transaction in its old place cannot send to it");
        }
    }

    @Test
    void who_has_no_routes_is_told_the_new_place_and_drains_the_old_one() throws Exception {
        try (ReadpastConnectionFactory plain = new ReadpastConnectionFactory("readpast:" + databases.home());
                Connection connection = plain.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Queue queue = session.createQueue(QUEUE);
            MessageProducer producer = session.createProducer(queue);
            producer.send(session.createTextMessage("1"));
            there().begin();

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> producer.send(session.createTextMessage("2")))
                        .isInstanceOf(InvalidDestinationException.class)
                        .hasMessageContaining("it was moved to database 'west'")
                        .satisfies(e ->
                                assertThat(((JMSException) e).getErrorCode()).isEqualTo("MOVED"));
            }
            try (MessageConsumer consumer = session.createConsumer(queue)) {
                assertThat(consumer.receive(RECEIVE).getBody(String.class)).isEqualTo("1");
            }
        }
        awaitFinished(there());
        assertThat(countAtHome()).isZero();
    }

    /** What a client does to send that does not know of the move yet. */
    private interface Way {
        void send(JMSContext context, Queue queue) throws Exception;
    }

    private static final Map<String, Way> WAYS = Map.of(
            "one by one",
            (context, queue) -> context.createProducer().send(queue, "x"),
            "delayed",
            (context, queue) ->
                    context.createProducer().setDeliveryDelay(60_000).send(queue, "x"),
            "without a duplicate",
            (context, queue) -> context.createProducer()
                    .setProperty("_AMQ_DUPL_ID", UUID.randomUUID().toString())
                    .send(queue, "x"),
            "asynchronously",
            (context, queue) -> {
                CompletableFuture<Message> completion = new CompletableFuture<>();
                context.createProducer()
                        .setAsync(new CompletionListener() {
                            @Override
                            public void onCompletion(Message message) {
                                completion.complete(message);
                            }

                            @Override
                            public void onException(Message message, Exception exception) {
                                completion.completeExceptionally(exception);
                            }
                        })
                        .send(queue, "x");
                completion.get();
            },
            "in a transaction",
            (context, queue) -> {
                try (JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
                    transacted.createProducer().send(queue, "x");
                    transacted.createProducer().send(queue, "y");
                    transacted.commit();
                }
            },
            "one delayed in a transaction",
            (context, queue) -> {
                try (JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
                    transacted.createProducer().setDeliveryDelay(60_000).send(queue, "x");
                    transacted.createProducer().setDeliveryDelay(60_000).send(queue, "y");
                    transacted.commit();
                }
            });

    @Test
    void each_way_to_send_is_refused_by_its_statement() throws Exception {
        for (String verifyCommit : List.of("false", "true")) {
            for (Map.Entry<String, Way> way : WAYS.entrySet()) {
                TwoDatabases.execute(databases.home(), "UPDATE " + kind.schema() + ".destination SET moved = NULL");
                try (ReadpastConnectionFactory plain = new ReadpastConnectionFactory("readpast:" + databases.home())) {
                    plain.setProperty("verifyCommit", verifyCommit);
                    try (JMSContext context = plain.createContext()) {
                        Queue queue = context.createQueue(QUEUE);
                        context.createProducer().setTimeToLive(1).send(queue, "before");
                        mark(databases.home(), "away", "west");
                        assertThatThrownBy(() -> way.getValue().send(context, queue))
                                .as(way.getKey())
                                .hasMessageContaining("moved to");
                    }
                }
            }
        }
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(QUEUE))) {
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> consumer.receiveNoWait() == null && !there().isLeftBehind());
        }
    }

    @Test
    void what_is_delayed_or_in_somebodys_hands_is_not_drained() throws Exception {
        try (JMSContext sending = factory.createContext();
                JMSContext receiving = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            sending.createProducer().setDeliveryDelay(2000).send(sending.createQueue(QUEUE), "1");
            there().begin();
            assertThat(there().isLeftBehind()).isTrue();
            assertThat(there().finish()).as("delayed").isFalse();
            JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
            assertThat(receive(consumer, 1)).isEqualTo(numbers(1, 1));
            assertThat(there().finish()).as("not committed").isFalse();
            receiving.rollback();
            assertThat(receive(consumer, 1)).isEqualTo(numbers(1, 1));
            receiving.commit();
            awaitFinished(there());
        }
    }

    @Test
    void what_was_sent_before_and_is_committed_afterwards_is_waited_for() throws Exception {
        assumeTrue(kind != TestDatabase.H2, "nobody is waited for on H2");
        assumeFalse(isOnBabelfish(), "Babelfish does not wait for what others have not committed");
        try (JMSContext receiving = factory.createContext();
                java.sql.Connection beside = DriverManager.getConnection(databases.home())) {
            beside.setAutoCommit(false);
            try (var statement = beside.createStatement()) {
                statement.execute(call("send", "'orders', 'before'"));
            }
            there().begin();
            assertThat(there().isLeftBehind()).as("seen without a lock").isFalse();
            assertThat(there().finish()).as("with one").isFalse();
            beside.commit();
            JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
            assertThat(receive(consumer, 1)).containsExactly("before");
            awaitFinished(there());
        }
    }

    @Test
    void programs_in_sql_are_refused() throws Exception {
        assumeTrue(kind != TestDatabase.H2, "H2 has no functions");
        TwoDatabases.execute(databases.home(), call("send", "'other', 'one'"));
        there().begin();
        for (String call : List.of(call("send", "'orders', 'x'"), call("move", "'other', 'orders'"))) {
            assertThatThrownBy(() -> TwoDatabases.execute(databases.home(), call))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("was moved to database 'west'");
        }
        assertThat(countAtHome()).isZero();
    }

    @Test
    void consumers_whose_routes_were_changed_drain_the_old_place_first() throws Exception {
        try (JMSContext sending = factory.createContext()) {
            send(sending, 1, 3);
            there().begin();
            send(sending, 4, 6);
        }
        try (ReadpastConnectionFactory changed = databases.factory()) {
            changed.setProperty("route.west.destinations", QUEUE);
            try (JMSContext context = changed.createContext()) {
                JMSConsumer consumer = context.createConsumer(context.createQueue(QUEUE));
                send(context, 7, 7);
                assertThat(countByBrowsing(context)).isEqualTo(7);
                assertThat(receive(consumer, 3)).isEqualTo(numbers(1, 3));
                awaitFinished(there());
                assertThat(receive(consumer, 4)).isEqualTo(numbers(4, 7));
            }
        }
    }

    private static int countByBrowsing(JMSContext context) throws JMSException {
        int count = 0;
        for (Enumeration<?> messages =
                        context.createBrowser(context.createQueue(QUEUE)).getEnumeration();
                messages.hasMoreElements();
                messages.nextElement()) {
            count++;
        }
        return count;
    }

    @Test
    void what_cannot_be_moved_now_is_refused() throws Exception {
        there().begin();
        there().begin();
        assertThatThrownBy(() -> back().begin()).hasMessageContaining("that move is not finished");
        awaitFinished(there());
        assertThat(there().finish()).as("again").isTrue();
        assertThatThrownBy(() -> back().finish()).hasMessageContaining("is not being moved");
        try (JMSContext context = factory.createContext()) {
            Queue both = context.createQueue(QUEUE + ",plain");
            assertThatThrownBy(() -> context.createProducer().send(both, "x"))
                    .hasMessageContaining("has members in the databases 'home' and 'west'");
        }
    }

    @Test
    void who_sends_in_transactions_of_the_application_is_known_as_long_as_it_lives() throws Exception {
        assumeFalse(kind == TestDatabase.H2, "there a JVM's row is its lock, and tells nothing");
        try (ReadpastConnectionFactory joining = new ReadpastConnectionFactory("readpast:" + databases.home());
                java.sql.Connection sql = DriverManager.getConnection(databases.home());
                Connection connection = joining.createConnection(sql);
                Session session = connection.createSession()) {
            sql.setAutoCommit(false);
            session.createProducer(session.createQueue("another")).send(session.createTextMessage("1"));
            session.createProducer(session.createTemporaryQueue()).send(session.createTextMessage("2"));
            sql.commit();
            String told = "SELECT joined_queues FROM " + kind.schema() + ".presence WHERE joined_queues IS NOT NULL";
            await().atMost(1, TimeUnit.MINUTES).until(() -> !texts(told).isEmpty());
            assertThat(texts(told))
                    .as("one queue, and no temporary one")
                    .allSatisfy(ids -> assertThat(ids).matches("\\d+"));
            assertThat(there().joinedSenders()).isEmpty();

            session.createProducer(session.createQueue(QUEUE)).send(session.createTextMessage("3"));
            sql.commit();
            await().atMost(1, TimeUnit.MINUTES)
                    .untilAsserted(() -> assertThat(there().joinedSenders())
                            .singleElement()
                            .satisfies(sender -> assertThat(sender.process())
                                    .contains(String.valueOf(
                                            ProcessHandle.current().pid()))));
        }
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(there().joinedSenders()).isEmpty());
    }

    private List<String> texts(String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (var statement = home.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    @Test
    void a_way_back_can_be_gone_at_any_time_and_again() throws Exception {
        try (JMSContext sending = factory.createContext();
                JMSContext receiving = factory.createContext()) {
            JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
            int next = 1;
            for (QueueMove move : List.of(there(), back(), there(), back())) {
                send(sending, next, next + 2);
                move.begin();
                send(sending, next + 3, next + 5);
                assertThat(receive(consumer, 3)).isEqualTo(numbers(next, next + 2));
                awaitFinished(move);
                assertThat(receive(consumer, 3)).isEqualTo(numbers(next + 3, next + 5));
                next += 6;
            }
        }
    }

    /** What a sender does with a message that its transaction could not send, since the queue has been moved, is to send it again. */
    private void sendInOrder(String sender, int mode, Semaphore room, AtomicBoolean isOver) {
        try (JMSContext context = factory.createContext(mode)) {
            Queue queue = context.createQueue(QUEUE);
            int number = 0;
            while (!isOver.get()) {
                room.acquireUninterruptibly();
                if (isSent(context, queue, sender + " " + number)) {
                    number++;
                } else {
                    room.release();
                }
            }
            while (!isSent(context, queue, sender + " end " + number)) {
                // Refused as before.
            }
        }
    }

    private static boolean isSent(JMSContext context, Queue queue, String text) {
        try {
            context.createProducer().send(queue, text);
            if (context.getTransacted()) {
                context.commit();
            }
            return true;
        } catch (JMSRuntimeException e) {
            if (!context.getTransacted()) {
                throw e;
            }
            assertThat(e).hasMessageContaining("moved to");
            context.rollback();
            return false;
        }
    }

    @Test
    void order_of_each_sender_is_kept_while_the_queue_is_moved_again_and_again() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        // One who receives is slower than several who send.
        Semaphore room = new Semaphore(100);
        List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String sender = "s" + i;
            int mode = i % 2 == 0 ? JMSContext.AUTO_ACKNOWLEDGE : JMSContext.SESSION_TRANSACTED;
            senders.add(CompletableFuture.runAsync(() -> sendInOrder(sender, mode, room, isOver), ON_ITS_OWN_THREAD));
        }
        AtomicInteger received = new AtomicInteger();
        CompletableFuture<Map<String, Integer>> receiver = CompletableFuture.supplyAsync(
                () -> {
                    Map<String, Integer> next = new HashMap<>();
                    int ended = 0;
                    try (JMSContext context = factory.createContext()) {
                        JMSConsumer consumer = context.createConsumer(context.createQueue(QUEUE));
                        while (ended < senders.size()) {
                            String[] words =
                                    consumer.receiveBody(String.class, RECEIVE).split(" ", -1);
                            int expected = next.merge(words[0], 1, Integer::sum) - 1;
                            assertThat(words[words.length - 1]).as(words[0]).isEqualTo(String.valueOf(expected));
                            ended += words.length - 2;
                            received.incrementAndGet();
                            room.release();
                        }
                    } finally {
                        room.release(Integer.MAX_VALUE / 2);
                    }
                    return next;
                },
                ON_ITS_OWN_THREAD);
        for (QueueMove move : List.of(there(), back(), there())) {
            int before = received.get();
            await().atMost(1, TimeUnit.MINUTES).until(() -> receiver.isDone() || received.get() > before + 50);
            move.begin();
            await().atMost(1, TimeUnit.MINUTES).until(() -> receiver.isDone() || move.finish());
        }
        isOver.set(true);
        for (CompletableFuture<Void> sender : senders) {
            sender.get();
        }
        assertThat(receiver.get().values()).allMatch(count -> count > 1);
        assertThat(countAtHome()).isZero();
        assertThat(countInWest()).isZero();
    }

    @Test
    void without_a_route_of_that_name_the_send_is_refused() throws Exception {
        move("home", home, "east", west).begin();
        try (JMSContext context = factory.createContext()) {
            assertThatThrownBy(() -> send(context, 1, 1))
                    .isInstanceOf(InvalidDestinationRuntimeException.class)
                    .hasMessageContaining("was moved to database 'east', and this connection has no route of that name")
                    .satisfies(e ->
                            assertThat(((JMSRuntimeException) e).getErrorCode()).isEqualTo("MOVED"));
        }
    }

    @Test
    void move_that_was_cut_off_between_its_two_marks_keeps_senders_where_consumers_are() throws Exception {
        there().begin();
        awaitFinished(there());
        mark(databases.home(), "here", "west");
        try (JMSContext sending = factory.createContext();
                JMSContext receiving = factory.createContext()) {
            JMSConsumer consumer = receiving.createConsumer(receiving.createQueue(QUEUE));
            send(sending, 1, 2);
            assertThat(countAtHome()).isZero();
            assertThat(receive(consumer, 1)).isEqualTo(numbers(1, 1));

            back().begin();
            send(sending, 3, 3);
            assertThat(countAtHome()).isEqualTo(1);
            assertThat(receive(consumer, 1)).isEqualTo(numbers(2, 2));
            awaitFinished(back());
            assertThat(receive(consumer, 1)).isEqualTo(numbers(3, 3));
        }
    }

    @Test
    void move_that_is_begun_in_one_database_alone_says_so_and_can_be_begun_again() throws Exception {
        String table = "ALTER TABLE " + kind.schema() + ".destination ";
        TwoDatabases.execute(databases.home(), table + "ADD CONSTRAINT stays CHECK (moved <> 'away')");
        assertThatThrownBy(() -> there().begin())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("is begun in 'west' and not in 'home', where it stays until it is begun again");
        TwoDatabases.execute(databases.home(), table + "DROP CONSTRAINT stays");
        there().begin();
        awaitFinished(there());
    }

    @Test
    void new_place_is_sent_to_while_the_old_one_is_away() throws Exception {
        there().begin();
        ReadpastConnectionFactory away =
                TwoDatabases.factory("jdbc:h2:tcp://127.0.0.1:1/away;USER=sa;PASSWORD=sa", databases.west());
        away.setProperty("route.west.destinations", QUEUE);
        try (JMSContext sending = away.createContext()) {
            send(sending, 1, 2);
        }
        assertThat(TwoDatabases.count(databases.west(), QUEUE)).isEqualTo(2);
    }

    @Test
    void sql_connection_of_a_composite_is_where_all_of_its_members_are_sent() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            SqlSession sql = (SqlSession) session;
            assertThat(sql.sqlConnection(session.createQueue(QUEUE + ",plain")).getCatalog())
                    .endsWithIgnoringCase("_home");
            session.rollback();
            there().begin();
            Queue apart = session.createQueue(QUEUE + ",plain");
            await().atMost(1, TimeUnit.MINUTES).untilAsserted(() -> {
                session.rollback();
                assertThatThrownBy(() -> sql.sqlConnection(apart))
                        .hasMessageContaining("has members in the databases 'home' and 'west'");
            });
            Queue together = session.createQueue(QUEUE + ",west.plain");
            assertThat(sql.sqlConnection(together).getCatalog()).endsWithIgnoringCase("_west");
            session.createProducer(together).send(session.createTextMessage("1"));
            session.commit();
            assertThat(TwoDatabases.count(databases.west(), QUEUE)).isEqualTo(1);
            assertThat(TwoDatabases.count(databases.west(), "west.plain")).isEqualTo(1);
        }
    }

    @Test
    void sql_connection_of_a_moving_queue_is_where_its_messages_are_received() throws Exception {
        try (JMSContext sending = factory.createContext();
                Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            SqlSession sql = (SqlSession) session;
            Queue queue = session.createQueue(QUEUE);
            send(sending, 1, 2);
            there().begin();
            send(sending, 3, 3);
            assertThat(sql.sqlConnection(queue).getCatalog())
                    .as("of who only sends")
                    .endsWithIgnoringCase("_west");
            session.rollback();
            connection.start();
            try (MessageConsumer consumer = session.createConsumer(queue)) {
                assertThat(sql.sqlConnection(queue).getCatalog())
                        .as("before a receive")
                        .endsWithIgnoringCase("_home");
                assertThat(consumer.receive(RECEIVE).getBody(String.class)).isEqualTo("1");
                session.commit();
                assertThat(consumer.receive(RECEIVE).getBody(String.class)).isEqualTo("2");
                assertThat(sql.sqlConnection(queue).getCatalog())
                        .as("after a receive")
                        .endsWithIgnoringCase("_home");
                session.commit();
                awaitFinished(there());
                assertThat(consumer.receive(RECEIVE).getBody(String.class)).isEqualTo("3");
                assertThat(sql.sqlConnection(queue).getCatalog())
                        .as("in the new place")
                        .endsWithIgnoringCase("_west");
                session.commit();
            }
        }
    }
}
