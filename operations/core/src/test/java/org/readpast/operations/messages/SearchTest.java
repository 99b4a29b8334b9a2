package org.readpast.operations.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.Databases;
import org.readpast.operations.administration.Administration;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.messages.Repair.Action;
import org.readpast.operations.snapshot.Queue;

/** Repairs of messages that are chosen by looking at each, on PostgreSQL and, where a URL is given, on a SQL Server or its stand-in. */
@ParameterizedClass(name = "{0}")
@MethodSource("servers")
class SearchTest {

    private static final String SQL_SERVER = System.getProperty("readpast.test.sqlserver.url");

    private final String product;
    private final String queue = "search." + UUID.randomUUID();
    private final String other = "found." + UUID.randomUUID();

    private Databases postgres;
    private ReadpastConnectionFactory factory;
    private String schema;
    private Connection connection;
    private Repair repair;

    SearchTest(String product) {
        this.product = product;
    }

    static Stream<String> servers() {
        return SQL_SERVER == null ? Stream.of(Databases.POSTGRESQL) : Stream.of(Databases.POSTGRESQL, "SQL Server");
    }

    @BeforeEach
    void connect() throws Exception {
        if (product.equals(Databases.POSTGRESQL)) {
            postgres = new Databases(product);
            factory = postgres.factory();
            schema = postgres.schema;
            connection = postgres.connect();
        } else {
            factory = new ReadpastConnectionFactory(SQL_SERVER);
            factory.setProperty("createSchema", "true");
            factory.setProperty("idleCloseMillis", "0");
            factory.createContext().close();
            schema = "readpast";
            connection = DriverManager.getConnection(SQL_SERVER);
        }
        repair = new Repair(connection, schema);
        Administration administration = new Administration(connection, schema);
        administration.createQueue(queue, null, null);
        administration.createQueue(other, null, null);
    }

    @AfterEach
    void close() throws Exception {
        for (String emptied : List.of(queue, other)) {
            for (String state : new String[] {null, "held"}) {
                repair.run(Action.PURGE, emptied, null, Conditions.none().withState(state), Long.MAX_VALUE, done -> {});
            }
        }
        connection.close();
        if (postgres != null) {
            postgres.close();
        }
    }

    /** Messages whose types are their numbers, of all priorities. */
    private void send(int from, int below) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            for (int i = from; i < below; i++) {
                context.createProducer()
                        .setPriority(i % 10)
                        .setJMSType(String.valueOf(i))
                        .send(context.createQueue(queue), "" + i);
            }
            context.commit();
        }
    }

    private static RowCondition multiplesOf(int number) {
        return row -> type(row) % number == 0 ? RowCondition.Answer.CHOSEN : RowCondition.Answer.OTHER;
    }

    private static int type(ResultSet row) throws SQLException {
        return Integer.parseInt(row.getString("jms_type"));
    }

    private static Chosen all(RowCondition condition) {
        return new Chosen(condition, null, Long.MAX_VALUE, null);
    }

    private static Chosen inState(String state) {
        return new Chosen(row -> RowCondition.Answer.CHOSEN, state, Long.MAX_VALUE, null);
    }

    private Progress run(Action action, String target, Chosen chosen) throws SQLException {
        return repair.run(action, queue, target, chosen, progress -> {});
    }

    /** The types of what is in a queue, by a search that does nothing. */
    private Set<Integer> types(String of) throws SQLException {
        Set<Integer> types = new TreeSet<>();
        repair.tryOut(
                Action.HOLD,
                of,
                null,
                all(row -> {
                    assertThat(types.add(type(row))).as("seen once").isTrue();
                    return RowCondition.Answer.OTHER;
                }),
                progress -> {});
        return types;
    }

    @Test
    void chosen_ones_of_many_are_moved_and_each_message_is_looked_at_once() throws Exception {
        send(0, 2345);
        List<Progress> told = new ArrayList<>();
        Progress end = repair.run(Action.MOVE, queue, other, all(multiplesOf(5)), told::add);
        assertThat(end).isEqualTo(new Progress(2345, 2345, false, 469, 469, 0, null));
        assertThat(told.get(0).searched()).isEqualTo(1000);
        assertThat(told.get(0).about()).isEqualTo(2345);
        assertThat(types(other))
                .hasSize(469)
                .allSatisfy(type -> assertThat(type % 5).isZero());
        assertThat(types(queue)).hasSize(2345 - 469);
    }

    @Test
    void what_is_tried_out_is_counted_and_stays() throws Exception {
        send(0, 30);
        assertThat(repair.tryOut(Action.PURGE, queue, null, all(multiplesOf(3)), progress -> {}))
                .isEqualTo(new Progress(30, 30, false, 10, 10, 0, null));
        assertThat(types(queue)).hasSize(30);
    }

    @Test
    void what_is_tried_out_is_refused_as_it_would_be() throws Exception {
        send(0, 1);
        assertThatThrownBy(() -> repair.tryOut(Action.MOVE, queue, "none", all(multiplesOf(1)), progress -> {}))
                .hasMessageContaining("There is no queue");
        assertThatThrownBy(() -> repair.tryOut(Action.MOVE, queue, queue, all(multiplesOf(1)), progress -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_was_cut_off_goes_on_at_its_cursor() throws Exception {
        send(0, 2500);
        List<Progress> told = new ArrayList<>();
        int[] looked = {0};
        RowCondition dying = row -> {
            if (++looked[0] > 2100) {
                throw new SQLException("gone");
            }
            return multiplesOf(2).of(row);
        };
        assertThatThrownBy(() -> repair.run(Action.MOVE, queue, other, all(dying), told::add))
                .hasMessage("gone");
        Progress last = told.get(told.size() - 1);
        assertThat(last.searched()).isEqualTo(2000);
        assertThat(types(other)).hasSize((int) last.done());

        Cursor cursor = Cursor.parse(last.cursor().toString());
        Progress end = run(Action.MOVE, other, new Chosen(multiplesOf(2), null, Long.MAX_VALUE, cursor));
        assertThat(end.searched()).isEqualTo(500);
        assertThat(types(other)).hasSize(1250);
    }

    @Test
    void stops_at_the_most_and_goes_on_behind_it() throws Exception {
        send(0, 40);
        Cursor cursor = null;
        for (int i = 1; i <= 4; i++) {
            Progress end = run(Action.MOVE, other, new Chosen(multiplesOf(4), null, 3, cursor));
            assertThat(end.done()).isEqualTo(i == 4 ? 1 : 3);
            cursor = end.cursor();
        }
        assertThat(cursor).isNull();
        assertThat(types(other)).hasSize(10);
    }

    @Test
    void delayed_and_held_ones_have_their_states() throws Exception {
        send(0, 3);
        try (JMSContext context = factory.createContext()) {
            context.createProducer()
                    .setJMSType("7")
                    .setDeliveryDelay(3_600_000)
                    .send(context.createQueue(queue), "later");
        }
        assertThat(types(queue)).containsExactly(0, 1, 2, 7);
        assertThat(run(Action.HOLD, null, inState("delayed")).done()).isEqualTo(1);
        assertThat(types(queue)).containsExactly(0, 1, 2);
        assertThat(run(Action.HOLD, null, all(multiplesOf(2)))).isEqualTo(new Progress(3, 4, false, 2, 2, 0, null));
        assertThat(types(queue)).containsExactly(1);
        assertThat(run(Action.MOVE, other, inState("claimed")).searched()).isZero();
        assertThat(run(Action.RELEASE, null, inState("held")).done()).isEqualTo(3);
        assertThat(types(queue)).containsExactly(0, 1, 2, 7);
        assertThat(run(Action.EXPIRE, null, all(multiplesOf(1))).done()).isEqualTo(4);
        assertThat(run(Action.RETRY, null, all(multiplesOf(1))).chosen())
                .as("no dead letters")
                .isZero();
    }

    @Test
    void what_has_expired_does_not_expire_again() throws Exception {
        send(0, 3);
        Conditions all = Conditions.none();
        assertThat(repair.run(Action.EXPIRE, queue, null, all, 2, done -> {})).isEqualTo(2);
        assertThat(repair.tryOut(Action.EXPIRE, queue, null, all, 10)).isEqualTo(1);
        assertThat(repair.run(Action.EXPIRE, queue, null, all, 10, done -> {})).isEqualTo(1);
        assertThatThrownBy(() -> repair.run(Action.EXPIRE, queue, null, all.withState("expired"), 3, done -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> repair.tryOut(Action.EXPIRE, queue, null, all.withState("expired"), 3))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> run(Action.EXPIRE, null, inState("expired")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(repair.run(Action.EXPIRE, queue, null, "expired", List.of()))
                .as("the procedure is not asked, which would refuse")
                .isZero();
        assertThatThrownBy(() -> repair.tryOut(Action.HOLD, queue, null, inState("held"), progress -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_a_consumer_has_is_left_alone() throws Exception {
        send(0, 10);
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            assertThat(consumer.receiveBody(String.class, 20_000)).isEqualTo("9");
            Progress end = run(Action.PURGE, null, all(multiplesOf(3)));
            assertThat(end.done()).isEqualTo(3);
            context.rollback();
        }
        assertThat(types(queue)).containsExactly(1, 2, 4, 5, 7, 8, 9);
    }

    @Test
    void enough_are_done_where_a_consumer_has_many_of_the_first() throws Exception {
        send(0, 1000);
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = 0; i < 300; i++) {
                assertThat(consumer.receive(60_000)).isNotNull();
            }
            assertThat(repair.run(Action.PURGE, queue, null, Conditions.none(), 10, done -> {}))
                    .isEqualTo(10);
            context.rollback();
        }
        assertThat(types(queue)).hasSize(990);
    }

    /** A retry looks at each dead letter itself; all other repairs leave it to the procedures what the conditions say. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "type 1",
                "correlation of 2",
                "property number",
                "property none",
                "property number 1",
                "property share 0.5",
                "property isLast true",
                "property region south",
                "origin here",
                "origin elsewhere",
                "deliveries 1",
                "before",
                "after"
            })
    void conditions_mean_the_same_to_a_retry_as_to_the_others(String condition) throws Exception {
        bury(3);
        Conditions conditions = conditions(condition.split(" ", 3));
        long expected = repair.tryOut(Action.HOLD, other, null, conditions, 10);
        assertThat(repair.run(Action.RETRY, other, null, conditions, 10, done -> {}))
                .isEqualTo(expected);
        assertThat(types(queue)).hasSize((int) expected);
    }

    private Conditions conditions(String... words) {
        Instant now = Instant.now();
        return new Conditions(
                null,
                words[0].equals("correlation") ? words[1] + " " + words[2] : null,
                words[0].equals("type") ? words[1] : null,
                words[0].equals("property") ? words[1] : null,
                words[0].equals("property") && words.length == 3 ? words[2] : null,
                words[0].equals("before") ? now.plusSeconds(3600) : null,
                words[0].equals("after") ? now.plusSeconds(3600) : null,
                words[0].equals("deliveries") ? Integer.valueOf(words[1]) : null,
                !words[0].equals("origin") ? null : words[1].equals("here") ? queue : "elsewhere",
                null);
    }

    /** Dead letters whose types are their numbers. */
    private void bury(int messages) {
        ReadpastConnectionFactory burying = new ReadpastConnectionFactory(postgres == null ? SQL_SERVER : postgres.url);
        burying.setSchema(schema);
        burying.setProperty("idleCloseMillis", "0");
        burying.setProperty("redelivery.maximumDeliveries", "1");
        burying.setProperty("redelivery.deadLetterDestination", other);
        try (JMSContext context = burying.createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = 0; i < messages; i++) {
                context.createProducer()
                        .setJMSType(String.valueOf(i))
                        .setJMSCorrelationID("of " + i)
                        .setProperty("number", i)
                        .setProperty("share", i / 2.0)
                        .setProperty("isLast", i == messages - 1)
                        .setProperty("region", i == 0 ? "north" : "south")
                        .send(context.createQueue(queue), "" + i);
                context.commit();
                assertThat(consumer.receive(60_000)).isNotNull();
                context.rollback();
            }
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> types(other).size() == messages);
    }

    @Test
    void page_of_what_is_chosen_is_read_and_nothing_is_done() throws Exception {
        send(0, 2100);
        try (Look look = new Look(connection, schema)) {
            Queue searched = Messages.queues(look, queue, null, 10).rows().get(0);
            Answer<Found> page = Messages.search(look, searched, false, multiplesOf(7), null, 400);
            assertThat(page.rows()).hasSize(1);
            Found found = page.rows().get(0);
            assertThat(found.messages())
                    .hasSize(300)
                    .allSatisfy(message ->
                            assertThat(Integer.parseInt(message.type()) % 7).isZero());
            assertThat(found.searched()).isEqualTo(2100);
            assertThat(found.about()).isEqualTo(2100);
            assertThat(found.next()).isNull();
            assertThat(Messages.search(look, searched, true, multiplesOf(7), null, 400)
                            .rows()
                            .get(0)
                            .searched())
                    .isZero();
        }
        assertThat(types(queue)).hasSize(2100);
    }

    @Test
    void what_cannot_be_read_is_left_alone_and_counted() throws Exception {
        send(0, 3);
        RowCondition unsure = row -> type(row) == 1 ? RowCondition.Answer.UNREADABLE : RowCondition.Answer.CHOSEN;
        assertThat(run(Action.PURGE, null, all(unsure))).isEqualTo(new Progress(3, 3, false, 2, 2, 1, null));
        assertThat(types(queue)).containsExactly(1);
    }

    /** After a failover that has lost the last commits another message may have the key of one that somebody has seen. */
    @ParameterizedTest
    @ValueSource(longs = {0, 3_600_000})
    void message_that_has_the_place_of_another_one_is_left_alone(long delayMillis) throws Exception {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setDeliveryDelay(delayMillis).send(context.createQueue(queue), "one");
        }
        String state = delayMillis == 0 ? "waiting" : "delayed";
        MessageKey seen;
        try (Look look = new Look(connection, schema)) {
            int id = Messages.queues(look, queue, null, 10).rows().get(0).id();
            StoredMessage message = (delayMillis == 0
                            ? Messages.waiting(look, id, null, 10)
                            : Messages.later(look, id, null, 10))
                    .rows()
                    .get(0);
            seen = new MessageKey(
                    message.place(), message.deliveries(), message.sentAt().toEpochMilli());
        }
        MessageKey lost = new MessageKey(seen.place(), seen.deliveries(), seen.timestamp() - 1);
        assertThat(repair.run(Action.PURGE, queue, null, state, List.of(lost))).isZero();
        assertThat(repair.run(Action.PURGE, queue, null, state, List.of(seen))).isEqualTo(1);
    }

    @Test
    void queue_that_is_not_there_is_an_error() {
        assertThatThrownBy(() -> repair.run(Action.PURGE, "none", null, all(multiplesOf(1)), progress -> {}))
                .hasMessageContaining("There is no queue or subscription 'none'");
    }

    @Test
    void h2_has_no_such_procedures() throws Exception {
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:none")) {
            Repair none = new Repair(h2, "readpast");
            assertThatThrownBy(() -> none.run(Action.PURGE, "none", null, all(multiplesOf(1)), progress -> {}))
                    .isInstanceOf(SQLFeatureNotSupportedException.class);
        }
    }

    @Test
    void cursor_that_was_typed_wrongly_is_refused() {
        assertThat(Cursor.parse("4/4711")).isEqualTo(new Cursor(4, null, 4711));
        for (String wrong : List.of("", "4", "4/", "/4", "x/1", "2026-11-25Z/1", "4/x")) {
            assertThatThrownBy(() -> Cursor.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
