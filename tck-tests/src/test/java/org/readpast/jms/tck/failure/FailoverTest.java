package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * The database goes away again and again, in the middle of sends, receives and commits, refuses connections for a while, and is back.
 * Nothing is lost, nothing comes twice, and nothing is said to be so that is not.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailoverTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int FAILOVERS = 6;
    private static final int PROGRESS = 30;

    private final String queue = "failover." + UUID.randomUUID();

    static List<Arguments> databases() {
        List<Arguments> all = new ArrayList<>();
        TestDatabase.requested().forEach(database -> {
            for (String verify : new String[] {"", "verifyCommit=true", "verifyCommit=false"}) {
                all.add(Arguments.of(database, verify));
            }
        });
        return all;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("databases")
    void nothing_is_lost_and_nothing_comes_twice(TestDatabase database, String verify) throws Exception {
        behindProxy(database, (proxy, jdbcUrl) -> {
            FailoverLedger ledger = new FailoverLedger();
            try (FailoverClients clients = new FailoverClients(url(jdbcUrl, verify), queue, ledger)) {
                clients.sendOneByOne();
                clients.sendInTransactions();
                clients.sendAsynchronously();
                clients.receiveInTransactions();
                clients.receiveInTransactions();
                // On a busy machine it happens that none of them meets anybody who works, or that all is found out.
                for (int i = 0; i < FAILOVERS || ledger.countFailures() == 0; i++) {
                    failOver(proxy, ledger);
                }
                clients.finish();
            }
            System.out.println("Failover of " + database + " " + verify + ": " + ledger);
            ledger.assertBalanced(true);
            assertThat(ledger.countFailures()).isPositive();
            if (verify.endsWith("true")) {
                assertThat(ledger.countDoubts())
                        .as("in doubt in spite of the markers")
                        .isZero();
            }
        });
    }

    /** With AUTO_ACKNOWLEDGE a message whose listener had run when the connection broke comes again; none is lost. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("databases")
    void listener_gets_everything(TestDatabase database, String verify) throws Exception {
        behindProxy(database, (proxy, jdbcUrl) -> listen(proxy, jdbcUrl, verify));
    }

    @FunctionalInterface
    private interface Play {
        void on(TcpProxy proxy, String jdbcUrl) throws Exception;
    }

    /** H2 is not the one in this process, but a server. */
    private void behindProxy(TestDatabase database, Play play) throws Exception {
        if (database != TestDatabase.H2) {
            try (TcpProxy proxy = TcpProxy.to(database.port())) {
                play.on(proxy, database.urlThrough(proxy.port()));
            }
            return;
        }
        Server h2 = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try (TcpProxy proxy = TcpProxy.to(h2.getPort())) {
            String name = queue.replaceAll("\\W", "");
            play.on(
                    proxy,
                    "jdbc:h2:tcp://localhost:" + proxy.port() + "/mem:" + name
                            + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa");
        } finally {
            h2.stop();
        }
    }

    private void listen(TcpProxy proxy, String jdbcUrl, String verify) throws Exception {
        FailoverLedger ledger = new FailoverLedger();
        try (FailoverClients clients = new FailoverClients(url(jdbcUrl, verify), queue, ledger)) {
            clients.sendInTransactions();
            clients.listen();
            clients.listen();
            for (int i = 0; i < FAILOVERS / 2; i++) {
                failOver(proxy, ledger);
            }
            clients.finish();
        }
        ledger.assertBalanced(false);
    }

    private static String url(String jdbcUrl, String verify) {
        List<String> options = new ArrayList<>(List.of(
                "poolTimeoutMillis=20000",
                "poolSize=8",
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "redelivery.maximumDeliveries=0",
                "idleCloseMillis=0"));
        if (!verify.isEmpty()) {
            options.add(verify);
        }
        return TestDatabase.readpastUrlOf(jdbcUrl, options.toArray(String[]::new));
    }

    private static void failOver(TcpProxy proxy, FailoverLedger ledger) {
        int before = ledger.countSent();
        await("clients to get on: " + ledger).atMost(PATIENCE).until(() -> ledger.countSent() >= before + PROGRESS);
        int refusals = proxy.refusals();
        proxy.refuse();
        proxy.cut();
        await("clients to notice").atMost(PATIENCE).until(() -> proxy.refusals() >= refusals + 3);
        proxy.heal();
    }
}
