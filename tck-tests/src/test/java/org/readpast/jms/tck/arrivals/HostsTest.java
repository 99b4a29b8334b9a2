package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.management.ProviderMXBean;
import org.readpast.jms.tck.crash.RestingListeners;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.DamagedNetwork;
import org.readpast.jms.tck.rig.Network;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** JVMs on several hosts. This JVM is on a host too, which is in several networks; the database is there. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class HostsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NEVER = "3600000";
    private static final String PORT = "7400";
    private static final int SOME = 5;
    private static final int MANY = 200;

    private final String schema = "hosts_" + Long.toString(System.nanoTime(), 36);
    private final String queue = "hosts." + UUID.randomUUID();
    private final List<String> sent = new ArrayList<>();

    private Network network;
    private InetAddress here;
    private TcpProxy proxy;

    static List<TestDatabase> databases() {
        return TestDatabase.servers().toList();
    }

    private void open(Network opened) {
        network = opened;
        here = network.ownAddress();
    }

    @AfterEach
    void close() throws IOException {
        if (network != null) {
            network.close();
        }
        if (proxy != null) {
            proxy.close();
        }
    }

    /** For a JVM on another host. */
    private String url(TestDatabase database, String... more) throws IOException {
        proxy = proxy == null ? TcpProxy.to(database.port(), here) : proxy;
        String timeout = database == TestDatabase.POSTGRESQL ? "&socketTimeout=15" : ";socketTimeout=15000";
        return TestDatabase.readpastUrlOf(database.urlThrough(here, proxy.port()) + timeout, options(more));
    }

    private Connection connect(TestDatabase database, String... more) throws JMSException {
        return new ReadpastConnectionFactory(database.readpastUrl(options(more))).createConnection();
    }

    /** In a schema where there are no other JVMs than those of the test. */
    private String[] options(String... more) {
        return Stream.concat(Stream.of("schema=" + schema, "notification=false", "idleCloseMillis=0"), Stream.of(more))
                .toArray(String[]::new);
    }

    private void send(Session session, MessageProducer producer) throws JMSException {
        String text = String.format("%09d", sent.size());
        producer.send(session.createTextMessage(text));
        sent.add(RestingListeners.RECEIVED + " " + text);
    }

    private static List<String> received(ChildJvm... children) {
        return Stream.of(children)
                .flatMap(child -> child.reports().stream())
                .filter(report -> report.startsWith(RestingListeners.RECEIVED))
                .toList();
    }

    private void awaitReceived(ChildJvm... children) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(received(children)).hasSameSizeAs(sent));
    }

    /** Nobody looks by himself, so what comes was rung for. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void consumer_on_another_host_is_woken(TestDatabase database) throws Exception {
        open(Network.open());
        assertWoken(database, network.host());
    }

    /** The driver of SQL Server takes no address of IPv6 in its URL. */
    @Test
    void consumer_on_a_host_without_ipv4_is_woken() throws Exception {
        open(Network.openIpv6());
        assertWoken(TestDatabase.POSTGRESQL, network.host());
    }

    /** As hosts of Docker have. At that address, and the same port, a JVM hears itself and not the one that it is to find. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void hosts_that_have_an_address_in_common_find_each_other(TestDatabase database) throws Exception {
        open(Network.open());
        Network.Host one = network.host();
        Network.Host other = network.host();
        for (Network.Host host : List.of(one, other)) {
            host.addNetworkWithin("docker0", "172.17.0.1");
        }
        String url = url(database, "pollFloorMillis=" + NEVER, "pollCeilingMillis=" + NEVER, "datagramPorts=" + PORT);
        try (ChildJvm consumer = one.start(WaitingConsumer.class, ChildJvm.SMALL, url, queue, "" + SOME);
                ChildJvm sender = other.start(Sender.class, ChildJvm.SMALL, url, queue)) {
            for (int i = 1; i <= SOME; i++) {
                consumer.awaitReport("resting", i);
                sender.tell("m" + i);
                consumer.awaitReport(RestingListeners.RECEIVED + " m" + i);
            }
        }
    }

    /** Sends what it is told. */
    static final class Sender {

        private Sender() {}

        /** @param arguments URL, queue */
        public static void main(String[] arguments) throws Exception {
            try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                    BufferedReader told =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                MessageProducer producer = session.createProducer(session.createQueue(arguments[1]));
                for (String text = told.readLine(); text != null; text = told.readLine()) {
                    producer.send(session.createTextMessage(text));
                }
            }
        }
    }

    private static String[] never() {
        return new String[] {"pollFloorMillis=" + NEVER, "pollCeilingMillis=" + NEVER};
    }

    private void assertWoken(TestDatabase database, Network.Host host) throws Exception {
        String[] never = never();
        try (ChildJvm consumer =
                        host.start(WaitingConsumer.class, ChildJvm.SMALL, url(database, never), queue, "" + SOME);
                Connection connection = connect(database, never);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int i = 1; i <= SOME; i++) {
                consumer.awaitReport("resting", i);
                send(session, producer);
                consumer.awaitReport(RestingListeners.RECEIVED, i);
            }
            assertThat(consumer.awaitEnd()).isZero();
            assertThat(received(consumer)).isEqualTo(sent);
        }
    }

    /** Its connections with the database hang then, and it makes new ones; nobody looks by himself as soon as it is back. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void host_whose_address_changes_is_rung_at_the_new_one(TestDatabase database) throws Exception {
        open(Network.open());
        String[] never = never();
        Network.Host host = network.host();
        try (ChildJvm consumer =
                        host.start(WaitingConsumer.class, ChildJvm.SMALL, url(database, never), queue, "" + MANY);
                Connection connection = connect(database, never);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            consumer.awaitReport("resting");
            send(session, producer);
            awaitReceived(consumer);

            host.changeAddress();
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
                send(session, producer);
                return received(consumer).size() > 1;
            });
            awaitReceived(consumer);
            for (int i = 0; i < SOME; i++) {
                consumer.awaitReport("resting", sent.size() + 1);
                send(session, producer);
                awaitReceived(consumer);
            }
            assertThat(received(consumer)).isEqualTo(sent);
        }
    }

    /** Datagrams are lost, doubled, kept, changed and reordered; then one host hears none, and sends; then all is well. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void messages_come_once_whatever_becomes_of_datagrams(TestDatabase database) throws Exception {
        open(Network.open());
        long seed = System.nanoTime();
        Network.Host one = network.host();
        Network.Host other = network.host();
        InetAddress toHere = network.ownAddress();
        InetAddress toOne = network.ownAddress();
        InetAddress toOther = network.ownAddress();
        int port = freePort(here, toHere);
        try (DamagedNetwork wayHere = new DamagedNetwork(toHere, new InetSocketAddress(here, port), seed);
                DamagedNetwork wayToOne = new DamagedNetwork(toOne, at(one), seed + 1);
                DamagedNetwork wayToOther = new DamagedNetwork(toOther, at(other), seed + 2);
                ChildJvm atOne = listen(one, database, toOne);
                ChildJvm atOther = listen(other, database, toOther);
                Connection connection = connect(
                        database,
                        "datagramAddress=" + here.getHostAddress(),
                        "datagramAdvertised=" + toHere.getHostAddress(),
                        "datagramPorts=" + port);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            ProviderMXBean bean = bean();
            await().atMost(PATIENCE).until(() -> bean.getOtherJvms().size() == 2);
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (DamagedNetwork way : List.of(wayHere, wayToOne, wayToOther)) {
                way.lose(30);
            }
            for (int i = 0; i < MANY; i++) {
                send(session, producer);
            }
            awaitReceived(atOne, atOther);

            for (DamagedNetwork way : List.of(wayHere, wayToOne, wayToOther)) {
                way.mend();
            }
            one.deafen();
            await().atMost(PATIENCE).until(() -> bean.getUnreachedJvms().size() == 1);
            for (int i = 0; i < MANY; i++) {
                send(session, producer);
            }
            awaitReceived(atOne, atOther);

            one.hear();
            await().atMost(PATIENCE).until(() -> bean.getUnreachedJvms().isEmpty());
            for (int i = 0; i < MANY; i++) {
                send(session, producer);
            }
            awaitReceived(atOne, atOther);
            for (ChildJvm child : List.of(atOne, atOther)) {
                child.tell("end");
                assertThat(child.awaitEnd()).isZero();
            }
            assertThat(received(atOne, atOther)).as("seed %s", seed).containsExactlyInAnyOrderElementsOf(sent);
        }
    }

    private ChildJvm listen(Network.Host host, TestDatabase database, InetAddress advertised) throws IOException {
        String url = url(database, "datagramPorts=" + PORT, "datagramAdvertised=" + advertised.getHostAddress());
        return host.start(RestingListeners.class, ChildJvm.SMALL, url, queue, "" + SOME);
    }

    private static InetSocketAddress at(Network.Host host) {
        return new InetSocketAddress(host.address(), Integer.parseInt(PORT));
    }

    private static int freePort(InetAddress one, InetAddress other) throws IOException {
        try (DatagramSocket first = new DatagramSocket(0, one);
                DatagramSocket second = new DatagramSocket(first.getLocalPort(), other)) {
            return second.getLocalPort();
        }
    }

    private ProviderMXBean bean() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        return server.queryNames(new ObjectName("org.readpast.jms:type=Provider,*"), null).stream()
                .map(name -> JMX.newMXBeanProxy(server, name, ProviderMXBean.class))
                .filter(bean -> bean.getDatabase().contains(schema))
                .findFirst()
                .orElseThrow();
    }
}
