package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Two JVMs, each with many AUTO_ACKNOWLEDGE sessions in {@code receive}, which share transactions; one after the other is killed in the
 * midst of it and replaced. No message comes twice, and only what a killed JVM had acknowledged and not yet reported is missing: one message for
 * each of its sessions at most.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class ManyKilledConsumersTest {

    static final String RECEIVED = "received";

    private static final int KILLS = Integer.getInteger("readpast.test.kills", 10);
    private static final int IN_A_COMMIT = 100;

    /** So many more are sent than were received, those that the killed JVMs may have lost not counted. */
    private static final int AHEAD = 2_000;

    private final Random random = new Random();

    static List<Arguments> consumers() {
        return TestDatabase.servers()
                .flatMap(database -> Stream.of(Arguments.of(database, 16), Arguments.of(database, 64)))
                .toList();
    }

    @ParameterizedTest(name = "{0}, {1} sessions")
    @MethodSource("consumers")
    void no_message_comes_twice_and_none_is_lost_that_was_not_in_hand(TestDatabase database, int sessions)
            throws Exception {
        String url = database.readpastUrl("redelivery.maximumDeliveries=0");
        String queue = "killed." + UUID.randomUUID();
        List<ChildJvm> all = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        Aside<Integer> sender = Aside.call(() -> send(url, queue, sessions, all, over));
        try {
            ChildJvm one = start(all, url, queue, sessions);
            ChildJvm other = start(all, url, queue, sessions);
            for (int i = 0; i < KILLS; i++) {
                int more = random.nextInt(20 * sessions);
                ChildJvm victim = one;
                await().atMost(ChildJvm.PATIENCE)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> !victim.isAlive() || received(victim).size() > more);
                assertThat(victim.isAlive()).as(() -> "" + victim.output()).isTrue();
                victim.kill();
                one = other;
                other = start(all, url, queue, sessions);
            }
            over.set(true);
            int sent = sender.result();
            awaitEmpty(url, queue);
            for (ChildJvm last : List.of(one, other)) {
                last.tell("end");
                assertThat(last.awaitEnd()).isZero();
                assertThat(last.reports()).noneMatch(report -> report.startsWith("problem"));
            }
            List<String> received =
                    all.stream().flatMap(child -> received(child).stream()).toList();
            assertThat(received).doesNotHaveDuplicates().hasSizeBetween(sent - KILLS * sessions, sent);
        } finally {
            over.set(true);
            all.forEach(ChildJvm::close);
        }
    }

    private static ChildJvm start(List<ChildJvm> all, String url, String queue, int sessions) {
        ChildJvm child = ChildJvm.start(ManyConsumers.class, ChildJvm.SMALL, url, queue, "" + sessions);
        synchronized (all) {
            all.add(child);
        }
        return child;
    }

    /** What was read of its reports; the last one of a killed JVM may be cut off. */
    private static List<String> received(ChildJvm child) {
        return child.reports().stream()
                .filter(report -> report.matches(RECEIVED + " \\d{9}"))
                .toList();
    }

    /** Sends until it is over, and not too far ahead; returns how many. */
    private static int send(String url, String queue, int sessions, List<ChildJvm> all, AtomicBoolean over)
            throws JMSException {
        int sent = 0;
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
                JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue to = context.createQueue(queue);
            JMSProducer producer = context.createProducer();
            while (!over.get()) {
                for (int i = 0; i < IN_A_COMMIT; i++) {
                    producer.send(to, String.format("%09d", sent++));
                }
                context.commit();
                int ahead = sent - AHEAD - KILLS * sessions;
                await().atMost(ChildJvm.PATIENCE)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> over.get() || countReceived(all) > ahead);
            }
        }
        return sent;
    }

    private static void awaitEmpty(String url, String queue) throws JMSException {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
                JMSContext context = factory.createContext();
                QueueBrowser browser = context.createBrowser(context.createQueue(queue))) {
            await().atMost(ChildJvm.PATIENCE)
                    .until(() -> !browser.getEnumeration().hasMoreElements());
        }
    }

    private static int countReceived(List<ChildJvm> all) {
        synchronized (all) {
            return all.stream().mapToInt(child -> received(child).size()).sum();
        }
    }
}
