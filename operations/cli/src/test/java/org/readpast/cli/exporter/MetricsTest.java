package org.readpast.cli.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.DeadLetters;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.verdict.Silences;

/** What metrics say of what a look saw, or of one that failed. */
class MetricsTest {

    private static DatabaseMetrics metrics(Callable<Snapshot> look) {
        return new DatabaseMetrics("The database", null, look, Silences::none, Duration.ofHours(1), System::nanoTime);
    }

    private static List<Double> values(MetricSnapshots all, String name) {
        return all.stream()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .flatMap(metric -> ((GaugeSnapshot) metric).getDataPoints().stream())
                .map(GaugeSnapshot.GaugeDataPointSnapshot::getValue)
                .toList();
    }

    private static void install(String url) throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url)) {
            factory.createContext().close();
        }
    }

    private static Snapshot look(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Look look = new Look(connection, "readpast")) {
            return Snapshot.take(look);
        }
    }

    /** Those of one origin are all behind the first 10,000 messages of the queue, where a look sees only the last of them. */
    @Test
    void dead_letters_that_were_not_counted_are_as_many_as_came_last() throws Exception {
        String url = "jdbc:h2:mem:dead-letters-behind;DB_CLOSE_DELAY=-1";
        install(url);
        Snapshot seen = with(
                look(url),
                new Answer.Known<>(List.of(
                        new DeadLetters("DLQ", 1, "flood", 10_000, 0, Instant.EPOCH, Instant.EPOCH),
                        new DeadLetters("DLQ", 1, "billing", 0, 3, Instant.EPOCH, Instant.EPOCH))));
        MetricSnapshots all = metrics(() -> seen).collect();
        assertThat(values(all, "readpast_dead_letters")).containsExactlyInAnyOrder(10_000.0, 3.0);
        assertThat(values(all, "readpast_dead_letters_recent")).containsExactlyInAnyOrder(0.0, 3.0);
    }

    private static Snapshot with(Snapshot seen, Answer<DeadLetters> deadLetters) throws Exception {
        RecordComponent[] components = Snapshot.class.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            boolean isOther = components[i].getName().equals("deadLetters");
            values[i] = isOther ? deadLetters : components[i].getAccessor().invoke(seen);
        }
        return (Snapshot) Snapshot.class.getDeclaredConstructors()[0].newInstance(values);
    }

    /** Nobody is left to miss it. */
    @Test
    void dead_jvm_is_not_connected_and_consumes_nothing() throws Exception {
        String url = "jdbc:h2:mem:dead-jvm;DB_CLOSE_DELAY=-1";
        install(url);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO readpast.destination (kind, name) VALUES ('Q', 'orders')");
            for (int i = 1; i <= 2; i++) {
                String instance = "'00000000-0000-0000-0000-00000000000" + i + "'";
                statement.execute(
                        "INSERT INTO readpast.presence (instance, reported_at, clock_millis, waiting_seconds) VALUES ("
                                + instance + ", CURRENT_TIMESTAMP - INTERVAL '" + (10 * i - 10) + "' MINUTE, 0, 0)");
                statement.execute("INSERT INTO readpast.consumed_destination"
                        + " (instance, destination_id, open_consumers, stopped_consumers, selective_consumers) SELECT "
                        + instance + ", destination_id, 3, 0, 0 FROM readpast.destination WHERE name = 'orders'");
            }
            Snapshot both = look(url);
            MetricSnapshots living = metrics(() -> both).collect();
            assertThat(values(living, "readpast_clients")).containsExactly(1.0);
            assertThat(values(living, "readpast_consumers")).containsExactly(3.0);
            assertThat(values(living, "readpast_consuming_clients")).containsExactly(1.0);
            DestinationBean orders = new DestinationBean();
            orders.saw(
                    both.queues().rows().stream()
                            .filter(queue -> queue.name().equals("orders"))
                            .findFirst()
                            .orElseThrow(),
                    both);
            assertThat(orders.getConsumerCount()).isEqualTo(3);
            assertThat(orders.getConsumingClientCount()).isEqualTo(1);
            statement.execute("UPDATE readpast.presence SET reported_at = CURRENT_TIMESTAMP - INTERVAL '10' MINUTE");
            Snapshot dead = look(url);
            MetricSnapshots none = metrics(() -> dead).collect();
            assertThat(values(none, "readpast_clients")).containsExactly(0.0);
            assertThat(values(none, "readpast_consumers")).isEmpty();
            assertThat(values(none, "readpast_consuming_clients")).isEmpty();
        }
    }

    @Test
    void last_answer_is_given_again_while_a_look_is_under_way_but_not_for_ever() throws Exception {
        String url = "jdbc:h2:mem:late;DB_CLOSE_DELAY=-1";
        install(url);
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        AtomicLong later = new AtomicLong();
        DatabaseMetrics slow = new DatabaseMetrics(
                "The database",
                null,
                () -> {
                    if (looks.incrementAndGet() == 2) {
                        end.await();
                    }
                    return look(url);
                },
                Silences::none,
                Duration.ZERO,
                () -> 0);
        PatientMetrics patient = new PatientMetrics(Map.of("west", slow), () -> System.nanoTime() + later.get());
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(values(patient.collect(), "readpast_up")).containsExactly(1.0));
        assertThat(values(patient.collect(), "readpast_up")).containsExactly(1.0);
        await().atMost(Duration.ofSeconds(60)).until(() -> looks.get() == 2);
        later.set(TimeUnit.SECONDS.toNanos(31));
        assertThat(values(patient.collect(), "readpast_up")).containsExactly(0.0);
        end.countDown();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(values(patient.collect(), "readpast_up")).containsExactly(1.0));
    }

    @Test
    void look_that_ends_with_an_error_spoils_no_later_one() {
        AtomicInteger looks = new AtomicInteger();
        PatientMetrics patient = new PatientMetrics(
                Map.of("west", metrics(() -> {
                    if (looks.incrementAndGet() == 1) {
                        throw new StackOverflowError();
                    }
                    throw new SQLException("away");
                })),
                System::nanoTime);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThatThrownBy(patient::collect).hasRootCauseInstanceOf(StackOverflowError.class));
        assertThat(values(patient.collect(), "readpast_up")).containsExactly(0.0);
    }
}
