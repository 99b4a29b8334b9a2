package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.bridge.batch.Step;

/** The bridge fails at each step, and its broker and its database go away under it. */
@Tag("extended")
class FaultsTest {

    private static final int MESSAGES = Integer.getInteger("readpast.test.bridge.messages", 120);
    private static final String BATCH = "batch " + Integer.getInteger("readpast.test.bridge.batch", 9);
    private static final String RATE = "rate " + Math.max(400, MESSAGES / 20);

    private static final String DEAD_LETTERS = "readpast.bridge.test.dead";

    @TempDir
    Path folder;

    /** Fails ten times, from ten calls to one behind the last failure, so some failures hit what mends the one before. */
    private static final class FailingSteps implements Step.Listener {
        private final Step.Listener failure;
        private final Map<Step, Integer> failed = new EnumMap<>(Step.class);
        private int calls;
        private int distance = 10;

        FailingSteps(Step.Listener failure) {
            this.failure = failure;
        }

        FailingSteps() {
            this(step -> {
                throw new IllegalStateException("made to fail at " + step);
            });
        }

        @Override
        public synchronized void at(Step step) {
            calls++;
            if (calls == distance) {
                calls = 0;
                distance--;
                failed.merge(step, 1, Integer::sum);
                failure.at(step);
            }
        }

        synchronized boolean isOver() {
            return distance == 0;
        }
    }

    /** Each broker and each database; every pair of them with {@code -Dreadpast.test.matrices=all}, and on a SQL Server. */
    static Stream<Arguments> pairs() {
        boolean isEach = "all".equals(System.getProperty("readpast.test.matrices"));
        return Stream.of(TestBroker.ARTEMIS, TestBroker.ACTIVEMQ)
                .flatMap(broker -> TestDatabase.products().stream()
                        .filter(database -> isEach
                                || database.equals(TestDatabase.SQL_SERVER)
                                || broker.equals(TestBroker.ARTEMIS) == database.equals(TestDatabase.POSTGRESQL))
                        .map(database -> Arguments.of(broker, database)));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void whatever_step_fails_each_message_crosses_once_into_readpast(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, MESSAGES));
            FailingSteps steps = new FailingSteps();
            try (Bridge bridge = rig.bridge(steps, "over orders", BATCH, "temporary-replies no")) {
                bridge.start();
                Rig.untilCrossed(bridge, MESSAGES);
            }
            assertThat(steps.failed).containsOnlyKeys(Step.values());
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", MESSAGES)), MESSAGES);
            assertThat(rig.onBroker(Rig.receive("orders", 0))).isEmpty();
            assertThat(rig.onBroker(Rig.receive(DEAD_LETTERS, 0))).isEmpty();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void whatever_step_fails_each_message_crosses_once_out_of_readpast(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("orders", 0, MESSAGES));
            FailingSteps steps = new FailingSteps();
            try (Bridge bridge = rig.bridge(steps, "back orders", BATCH, "temporary-replies no")) {
                bridge.start();
                Rig.untilCrossed(bridge, MESSAGES);
            }
            assertThat(steps.failed).containsOnlyKeys(Step.values());
            Rig.assertEachOnce(rig.onBroker(Rig.receive("orders", MESSAGES)), MESSAGES);
            assertThat(rig.onReadpast(Rig.receive("orders", 0))).isEmpty();
            assertThat(rig.onReadpast(Rig.receive(DEAD_LETTERS, 0))).isEmpty();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void the_broker_is_restarted_and_each_message_crosses_once(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            bothWays(rig, step -> {}, bridge -> {
                for (int part = 1; part <= 2; part++) {
                    Rig.untilCrossed(bridge, part * MESSAGES / 2);
                    rig.broker.restart();
                }
            });
        }
    }

    static Stream<Arguments> pairsOnPostgres() {
        return pairs().filter(pair -> TestDatabase.POSTGRESQL.equals(pair.get()[1]));
    }

    /** Cut within a batch: between two batches no transaction is lost, and the bridge need not notice. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairsOnPostgres")
    void connections_to_the_database_are_cut_at_each_step_and_each_message_crosses_once(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            FailingSteps steps = new FailingSteps(step -> rig.database.cutConnections());
            bothWays(
                    rig,
                    steps,
                    bridge -> Rig.eventually(() -> assertThat(steps.isOver()).isTrue()));
        }
    }

    private interface Course {
        void of(Bridge bridge) throws Exception;
    }

    private static void bothWays(Rig rig, Step.Listener steps, Course course) throws Exception {
        rig.onBroker(Rig.send("orders", 0, MESSAGES));
        rig.onReadpast(Rig.send("answers", 0, MESSAGES));
        List<Message> orders;
        List<Message> answers;
        try (Bridge bridge = rig.bridge(steps, "over orders", "back answers", BATCH, RATE, "temporary-replies no")) {
            bridge.start();
            course.of(bridge);
            orders = rig.onReadpast(Rig.receive("orders", MESSAGES));
            answers = rig.onBroker(Rig.receive("answers", MESSAGES));
            Rig.eventually(() -> assertThat(bridge.status().stream()
                            .mapToLong(LinkStatus::failures)
                            .sum())
                    .isPositive());
        }
        Rig.assertEachOnce(orders, MESSAGES);
        Rig.assertEachOnce(answers, MESSAGES);
        assertThat(rig.onBroker(Rig.receive("orders", 0))).isEmpty();
        assertThat(rig.onReadpast(Rig.receive("answers", 0))).isEmpty();
    }
}
