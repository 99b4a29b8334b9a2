package org.readpast.jms.tck.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.StatementCounter;
import org.readpast.jms.tck.rig.TestDatabase;

/** Consumers that know of each other through the database only: two factories with a pool each are like two JVMs. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupsAcrossJvmsTest {

    private static final long PATIENCE = 60_000;
    private static final long GLANCE = 500;
    private static final int GROUPS = 20;
    private static final int EACH = 50;

    private final TestDatabase database;
    private final String queueName = "groups." + UUID.randomUUID();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private StatementCounter counter;
    private ReadpastConnectionFactory here;
    private ReadpastConnectionFactory there;

    GroupsAcrossJvmsTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void openTwoJvms() throws JMSException {
        new ReadpastConnectionFactory(database.readpastUrl()).createConnection().close();
        HikariDataSource one = closeAfterwards(database.pool(16));
        HikariDataSource two = closeAfterwards(database.pool(16));
        counter = new StatementCounter(one);
        here = factory(new ReadpastConnectionFactory(counter.source()));
        there = factory(new ReadpastConnectionFactory(two));
    }

    private ReadpastConnectionFactory factory(ReadpastConnectionFactory factory) {
        factory.setRedeliveryMaximumDeliveries("0");
        factory.setIdleCloseMillis("0");
        factory.setProperty("consumer." + queueName + ".only.exclusive", "true");
        return factory;
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closeAfterwards(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    private Session session(ReadpastConnectionFactory factory, int mode) throws JMSException {
        Connection connection = closeAfterwards(factory.createConnection());
        connection.start();
        return connection.createSession(mode);
    }

    private void send(String queue, String... texts) throws JMSException {
        try (Connection connection = here.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (String text : texts) {
                TextMessage message = session.createTextMessage(text);
                if (!Character.isDigit(text.charAt(0))) {
                    message.setStringProperty("JMSXGroupID", text.split(" ", 2)[0]);
                }
                producer.send(message);
            }
            session.commit();
        }
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE);
        assertThat(message).as("message within " + PATIENCE + " ms").isNotNull();
        return ((TextMessage) message).getText();
    }

    private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(consumer));
        }
        return texts;
    }

    @Test
    void group_has_its_consumer_in_one_jvm_until_that_closes() throws Exception {
        send(queueName, "a 1", "a 2", "b 1", "a 3");
        Session one = session(here, Session.SESSION_TRANSACTED);
        MessageConsumer first = one.createConsumer(one.createQueue(queueName));
        assertThat(text(first)).isEqualTo("a 1");
        Session two = session(there, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer second = two.createConsumer(two.createQueue(queueName));

        assertThat(text(second)).isEqualTo("b 1");
        assertThat(second.receive(GLANCE)).isNull();
        first.close();
        assertThat(second.receive(GLANCE)).as("while the transaction is open").isNull();
        one.commit();

        assertThat(texts(second, 2)).containsExactly("a 2", "a 3");
    }

    @Test
    void group_stays_while_an_application_may_still_roll_back_what_it_received_of_it() throws Exception {
        send(queueName, "a 1", "a 2", "a 3");
        Session two = session(there, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer second = two.createConsumer(two.createQueue(queueName));
        try (java.sql.Connection sql = database.connect()) {
            sql.setAutoCommit(false);
            try (Connection joined = here.createConnection(sql);
                    Session one = joined.createSession(Session.AUTO_ACKNOWLEDGE);
                    MessageConsumer first = one.createConsumer(one.createQueue(queueName))) {
                joined.start();
                assertThat(texts(first, 2)).containsExactly("a 1", "a 2");
            }
            assertThat(second.receive(GLANCE))
                    .as("while the transaction is open")
                    .isNull();

            sql.rollback();
        }

        assertThat(texts(second, 3)).containsExactly("a 1", "a 2", "a 3");
    }

    @Test
    void exclusive_queue_has_one_consumer_until_that_closes() throws Exception {
        String queue = queueName + ".only";
        Session one = session(here, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer first = one.createConsumer(one.createQueue(queue));
        send(queue, "1", "a 2");
        assertThat(text(first)).isEqualTo("1");
        Session two = session(there, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer second = two.createConsumer(two.createQueue(queue));
        assertThat(second.receive(GLANCE)).isNull();
        send(queue, "3");
        assertThat(texts(first, 2)).containsExactly("a 2", "3");

        send(queue, "4", "b 5");
        assertThat(second.receive(GLANCE)).isNull();
        first.close();

        assertThat(texts(second, 2)).containsExactly("4", "b 5");
        MessageConsumer third = one.createConsumer(one.createQueue(queue));
        send(queue, "6");
        assertThat(third.receive(GLANCE)).isNull();
        assertThat(text(second)).isEqualTo("6");
    }

    @Test
    void exclusive_listener_is_followed_by_another() throws Exception {
        String queue = queueName + ".only";
        List<String> heard = new CopyOnWriteArrayList<>();
        Session one = session(here, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer first = one.createConsumer(one.createQueue(queue));
        Session two = session(there, Session.AUTO_ACKNOWLEDGE);
        first.setMessageListener(message -> heard.add("first"));
        send(queue, "1");
        awaitSize(heard, 1);
        two.createConsumer(two.createQueue(queue)).setMessageListener(message -> heard.add("second"));
        send(queue, "2", "3");
        awaitSize(heard, 3);
        first.close();
        send(queue, "4");
        awaitSize(heard, 4);

        assertThat(heard).containsExactly("first", "first", "first", "second");
    }

    private static void awaitSize(List<?> list, int size) {
        await().atMost(Duration.ofMillis(PATIENCE)).until(() -> list.size() >= size);
    }

    @Test
    void idle_consumer_of_a_queue_with_groups_of_others_rests() throws Exception {
        send(queueName, "a 1", "a 2");
        Session one = session(there, Session.CLIENT_ACKNOWLEDGE);
        assertThat(text(one.createConsumer(one.createQueue(queueName)))).isEqualTo("a 1");
        Session two = session(here, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer idle = two.createConsumer(two.createQueue(queueName));
        assertThat(idle.receive(GLANCE)).isNull();
        counter.reset();

        assertThat(idle.receive(2_000)).isNull();

        // Looks at growing intervals: not thousands, as if it never rested.
        assertThat(counter.executedBy(Thread.currentThread().getName())).hasSizeLessThan(200);
    }

    @Test
    void plain_queue_costs_nothing_for_groups() throws Exception {
        send(queueName, IntStream.range(0, 10).mapToObj(String::valueOf).toArray(String[]::new));
        Session session = session(here, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue(queueName));
        counter.reset();

        texts(consumer, 10);
        consumer.close();

        String thread = Thread.currentThread().getName();
        assertThat(counter.executedBy(thread))
                .noneMatch(executed -> executed.text().contains("group("))
                .noneMatch(executed -> executed.text().contains("_group"));
    }

    /** Each group's messages are committed in the order of sending, whatever is rolled back, closed and opened again. */
    @Test
    void order_of_each_group_survives_rollbacks_and_moves() throws Exception {
        Map<String, List<String>> sent = new TreeMap<>();
        Random random = new Random(42);
        List<String> all = new ArrayList<>();
        int[] next = new int[GROUPS];
        while (all.size() < GROUPS * EACH) {
            int group = random.nextInt(GROUPS);
            if (next[group] < EACH) {
                String text = "g" + group + " " + next[group]++;
                all.add(text);
                sent.computeIfAbsent("g" + group, g -> new ArrayList<>()).add(text);
            }
        }
        send(queueName, all.toArray(String[]::new));
        Committed committed = new Committed();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Void>> consumers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                ReadpastConnectionFactory jvm = i % 2 == 0 ? here : there;
                Random own = new Random(i);
                Callable<Void> work = () -> {
                    consume(jvm, own, committed);
                    return null;
                };
                consumers.add(threads.submit(work));
            }
            for (Future<Void> consumer : consumers) {
                consumer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(committed.byGroup).isEqualTo(sent);
    }

    /** What was committed, in order. */
    private static final class Committed {
        private final Map<String, List<String>> byGroup = new TreeMap<>();
        private final AtomicInteger count = new AtomicInteger();

        /** Called before the commit, which nothing fails: afterwards the next one may be quicker than this thread. */
        synchronized void add(List<String> texts) {
            for (String text : texts) {
                byGroup.computeIfAbsent(text.split(" ", 2)[0], g -> new ArrayList<>())
                        .add(text);
            }
            count.addAndGet(texts.size());
        }
    }

    private void consume(ReadpastConnectionFactory jvm, Random random, Committed committed) throws JMSException {
        try (Connection connection = jvm.createConnection()) {
            connection.start();
            while (committed.count.get() < GROUPS * EACH) {
                try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
                    Queue queue = session.createQueue(queueName);
                    MessageConsumer consumer = session.createConsumer(queue);
                    for (int i = 0; i < 20 && committed.count.get() < GROUPS * EACH; i++) {
                        work(session, consumer, random, committed);
                    }
                }
            }
        }
    }

    private static void work(Session session, MessageConsumer consumer, Random random, Committed committed)
            throws JMSException {
        List<String> texts = new ArrayList<>();
        int wanted = 1 + random.nextInt(6);
        for (int i = 0; i < wanted; i++) {
            Message message = consumer.receive(50);
            if (message == null) {
                break;
            }
            texts.add(((TextMessage) message).getText());
        }
        if (random.nextInt(4) == 0) {
            session.rollback();
        } else {
            committed.add(texts);
            session.commit();
        }
    }
}
