package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.operations.Databases;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.server.DatabaseSession;
import org.readpast.operations.server.Pin;
import org.readpast.operations.snapshot.Snapshot;

/** What PostgreSQL tells of locks, transactions and dead rows, and what it does not tell everybody. */
class PostgresVerdictTest {

    private static final Limits SHORT =
            new Limits(Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofSeconds(5), 3, 50_000);

    private Databases database;

    @BeforeEach
    void makeSchema() {
        database = new Databases(Databases.POSTGRESQL);
    }

    @AfterEach
    void dropSchema() throws SQLException {
        database.close();
    }

    private Finding verdict(Cause cause) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> new Verdict(SHORT).judge(database.look()),
                        findings -> findings.size() == 1 && findings.get(0).cause() == cause)
                .get(0);
    }

    private void send(String queue) {
        try (JMSContext context = database.factory().createContext()) {
            context.createProducer().send(context.createQueue(queue), "one");
        }
        database.awaitNobody();
    }

    @Test
    void a_consumer_that_waits_for_another_transaction() throws Exception {
        database.run("CREATE TABLE readpast.invoice (id int PRIMARY KEY, paid int)");
        database.run("INSERT INTO readpast.invoice VALUES (4711, 0)");
        send("orders");
        String update = database.named("UPDATE readpast.invoice SET paid = 1 WHERE id = 4711");
        try (java.sql.Connection reports = DriverManager.getConnection(database.url + "&ApplicationName=reports");
                Statement holder = reports.createStatement();
                Connection connection = database.factory().createConnection()) {
            reports.setAutoCommit(false);
            holder.execute(update);
            connection.start();
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            assertThat(consumer.receive(10_000)).isNotNull();
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
                try (Statement statement =
                        ((SqlSession) session).sqlConnection().createStatement()) {
                    statement.execute(update);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            Finding finding = verdict(Cause.BLOCKED);
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.what())
                    .startsWith("orders: 1 waiting")
                    .contains("at the head is session")
                    .contains("program reports");
            assertThat(finding.evidence()).hasSize(2);
            assertThat(finding.evidence().get(1))
                    .contains("idle in transaction")
                    .contains("WHERE id = ?")
                    .doesNotContain("4711");
            assertThat(finding.next()).contains("pg_terminate_backend").contains("backend_start = ");
            reports.rollback();
            work.join();
            session.commit();
        }
    }

    @Test
    void a_consumer_that_holds_a_message_for_long() throws Exception {
        send("orders");
        try (JMSContext context = database.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThat(context.createConsumer(context.createQueue("orders")).receive(10_000))
                    .isNotNull();
            Finding finding = verdict(Cause.HELD_TOO_LONG);
            assertThat(finding.what()).contains(" has 1 message of it in its transaction, open since ");
            assertThat(finding.next()).contains("leaseSeconds");
            context.commit();
        }
    }

    @Test
    void a_transaction_that_somebody_forgot() throws Exception {
        try (java.sql.Connection forgotten = DriverManager.getConnection(database.url + "&ApplicationName=console")) {
            forgotten.setAutoCommit(false);
            forgotten.createStatement().execute("SELECT pg_current_xact_id()");
            Finding finding = verdict(Cause.DEAD_ROWS_PINNED);
            assertThat(finding.what()).contains("program console").contains("has a transaction open since");
            forgotten.rollback();
        }
    }

    @Test
    void a_prepared_transaction_that_nobody_ends() throws Exception {
        try (java.sql.Connection manager = database.connect()) {
            manager.setAutoCommit(false);
            manager.createStatement().execute("SELECT pg_current_xact_id()");
            manager.createStatement().execute("PREPARE TRANSACTION 'branch-1'");
            manager.setAutoCommit(true);
            try {
                Finding finding = verdict(Cause.DEAD_ROWS_PINNED);
                assertThat(finding.subject()).isEqualTo("prepared transaction branch-1");
                assertThat(finding.next()).contains("ROLLBACK PREPARED 'branch-1'");
            } finally {
                manager.createStatement().execute("ROLLBACK PREPARED 'branch-1'");
            }
        }
    }

    /** Unlike one that holds back xmin, it keeps dead rows of the catalogue alone. */
    @Test
    void a_logical_replication_slot_that_nobody_reads_keeps_no_messages() throws Exception {
        database.run("SELECT pg_create_logical_replication_slot('" + database.schema + "', 'pgoutput')");
        try {
            assertThat(database.look().pins().rows()).extracting(Pin::name).doesNotContain(database.schema);
        } finally {
            database.run("SELECT pg_drop_replication_slot('" + database.schema + "')");
        }
    }

    /** With READ COMMITTED it has no snapshot between two statements, once what it has read is closed, as a simple query is. */
    @Test
    void a_transaction_that_has_written_nothing_and_reads_nothing_keeps_no_messages() throws Exception {
        try (java.sql.Connection idle =
                DriverManager.getConnection(database.url + "&ApplicationName=idle&preferQueryMode=simple")) {
            idle.setAutoCommit(false);
            idle.createStatement().execute("SELECT 1");
            Instant begun = database.look().takenAt();
            Snapshot seen = await().atMost(Duration.ofSeconds(60))
                    .until(database::look, look -> look.takenAt().isAfter(begun.plus(SHORT.held())));
            assertThat(seen.sessions().rows())
                    .extracting(DatabaseSession::program)
                    .contains("idle");
            assertThat(new Verdict(SHORT).judge(seen))
                    .extracting(Finding::cause)
                    .doesNotContain(Cause.DEAD_ROWS_PINNED);
            idle.rollback();
        }
    }

    /** What came last is at the end, behind more messages than a look counts. */
    @Test
    void dead_letters_grow_behind_the_first_ten_thousand() throws Exception {
        send("DLQ");
        database.run(
                "UPDATE readpast.message SET origin_id = destination_id, enqueued_at = enqueued_at - INTERVAL '1 day', jms_timestamp = jms_timestamp - 86400000");
        database.run(
                "INSERT INTO readpast.message (destination_id, priority_order, jms_destination, delivery_mode, jms_timestamp,"
                        + " jms_expiration, jms_delivery_time, body_kind, body_format, body_length, body, enqueued_at, origin_id)"
                        + " SELECT destination_id, priority_order, jms_destination, delivery_mode, jms_timestamp, jms_expiration,"
                        + " jms_delivery_time, body_kind, body_format, body_length, body, enqueued_at, origin_id"
                        + " FROM readpast.message CROSS JOIN generate_series(1, 9999)");
        send("DLQ");
        database.run("UPDATE readpast.message SET origin_id = destination_id WHERE origin_id IS NULL");
        Finding finding = verdict(Cause.DEAD_LETTERS);
        assertThat(finding.what())
                .isEqualTo("DLQ: 10000+ dead letters from DLQ, and growing: 1 of them within ten minutes");
        Duration apart = Duration.between(
                finding.since(), database.look().deadLetters().rows().get(0).newestAt());
        assertThat(apart).isGreaterThan(Duration.ofHours(23));
    }

    @Test
    void autovacuum_that_is_off() throws Exception {
        database.run("ALTER TABLE readpast.message SET (autovacuum_enabled = false)");
        assertThat(verdict(Cause.VACUUM_BEHIND).what()).isEqualTo("autovacuum is off for the table message");
    }

    @Test
    void a_setting_that_somebody_changed() throws Exception {
        database.run("ALTER DATABASE " + database.name + " SET synchronous_commit = off");
        Finding finding = verdict(Cause.SETTINGS);
        assertThat(finding.subject()).isEqualTo("synchronous-commit");
        assertThat(finding.what()).startsWith("synchronous_commit is off: a crash of the server loses messages");
    }

    @Test
    void leases_that_are_over() throws Exception {
        send("orders");
        database.run("SELECT * FROM readpast.claim('orders', 1, 60, 'night batch')");
        database.run("UPDATE readpast.delayed_message SET due_at = due_at - INTERVAL '1 hour'");
        Finding finding = verdict(Cause.LEASES_OVERDUE);
        assertThat(finding.what()).startsWith("orders: the leases of 1 message are over");
        assertThat(finding.evidence().get(0)).startsWith("night batch claimed it at ");
    }

    @Test
    void leases_that_end_before_the_work() throws Exception {
        send("orders");
        database.run("SELECT * FROM readpast.claim('orders', 1, 60, 'night batch')");
        database.run("UPDATE readpast.delayed_message SET due_at = due_at - INTERVAL '1 hour'");
        database.run("SELECT * FROM readpast.claim('orders', 1, 60, 'night batch')");
        assertThat(verdict(Cause.LEASES_TOO_SHORT).evidence().get(0)).contains("with night batch for the 2. time");
    }

    @Test
    void a_sender_whose_clock_is_ahead() throws Exception {
        send("orders");
        database.run("UPDATE readpast.message SET jms_timestamp = jms_timestamp + 600000");
        assertThat(new Verdict().judge(database.look()))
                .extracting(Finding::what)
                .singleElement()
                .asString()
                .startsWith("orders: a sender's clock is at least 9 min ahead");
    }

    @Test
    void who_may_not_look_is_told_which_grant_is_missing_and_nothing_passes_for_none() throws Exception {
        send("orders");
        String login = "watch_" + database.name;
        database.run("CREATE ROLE " + login + " LOGIN");
        database.run("GRANT USAGE ON SCHEMA " + database.schema + " TO " + login);
        try (java.sql.Connection connection =
                        DriverManager.getConnection(database.url.replace("user=postgres", "user=" + login));
                Look look = new Look(connection, database.schema)) {
            Snapshot seen = Snapshot.take(look);
            List<Finding> findings = new Verdict(SHORT).judge(seen);
            assertThat(findings).extracting(Finding::cause).containsOnly(Cause.NOT_KNOWN);
            assertThat(findings)
                    .extracting(Finding::next)
                    .contains("For the login to see it: GRANT pg_read_all_stats TO " + login)
                    .contains(
                            "For the login to see it: GRANT SELECT ON " + database.schema + ".queue_depth TO " + login);
            assertThat(seen.queues().isKnown()).isFalse();
        } finally {
            database.run("DROP OWNED BY " + login);
            database.run("DROP ROLE " + login);
        }
    }

    /** The rights that docs/verdict.md gives a login are all that it needs. */
    @Test
    void who_has_the_rights_of_the_page_sees_everything() throws Exception {
        send("orders");
        assertThat(awaitFindingsAsWatch(null, Cause.NO_CONSUMER))
                .extracting(Finding::cause)
                .containsExactly(Cause.NO_CONSUMER);
    }

    /** What a login may not see must not pass for a queue without dead letters, whose consumer is missed. */
    @Test
    void who_may_not_see_dead_letters_misses_no_consumer_of_theirs() throws Exception {
        send("orders");
        send("DLQ");
        database.run("UPDATE readpast.message SET origin_id = destination_id"
                + " WHERE destination_id = (SELECT destination_id FROM readpast.destination WHERE name = 'DLQ')");
        assertThat(awaitFindingsAsWatch("REVOKE SELECT (origin_id) ON readpast.message FROM %s", Cause.STANDS_STILL))
                .extracting(Finding::severity, Finding::cause, Finding::subject)
                .containsExactly(
                        tuple(Severity.CRITICAL, Cause.NO_CONSUMER, "orders"),
                        tuple(Severity.UNKNOWN, Cause.STANDS_STILL, "DLQ"),
                        tuple(Severity.UNKNOWN, Cause.NOT_KNOWN, "dead letters"));
    }

    /** On a replica nobody has a message or a transaction, so that this look must not pass for one at the primary. */
    @Test
    void who_may_not_ask_for_a_replica_does_not_know_who_works() throws Exception {
        send("orders");
        assertThat(awaitFindingsAsWatch(
                        "REVOKE EXECUTE ON FUNCTION pg_is_in_recovery() FROM PUBLIC", Cause.NO_CONSUMER))
                .filteredOn(finding -> finding.cause() == Cause.NOT_KNOWN)
                .hasSize(2)
                .extracting(Finding::what)
                .allMatch(what -> what.contains("whether this is a replica is not known"));
    }

    /** A program in SQL may have claimed by lease what it works on. */
    @Test
    void who_may_not_see_leases_does_not_know_that_nobody_works() throws Exception {
        send("orders");
        try (JMSContext context = database.factory().createContext()) {
            context.createConsumer(context.createQueue("orders"));
            assertThat(awaitFindingsAsWatch(
                            "REVOKE SELECT ON readpast.claimed_message FROM readpast_observe", Cause.STANDS_STILL))
                    .extracting(Finding::severity, Finding::cause)
                    .containsExactly(
                            tuple(Severity.UNKNOWN, Cause.STANDS_STILL), tuple(Severity.UNKNOWN, Cause.NOT_KNOWN));
        }
    }

    /**
     * What a login with the rights of the page sees, when one of these is among it: the message has to have waited for a while.
     *
     * @param revoke what is taken from it again; null for nothing
     */
    private List<Finding> awaitFindingsAsWatch(String revoke, Cause... causes) throws Exception {
        String login = "watch_" + database.name;
        Matcher page = Pattern.compile("## Rights.*?```sql\\R(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "..", "docs", "verdict.md")));
        assertThat(page.find()).isTrue();
        database.run(Files.readString(Path.of("..", "..", "sql", "postgresql", "schema", "roles.sql"))
                .replaceAll("SCHEMA readpast\\b", "SCHEMA " + database.schema));
        database.run("CREATE ROLE " + login + " LOGIN");
        try {
            database.run(page.group(1).replace("night_watch", login));
            if (revoke != null) {
                database.run(revoke.formatted(login));
            }
            return await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> lookAs(login),
                            findings -> findings.stream()
                                    .anyMatch(finding -> List.of(causes).contains(finding.cause())));
        } finally {
            database.run("DROP OWNED BY " + login);
            database.run("DROP ROLE " + login);
        }
    }

    private List<Finding> lookAs(String login) throws SQLException {
        try (java.sql.Connection connection =
                        DriverManager.getConnection(database.url.replace("user=postgres", "user=" + login));
                Look look = new Look(connection, database.schema)) {
            return new Verdict(SHORT).judge(Snapshot.take(look));
        }
    }

    @Test
    void a_look_waits_for_nobody() throws Exception {
        try (java.sql.Connection locker = database.connect()) {
            locker.setAutoCommit(false);
            locker.createStatement().execute(database.named("LOCK TABLE readpast.presence IN ACCESS EXCLUSIVE MODE"));
            Snapshot seen = await().atMost(Duration.ofSeconds(60))
                    .until(database::lookOnce, look -> look.queues().isKnown());
            assertThat(seen.clients()).isInstanceOf(Answer.Unknown.class);
            locker.rollback();
        }
    }

    /** By lease, so that no lock of the database tells of it. */
    @Test
    void a_listener_does_not_return() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (JMSContext context = database.factory().createContext()) {
            context.createConsumer(context.createQueue("orders?consumer.leaseSeconds=600"))
                    .setMessageListener(message -> awaitQuietly(done));
            context.createProducer().send(context.createQueue("orders"), "one");
            Finding finding = verdict(Cause.HELD_TOO_LONG);
            assertThat(finding.subject()).isEqualTo("orders");
            assertThat(finding.what()).startsWith("orders: a listener of ").contains(" has worked on one message for ");
            done.countDown();
        } finally {
            done.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_pool_is_too_small() throws Exception {
        for (int i = 0; i < 4; i++) {
            send("orders");
        }
        ReadpastConnectionFactory factory = database.factory();
        factory.setProperty("poolSize", "2");
        factory.setProperty("poolTimeoutMillis", "20000");
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch done = new CountDownLatch(1);
        try {
            for (int i = 0; i < 4; i++) {
                threads.execute(() -> hold(factory, done));
            }
            Finding finding = await().atMost(Duration.ofMinutes(2))
                    .until(
                            () -> new Verdict().judge(database.look()),
                            findings -> !findings.isEmpty() && findings.get(0).cause() == Cause.POOL_EXHAUSTED)
                    .get(0);
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.what())
                    .contains(" has too few SQL connections: ")
                    .contains("for one of its ");
        } finally {
            done.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Keeps messages in a transaction; who gets no SQL connection tries again. */
    private static void hold(ReadpastConnectionFactory factory, CountDownLatch done) {
        while (done.getCount() > 0) {
            try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                    JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
                consumer.receive(60_000);
                awaitQuietly(done);
            } catch (JMSRuntimeException e) {
                assertThat(e).hasMessageContaining("became free");
            }
        }
    }
}
