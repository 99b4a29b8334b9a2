package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bridge fails at each step, and its broker and its database go away under it. */
class FaultsTest {

    private static final int MESSAGES = Integer.getInteger("readpast.test.bridge.messages", 300);

    @TempDir
    Path folder;

    /** Fails again and again, each time at the step behind the last one, between batches that get through. */
    private static final class FailingSteps implements Step.Listener {
        private final Map<Step, Integer> failed = new EnumMap<>(Step.class);
        private int calls;

        @Override
        public synchronized void at(Step step) {
            calls++;
            // Seven is no multiple of five, so each step has its turn, and a failure may hit the recovery of the last
            // one.
            if (calls % 7 == 0) {
                failed.merge(step, 1, Integer::sum);
                throw new IllegalStateException("made to fail at " + step);
            }
        }
    }

    static Stream<Arguments> pairs() {
        return TestDatabase.products().stream()
                .flatMap(database -> Stream.of(TestBroker.ARTEMIS, TestBroker.ACTIVEMQ)
                        .map(broker -> Arguments.of(broker, database)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void whatever_step_fails_each_message_crosses_once_into_readpast(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, MESSAGES));
            FailingSteps steps = new FailingSteps();
            try (Bridge bridge = rig.bridge(steps, "over orders", "batch 9", "temporary-replies no")) {
                bridge.start();
                Rig.untilCrossed(bridge, MESSAGES);
                Rig.eventually(
                        () -> assertThat(rig.onBroker(Rig.depth("orders"))).isZero());
            }
            assertThat(steps.failed).containsOnlyKeys(Step.values());
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders")), MESSAGES);
            assertThat(rig.onBroker(Rig.depth("readpast.bridge.test.dead"))).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void whatever_step_fails_each_message_crosses_once_out_of_readpast(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("orders", 0, MESSAGES));
            FailingSteps steps = new FailingSteps();
            try (Bridge bridge = rig.bridge(steps, "back orders", "batch 9", "temporary-replies no")) {
                bridge.start();
                Rig.untilCrossed(bridge, MESSAGES);
                Rig.eventually(
                        () -> assertThat(rig.onReadpast(Rig.depth("orders"))).isZero());
            }
            assertThat(steps.failed).containsOnlyKeys(Step.values());
            Rig.assertEachOnce(rig.onBroker(Rig.receive("orders")), MESSAGES);
            assertThat(rig.onReadpast(Rig.depth("readpast.bridge.test.dead"))).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void the_broker_is_restarted_and_each_message_crosses_once(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, MESSAGES));
            rig.onReadpast(Rig.send("answers", 0, MESSAGES));
            try (Bridge bridge =
                    rig.bridge("over orders", "back answers", "batch 3", "rate 400", "temporary-replies no")) {
                bridge.start();
                for (int part = 1; part <= 2; part++) {
                    Rig.untilCrossed(bridge, part * MESSAGES / 2);
                    rig.broker.restart();
                }
                Rig.eventually(() -> {
                    assertThat(rig.onBroker(Rig.depth("orders"))).isZero();
                    assertThat(rig.onReadpast(Rig.depth("answers"))).isZero();
                });
                assertThat(bridge.status().stream()
                                .mapToLong(LinkStatus::failures)
                                .sum())
                        .isPositive();
            }
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders")), MESSAGES);
            Rig.assertEachOnce(rig.onBroker(Rig.receive("answers")), MESSAGES);
        }
    }
}
