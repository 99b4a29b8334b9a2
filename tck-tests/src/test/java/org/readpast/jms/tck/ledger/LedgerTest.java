package org.readpast.jms.tck.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.QueueBrowser;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.harness.Targets;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Four sending and four receiving JVMs, one of which is killed without warning every second or two and replaced: what committed
 * transactions sent, committed transactions consumed, each message exactly once.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class LedgerTest {

    private static final long MESSAGES_PER_SECOND = 334;
    private static final int SECONDS_PER_KILL = 2;

    private static final int SECONDS = Integer.getInteger("readpast.test.ledger.seconds", 4);

    /** How long, and for how many messages at least, a run goes on. */
    private record Extent(Duration time, long messages, int kills) {}

    @Test
    void every_committed_message_is_consumed_once_on_postgresql() throws Exception {
        run(
                SharedPostgres.get().jdbcUrl(),
                new Extent(Duration.ofSeconds(SECONDS), SECONDS * MESSAGES_PER_SECOND, SECONDS / SECONDS_PER_KILL));
    }

    @Test
    @EnabledIfSystemProperty(
            named = Targets.SQLSERVER_URL_PROPERTY,
            matches = ".+",
            disabledReason = "no SQL Server's URL was given")
    void every_committed_message_is_consumed_once_on_sql_server() throws Exception {
        run(TestDatabase.SQLSERVER.jdbcUrl(), new Extent(Duration.ofSeconds(20), 1_000, 8));
    }

    @Test
    void every_committed_message_is_consumed_once_on_an_h2_server() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try {
            String url =
                    "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:ledger;DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa";
            run(url, new Extent(Duration.ofSeconds(Math.min(SECONDS, 8)), 1_000, 2));
        } finally {
            server.stop();
        }
    }

    private static void run(String jdbcUrl, Extent extent) throws Exception {
        String name = "ledger_" + Long.toString(System.nanoTime(), 36);
        // A message that is held again and again by those who are killed is to come back again and again.
        String url = TestDatabase.readpastUrlOf(
                jdbcUrl, "redelivery.maximumDeliveries=0", "poolSize=4", "idleCloseMillis=0");
        Ledger ledger = new Ledger(name);
        try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
            ledger.create(connection);
            try (LedgerProcesses processes = new LedgerProcesses(url, name, LedgerSender.Manner.PLAIN)) {
                long begin = System.nanoTime();
                play(processes, connection, ledger, extent);
                long played = System.nanoTime();
                processes.stopSenders();
                awaitAllConsumed(connection, ledger);
                processes.stopReceivers();
                Ledger.Balance balance = ledger.balance(connection);
                System.out.println("Ledger on " + jdbcUrl.split(":", 3)[1] + ": " + balance + "; " + processes.kills()
                        + " processes killed in " + seconds(played - begin) + " s, drained in "
                        + seconds(System.nanoTime() - played) + " s");
                assertThat(balance.isEven()).as(balance.toString()).isTrue();
                assertThat(balance.sent()).isGreaterThanOrEqualTo(extent.messages());
                assertThat(processes.kills()).isGreaterThanOrEqualTo(extent.kills());
                assertThat(left(url, name)).as("messages left in the queue").isEmpty();
            }
            ledger.drop(connection);
        }
    }

    private static void play(LedgerProcesses processes, Connection connection, Ledger ledger, Extent extent) {
        processes.start();
        long end = System.nanoTime() + extent.time().toNanos();
        await().pollInSameThread()
                .forever()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(250))
                .until(() -> {
                    processes.tend(ledger.countSent(connection) - ledger.countConsumed(connection));
                    return System.nanoTime() >= end
                            && ledger.countSent(connection) >= extent.messages()
                            && processes.kills() >= extent.kills();
                });
    }

    private static long seconds(long nanos) {
        return Duration.ofNanos(nanos).toSeconds();
    }

    private static void awaitAllConsumed(Connection connection, Ledger ledger) throws SQLException {
        long[] consumed = {-1};
        // As long as they get on, they may take their time; whether what they consumed is right is looked at
        // afterwards.
        // The last commit of a sender that was killed may come a little later.
        while (consumed[0] < ledger.countSent(connection)) {
            long before = consumed[0];
            try {
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(100))
                        .until(() -> {
                            consumed[0] = ledger.countConsumed(connection);
                            return consumed[0] > before;
                        });
            } catch (org.awaitility.core.ConditionTimeoutException e) {
                fail("The receivers do not get on: " + ledger.balance(connection), e);
            }
        }
    }

    private static List<Object> left(String url, String queue) throws Exception {
        try (JMSContext context = new ReadpastConnectionFactory(url).createContext();
                QueueBrowser browser = context.createBrowser(context.createQueue(queue))) {
            Enumeration<?> messages = browser.getEnumeration();
            return new ArrayList<>(Collections.list(messages));
        }
    }
}
