package org.readpast.operations.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.administration.Administration;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.messages.Conditions;
import org.readpast.operations.messages.MessageContent;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.messages.Repair;
import org.readpast.operations.messages.Rights;
import org.readpast.operations.messages.StoredMessage;
import org.readpast.operations.server.ClientSession;
import org.readpast.operations.verdict.Verdict;

/**
 * Every statement on a SQL Server, or on what stands in for one: what a stand-in does not have is not known, and never none. In the schema
 * {@code readpast} of the database, whose queues of this test are emptied.
 */
@EnabledIfSystemProperty(named = "readpast.test.sqlserver.url", matches = ".+")
class SqlServerLookTest {

    private static final String URL = System.getProperty("readpast.test.sqlserver.url");
    private static final String QUEUE = "operations.look";
    private static final String OTHER = "operations.other";

    private Connection connection;

    @BeforeEach
    void send() throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        factory.createContext().close();
        connection = DriverManager.getConnection(URL);
        Administration administration = new Administration(connection, "readpast");
        administration.createQueue(QUEUE, null, null);
        administration.createQueue(OTHER, 3, "DLQ");
        purge();
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setProperty("region", "north").send(context.createQueue(QUEUE), "one");
            context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue(QUEUE), "later");
        }
    }

    @AfterEach
    void close() throws Exception {
        purge();
        connection.close();
    }

    private void purge() throws Exception {
        Repair repair = new Repair(connection, "readpast");
        for (String queue : List.of(QUEUE, OTHER)) {
            for (String state : new String[] {null, "held"}) {
                repair.run(
                        Repair.Action.PURGE,
                        queue,
                        null,
                        Conditions.none().withState(state),
                        Long.MAX_VALUE,
                        done -> {});
            }
        }
    }

    @Test
    void a_jvm_tells_of_itself_and_of_its_consumers() throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);
        factory.setProperty("idleCloseMillis", "0");
        try (JMSContext context = factory.createContext();
                Look look = new Look(connection, "readpast")) {
            context.createConsumer(context.createQueue(OTHER), "region = 'south'");
            OpenConsumers told = await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> Facts.consumers(look).rows().stream()
                                    .filter(consumer -> consumer.queue().equals(OTHER) && consumer.now() != null)
                                    .map(Consumer::now)
                                    .findFirst(),
                            Optional::isPresent)
                    .get();
            assertThat(told).isEqualTo(new OpenConsumers(1, 0, 1, "region = 'south'"));
            assertThat(Facts.clients(look).rows()).extracting(Client::report).anySatisfy(report -> {
                assertThat(report.clockAhead()).isBetween(Duration.ofMinutes(-5), Duration.ofMinutes(5));
                assertThat(report.sqlConnections()).isPositive();
                assertThat(report.threadsWaiting()).isZero();
                assertThat(report.listening()).isNull();
            });
        }
    }

    @Test
    void everything_that_is_in_tables_is_known() throws Exception {
        try (Look look = new Look(connection, "readpast")) {
            // The first time each statement is translated takes a stand-in longer than a look may.
            Snapshot.take(look);
            Snapshot seen = Snapshot.take(look);
            for (Answer<?> answer : List.of(
                    seen.scripts(),
                    seen.queues(),
                    seen.delayed(),
                    seen.clients(),
                    seen.consumers(),
                    seen.subscriptions(),
                    seen.leases(),
                    seen.groups(),
                    seen.deadLetters(),
                    seen.failing(),
                    seen.outcomes(),
                    seen.priorities(),
                    seen.largestId())) {
                assertThat(answer).isInstanceOf(Answer.Known.class);
            }
            assertThat(seen.queues().rows())
                    .filteredOn(queue -> queue.name().equals(QUEUE))
                    .extracting(Queue::depth)
                    .containsExactly(1L);
            assertThat(seen.queues().rows())
                    .filteredOn(queue -> queue.name().equals(OTHER))
                    .extracting(Queue::depth)
                    .containsExactly(seen.deleting().isKnown() ? (Long) 0L : null);
            assertThat(seen.priorities().rows()).extracting(Priority::priority).contains(4);
            assertThat(seen.locks().isKnown()).isEqualTo(seen.deleting().isKnown());
            assertThat(new Verdict()
                            .judge(seen).stream()
                                    .anyMatch(finding -> finding.subject().startsWith("who has which messages")))
                    .isNotEqualTo(seen.locks().isKnown());
            assertThat(seen.delayed().rows())
                    .filteredOn(delayed -> delayed.queue().equals(QUEUE))
                    .extracting(Delayed::delayed)
                    .containsExactly(1L);
        }
    }

    @Test
    void queues_and_messages_come_page_by_page() throws Exception {
        try (Look look = new Look(connection, "readpast")) {
            // As above: twice.
            pages(look);
            pages(look);
        }
    }

    private static void pages(Look look) throws Exception {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Messages.queues(look, QUEUE, null, 10).isKnown());
        int queue = Messages.queues(look, QUEUE, null, 10).rows().get(0).id();
        assertThat(Messages.queues(look, "", null, 1).rows()).hasSize(1);
        assertThat(Messages.queues(look, "no_queue", null, 10).rows()).isEmpty();
        assertThat(Messages.queue(look, queue).rows()).extracting(Queue::name).containsExactly(QUEUE);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Messages.waiting(look, queue, null, 10).isKnown());
        List<StoredMessage> waiting = Messages.waiting(look, queue, null, 10).rows();
        assertThat(waiting).hasSize(1);
        assertThat(Messages.waiting(look, queue, waiting.get(0).place(), 10).rows())
                .isEmpty();
        List<StoredMessage> later = Messages.later(look, queue, null, 10).rows();
        assertThat(later).extracting(StoredMessage::state).containsExactly("delayed");
        assertThat(Messages.later(look, queue, later.get(0).place(), 10).rows()).isEmpty();
        for (StoredMessage message : List.of(waiting.get(0), later.get(0))) {
            MessageContent content =
                    Messages.message(look, queue, message.place(), 100).rows().get(0);
            assertThat(content.message().jmsMessageId()).isEqualTo(message.jmsMessageId());
            assertThat(content.format()).isEqualTo(3);
            assertThat(new String(content.body(), StandardCharsets.UTF_16LE)).isIn("one", "later");
        }
        assertThat(Messages.rights(look).rows()).containsExactly(new Rights(true, true));
        assertThat(Messages.holders(look, queue).isKnown())
                .isEqualTo(Facts.locks(look).isKnown());
    }

    @Test
    void each_repair_is_called() throws Exception {
        Repair repair = new Repair(connection, "readpast");
        Conditions north = new Conditions(null, null, null, "region", "north", null, null, null, null, null);
        assertThat(repair.tryOut(Repair.Action.MOVE, QUEUE, OTHER, north, 10)).isEqualTo(1);
        assertThat(run(repair, Repair.Action.MOVE, OTHER, QUEUE)).isZero();
        assertThat(repair.run(Repair.Action.MOVE, QUEUE, OTHER, north, 10, done -> {}))
                .isEqualTo(1);
        assertThat(run(repair, Repair.Action.HOLD, OTHER, null)).isEqualTo(1);
        assertThat(run(repair, Repair.Action.RELEASE, OTHER, null)).isEqualTo(1);
        assertThat(run(repair, Repair.Action.RETRY, OTHER, null)).isZero();
        assertThat(run(repair, Repair.Action.EXPIRE, QUEUE, null)).isEqualTo(1);
        assertThat(new Administration(connection, "readpast").dropQueue("operations.none"))
                .isFalse();
    }

    @Test
    void queue_is_paused_and_resumed_and_jvms_that_do_not_keep_to_it_are_named() throws Exception {
        Administration administration = new Administration(connection, "readpast");
        administration.pause(QUEUE, Paused.What.BOTH);
        try (Look look = new Look(connection, "readpast")) {
            List<Paused> paused = Facts.paused(look).rows();
            assertThat(paused).extracting(Paused::queue, Paused::what).containsExactly(tuple(QUEUE, Paused.What.BOTH));
            assertThat(Facts.notKeepingTo(look, paused.get(0)).isKnown()).isTrue();
        }
        administration.resume(QUEUE);
        try (Look look = new Look(connection, "readpast")) {
            assertThat(Facts.paused(look).rows()).isEmpty();
        }
        assertThatThrownBy(() -> administration.pause("operations.none", Paused.What.SEND))
                .hasMessageContaining("There is no queue");
    }

    /** Comparisons of SQL Server's ignore trailing blanks, and so does its check of what is to be paused; JMS clients compare exactly. */
    @Test
    void what_is_paused_is_noted_without_a_trailing_blank() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("EXECUTE [readpast].pause @queue = N'" + QUEUE + "', @what = N'send '");
            try (ResultSet row =
                    statement.executeQuery("SELECT paused FROM [readpast].destination WHERE name = N'" + QUEUE + "'")) {
                row.next();
                assertThat(row.getString("paused")).isEqualTo("send");
            }
        } finally {
            new Administration(connection, "readpast").resume(QUEUE);
        }
    }

    @Test
    void queue_is_dropped_by_its_whole_name_and_that_is_told_without_counts() throws Exception {
        Administration administration = new Administration(connection, "readpast");
        administration.createQueue("operations.blank ", null, null);
        try (Statement settings = connection.createStatement()) {
            settings.execute("SET NOCOUNT ON");
        }
        assertThat(administration.dropQueue("operations.blank")).isFalse();
        assertThat(administration.dropQueue("operations.blank ")).isTrue();
        assertThat(administration.dropQueue("operations.blank ")).isFalse();
    }

    @Test
    void messages_whose_destination_has_no_row_are_found_and_given_to_the_one_that_has_the_name_now() throws Exception {
        String queue = "operations.orphaned";
        String sentTo = "queue://" + queue;
        Administration administration = new Administration(connection, "readpast");
        administration.createQueue(queue, null, null);
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);
        factory.setProperty("idleCloseMillis", "0");
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue(queue), "one");
            context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue(queue), "later");
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM [readpast].destination WHERE name = N'" + queue + "'");
        }
        List<Orphaned> orphaned = orphaned(sentTo);
        assertThat(orphaned)
                .extracting(Orphaned::isDelayed, Orphaned::messages)
                .containsExactly(tuple(false, 1L), tuple(true, 1L));

        // As docs/operations.md has it.
        administration.createQueue(queue, null, null);
        try (Statement statement = connection.createStatement()) {
            for (String table : List.of("message", "delayed_message")) {
                statement.execute("UPDATE [readpast]." + table
                        + " SET destination_id = (SELECT destination_id FROM [readpast].destination WHERE kind = 'Q' AND name = '"
                        + queue + "') WHERE destination_id = " + orphaned.get(0).id());
            }
        }
        assertThat(orphaned(sentTo)).isEmpty();
        Repair repair = new Repair(connection, "readpast");
        assertThat(run(repair, Repair.Action.PURGE, queue, null)).isEqualTo(2);
        assertThat(administration.dropQueue(queue)).isTrue();
    }

    private List<Orphaned> orphaned(String sentTo) throws Exception {
        try (Look look = new Look(connection, "readpast")) {
            return await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Snapshot.take(look).orphaned(), Answer::isKnown)
                    .rows()
                    .stream()
                    .filter(row -> row.destination().equals(sentTo))
                    .toList();
        }
    }

    @Test
    void names_keep_characters_that_varchar_does_not_have() throws Exception {
        String name = "operations.\u017c\u00f3\u0142w.\u4e9c";
        try (Connection narrow = DriverManager.getConnection(URL + ";sendStringParametersAsUnicode=false")) {
            new Administration(narrow, "readpast").createQueue(name, null, null);
            try (Look look = new Look(narrow, "readpast")) {
                Messages.queues(look, name, null, 10);
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> Messages.queues(look, name, null, 10).isKnown());
                assertThat(Messages.queues(look, name, null, 10).rows())
                        .extracting(Queue::name)
                        .containsExactly(name);
            }
        }
        assertThat(new Administration(connection, "readpast").dropQueue(name)).isTrue();
    }

    /** As a client's cancel does where XACT_ABORT is OFF; what is done next would belong to that transaction, and never be committed. */
    @Test
    void transaction_that_a_procedure_has_left_open_is_rolled_back() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA operations_cut");
            statement.execute("CREATE TABLE operations_cut.done (a int NOT NULL)");
            statement.execute(
                    "CREATE PROCEDURE operations_cut.resume @queue nvarchar(401), @claimed_user nvarchar(128) AS"
                            + " BEGIN TRANSACTION; INSERT INTO operations_cut.done (a) VALUES (1); THROW 50099, N'cut off', 1;");
            try {
                assertThatThrownBy(() -> new Administration(connection, "operations_cut").resume(QUEUE))
                        .hasMessageContaining("cut off");
                try (ResultSet row = statement.executeQuery(
                        "SELECT @@TRANCOUNT AS transactions, (SELECT COUNT(*) FROM operations_cut.done) AS done")) {
                    row.next();
                    assertThat(row.getInt("transactions")).isZero();
                    assertThat(row.getInt("done")).isZero();
                }
            } finally {
                statement.execute("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
                statement.execute("DROP PROCEDURE operations_cut.resume");
                statement.execute("DROP TABLE operations_cut.done");
                statement.execute("DROP SCHEMA operations_cut");
            }
        }
    }

    /** The driver says by an error at the next statement that its session was ended. */
    @Test
    void session_is_ended_if_it_is_the_one_that_was_seen() throws Exception {
        Administration administration = new Administration(connection, "readpast");
        String program = "ended " + UUID.randomUUID();
        try (Connection victim = DriverManager.getConnection(URL + ";applicationName=" + program);
                Look look = new Look(connection, "readpast")) {
            // The first time a statement is translated takes a stand-in longer than a look may.
            Facts.clientSessions(look);
            ClientSession seen = Facts.clientSessions(look).rows().stream()
                    .filter(session -> session.program().equals(program))
                    .findFirst()
                    .orElseThrow();
            ClientSession earlier =
                    new ClientSession(seen.id(), "1", seen.login(), seen.program(), null, null, null, null);
            assertThat(administration.endSession(earlier)).isFalse();
            assertThat(victim.isValid(20)).isTrue();
            assertThat(administration.endSession(seen)).isTrue();
            await().atMost(Duration.ofMinutes(1)).until(() -> !victim.isValid(20));
            assertThat(Facts.clientSessions(look).rows())
                    .noneMatch(session -> session.program().equals(program));
        }
    }

    @Test
    void repairs_are_noted_and_those_that_were_tried_out_are_not() throws Exception {
        Repair repair = new Repair(connection, "readpast", "ada");
        assertThat(repair.tryOut(Repair.Action.HOLD, QUEUE, null, Conditions.none(), 10))
                .isEqualTo(2);
        assertThat(run(repair, Repair.Action.HOLD, QUEUE, null)).isEqualTo(2);
        try (Look look = new Look(connection, "readpast")) {
            Audit last = audit(look).get(0);
            assertThat(last)
                    .extracting(Audit::claimedUser, Audit::action, Audit::queue, Audit::target, Audit::messages)
                    .containsExactly("ada", "hold", QUEUE, null, 2L);
            assertThat(audit(look))
                    .filteredOn(audit -> audit.action().equals("hold") && "ada".equals(audit.claimedUser()))
                    .filteredOn(audit -> audit.doneAt().equals(last.doneAt()))
                    .hasSize(1);
        }
    }

    @Test
    void a_move_is_noted_once() throws Exception {
        Administration administration = new Administration(connection, "readpast", "ada");
        administration.markMoved(OTHER, Moved.Stage.AWAY, "west");
        administration.markMoved(OTHER, Moved.Stage.AWAY, "west");
        try (Look look = new Look(connection, "readpast")) {
            Answer<Moved> known =
                    await().atMost(Duration.ofSeconds(60)).until(() -> Facts.moved(look), Answer::isKnown);
            assertThat(known.rows())
                    .filteredOn(moved -> moved.queue().equals(OTHER))
                    .extracting(Moved::stage, Moved::database)
                    .containsExactly(tuple(Moved.Stage.AWAY, "west"));
            administration.markMoved(OTHER, null, null);
            administration.markMoved(OTHER, null, null);
            assertThat(audit(look).subList(0, 2))
                    .extracting(Audit::claimedUser, Audit::action, Audit::queue, Audit::target)
                    .containsExactly(
                            tuple("ada", "move-queue", OTHER, null), tuple("ada", "move-queue", OTHER, "to west"));
        }
        assertThatThrownBy(() -> administration.markMoved("operations.none", Moved.Stage.AWAY, "west"))
                .hasMessageContaining("no queue");
    }

    /** A busy server gives a look up. */
    private static List<Audit> audit(Look look) {
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> Facts.audit(look), Answer::isKnown)
                .rows();
    }

    private static long run(Repair repair, Repair.Action action, String queue, String target) throws Exception {
        return repair.run(action, queue, target, Conditions.none(), 10, done -> {});
    }
}
