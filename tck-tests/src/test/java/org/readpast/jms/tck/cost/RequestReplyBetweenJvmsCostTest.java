package org.readpast.jms.tck.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** As {@link RequestReplyCostTest}, with the replying side in another JVM, where datagrams tell that something has come. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestReplyBetweenJvmsCostTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** So few that they fall between two rounds of housekeeping on a slow machine as well, sooner or later. */
    private static final int SOME = 2;

    private final TestDatabase database = TestDatabase.POSTGRESQL;
    private final String queue = "requests." + UUID.randomUUID();

    /** The six of one JVM, since datagrams ring; and of some that come soon after each other one look whether the queue for the replies is there. */
    @Test
    void request_and_reply_between_jvms_are_six_and_a_look_for_the_reply_queue() throws Exception {
        try (TcpProxy here = TcpProxy.to(database.port());
                TcpProxy there = TcpProxy.to(database.port());
                ChildJvm replier = ChildJvm.start(Replier.class, ChildJvm.SMALL, url(there), queue)) {
            replier.awaitReport("ready");
            try (Connection connection = new ReadpastConnectionFactory(url(here)).createConnection()) {
                Requester requester = new Requester(connection, queue);
                // Either side rings as soon as it has noticed that there is another one.
                await().atMost(PATIENCE).until(requester::isAnswered);
                int[] rests = {0};
                awaitRest(replier, ++rests[0]);
                requester.drain();
                await().atMost(PATIENCE).untilAsserted(() -> {
                    int before = here.roundTrips() + there.roundTrips();
                    for (int i = 1; i <= SOME; i++) {
                        assertThat(requester.isAnswered()).isTrue();
                        int atLeast = before + 6 * i;
                        await().pollDelay(Duration.ZERO)
                                .pollInterval(Duration.ofMillis(1))
                                .until(() -> here.roundTrips() + there.roundTrips() >= atLeast);
                    }
                    awaitRest(replier, ++rests[0]);
                    assertThat(here.roundTrips() + there.roundTrips() - before).isEqualTo(1 + 6 * SOME);
                });
            }
            replier.tell("end");
            replier.tell("report");
            assertThat(replier.awaitEnd()).isZero();
        }
    }

    private static void awaitRest(ChildJvm replier, int nth) {
        replier.tell("report");
        replier.awaitReport("resting", nth);
        replier.tell("not report");
    }

    private String url(TcpProxy network) {
        return TestDatabase.readpastUrlOf(database.urlCountedAt(network.port()), Requester.OPTIONS);
    }
}
