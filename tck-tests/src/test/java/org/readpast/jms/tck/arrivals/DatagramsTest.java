package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.Container;
import org.readpast.jms.tck.rig.DamagedNetwork;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;
import org.readpast.jms.tck.rig.Warnings;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * JVMs wake each other by datagrams. But where a test says otherwise nobody looks for messages by himself, and the database tells nobody: what
 * arrives was rung for. Two factories of different settings are two JVMs as far as this goes.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatagramsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NEVER = "3600000";
    private static final String BELL = "readpast-bell-";
    private static final int SOME = 5;
    private static final int POOL = 10;

    private final String queue = "rung." + UUID.randomUUID();

    /** Of the classes that ran before in this JVM, whose pools outlive them for a while. */
    private final List<Thread> bellsOfOthers = Threads.named(BELL);

    static List<TestDatabase> databases() {
        return TestDatabase.servers().toList();
    }

    private static String url(TestDatabase database, String... more) {
        return url(database.jdbcUrl(), more);
    }

    private static String url(String jdbcUrl, String... more) {
        List<String> options = new ArrayList<>(List.of(
                "pollFloorMillis=" + NEVER, "pollCeilingMillis=" + NEVER, "idleCloseMillis=0", "notification=false"));
        options.addAll(List.of(more));
        return TestDatabase.readpastUrlOf(jdbcUrl, options.toArray(String[]::new));
    }

    /** One side, and the other one. */
    private static Connection connect(String jdbcUrl, String pool) throws JMSException {
        Connection connection = new ReadpastConnectionFactory(url(jdbcUrl, "poolSize=" + pool)).createConnection();
        connection.start();
        return connection;
    }

    private static Connection here(TestDatabase database) throws JMSException {
        return connect(database.jdbcUrl(), "5");
    }

    private static Connection there(TestDatabase database) throws JMSException {
        return connect(database.jdbcUrl(), "6");
    }

    /** Waits in a receive; what it gets is in the future. */
    private static CompletableFuture<String> waiting(MessageConsumer consumer) {
        CompletableFuture<String> received = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        Message message = consumer.receive();
                        received.complete(message == null ? null : ((TextMessage) message).getText());
                    } catch (JMSException e) {
                        received.completeExceptionally(e);
                    }
                },
                "waits");
        thread.setDaemon(true);
        thread.start();
        await().atMost(PATIENCE).until(() -> received.isDone() || Threads.restsIn(thread, "await"));
        return received;
    }

    private static String got(CompletableFuture<String> waiting) throws Exception {
        return waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void consumer_of_another_jvm_is_woken(TestDatabase database) throws Exception {
        String url = url(database);
        try (ChildJvm consumer = ChildJvm.start(WaitingConsumer.class, ChildJvm.SMALL, url, queue, "" + SOME)) {
            consumer.awaitReport("resting");
            try (Connection connection = new ReadpastConnectionFactory(url).createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageProducer producer = session.createProducer(session.createQueue(queue));
                for (int i = 1; i <= SOME; i++) {
                    consumer.awaitReport("resting", i);
                    producer.send(session.createTextMessage("m" + i));
                    consumer.awaitReport("received m" + i);
                }
            }
            assertThat(consumer.awaitEnd()).isZero();
        }
    }

    @Test
    void h2_has_them_where_other_processes_can_connect() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try {
            String served = "jdbc:h2:tcp://localhost:" + server.getPort()
                    + "/mem:datagrams;DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa";
            try (Connection here = connect(served, "5");
                    Connection there = connect(served, "6");
                    Session sends = here.createSession();
                    Session waits = there.createSession()) {
                CompletableFuture<String> received = waiting(waits.createConsumer(waits.createQueue(queue)));
                sends.createProducer(sends.createQueue(queue)).send(sends.createTextMessage("m"));
                assertThat(got(received)).isEqualTo("m");
                assertThat(bells()).hasSize(2);
            }
        } finally {
            server.stop();
        }
    }

    @Test
    void h2_in_memory_has_none() throws Exception {
        try (Connection connection = connect("jdbc:h2:mem:datagrams;USER=sa;PASSWORD=sa", "5")) {
            assertThat(connection).isNotNull();
            assertThat(bells()).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void request_and_reply_are_rung_for(TestDatabase database) throws Exception {
        try (Connection here = here(database);
                Connection there = there(database);
                Session asking = here.createSession();
                Session answering = there.createSession()) {
            answering.createConsumer(answering.createQueue(queue)).setMessageListener(request -> {
                try {
                    answering
                            .createProducer(request.getJMSReplyTo())
                            .send(answering.createTextMessage(((TextMessage) request).getText()));
                } catch (JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            for (int i = 1; i <= SOME; i++) {
                TemporaryQueue replies = asking.createTemporaryQueue();
                try (MessageConsumer consumer = asking.createConsumer(replies)) {
                    TextMessage request = asking.createTextMessage("m" + i);
                    request.setJMSReplyTo(replies);
                    asking.createProducer(asking.createQueue(queue)).send(request);
                    TextMessage reply = (TextMessage) consumer.receive(PATIENCE.toMillis());
                    assertThat(reply).isNotNull();
                    assertThat(reply.getText()).isEqualTo("m" + i);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void commit_wakes_and_what_a_closed_session_gives_back_does_too(TestDatabase database) throws Exception {
        try (Connection here = here(database);
                Connection there = there(database);
                Session waits = there.createSession()) {
            Session transacted = here.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = waits.createConsumer(waits.createQueue(queue));
            CompletableFuture<String> committed = waiting(consumer);
            transacted.createProducer(transacted.createQueue(queue)).send(transacted.createTextMessage("committed"));
            transacted.commit();
            assertThat(got(committed)).isEqualTo("committed");

            transacted.createProducer(transacted.createQueue(queue)).send(transacted.createTextMessage("back"));
            transacted.commit();
            // The other one looks again only if this one's message comes back.
            Message taken =
                    transacted.createConsumer(transacted.createQueue(queue)).receive(PATIENCE.toMillis());
            assertThat(taken).isNotNull();
            CompletableFuture<String> back = waiting(consumer);
            transacted.close();
            assertThat(got(back)).isEqualTo("back");
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void commit_of_a_transaction_of_springs_wakes_and_its_rollback_does_not(TestDatabase database) throws Exception {
        try (HikariDataSource pool = database.pool(POOL);
                Connection there = there(database);
                Session waits = there.createSession()) {
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pool);
            factory.setCreateSchema("true");
            factory.setNotification("false");
            factory.setIdleCloseMillis("0");
            TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
            try (Connection kept = factory.createConnection()) {
                assertThat(kept).isNotNull();
                CompletableFuture<String> received = waiting(waits.createConsumer(waits.createQueue(queue)));
                transaction.executeWithoutResult(status -> {
                    new JmsTemplate(factory).convertAndSend(queue, "rolled back");
                    status.setRollbackOnly();
                });
                transaction.executeWithoutResult(status -> new JmsTemplate(factory).convertAndSend(queue, "committed"));
                assertThat(got(received)).isEqualTo("committed");
            }
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void commit_of_a_containers_transaction_wakes_and_its_rollback_does_not(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url(database, "poolSize=5"));
        try (Connection there = there(database);
                Session waits = there.createSession();
                Container container = new Container(database.connect());
                Connection connection = factory.createConnection(container);
                Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            CompletableFuture<String> received = waiting(waits.createConsumer(waits.createQueue(queue)));
            container.begin(true);
            producer.send(session.createTextMessage("rolled back"));
            container.end(false);
            container.begin(true);
            producer.send(session.createTextMessage("committed"));
            container.end(true);
            assertThat(got(received)).isEqualTo("committed");
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void those_who_select_are_each_woken(TestDatabase database) throws Exception {
        try (Connection here = here(database);
                Connection there = there(database);
                Connection elsewhere = connect(database.jdbcUrl(), "7");
                Session sends = here.createSession();
                Session odd = there.createSession();
                Session even = elsewhere.createSession()) {
            CompletableFuture<String> ones = waiting(odd.createConsumer(odd.createQueue(queue), "kind = 'odd'"));
            CompletableFuture<String> twos = waiting(even.createConsumer(even.createQueue(queue), "kind = 'even'"));
            MessageProducer producer = sends.createProducer(sends.createQueue(queue));
            for (String kind : List.of("even", "odd")) {
                TextMessage message = sends.createTextMessage(kind);
                message.setStringProperty("kind", kind);
                producer.send(message);
            }
            assertThat(got(twos)).isEqualTo("even");
            assertThat(got(ones)).isEqualTo("odd");
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void subscriptions_are_rung_for(TestDatabase database) throws Exception {
        try (Connection here = here(database);
                Connection there = there(database);
                Session publishes = here.createSession();
                Session subscribes = there.createSession()) {
            CompletableFuture<String> own = waiting(subscribes.createConsumer(subscribes.createTopic(queue)));
            try (Session shares = there.createSession()) {
                CompletableFuture<String> shared =
                        waiting(shares.createSharedConsumer(shares.createTopic(queue), "shared " + queue));
                publishes.createProducer(publishes.createTopic(queue)).send(publishes.createTextMessage("m"));
                assertThat(got(own)).isEqualTo("m");
                assertThat(got(shared)).isEqualTo("m");
            }
        }
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void message_that_has_become_due_is_rung_for(TestDatabase database) throws Exception {
        try (Connection here = here(database);
                Connection there = there(database);
                Session sends = here.createSession();
                Session waits = there.createSession()) {
            CompletableFuture<String> received = waiting(waits.createConsumer(waits.createQueue(queue)));
            MessageProducer producer = sends.createProducer(sends.createQueue(queue));
            producer.setDeliveryDelay(50);
            // Any JVM moves what is due. One that closes right then has no time to ring, and what comes next is rung
            // for by another.
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(2)).until(() -> {
                producer.send(sends.createTextMessage("due"));
                return received.isDone();
            });
            assertThat(got(received)).isEqualTo("due");
        }
    }

    /** As what programs in SQL send. The JVM that looks has no consumer of that queue. */
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void what_nobody_rings_for_is_found_by_the_jvm_that_looks_for_all(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url(database, "poolSize=5"));
        try (Connection there = there(database);
                Session waits = there.createSession();
                Connection looking =
                        new ReadpastConnectionFactory(database.readpastUrl("idleCloseMillis=0")).createConnection();
                Session looks = looking.createSession();
                java.sql.Connection sql = database.connect();
                Connection borrowing = factory.createConnection(sql);
                Session sends = borrowing.createSession(Session.SESSION_TRANSACTED)) {
            looking.start();
            CompletableFuture<String> never = waiting(looks.createConsumer(looks.createQueue("another " + queue)));
            CompletableFuture<String> received = waiting(waits.createConsumer(waits.createQueue(queue)));
            sql.setAutoCommit(false);
            sends.createProducer(sends.createQueue(queue)).send(sends.createTextMessage("m"));
            sql.commit();
            assertThat(got(received)).isEqualTo("m");
            assertThat(never).isNotDone();
        }
    }

    /** With looks at the usual pace: nothing is lost or doubled, and when the network is well again nobody has to look. */
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void damaged_network_loses_and_doubles_no_message(TestDatabase database) throws Exception {
        long seed = System.nanoTime();
        int messages = 400;
        int portHere = DamagedNetwork.freePort();
        int portThere = DamagedNetwork.freePort();
        try (DamagedNetwork toHere = new DamagedNetwork(portHere, seed);
                DamagedNetwork toThere = new DamagedNetwork(portThere, seed + 1);
                Connection sending = connection(database, portHere, "10", "250");
                Connection receiving = connection(database, portThere, "10", "250");
                Session sends = sending.createSession();
                Session receives = receiving.createSession()) {
            toHere.lose(30);
            toThere.lose(30);
            MessageConsumer consumer = receives.createConsumer(receives.createQueue(queue));
            MessageProducer producer = sends.createProducer(sends.createQueue(queue));
            for (int i = 0; i < messages; i++) {
                producer.send(sends.createTextMessage("m" + i));
            }
            List<String> received = new ArrayList<>();
            while (received.size() < messages) {
                TextMessage message = (TextMessage) consumer.receive(PATIENCE.toMillis());
                assertThat(message)
                        .as("seed %s, after %s", seed, received.size())
                        .isNotNull();
                received.add(message.getText());
            }
            assertThat(received)
                    .as("seed %s", seed)
                    .isEqualTo(
                            IntStream.range(0, messages).mapToObj(i -> "m" + i).toList());
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    private static Connection connection(TestDatabase database, int port, String floor, String ceiling)
            throws JMSException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl(
                "idleCloseMillis=0",
                "notification=false",
                "datagramAddress=127.0.0.1",
                "datagramAdvertised=" + DamagedNetwork.ADDRESS,
                "datagramPorts=" + port));
        factory.setPollFloorMillis(floor);
        factory.setPollCeilingMillis(ceiling);
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void rings_come_again_when_the_network_is_well_again(TestDatabase database) throws Exception {
        int portHere = DamagedNetwork.freePort();
        int portThere = DamagedNetwork.freePort();
        try (DamagedNetwork toHere = new DamagedNetwork(portHere, 1);
                DamagedNetwork toThere = new DamagedNetwork(portThere, 2);
                Connection sending = connection(database, portHere, NEVER, NEVER);
                Connection receiving = connection(database, portThere, NEVER, NEVER);
                Session sends = sending.createSession();
                Session waits = receiving.createSession()) {
            toHere.lose(100);
            toThere.lose(100);
            CompletableFuture<String> received = waiting(waits.createConsumer(waits.createQueue(queue)));
            MessageProducer producer = sends.createProducer(sends.createQueue(queue));
            toHere.mend();
            toThere.mend();
            // The ones before the two have found each other are found with the first that is rung for.
            await().atMost(PATIENCE).until(() -> {
                producer.send(sends.createTextMessage("m"));
                return received.isDone();
            });
            assertThat(got(received)).isEqualTo("m");
        }
    }

    /** What a message costs its sender does not change, and there is one warning for each of the two. */
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void network_that_carries_nothing_is_told_once_and_looks_find_what_comes(TestDatabase database) throws Exception {
        int portHere = DamagedNetwork.freePort();
        int portThere = DamagedNetwork.freePort();
        try (Warnings warnings = new Warnings();
                DamagedNetwork toHere = new DamagedNetwork(portHere, 1);
                DamagedNetwork toThere = new DamagedNetwork(portThere, 2);
                Connection sending = connection(database, portHere, "10", "250");
                Connection receiving = connection(database, portThere, "10", "250");
                Session sends = sending.createSession();
                Session receives = receiving.createSession()) {
            toHere.lose(100);
            toThere.lose(100);
            MessageConsumer consumer = receives.createConsumer(receives.createQueue(queue));
            MessageProducer producer = sends.createProducer(sends.createQueue(queue));
            await().atMost(PATIENCE).until(() -> {
                producer.send(sends.createTextMessage("m"));
                assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
                return count(warnings) == 2;
            });
            for (int i = 0; i < SOME; i++) {
                producer.send(sends.createTextMessage("m"));
                assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
            }
            assertThat(count(warnings)).isEqualTo(2);
        }
    }

    private static int count(Warnings warnings) {
        return warnings.with("no datagram is answered by the JVM").size();
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void closed_connections_leave_no_socket_and_no_thread(TestDatabase database) throws Exception {
        int port = DamagedNetwork.freePort();
        for (int deployment = 0; deployment < SOME; deployment++) {
            try (Connection connection = connection(database, port, "10", "250")) {
                assertThat(connection.getClientID()).isNull();
                assertThat(isFree(port)).isFalse();
            }
            await().atMost(PATIENCE).until(() -> isFree(port));
        }
        await().atMost(PATIENCE).until(() -> bells().isEmpty());
    }

    private List<Thread> bells() {
        return Threads.named(BELL).stream()
                .filter(bell -> !bellsOfOthers.contains(bell))
                .toList();
    }

    private static boolean isFree(int port) {
        try (DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
