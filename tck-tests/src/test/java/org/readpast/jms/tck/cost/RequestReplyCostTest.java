package org.readpast.jms.tck.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * How many round trips a request and its reply take, of both sides together. Each side has come to rest before the other one goes
 * on, and what the JVMs do in the background is counted too, so each figure is measured until one measurement is free of that.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestReplyCostTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** So few that they fall between two rounds of housekeeping on a slow machine as well, sooner or later. */
    private static final int SOME = 2;

    private final TestDatabase database;
    private final String queue = "requests." + UUID.randomUUID();

    RequestReplyCostTest(TestDatabase database) {
        this.database = database;
    }

    /** Not H2, to which there is no network. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    /** Two sends; for each message a claim, and its acknowledgement with a look for more. */
    @Test
    void request_and_reply_in_a_jvm_are_six() throws Exception {
        try (TcpProxy network = TcpProxy.to(database.port());
                Connection connection = factory(network).createConnection()) {
            Replier replier = Replier.start(connection, queue);
            Requester requester = new Requester(connection, queue);
            assertThat(requester.isAnswered()).isTrue();
            await().atMost(PATIENCE).untilAsserted(() -> {
                await().atMost(PATIENCE).until(replier::isResting);
                int before = network.roundTrips();
                for (int i = 0; i < SOME; i++) {
                    assertThat(requester.isAnswered()).isTrue();
                    spinUntil(replier::isResting);
                }
                assertThat(network.roundTrips() - before).isEqualTo(6 * SOME);
            });
        }
    }

    private ReadpastConnectionFactory factory(TcpProxy network) {
        return new ReadpastConnectionFactory(
                TestDatabase.readpastUrlOf(database.urlCountedAt(network.port()), Requester.OPTIONS));
    }

    private static void spinUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
