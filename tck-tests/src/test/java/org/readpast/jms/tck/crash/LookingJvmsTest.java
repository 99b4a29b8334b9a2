package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.Network;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * JVMs at rest leave it to one of them to look for messages that nobody rings for. Whichever of them is killed, is stopped for a while as by a debugger,
 * or is cut off, each such message comes to one of the others, and once.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class LookingJvmsTest {

    private static final int JVMS = Integer.getInteger("readpast.test.looking", 3);
    private static final int ROUNDS = Integer.getInteger("readpast.test.kills", 10);
    private static final int MESSAGES = 5;
    private static final int LISTENERS = 2;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final String queue = "looked." + UUID.randomUUID();

    /** Those that live, and those that were killed. */
    private final List<ChildJvm> alive = new ArrayList<>();

    private final List<ChildJvm> all = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();

    static List<TestDatabase> databases() {
        return TestDatabase.servers().toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void message_that_nobody_rings_for_comes_whichever_jvm_is_gone(TestDatabase database) throws Exception {
        String url = database.readpastUrl("notification=false");
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        try (Connection sql = database.connect();
                jakarta.jms.Connection borrowing = factory.createConnection(sql);
                Session session = borrowing.createSession(Session.SESSION_TRANSACTED)) {
            sql.setAutoCommit(false);
            for (int i = 0; i < JVMS; i++) {
                start(url);
            }
            send(session, sql);
            for (int i = 0; i < ROUNDS; i++) {
                awaitAcknowledged(sql, database);
                awaitRest();
                ChildJvm victim = alive.get(random.nextInt(alive.size()));
                if (random.nextBoolean()) {
                    victim.kill();
                    alive.remove(victim);
                    send(session, sql);
                    start(url);
                } else {
                    signal(victim, "STOP");
                    send(session, sql);
                    // A claim may have been under way.
                    awaitReceived(LISTENERS);
                    signal(victim, "CONT");
                }
            }
            awaitAcknowledged(sql, database);
            endAll();
        } finally {
            all.forEach(ChildJvm::close);
        }
    }

    /** The connections of who is cut off live on, and with them its lock: it is neither dead nor to be asked. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void message_that_nobody_rings_for_comes_whichever_host_is_cut_off(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl("notification=false"));
        Map<ChildJvm, Network.Host> hosts = new HashMap<>();
        try (Network network = Network.open();
                Connection sql = database.connect();
                jakarta.jms.Connection borrowing = factory.createConnection(sql);
                Session session = borrowing.createSession(Session.SESSION_TRANSACTED)) {
            InetAddress here = network.ownAddress();
            try (TcpProxy proxy = TcpProxy.to(database.port(), here)) {
                String url = TestDatabase.readpastUrlOf(database.urlThrough(here, proxy.port()), "notification=false");
                sql.setAutoCommit(false);
                for (int i = 0; i < JVMS; i++) {
                    Network.Host host = network.host();
                    hosts.put(added(host.start(RestingListeners.class, ChildJvm.SMALL, arguments(url))), host);
                }
                send(session, sql);
                for (int i = 0; i < ROUNDS; i++) {
                    awaitAcknowledged(sql, database);
                    awaitRest();
                    Network.Host host = hosts.get(alive.get(random.nextInt(alive.size())));
                    host.unplug();
                    send(session, sql);
                    awaitReceived(LISTENERS);
                    host.plugIn();
                }
                awaitAcknowledged(sql, database);
                endAll();
            } finally {
                all.forEach(ChildJvm::close);
            }
        }
    }

    private void start(String url) {
        added(ChildJvm.start(RestingListeners.class, ChildJvm.SMALL, arguments(url)));
    }

    private String[] arguments(String url) {
        return new String[] {url, queue, "" + LISTENERS};
    }

    private ChildJvm added(ChildJvm child) {
        alive.add(child);
        all.add(child);
        return child;
    }

    private void endAll() {
        for (ChildJvm each : alive) {
            each.tell("end");
            assertThat(each.awaitEnd()).isZero();
            assertThat(each.reports()).noneMatch(report -> report.startsWith("problem"));
        }
        assertThat(received()).as(this::told).containsExactlyInAnyOrderElementsOf(sent);
    }

    /** In the application's own transaction, of whose commit nobody tells. */
    private void send(Session session, Connection sql) throws JMSException, SQLException {
        for (int i = 0; i < MESSAGES; i++) {
            String text = String.format("%09d", sent.size());
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage(text));
            sql.commit();
            sent.add(RestingListeners.RECEIVED + " " + text);
        }
    }

    private static void signal(ChildJvm child, String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, "" + child.pid())
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** One looks, and the others leave it to that one. */
    private void awaitRest() {
        await().atMost(ChildJvm.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> alive.stream().filter(LookingJvmsTest::rests).count() == alive.size() - 1);
    }

    private static boolean rests(ChildJvm child) {
        List<String> states = child.reports().stream()
                .filter(Set.of(RestingListeners.RESTS, RestingListeners.LOOKS)::contains)
                .toList();
        return !states.isEmpty() && states.get(states.size() - 1).equals(RestingListeners.RESTS);
    }

    /** @param missing so many may not have come yet */
    private void awaitReceived(int missing) {
        await().atMost(ChildJvm.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() ->
                        assertThat(received().size()).as(this::told).isGreaterThanOrEqualTo(sent.size() - missing));
    }

    /** All are received, and acknowledged: what a JVM has received comes again if it is killed before that. */
    private void awaitAcknowledged(Connection sql, TestDatabase database) {
        awaitReceived(0);
        await().atMost(ChildJvm.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() ->
                        assertThat(messagesLeft(sql, database)).as(this::told).isZero());
    }

    private int messagesLeft(Connection sql, TestDatabase database) throws SQLException {
        try (PreparedStatement query = sql.prepareStatement("SELECT COUNT(*) FROM " + database.schema()
                + ".message m JOIN " + database.schema()
                + ".destination d ON d.destination_id = m.destination_id WHERE d.name = ?")) {
            query.setString(1, queue);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        } finally {
            sql.commit();
        }
    }

    /** What there is to look at where a message is missing, or came twice. */
    private String told() {
        return "seed " + seed + "\n"
                + all.stream()
                        .map(child -> child + ":\n  " + String.join("\n  ", child.output()))
                        .collect(Collectors.joining("\n"));
    }

    private List<String> received() {
        return all.stream()
                .flatMap(child -> child.reports().stream())
                .filter(report -> report.startsWith(RestingListeners.RECEIVED))
                .toList();
    }
}
