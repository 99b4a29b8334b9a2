package org.readpast.jms.tck.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.operations.administration.QueueMove;

/**
 * A queue that is moved from one database to another and back, again and again, while JVMs send to it and receive from it and one of them is
 * killed without warning every second or two: what committed transactions sent, committed transactions consumed, each message exactly once.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
@EnabledIf("isPostgres")
class MoveLedgerTest {

    private static final int MOVES = Integer.getInteger("readpast.test.ledger.moves", 4);

    static boolean isPostgres() {
        return TestDatabase.requested().anyMatch(database -> database == TestDatabase.POSTGRESQL);
    }

    private String name;
    private Ledger ledger;
    private LedgerProcesses processes;

    private static String make(String database) throws SQLException {
        SharedPostgres.get().execute("CREATE DATABASE " + database);
        return SharedPostgres.get().jdbcUrlOf(database);
    }

    private void makeQueueIn(String jdbcUrl) throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:" + jdbcUrl)) {
            factory.setCreateSchema("true");
            try (JMSContext context = factory.createContext()) {
                context.createConsumer(context.createQueue(name)).close();
            }
        }
    }

    @Test
    void every_committed_message_is_consumed_once_while_its_queue_is_moved() throws Exception {
        name = "moves_" + Long.toString(System.nanoTime(), 36);
        String homeUrl = make(name + "_home");
        String westUrl = make(name + "_west");
        makeQueueIn(homeUrl);
        makeQueueIn(westUrl);
        String url =
                "readpast:" + homeUrl + "#redelivery.maximumDeliveries=0&poolSize=4&idleCloseMillis=0&route.west.url="
                        + URLEncoder.encode(westUrl, StandardCharsets.UTF_8) + "&route.west.destinations=west.*";
        ledger = new Ledger(name);
        try (Connection home = DriverManager.getConnection(homeUrl);
                Connection west = DriverManager.getConnection(westUrl)) {
            ledger.create(home);
            ledger.create(west);
            try (LedgerProcesses started = new LedgerProcesses(url, name, LedgerSender.Manner.MOVING)) {
                processes = started;
                play(home, west);
                processes.stopSenders();
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> ledger.countSent(home) + ledger.countSent(west)
                                == ledger.countConsumed(home) + ledger.countConsumed(west));
                processes.stopReceivers();
            }
            Ledger.Balance atHome = ledger.balance(home);
            Ledger.Balance inWest = ledger.balance(west);
            System.out.println("Ledger of a queue that was moved " + MOVES + " times: at home " + atHome + "; in west "
                    + inWest + "; " + processes.kills() + " processes killed");
            assertThat(atHome.isEven()).as(atHome.toString()).isTrue();
            assertThat(inWest.isEven()).as(inWest.toString()).isTrue();
            assertThat(atHome.sent()).isPositive();
            assertThat(inWest.sent()).isPositive();
            assertThat(processes.kills()).isGreaterThanOrEqualTo(MOVES);
        }
    }

    /** Until the queue was moved as often as it should. */
    private void play(Connection home, Connection west) throws Exception {
        processes.start();
        for (int i = 0; i < MOVES; i++) {
            QueueMove.Place first = new QueueMove.Place("home", home, "readpast");
            QueueMove.Place second = new QueueMove.Place("west", west, "readpast");
            Connection next = i % 2 == 0 ? west : home;
            QueueMove move =
                    i % 2 == 0 ? new QueueMove(name, first, second, null) : new QueueMove(name, second, first, null);
            move.begin();
            long before = ledger.countConsumed(next);
            goOnUntil(home, west, () -> !move.isLeftBehind() && move.finish());
            goOnUntil(home, west, () -> ledger.countConsumed(next) > before + 200);
        }
    }

    private interface Condition {
        boolean isMet() throws Exception;
    }

    private void goOnUntil(Connection home, Connection west, Condition condition) {
        await().pollInSameThread()
                .atMost(Duration.ofMinutes(2))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    processes.tend(ledger.countSent(home)
                            + ledger.countSent(west)
                            - ledger.countConsumed(home)
                            - ledger.countConsumed(west));
                    return condition.isMet();
                });
    }
}
