package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.bridge.batch.Step;

/** The bridge's process dies between each pair of steps, both directions at work. */
@Tag("extended")
class KilledTest {

    private static final int MESSAGES = Integer.getInteger("readpast.test.bridge.messages", 120);
    private static final String BATCH = "batch " + Integer.getInteger("readpast.test.bridge.batch", 9);
    private static final int DEAD = 9;

    @TempDir
    Path folder;

    /** A bridge in a process of its own: address of the broker, JDBC URL, schema, the step at which it dies, and how often it gets by. */
    static final class BridgeProcess {
        private BridgeProcess() {}

        @SuppressWarnings("SystemExitOutsideMain")
        public static void main(String[] arguments) throws Exception {
            Step deadly = Step.valueOf(arguments[3]);
            int[] left = {Integer.parseInt(arguments[4])};
            Bridge bridge = new Bridge(
                    BridgeRules.parse(
                            List.of("name test", "over orders", "back answers", BATCH, "temporary-replies no")),
                    Side.of(BrokerUrl.factory(arguments[0], BridgeProcess.class.getClassLoader())),
                    Side.of(TestDatabase.factory(arguments[1], arguments[2])),
                    step -> {
                        synchronized (left) {
                            if (step == deadly && left[0]-- == 0) {
                                Runtime.getRuntime().halt(DEAD);
                            }
                        }
                    });
            bridge.start();
        }
    }

    static Stream<Arguments> pairs() {
        return FaultsTest.pairs().filter(pair -> !TestDatabase.H2.equals(pair.get()[1]));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void wherever_it_is_killed_each_message_crosses_once(String broker, String database) throws Exception {
        try (Rig rig = new Rig(broker, database, folder)) {
            rig.onBroker(Rig.send("orders", 0, MESSAGES));
            rig.onReadpast(Rig.send("answers", 0, MESSAGES));
            rig.bridge("over orders").createTables();
            for (Step step : Step.values()) {
                Process process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                BridgeProcess.class.getName(),
                                rig.broker.url(),
                                rig.database.url,
                                rig.database.schema,
                                step.name(),
                                "3")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
                assertThat(process.exitValue()).isEqualTo(DEAD);
            }
            List<Message> orders;
            List<Message> answers;
            try (Bridge bridge = rig.started("over orders", "back answers", BATCH, "temporary-replies no")) {
                orders = rig.onReadpast(Rig.receive("orders", MESSAGES));
                answers = rig.onBroker(Rig.receive("answers", MESSAGES));
                assertThat(bridge.status())
                        .allSatisfy(link -> assertThat(link.deadLetters()).isZero());
            }
            Rig.assertEachOnce(orders, MESSAGES);
            Rig.assertEachOnce(answers, MESSAGES);
            assertThat(rig.onBroker(Rig.receive("orders", 0))).isEmpty();
            assertThat(rig.onReadpast(Rig.receive("answers", 0))).isEmpty();
        }
    }
}
