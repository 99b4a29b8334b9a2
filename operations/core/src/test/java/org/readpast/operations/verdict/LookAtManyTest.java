package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.QueueBrowser;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Look;
import org.readpast.operations.database.StatementFile;
import org.readpast.operations.snapshot.Snapshot;

/**
 * A look at many messages, queues, JMS clients and locks, on PostgreSQL: it tells what is there or that it is not known, and holds nobody
 * up. {@code -Dreadpast.test.look.messages=10000000} is the size at which the figures of docs/verdict.md were taken.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LookAtManyTest {

    private static final int MESSAGES = Integer.getInteger("readpast.test.look.messages", 20_000);
    private static final boolean LARGE = MESSAGES >= 1_000_000;
    private static final int QUEUES = LARGE ? 500 : 20;
    private static final int CLIENTS = LARGE ? 50 : 3;
    private static final int BROWSERS = LARGE ? 20 : 2;
    private static final int LOOKS = LARGE ? 15 : 3;
    private static final String LONG_ONE = "many.1";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Scene scene = new Scene(new Random());

    @BeforeAll
    void fill() throws Exception {
        for (int i = 1; i <= CLIENTS; i++) {
            ReadpastConnectionFactory factory = scene.factory();
            // With other settings it shares nothing with the others, as in another JVM.
            factory.setProperty("duplicateWindowMillis", String.valueOf(1_000 + i));
            JMSContext client = scene.keep(factory.createContext());
            client.createConsumer(client.createQueue("idle." + i));
        }
        scene.run("INSERT INTO readpast.destination (kind, name) SELECT 'Q', 'many.' || n FROM generate_series(1, "
                + QUEUES + ") n");
        // Half of them in one queue.
        scene.run(
                "INSERT INTO readpast.message (destination_id, priority_order, jms_message_id, jms_destination, delivery_mode,"
                        + " jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length, body)"
                        + " SELECT d.destination_id, 5, 'ID:' || n, 'queue://' || d.name, 2, 0, 0, 0, 1, 2, 100, convert_to(repeat('x', 100), 'UTF8')"
                        + " FROM generate_series(1, " + MESSAGES + ") n"
                        + " JOIN readpast.destination d ON d.name = 'many.' || (CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + n / 2 % "
                        + (QUEUES - 1) + " END)");
        scene.run("ANALYZE readpast.message");
    }

    @AfterAll
    void end() throws Exception {
        scene.end();
    }

    /** Looks again and again, says how long it took, and returns what was seen. */
    private List<Snapshot> looks(String beside) throws SQLException {
        List<Snapshot> seen = new ArrayList<>();
        long[] millis = new long[LOOKS];
        for (int i = 0; i < LOOKS; i++) {
            long begin = System.nanoTime();
            seen.add(scene.look());
            millis[i] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        }
        Arrays.sort(millis);
        System.out.printf(
                "A look at %,d messages, %d queues and %d clients %s: %d ms (%d to %d)%n",
                MESSAGES, QUEUES, CLIENTS, beside, millis[LOOKS / 2], millis[0], millis[LOOKS - 1]);
        seen.forEach(LookAtManyTest::checkDepths);
        return seen;
    }

    /** Whatever is not seen is not known: never 0. */
    private static void checkDepths(Snapshot seen) {
        if (seen.queues().isKnown()) {
            assertThat(seen.queues().rows())
                    .filteredOn(queue -> queue.name().startsWith("many."))
                    .hasSize(QUEUES)
                    .allSatisfy(queue -> assertThat(queue.depthText()).isNotEqualTo("0"));
        }
    }

    /** What takes too long is given up: at ten million messages in queues of more than 10,000 each four parts are not known. */
    @Test
    void alone() throws Exception {
        looks("alone");
        // All of those may have been while the machine was busy with something else.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(new Verdict().judge(scene.look()))
                        .filteredOn(finding -> finding.cause() == Cause.NOT_KNOWN)
                        .hasSizeLessThanOrEqualTo(LARGE ? 4 : 0));
    }

    /** By their order, as far as they are counted. */
    @ParameterizedTest
    @ValueSource(strings = {"dead_letters", "early_senders"})
    void no_statement_sorts_whole_queues(String name) throws Exception {
        try (Connection connection = scene.connect();
                Look look = new Look(connection, scene.schema());
                Statement statement = connection.createStatement()) {
            String text = StatementFile.find(look.product(), look.schema(), name)
                    .orElseThrow()
                    .text();
            List<String> plan = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("EXPLAIN " + text)) {
                while (rows.next()) {
                    plan.add(rows.getString(1));
                }
            }
            assertThat(plan)
                    .anyMatch(line -> line.contains("Index Scan using message_pkey"))
                    .noneMatch(line -> line.contains("on message m") && !line.contains("message_pkey"));
        }
    }

    @Test
    void beside_many_locked_messages() throws Exception {
        Connection batch = scene.program("batch");
        batch.setAutoCommit(false);
        try (Statement statement = batch.createStatement()) {
            statement.execute(scene.named("SELECT COUNT(*) FROM (SELECT 1 FROM readpast.message m"
                    + " JOIN readpast.destination d USING (destination_id) WHERE d.name = '" + LONG_ONE
                    + "' ORDER BY m.destination_id, m.priority_order, m.message_id LIMIT " + MESSAGES / 10
                    + " FOR UPDATE OF m) l"));
            List<Snapshot> looks = looks("beside " + MESSAGES / 10 + " locked messages");
            assertThat(looks)
                    .allSatisfy(seen -> assertThat(seen.locks().rows())
                            .hasSize(seen.locks().isKnown() ? 1 : 0)
                            .allSatisfy(lock -> assertThat(lock.queue()).isEqualTo(LONG_ONE))
                            .allSatisfy(lock -> assertThat(lock.messages()).isPositive()));
            assertThat(looks).anyMatch(seen -> seen.locks().isKnown() || LARGE);
        } finally {
            batch.rollback();
        }
    }

    @Test
    void beside_browsers() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(BROWSERS);
        List<Future<Void>> browsing = new ArrayList<>();
        for (int i = 0; i < BROWSERS; i++) {
            browsing.add(threads.submit(() -> {
                browse(over);
                return null;
            }));
        }
        try {
            looks("beside " + BROWSERS + " browsers");
        } finally {
            over.set(true);
            for (Future<Void> each : browsing) {
                each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            threads.shutdown();
        }
    }

    private void browse(AtomicBoolean over) throws Exception {
        try (JMSContext context = scene.factory().createContext()) {
            while (!over.get()) {
                try (QueueBrowser browser = context.createBrowser(context.createQueue(LONG_ONE))) {
                    Enumeration<?> messages = browser.getEnumeration();
                    while (!over.get() && messages.hasMoreElements()) {
                        messages.nextElement();
                    }
                }
            }
        }
    }

    /** All who come behind it wait; the look does not. */
    @Test
    void behind_an_alter_that_waits() throws Exception {
        Connection reader = scene.program("reader");
        Connection changer = scene.program("changer");
        reader.setAutoCommit(false);
        changer.setAutoCommit(false);
        try (Statement reads = reader.createStatement();
                Statement changes = changer.createStatement()) {
            reads.execute(scene.named("SELECT 1 FROM readpast.message LIMIT 1"));
            CompletableFuture<Void> change = CompletableFuture.runAsync(() -> {
                try {
                    changes.execute(scene.named("ALTER TABLE readpast.message ADD COLUMN one_more int"));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().atMost(PATIENCE)
                    .until(() -> scene.look().sessions().rows().stream()
                            .anyMatch(session -> "changer".equals(session.program())
                                    && !session.blockers().isEmpty()));
            assertThat(looks("behind an ALTER TABLE that waits"))
                    .allSatisfy(seen -> assertThat(seen.queues().isKnown()).isFalse())
                    .allSatisfy(seen -> assertThat(new Verdict().judge(seen))
                            .extracting(Finding::cause)
                            .contains(Cause.NOT_KNOWN))
                    .anySatisfy(seen -> assertThat(seen.clients().rows()).hasSizeGreaterThanOrEqualTo(CLIENTS));
            reader.rollback();
            change.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            changer.rollback();
        }
    }
}
