package org.readpast.jms.engine.bell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.crypto.Mac;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.Presence;
import org.slf4j.LoggerFactory;

/** Who is woken, and what comes of datagrams that are not what they should be: with real sockets of this machine. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BellTest {

    private static final int QUEUE = 7;
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    /** Nothing ever comes where nothing is due, however long somebody waits; where something would, it comes sooner. */
    private static final Duration A_WHILE = Duration.ofMillis(300);

    private final Jvm sender = new Jvm();
    private final Jvm receiver = new Jvm();
    private final Jvm other = new Jvm();

    @AfterEach
    void close() {
        Stream.of(sender, receiver, other).forEach(Jvm::close);
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    }

    private static boolean isWoken(Waiter waiter) throws InterruptedException {
        return waiter.await(System.nanoTime());
    }

    private void awaitReached(Jvm... all) {
        await().until(() -> Stream.of(all).allMatch(each -> each.bell.reachesAll()));
    }

    @Test
    void consumer_of_another_jvm_is_woken() throws Exception {
        Jvm.startAll(sender, receiver);
        Waiter waiter = receiver.wait(QUEUE, false);
        awaitReached(sender, receiver);
        sender.bell.ring(QUEUE, 1);
        assertThat(waiter.await(soon())).isTrue();
    }

    @Test
    void error_does_not_end_the_bell() throws Exception {
        Jvm.startAll(sender, receiver);
        awaitReached(sender, receiver);
        receiver.fault.set(new InternalError("made to fail"));
        await().until(() -> {
            // It asks whether it may look for others, where it does.
            receiver.bell.looked(List.of());
            return receiver.fault.get() == null;
        });
        Waiter waiter = receiver.wait(QUEUE, false);
        sender.bell.ring(QUEUE, 1);
        assertThat(waiter.await(soon())).isTrue();
    }

    /** The sender has not heard yet that anybody waits. */
    @Test
    void ring_that_comes_before_the_wait_is_known_is_made_good() throws Exception {
        Waiter waiter = receiver.wait(QUEUE, false);
        sender.start(receiver.row());
        sender.bell.ring(QUEUE, 1);
        receiver.start(sender.row());
        assertThat(waiter.await(soon())).isTrue();
    }

    @Test
    void as_many_are_woken_as_there_are_messages_and_those_who_select_all() throws Exception {
        Jvm.startAll(sender, receiver);
        awaitReached(sender, receiver);
        List<Waiter> selecting =
                Stream.generate(() -> receiver.wait(QUEUE + 1, true)).limit(5).toList();
        awaitHeard(sender, QUEUE + 1);
        sender.bell.ring(QUEUE + 1, 1);
        for (Waiter each : selecting) {
            assertThat(each.await(soon())).isTrue();
        }

        assertThat(wokenByOneRing(2, receiver, receiver, receiver, receiver, receiver))
                .hasSize(2);
    }

    /**
     * The JVMs of those whom one ring wakes. Where it is not answered at once, as on a machine that is busy, the sender rings again, or rings
     * another JVM, or rings one that it had given up of some messages: then all begins anew.
     *
     * @param waiting the JVM of each who waits
     */
    private List<Jvm> wokenByOneRing(int messages, Jvm... waiting) {
        int others = (int) Stream.of(waiting).distinct().count();
        List<Jvm> woken = new ArrayList<>();
        await().until(() -> {
            int givenUp = sender.givenUp.size();
            await().until(() -> sender.bell.unreachedHosts().isEmpty());
            await().until(() -> sender.bell.ringsSent() == ringsReceived());
            long before = ringsReceived();
            List<Waiter> waiters =
                    Stream.of(waiting).map(each -> each.wait(QUEUE, false)).toList();
            await().until(() -> sender.bell.awaiting(QUEUE) == others);
            sender.bell.ring(QUEUE, messages);
            boolean[] isWoken = new boolean[waiting.length];
            await().until(() -> noteWoken(waiters, isWoken) > 0);
            // Nobody signals this one.
            assertThat(new Waiter(false).await(System.nanoTime() + A_WHILE.toNanos()))
                    .isFalse();
            noteWoken(waiters, isWoken);
            woken.clear();
            for (int i = 0; i < waiting.length; i++) {
                waiting[i].arrivals.leave(waiters.get(i), List.of(QUEUE));
                if (isWoken[i]) {
                    woken.add(waiting[i]);
                }
            }
            return sender.bell.ringsSent() - before == 1 && sender.givenUp.size() == givenUp;
        });
        return woken;
    }

    private long ringsReceived() {
        return receiver.bell.ringsReceived() + other.bell.ringsReceived();
    }

    /** Returns how many have been woken so far. */
    private static int noteWoken(List<Waiter> waiters, boolean[] isWoken) throws InterruptedException {
        int woken = 0;
        for (int i = 0; i < isWoken.length; i++) {
            isWoken[i] |= isWoken(waiters.get(i));
            woken += isWoken[i] ? 1 : 0;
        }
        return woken;
    }

    private static void awaitHeard(Jvm jvm, int destinationId) {
        await().until(() -> jvm.bell.awaiting(destinationId) == 1);
    }

    @Test
    void one_of_two_jvms_is_woken_for_a_message() throws Exception {
        Jvm.startAll(sender, receiver, other);
        awaitReached(sender, receiver, other);
        assertThat(wokenByOneRing(1, receiver, other)).hasSize(1);

        List<Waiter> both = List.of(receiver.wait(QUEUE, false), other.wait(QUEUE, false));
        boolean[] isWoken = new boolean[2];
        sender.bell.ring(QUEUE, 1);
        await().until(() -> noteWoken(both, isWoken) > 0);
        sender.bell.ring(QUEUE, 1);
        await().until(() -> noteWoken(both, isWoken) == 2);
    }

    @Test
    void those_who_wait_are_asked_in_turn() throws Exception {
        Jvm.startAll(sender, receiver, other);
        awaitReached(sender, receiver, other);
        Set<Jvm> woken = new HashSet<>();
        await().until(() -> {
            List<Jvm> now = wokenByOneRing(1, receiver, other);
            assertThat(now).hasSize(1);
            woken.addAll(now);
            return woken.size() == 2;
        });
    }

    /** As in a JVM that collects garbage. */
    @Test
    void what_is_not_answered_goes_to_the_next() throws Exception {
        Jvm.startAll(sender, receiver, other);
        awaitReached(sender, receiver, other);
        Waiter here = receiver.wait(QUEUE, false);
        await().until(() -> sender.bell.awaiting(QUEUE) == 1);
        // Said before the one that is silent then, so it is asked first or second.
        for (int i = 0; i < 2; i++) {
            Waiter there = other.wait(QUEUE, false);
            await().until(() -> sender.bell.awaiting(QUEUE) == 2);
            receiver.bell.close();
            sender.bell.ring(QUEUE, 1);
            assertThat(there.await(soon())).isTrue();
        }
        assertThat(isWoken(here)).isFalse();
    }

    /** One pause keeps a JVM from all that it is rung for. One that is so long that it is given up is followed by another one. */
    @Test
    void jvm_that_is_silent_for_a_moment_is_rung_again_for_each_queue() throws Exception {
        Jvm.startAll(sender, receiver);
        awaitReached(sender, receiver);
        List<Integer> queues = List.of(QUEUE, QUEUE + 1, QUEUE + 2);
        for (int queue : queues) {
            receiver.wait(queue, false);
            await().until(() -> sender.bell.awaiting(queue) == 1);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            awaitReached(sender, receiver);
            long enough = sender.bell.ringsSent() + 2L * queues.size();
            synchronized (receiver.arrivals) {
                queues.forEach(queue -> sender.bell.ring(queue, 1));
                await().until(() -> sender.bell.ringsSent() >= enough || !sender.bell.reachesAll());
            }
            return sender.bell.ringsSent() >= enough;
        });
    }

    /**
     * It is silent for a moment, and what it was rung for goes to another one meanwhile. Several times: where that one has no time just then,
     * the silent one is rung again anyway.
     */
    @RepeatedTest(5)
    void silent_jvm_is_told_all_the_same_of_messages_of_unknown_number() throws Exception {
        Jvm.startAll(sender, receiver, other);
        awaitReached(sender, receiver, other);
        Waiter first = receiver.wait(QUEUE, false);
        Waiter second = receiver.wait(QUEUE, false);
        for (int i = 0; i < 10; i++) {
            other.wait(QUEUE, false);
        }
        await().until(() -> sender.bell.awaiting(QUEUE) == 2);
        long before = sender.bell.ringsSent();
        synchronized (receiver.arrivals) {
            // Whose turn it is nobody knows, so both are rung. Then all are, and what is not answered is passed on.
            sender.bell.ring(QUEUE, 1);
            sender.bell.ring(QUEUE, 1);
            sender.bell.ringForSome(QUEUE);
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> sender.bell.ringsSent() >= before + 4);
        }
        assertThat(first.await(soon())).isTrue();
        assertThat(second.await(soon())).isTrue();
    }

    @Test
    void what_one_jvm_has_too_few_consumers_for_goes_to_the_next() throws Exception {
        Jvm.startAll(sender, receiver, other);
        awaitReached(sender, receiver, other);
        Waiter here = receiver.wait(QUEUE, false);
        Waiter there = other.wait(QUEUE, false);
        await().until(() -> sender.bell.awaiting(QUEUE) == 2);
        sender.bell.ring(QUEUE, 5);
        assertThat(here.await(soon())).isTrue();
        assertThat(there.await(soon())).isTrue();
    }

    @Test
    void messages_of_unknown_number_are_told_to_all() throws Exception {
        Jvm.startAll(sender, receiver, other);
        awaitReached(sender, receiver, other);
        Waiter here = receiver.wait(QUEUE, false);
        Waiter there = other.wait(QUEUE, false);
        await().until(() -> sender.bell.awaiting(QUEUE) == 2);
        sender.bell.ringForSome(QUEUE);
        assertThat(here.await(soon())).isTrue();
        assertThat(there.await(soon())).isTrue();
    }

    @Test
    void interrupted_sender_closes_nothing() throws Exception {
        Jvm.startAll(sender, receiver);
        Waiter waiter = receiver.wait(QUEUE, false);
        awaitReached(sender, receiver);
        awaitHeard(sender, QUEUE);
        Thread.currentThread().interrupt();
        sender.bell.ring(QUEUE, 1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(waiter.await(soon())).isTrue();
    }

    /** The second one is not for a message: it is limited, and is not lost. */
    @Test
    void look_that_found_nothing_delays_the_next_one_and_drops_none() throws Exception {
        try (Jvm slow = new Jvm("pollFloorMillis=80", "pollCeilingMillis=80")) {
            Jvm.startAll(sender, slow);
            awaitReached(sender, slow);
            Waiter first = slow.wait(QUEUE, false);
            awaitHeard(sender, QUEUE);
            sender.bell.ring(QUEUE, 1);
            assertThat(first.await(soon())).isTrue();

            long before = System.nanoTime();
            // Not where the same ring comes once more in between, as it does when it is not answered at once.
            await().until(() -> {
                slow.arrivals.foundNothing(QUEUE, slow.arrivals.mark(QUEUE));
                return slow.arrivals.nanosSinceVainLook(QUEUE) != Long.MAX_VALUE;
            });
            Waiter second = slow.wait(QUEUE, false);
            sender.bell.ring(QUEUE, 1);
            sender.bell.ring(QUEUE, 1);
            assertThat(second.await(soon())).isTrue();
            assertThat(System.nanoTime() - before).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(40));
        }
    }

    @Test
    void look_that_found_something_sets_no_limit() throws Exception {
        try (Jvm slow = new Jvm("pollFloorMillis=3600000", "pollCeilingMillis=3600000")) {
            Jvm.startAll(sender, slow);
            awaitReached(sender, slow);
            slow.wait(QUEUE, false);
            awaitHeard(sender, QUEUE);
            for (int i = 0; i < 20; i++) {
                sender.bell.ring(QUEUE, 1);
                Waiter next = slow.wait(QUEUE, false);
                sender.bell.ring(QUEUE, 1);
                assertThat(next.await(soon())).isTrue();
                slow.arrivals.claimed(QUEUE);
                long mark = slow.arrivals.mark(QUEUE);
                slow.arrivals.foundNothing(QUEUE, mark);
                assertThat(slow.arrivals.nanosSinceVainLook(QUEUE)).isEqualTo(Long.MAX_VALUE);
            }
        }
    }

    /** Its datagrams are right but for the signature, or were seen on the network before, or are cut off. */
    @Test
    void stranger_on_the_network_wakes_nobody_and_is_not_answered() throws Exception {
        Jvm.startAll(sender, receiver);
        awaitReached(sender, receiver);
        Waiter waiter = receiver.wait(QUEUE, false);
        DatagramAddress address = receiver.address();
        Random random = new Random();
        long begin = System.nanoTime();
        UUID known = UUID.fromString(sender.row().instance());
        byte[] secret = new byte[32];
        random.nextBytes(secret);
        var wrong = Datagram.mac(Base64.getEncoder().encodeToString(secret));
        var right = Datagram.mac(address.secret());
        try (DatagramSocket stranger = new DatagramSocket(new InetSocketAddress(HERE, 0))) {
            InetSocketAddress target = new InetSocketAddress(HERE, address.port());
            ByteBuffer ring = ByteBuffer.allocate(8).putInt(QUEUE).putInt(0).flip();
            for (int i = 0; i < 100_000; i++) {
                ByteBuffer body = i % 2 == 0 ? ring.duplicate() : ByteBuffer.allocate(16);
                Datagram.Kind kind = i % 2 == 0 ? Datagram.Kind.RING : Datagram.Kind.HELLO;
                UUID from = i % 3 == 0 ? UUID.randomUUID() : known;
                ByteBuffer datagram =
                        Datagram.signed(kind, from, 1_000_000 + i, body, from.equals(known) ? wrong : right);
                int length = i % 5 == 0 ? random.nextInt(datagram.remaining()) : datagram.remaining();
                byte[] bytes = new byte[length];
                datagram.get(bytes);
                stranger.send(new DatagramPacket(bytes, length, target));
            }
            assertThat(isWoken(waiter)).isFalse();
            // Once a second at the most somebody looks for who has just come.
            int asked = receiver.asked.get();
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            assertThat(asked).isLessThanOrEqualTo((int) seconds + 1);
            stranger.setSoTimeout(300);
            assertThat(received(stranger)).isZero();
        }
        awaitHeard(sender, QUEUE);
        sender.bell.ring(QUEUE, 1);
        assertThat(waiter.await(soon())).isTrue();
    }

    /**
     * Forged, cut off, from nobody known, or a right one that is sent again. After every hundred a right one is answered, so that all of them
     * are known to have been read, and none to have been dropped by the system.
     */
    @Test
    @Tag("extended")
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void million_datagrams_of_a_stranger_cost_no_look_no_line_and_no_memory() throws Exception {
        Mac right = Datagram.mac(receiver.address().secret());
        Mac wrong = Datagram.mac(sender.address().secret());
        UUID known = UUID.fromString(sender.row().instance());
        UUID heard = UUID.fromString(other.row().instance());
        ByteBuffer ring = ByteBuffer.allocate(8).putInt(QUEUE).putInt(1).flip();
        long counter = 1L << 40;
        byte[] genuine = bytes(Datagram.signed(Datagram.Kind.RING, heard, counter, ring.duplicate(), right));
        Random random = new Random();
        try (Lines lines = new Lines();
                DatagramSocket stranger = new DatagramSocket(new InetSocketAddress(HERE, 0))) {
            // Right ones are from a JVM that is known and does nothing else.
            sender.start(receiver.row());
            receiver.start(
                    sender.row(),
                    other.row(new DatagramAddress(
                            List.of("127.0.0.1"),
                            stranger.getLocalPort(),
                            other.address().secret())));
            stranger.connect(new InetSocketAddress(HERE, receiver.address().port()));
            stranger.setSoTimeout(60_000);
            Waiter first = receiver.wait(QUEUE, false);
            send(stranger, genuine);
            assertThat(first.await(soon())).isTrue();
            Waiter second = receiver.wait(QUEUE, false);
            int asked = receiver.asked.get();
            long used = usedMemory();
            long begin = System.nanoTime();
            for (int i = 1; i <= 1_000_000; i++) {
                send(
                        stranger,
                        switch (i % 4) {
                            case 0 -> genuine;
                            case 1 -> Arrays.copyOf(genuine, random.nextInt(genuine.length));
                            case 2 ->
                                bytes(Datagram.signed(Datagram.Kind.RING, known, counter + i, ring.duplicate(), wrong));
                            default ->
                                bytes(Datagram.signed(
                                        Datagram.Kind.HELLO, UUID.randomUUID(), i, ByteBuffer.allocate(16), right));
                        });
                if (i % 100 == 0) {
                    send(
                            stranger,
                            bytes(Datagram.signed(
                                    Datagram.Kind.HELLO, heard, counter + i, ByteBuffer.allocate(16), right)));
                    awaitAnswer(stranger);
                }
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            assertThat(isWoken(second)).isFalse();
            assertThat(receiver.bell.ringsReceived()).isEqualTo(1);
            assertThat(receiver.asked.get() - asked).isLessThanOrEqualTo((int) seconds + 1);
            assertThat(lines.count()).isLessThanOrEqualTo(1);
            assertThat(usedMemory() - used).isLessThan(16L << 20);
            awaitHeard(sender, QUEUE);
            sender.bell.ring(QUEUE, 1);
            assertThat(second.await(soon())).isTrue();
        }
    }

    /** Whatever else the receiver has to say to the JVM that the right ones are from. */
    private void awaitAnswer(DatagramSocket socket) throws Exception {
        Mac mac = Datagram.mac(other.address().secret());
        Datagram datagram;
        do {
            DatagramPacket packet = new DatagramPacket(new byte[Datagram.LONGEST], Datagram.LONGEST);
            socket.receive(packet);
            datagram = Datagram.read(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()), mac, id -> true);
        } while (datagram.kind() != Datagram.Kind.ANSWER);
        assertThat(datagram.signed()).isTrue();
    }

    private static byte[] bytes(ByteBuffer datagram) {
        byte[] bytes = new byte[datagram.remaining()];
        datagram.get(bytes);
        return bytes;
    }

    private static void send(DatagramSocket socket, byte[] bytes) throws Exception {
        socket.send(new DatagramPacket(bytes, bytes.length));
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** What the package logs, but for what is only for finding errors. */
    private static final class Lines implements AutoCloseable {

        private final Logger logger = (Logger) LoggerFactory.getLogger(Bell.class.getPackageName());
        private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

        Lines() {
            // Read while others log.
            appender.list = new CopyOnWriteArrayList<>();
            appender.start();
            logger.addAppender(appender);
        }

        long count() {
            return appender.list.stream()
                    .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                    .count();
        }

        @Override
        public void close() {
            logger.detachAppender(appender);
        }
    }

    private static int received(DatagramSocket socket) throws Exception {
        int received = 0;
        try {
            while (true) {
                socket.receive(new DatagramPacket(new byte[2_000], 2_000));
                received++;
            }
        } catch (SocketTimeoutException e) {
            return received;
        }
    }

    /** Whoever may write rows aims nobody at it: it gets a datagram a second, and is never rung. */
    @Test
    void address_that_does_not_answer_gets_one_datagram_a_second() throws Exception {
        try (DatagramSocket victim = new DatagramSocket(new InetSocketAddress(HERE, 0))) {
            DatagramAddress named = new DatagramAddress(
                    List.of("127.0.0.1"),
                    victim.getLocalPort(),
                    receiver.address().secret());
            long begin = System.nanoTime();
            sender.start(receiver.row(named));
            for (int i = 0; i < 10_000; i++) {
                sender.bell.ring(QUEUE, 1);
                sender.bell.ringForSome(QUEUE);
            }
            victim.setSoTimeout(60_000);
            victim.receive(new DatagramPacket(new byte[2_000], 2_000));
            victim.receive(new DatagramPacket(new byte[2_000], 2_000));
            victim.setSoTimeout(1);
            int more = received(victim);
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            assertThat(2 + more).isLessThanOrEqualTo((int) seconds + 1);
            assertThat(sender.bell.reachesAll()).isFalse();
        }
    }

    @Test
    void port_that_another_program_has_is_not_taken_for_the_jvm() throws Exception {
        DatagramAddress wrong = new DatagramAddress(
                List.of("127.0.0.1"), other.address().port(), receiver.address().secret());
        other.start();
        sender.start(receiver.row(wrong));
        await().during(A_WHILE).until(() -> !sender.bell.reachesAll());
    }

    /** As of hosts that have the same address of a network within them, and one that is theirs alone. */
    @Test
    void of_several_addresses_the_one_that_answers_is_taken() throws Exception {
        DatagramAddress address = new DatagramAddress(
                List.of("127.9.9.9", "::1", "127.0.0.1"),
                receiver.address().port(),
                receiver.address().secret());
        sender.start(receiver.row(address));
        receiver.start(sender.row());
        Waiter waiter = receiver.wait(QUEUE, false);
        awaitReached(sender, receiver);
        awaitHeard(sender, QUEUE);
        sender.bell.ring(QUEUE, 1);
        assertThat(waiter.await(soon())).isTrue();
    }

    /** Its row says another one, as where addresses are translated or have changed. */
    @Test
    void address_that_signed_datagrams_come_from_is_tried_too() throws Exception {
        DatagramAddress moved = new DatagramAddress(
                List.of("127.9.9.9"),
                receiver.address().port(),
                receiver.address().secret());
        sender.start(receiver.row(moved));
        receiver.start(sender.row());
        awaitReached(receiver);
        awaitReached(sender);
    }

    @Test
    void rows_that_make_no_sense_are_passed_by() throws Exception {
        Jvm.startAll(sender, receiver);
        sender.bell.setPeers(List.of(
                receiver.row(new DatagramAddress(List.of("somewhere.example", "999.1.1.1"), 5, "AAAA")),
                other.row(new DatagramAddress(List.of("127.0.0.1"), 70_000, "AAAA")),
                new Presence.Other("no id", null, new DatagramAddress(List.of("127.0.0.1"), 5, "?"))));
        sender.bell.setPeers(List.of(receiver.row()));
        awaitReached(sender);
    }

    @Test
    void nothing_is_left_behind() throws Exception {
        int port = receiver.address().port();
        Jvm.startAll(sender, receiver);
        awaitReached(sender, receiver);
        receiver.close();
        new DatagramSocket(new InetSocketAddress(HERE, port)).close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("readpast-bell-" + receiver.name));
    }

    @Test
    void without_datagrams_there_is_no_socket_and_no_thread() {
        try (Jvm quiet = new Jvm("datagrams=false")) {
            assertThat(quiet.address()).isNull();
            quiet.start(receiver.row());
            quiet.bell.ring(QUEUE, 1);
            assertThat(quiet.bell.reachesAll()).isFalse();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("readpast-bell-" + quiet.name));
        }
    }

    @Test
    void first_free_port_of_a_range_is_taken_and_with_none_there_are_no_datagrams() {
        int taken = receiver.address().port();
        int last = Math.min(65_535, taken + 20);
        try (Jvm next = new Jvm("datagramPorts=" + taken + "-" + last);
                Jvm none = new Jvm("datagramPorts=" + taken)) {
            assertThat(next.address().port()).isBetween(taken + 1, last);
            assertThat(none.address()).isNull();
        }
    }

    @Test
    void secret_is_in_no_text() {
        assertThat(receiver.row().toString() + receiver.address())
                .doesNotContain(receiver.address().secret());
    }

    /** The other one remembers what it has heard from this one. */
    @Test
    void jvm_that_was_taken_for_gone_is_reached_again_under_its_id() throws Exception {
        Jvm.startAll(sender, receiver);
        awaitReached(sender, receiver);
        for (int i = 0; i < 200; i++) {
            Waiter waiter = receiver.wait(QUEUE, false);
            sender.bell.ring(QUEUE, 1);
            assertThat(waiter.await(soon())).isTrue();
        }
        sender.bell.setPeers(List.of());
        sender.bell.setPeers(List.of(receiver.row()));
        await().atMost(Duration.ofSeconds(60)).until(sender.bell::reachesAll);
        Waiter waiter = receiver.wait(QUEUE, false);
        sender.bell.ring(QUEUE, 1);
        assertThat(waiter.await(soon())).isTrue();
    }
}
