package org.readpast.jms.tck.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.harness.Targets;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * JVMs with an earlier release and JVMs with this one send and receive on the schema as it is now: the earlier one alone, both, this one
 * alone, and back again. Who leaves is stopped or killed. The earlier release is a jar, {@value #JAR_PROPERTY}.
 */
@EnabledIfSystemProperty(
        named = TwoReleasesTest.JAR_PROPERTY,
        matches = ".+",
        disabledReason = "no jar of an earlier release was given")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoReleasesTest {

    static final String JAR_PROPERTY = "readpast.test.release.before";

    private static final int MESSAGES = Integer.getInteger("readpast.test.release.messages", 2_000);
    private static final int PROCESSES_EACH = 2;

    private enum Release {
        BEFORE,
        CURRENT;

        /** That of this JVM, where the provider's jar or its folder of classes is replaced by that of the earlier release. */
        String classPath() {
            String mine = System.getProperty("java.class.path");
            if (this == CURRENT) {
                return mine;
            }
            return Arrays.stream(mine.split(File.pathSeparator))
                    .map(entry -> isProvider(entry) ? System.getProperty(JAR_PROPERTY) : entry)
                    .distinct()
                    .collect(Collectors.joining(File.pathSeparator));
        }

        private static boolean isProvider(String entry) {
            return entry.matches(".*/provider/target/(classes/?|readpast-jms-[^/]*(?<!-tests)\\.jar)");
        }
    }

    private static final List<Set<Release>> PHASES = List.of(
            Set.of(Release.BEFORE),
            Set.of(Release.BEFORE, Release.CURRENT),
            Set.of(Release.CURRENT),
            Set.of(Release.BEFORE, Release.CURRENT),
            Set.of(Release.BEFORE));

    @Test
    void each_message_is_consumed_once_on_postgresql() throws Exception {
        run(SharedPostgres.get().jdbcUrl());
    }

    @Test
    @EnabledIfSystemProperty(
            named = Targets.SQLSERVER_URL_PROPERTY,
            matches = ".+",
            disabledReason = "no SQL Server's URL was given")
    void each_message_is_consumed_once_on_sql_server() throws Exception {
        run(TestDatabase.SQLSERVER.jdbcUrl());
    }

    private static void run(String jdbcUrl) throws Exception {
        assertThat(Release.BEFORE.classPath()).isNotEqualTo(Release.CURRENT.classPath());
        String name = "releases_" + Long.toString(System.nanoTime(), 36);
        String url = TestDatabase.readpastUrlOf(
                jdbcUrl, "redelivery.maximumDeliveries=0", "poolSize=4", "idleCloseMillis=0");
        new ReadpastConnectionFactory(url).createConnection().close();
        Ledger ledger = new Ledger(name);
        try (Connection connection = DriverManager.getConnection(jdbcUrl);
                Cast cast = new Cast(url, name)) {
            ledger.create(connection);
            for (Set<Release> phase : PHASES) {
                cast.let(phase);
                long wanted = ledger.countConsumed(connection) + MESSAGES;
                awaitConsumed(connection, ledger, wanted, cast);
                System.out.println(phase + ": " + ledger.countSent(connection) + " sent, "
                        + ledger.countConsumed(connection) + " consumed");
            }
            cast.stopSenders();
            awaitConsumed(connection, ledger, ledger.countSent(connection), cast);
            cast.let(Set.of());
            Ledger.Balance balance = ledger.balance(connection);
            System.out.println("Two releases on " + jdbcUrl.split(":", 3)[1] + ": " + balance);
            assertThat(balance.isEven()).as(balance.toString()).isTrue();
            ledger.drop(connection);
        }
    }

    private static void awaitConsumed(Connection connection, Ledger ledger, long wanted, Cast cast) {
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    LedgerProcesses.assertNoProblem(cast.all);
                    cast.pause(ledger.countSent(connection) - ledger.countConsumed(connection) > 500);
                    return ledger.countConsumed(connection) >= wanted;
                });
    }

    /** The processes. */
    private static final class Cast implements AutoCloseable {
        private final String url;
        private final String name;
        private final Map<Release, List<ChildJvm>> senders = new EnumMap<>(Release.class);
        private final Map<Release, List<ChildJvm>> receivers = new EnumMap<>(Release.class);
        private final List<ChildJvm> all = new ArrayList<>();
        private boolean paused;

        Cast(String url, String name) {
            this.url = url;
            this.name = name;
        }

        /** Starts what is missing for a phase, and ends what is too much: one sender and one receiver of each release are killed. */
        void let(Set<Release> phase) {
            for (Release release : Release.values()) {
                if (phase.contains(release)) {
                    senders.computeIfAbsent(release, this::startSenders);
                    receivers.computeIfAbsent(release, this::startReceivers);
                } else {
                    end(senders.remove(release), !phase.isEmpty());
                    end(receivers.remove(release), !phase.isEmpty());
                }
            }
        }

        private List<ChildJvm> startSenders(Release release) {
            List<ChildJvm> started = new ArrayList<>();
            for (int i = 0; i < PROCESSES_EACH; i++) {
                started.add(ChildJvm.startOn(
                        release.classPath(),
                        LedgerSender.class,
                        ChildJvm.SMALL,
                        url,
                        name,
                        name,
                        "s" + named(release, i),
                        LedgerSender.Manner.PLAIN.name()));
            }
            all.addAll(started);
            return started;
        }

        private List<ChildJvm> startReceivers(Release release) {
            List<ChildJvm> started = new ArrayList<>();
            for (int i = 0; i < PROCESSES_EACH; i++) {
                started.add(ChildJvm.startOn(
                        release.classPath(),
                        LedgerReceiver.class,
                        ChildJvm.SMALL,
                        url,
                        name,
                        name,
                        "r" + named(release, i),
                        i == 0 ? "listening" : "receiving"));
            }
            all.addAll(started);
            return started;
        }

        private String named(Release release, int place) {
            return "-" + release + "-" + place + "-" + all.size();
        }

        private void end(List<ChildJvm> leaving, boolean kills) {
            if (leaving != null) {
                if (kills) {
                    leaving.get(0).kill();
                }
                leaving.forEach(child -> child.tell("stop"));
                leaving.stream()
                        .skip(kills ? 1 : 0)
                        .forEach(child -> assertThat(child.awaitEnd())
                                .as(() -> child + " wrote " + child.output())
                                .isZero());
            }
        }

        void stopSenders() {
            senders.values().forEach(leaving -> end(leaving, false));
            senders.clear();
        }

        /** Senders are quicker than receivers. */
        void pause(boolean isBehind) {
            if (isBehind != paused) {
                paused = isBehind;
                senders.values()
                        .forEach(running -> running.forEach(sender -> sender.tell(paused ? "pause" : "not pause")));
            }
        }

        @Override
        public void close() {
            all.forEach(ChildJvm::close);
        }
    }
}
