package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A real failover: the server is killed in the middle of the work, the standby that follows it synchronously is promoted, and the
 * same address leads there.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StandbyPromotedTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PROGRESS = 60;

    private final String queue = "promoted." + UUID.randomUUID();

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"verifyCommit=true", "notification=true"})
    void nothing_is_lost_and_nothing_comes_twice(String option) throws Exception {
        FailoverLedger ledger = new FailoverLedger();
        try (PostgresServer primary = PostgresServer.start();
                PostgresServer standby = primary.startStandby();
                TcpProxy proxy = TcpProxy.to(primary.port())) {
            await("the standby to follow")
                    .atMost(PATIENCE)
                    .until(() ->
                            primary.number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1);
            String url = TestDatabase.readpastUrlOf(
                    PostgresServer.urlThrough(proxy.port()),
                    "poolTimeoutMillis=60000",
                    "recoveryDelayMillis=50",
                    "recoveryCeilingMillis=500",
                    "redelivery.maximumDeliveries=0",
                    "idleCloseMillis=0",
                    option);
            try (FailoverClients clients = new FailoverClients(url, queue, ledger)) {
                clients.sendOneByOne();
                clients.sendInTransactions();
                clients.sendAsynchronously();
                clients.receiveInTransactions();
                await("clients to get on").atMost(PATIENCE).until(() -> ledger.countSent() >= PROGRESS);

                primary.crash();
                await("clients to find nobody").atMost(PATIENCE).until(() -> proxy.refusals() > 0);
                standby.promote();
                proxy.leadTo(standby.port());

                int before = ledger.countSent();
                await("clients to get on").atMost(PATIENCE).until(() -> ledger.countSent() >= before + PROGRESS);
                clients.finish();
            }
        }
        System.out.println("Promoted standby, " + option + ": " + ledger);
        ledger.assertBalanced(true);
        if (option.equals("verifyCommit=true")) {
            assertThat(ledger.countDoubts())
                    .as("in doubt in spite of the markers")
                    .isZero();
        }
    }
}
