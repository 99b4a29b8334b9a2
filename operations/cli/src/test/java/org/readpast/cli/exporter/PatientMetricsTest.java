package org.readpast.cli.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import jakarta.jms.JMSContext;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.verdict.Silences;

/** Who waits for a look, and when there is the next one, by a clock of the test's. */
class PatientMetricsTest {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private static DatabaseMetrics metrics(Callable<Snapshot> look, LongSupplier nanos) {
        return metrics(null, look, nanos);
    }

    private static DatabaseMetrics metrics(DatabaseBeans beans, Callable<Snapshot> look, LongSupplier nanos) {
        return new DatabaseMetrics("The database", beans, look, Silences::none, Duration.ofSeconds(10), nanos);
    }

    private static Snapshot look(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Look look = new Look(connection, "readpast")) {
            return Snapshot.take(look);
        }
    }

    private static double up(MetricSnapshots answer) {
        return answer.stream()
                .filter(metric -> metric.getMetadata().getName().equals("readpast_up"))
                .map(metric -> ((GaugeSnapshot) metric).getDataPoints().get(0).getValue())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void scrape_does_not_wait_for_another_one_to_end() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        DatabaseMetrics hangs = metrics(
                () -> {
                    looking.countDown();
                    answers.await();
                    throw new SQLException("away");
                },
                System::nanoTime);
        // An hour goes by at each look at the clock: back for the first scrape, which waits on, and forth for the
        // other.
        ThreadLocal<Integer> hours = ThreadLocal.withInitial(() -> 0);
        ThreadLocal<Integer> step = ThreadLocal.withInitial(() -> 1);
        PatientMetrics metrics = new PatientMetrics(Map.of("home", hangs), () -> {
            int now = hours.get();
            hours.set(now + step.get());
            return now * HOUR;
        });
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<MetricSnapshots> first = threads.submit(() -> {
                step.set(-1);
                return metrics.collect();
            });
            assertThat(looking.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(up(threads.submit(() -> metrics.collect()).get(60, TimeUnit.SECONDS)))
                    .isZero();
            assertThat(first).isNotDone();
            answers.countDown();
            assertThat(up(first.get(60, TimeUnit.SECONDS))).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void next_look_begins_so_long_after_this_one_began() {
        String url = "jdbc:h2:mem:quick-look;DB_CLOSE_DELAY=-1";
        new ReadpastConnectionFactory(url).createContext().close();
        AtomicLong millis = new AtomicLong();
        AtomicInteger looks = new AtomicInteger();
        DatabaseMetrics metrics = metrics(
                () -> {
                    looks.incrementAndGet();
                    millis.addAndGet(100);
                    return look(url);
                },
                () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));
        assertThat(up(metrics.collect())).isOne();
        millis.set(9_999);
        metrics.collect();
        assertThat(looks).hasValue(1);
        millis.set(10_000);
        metrics.collect();
        assertThat(looks).hasValue(2);
    }

    /** Each look at the clock takes five seconds, so that a scrape waits for nothing: six of them are not yet too late. */
    @Test
    void answer_that_came_long_ago_is_given_to_nobody() throws Exception {
        String url = "jdbc:h2:mem:late-look;DB_CLOSE_DELAY=-1";
        new ReadpastConnectionFactory(url).createContext().close();
        AtomicLong ofLooks = new AtomicLong();
        AtomicLong ofScrapes = new AtomicLong();
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch ends = new CountDownLatch(1);
        DatabaseMetrics once = metrics(
                () -> {
                    if (looks.incrementAndGet() > 1) {
                        ends.await();
                    }
                    return look(url);
                },
                ofLooks::get);
        PatientMetrics metrics =
                new PatientMetrics(Map.of("home", once), () -> ofScrapes.addAndGet(TimeUnit.SECONDS.toNanos(5)));
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> up(metrics.collect()) == 1);
            assertThat(up(metrics.collect())).isOne();
            assertThat(looks).hasValue(1);
            ofLooks.addAndGet(HOUR);
            ofScrapes.addAndGet(HOUR);
            assertThat(up(metrics.collect())).isZero();
            await().atMost(Duration.ofSeconds(60)).until(() -> looks.get() == 2);
        } finally {
            ends.countDown();
        }
    }

    @Test
    void bean_that_somebody_else_has_removed_is_no_outage() throws Exception {
        String url = "jdbc:h2:mem:removed-bean;DB_CLOSE_DELAY=-1";
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
                JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue("orders"), "coffee");
        }
        AtomicLong nanos = new AtomicLong();
        DatabaseMetrics metrics = metrics(new DatabaseBeans("removed"), () -> look(url), nanos::get);
        assertThat(up(metrics.collect())).isOne();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName shown : server.queryNames(new ObjectName("org.readpast:database=\"removed\",*"), null)) {
            server.unregisterMBean(shown);
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM readpast.message");
            statement.execute("DELETE FROM readpast.destination");
        }
        nanos.addAndGet(HOUR);
        assertThat(up(metrics.collect())).isOne();
    }
}
