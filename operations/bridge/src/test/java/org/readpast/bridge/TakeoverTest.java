package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.bridge.batch.Step;

/** Several bridges of one name, one that ends while its broker is away, and one whose token is gone. */
class TakeoverTest {

    @TempDir
    Path folder;

    static Stream<Arguments> pairs() {
        return FaultsTest.pairs();
    }

    private static long crossed(List<Bridge> bridges) {
        return bridges.stream()
                .flatMap(bridge -> bridge.status().stream())
                .mapToLong(LinkStatus::crossed)
                .sum();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void the_bridge_that_waited_goes_on_after_the_other_has_moved_something_and_gone(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            Bridge first = rig.started("over orders", "temporary-replies no");
            rig.onBroker(Rig.send("orders", 0, 20));
            Rig.untilCrossed(first, 20);
            Bridge second = rig.started("over orders", "temporary-replies no");
            Rig.eventually(
                    () -> assertThat(second.status().get(0).state()).isEqualTo(LinkStatus.State.WAITING_FOR_TOKEN));
            rig.onBroker(Rig.send("orders", 20, 40));
            Rig.eventually(() -> assertThat(crossed(List.of(first, second))).isEqualTo(40));
            first.close();
            rig.onBroker(Rig.send("orders", 40, 60));
            Rig.eventually(() -> assertThat(crossed(List.of(first, second)))
                    .as(() -> second.status().toString())
                    .isEqualTo(60));
            Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 60)), 60);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void two_bridges_of_one_name_move_each_message_out_of_readpast_once(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onReadpast(Rig.send("orders", 0, 500));
            String[] rules = {"back orders", "batch 1", "temporary-replies no"};
            List<Bridge> bridges = List.of(rig.started(rules), rig.started(rules));
            Rig.eventually(() -> {
                assertThat(bridges)
                        .allSatisfy(bridge -> assertThat(bridge.status().get(0).state())
                                .as(() -> bridge.status().toString())
                                .isNotEqualTo(LinkStatus.State.STOPPED));
                assertThat(rig.database.number("SELECT COUNT(*) FROM readpast.message"))
                        .isZero();
            });
            bridges.forEach(Bridge::close);
            Rig.assertEachOnce(rig.onBroker(Rig.receive("orders", 500)), 500);
        }
    }

    @Tag("extended")
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_bridge_ends_while_its_broker_is_away_and_its_client_would_wait_for_ever(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            String url = broker.equals(TestBroker.ARTEMIS)
                    ? rig.broker.url() + "?reconnectAttempts=-1&callFailoverTimeout=-1"
                    : "activemq:failover:(tcp://localhost:" + rig.broker.port + ")";
            AtomicInteger batches = new AtomicInteger();
            Bridge bridge = new Bridge(
                    BridgeRules.parse(List.of("name test", "back answers", "temporary-replies no")),
                    Side.of(BrokerUrl.factory(url, TakeoverTest.class.getClassLoader())),
                    Side.of(rig.database.factory()),
                    step -> batches.addAndGet(step == Step.RECEIVED ? 1 : 0));
            bridge.createTables();
            bridge.start();
            rig.onReadpast(Rig.send("answers", 0, 1));
            Rig.untilCrossed(bridge, 1);
            rig.broker.stop();
            rig.onReadpast(Rig.send("answers", 1, 2));
            if (broker.equals(TestBroker.ACTIVEMQ)) {
                // Sends, or connects again: before that its client waits in no call. That of Artemis does at once.
                Rig.eventually(() -> assertThat(
                                batches.get() == 2 || bridge.status().get(0).state() == LinkStatus.State.CONNECTING)
                        .isTrue());
            }
            CompletableFuture<Void> closing = CompletableFuture.runAsync(bridge::close);
            try {
                await().atMost(Duration.ofMinutes(3)).until(closing::isDone);
            } finally {
                rig.broker.start();
            }
            assertThat(bridge.status().get(0).state()).isEqualTo(LinkStatus.State.STOPPED);
            rig.started("back answers", "temporary-replies no");
            Rig.assertEachOnce(rig.onBroker(Rig.receive("answers", 2)), 2);
        }
    }

    /** As of a broker that was restored to before the bridge's first start. */
    @Tag("extended")
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void a_broker_without_the_token_is_told_of_and_is_gone_on_with_after_a_restore(String broker, String database)
            throws Exception {
        try (Rig rig = new Rig(broker, database, folder.resolve("broker"))) {
            String[] rules = {"over orders", "back answers", "temporary-replies no"};
            rig.onBroker(Rig.send("orders", 0, 3));
            rig.broker.backUpTo(folder.resolve("backup"));
            rig.onReadpast(Rig.send("answers", 0, 3));
            try (Bridge bridge = rig.started(rules)) {
                Rig.untilCrossed(bridge, 6);
            }
            rig.broker.restore(folder.resolve("backup"));
            try (Bridge bridge = rig.started(rules)) {
                Rig.eventually(() -> assertThat(bridge.status())
                        .allSatisfy(link -> assertThat(link.lastFailure()).contains("no token seen in")));
            }
            try (Bridge onwards = rig.bridge(rules)) {
                onwards.startAfterRestore();
                rig.onBroker(Rig.send("orders", 3, 4));
                rig.onReadpast(Rig.send("answers", 3, 4));
                Rig.assertEachOnce(rig.onReadpast(Rig.receive("orders", 4)), 4);
                assertThat(Rig.texts(rig.onBroker(Rig.receive("answers", 1)))).containsExactly("3");
            }
        }
    }
}
