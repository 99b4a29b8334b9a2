package org.readpast.operations.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.operations.Databases;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.messages.StoredMessage.Kind;
import org.readpast.operations.snapshot.Queue;

/** Queues and messages page by page. */
class MessagesTest {

    static Stream<String> products() {
        String targets = System.getProperty("readpast.test.targets", "h2,postgresql");
        return Stream.of(Databases.H2, Databases.POSTGRESQL)
                .filter(product -> targets.contains(product.toLowerCase(java.util.Locale.ROOT)));
    }

    private interface Question<T> {
        T answer(Look look) throws Exception;
    }

    /** Until it is not given up, as on a busy machine. */
    private static <T> T look(Databases database, Question<T> question) {
        return await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .until(
                        () -> lookOnce(database, question),
                        answer -> !(answer instanceof Answer.Unknown<?> unknown
                                && unknown.why().equals(Look.GIVEN_UP)));
    }

    private static <T> T lookOnce(Databases database, Question<T> question) throws Exception {
        try (Connection connection = database.connect();
                Look look = new Look(connection, database.schema)) {
            return question.answer(look);
        }
    }

    private static <T> List<T> rows(Answer<T> answer) {
        assertThat(answer).isInstanceOf(Answer.Known.class);
        return answer.rows();
    }

    private static int id(Databases database, String name) throws Exception {
        return rows(look(database, look -> Messages.queues(look, name, null, 10))).stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    @ParameterizedTest
    @MethodSource("products")
    void pages_go_on_behind_the_key_over_all_priorities(String product) throws Exception {
        try (Databases database = new Databases(product)) {
            List<String> sent = new ArrayList<>();
            try (JMSContext context = database.factory().createContext()) {
                for (int priority : new int[] {9, 4, 0}) {
                    for (int message = 0; message < 7; message++) {
                        JMSProducer producer = context.createProducer().setPriority(priority);
                        var text = context.createTextMessage("text");
                        producer.send(context.createQueue("paged"), text);
                        sent.add(text.getJMSMessageID());
                    }
                }
            }
            int queue = id(database, "paged");
            List<String> seen = new ArrayList<>();
            StoredMessage.Place after = null;
            List<StoredMessage> page;
            do {
                StoredMessage.Place from = after;
                page = rows(look(database, look -> Messages.waiting(look, queue, from, 5)));
                page.forEach(message -> seen.add(message.jmsMessageId()));
                after = page.isEmpty() ? after : page.get(page.size() - 1).place();
            } while (!page.isEmpty());
            assertThat(seen).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void what_a_consumer_has_is_on_the_page(String product) throws Exception {
        try (Databases database = new Databases(product);
                JMSContext context = database.factory().createContext(Session.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("claimed"), "one");
            context.createProducer().send(context.createQueue("claimed"), "two");
            context.commit();
            assertThat(context.createConsumer(context.createQueue("claimed")).receive(10_000))
                    .isNotNull();
            int queue = id(database, "claimed");
            assertThat(rows(look(database, look -> Messages.waiting(look, queue, null, 10))))
                    .hasSize(2);
            Answer<Holder> holders = look(database, look -> Messages.holders(look, queue));
            if (database.isH2()) {
                assertThat(holders.isKnown()).isFalse();
            } else {
                assertThat(holders.rows()).hasSize(1);
                assertThat(holders.rows().get(0).who())
                        .contains(Long.toString(ProcessHandle.current().pid()));
            }
            context.rollback();
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void one_message_comes_with_properties_and_the_beginning_of_its_body(String product) throws Exception {
        try (Databases database = new Databases(product)) {
            try (JMSContext context = database.factory().createContext()) {
                context.createProducer()
                        .setProperty("region", "north")
                        .setJMSType("order")
                        .setJMSCorrelationID("c-1")
                        .setJMSReplyTo(context.createQueue("replies"))
                        .send(context.createQueue("one"), "x".repeat(100_000));
                MapMessage map = context.createMapMessage();
                map.setString("key", "value");
                context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("one"), map);
            }
            int queue = id(database, "one");
            StoredMessage row = rows(look(database, look -> Messages.waiting(look, queue, null, 10)))
                    .get(0);
            assertThat(row.kind()).isEqualTo(Kind.TEXT);
            assertThat(row.bodyLength()).isEqualTo(100_000);
            assertThat(row.state()).isEqualTo("waiting");
            MessageContent content = rows(look(database, look -> Messages.message(look, queue, row.place(), 1000)))
                    .get(0);
            assertThat(content.message().type()).isEqualTo("order");
            assertThat(content.message().correlationId()).isEqualTo("c-1");
            assertThat(content.replyTo()).isEqualTo("queue://replies");
            assertThat(content.properties()).contains("\"region\"", "\"north\"");
            assertThat(new String(content.body(), StandardCharsets.UTF_8)).isEqualTo("x".repeat(1000));

            StoredMessage delayed = rows(look(database, look -> Messages.later(look, queue, null, 10)))
                    .get(0);
            assertThat(delayed.state()).isEqualTo("delayed");
            assertThat(delayed.place().dueAt()).isNotNull();
            MessageContent later = rows(look(database, look -> Messages.message(look, queue, delayed.place(), 1000)))
                    .get(0);
            assertThat(later.message().kind()).isEqualTo(Kind.MAP);
            assertThat(new String(later.body(), StandardCharsets.UTF_8)).contains("key", "value");
            assertThat(rows(look(database, look -> Messages.later(look, queue, delayed.place(), 10))))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void a_selector_chooses_page_by_page_and_each_message_is_looked_at_once(String product) throws Exception {
        try (Databases database = new Databases(product)) {
            try (JMSContext context = database.factory().createContext(Session.SESSION_TRANSACTED)) {
                for (int number = 0; number < 2345; number++) {
                    context.createProducer()
                            .setPriority(number % 10)
                            .setProperty("number", number)
                            .send(context.createQueue("searched"), "text");
                }
                for (int number = 0; number < 3; number++) {
                    context.createProducer()
                            .setProperty("number", number)
                            .setDeliveryDelay(3_600_000)
                            .send(context.createQueue("searched"), "later");
                }
                context.commit();
            }
            Queue queue = rows(look(database, look -> Messages.queues(look, "searched", null, 10)))
                    .get(0);
            RowCondition few = new SelectorCondition("number > 2300");
            List<String> seen = new ArrayList<>();
            long searched = 0;
            StoredMessage.Place after = null;
            do {
                StoredMessage.Place from = after;
                Found page = rows(look(database, look -> Messages.search(look, queue, false, few, from, 20)))
                        .get(0);
                assertThat(page.about()).isEqualTo(2345);
                page.messages().forEach(message -> seen.add(message.jmsMessageId()));
                searched += page.searched();
                after = page.next();
            } while (after != null);
            assertThat(searched).isEqualTo(2345);
            List<String> all = rows(look(database, look -> Messages.waiting(look, queue.id(), null, 5000))).stream()
                    .map(StoredMessage::jmsMessageId)
                    .toList();
            assertThat(seen)
                    .hasSize(44)
                    .doesNotHaveDuplicates()
                    .isEqualTo(all.stream().filter(seen::contains).toList());

            Found later = rows(look(
                            database,
                            look -> Messages.search(look, queue, true, new SelectorCondition("number <> 1"), null, 20)))
                    .get(0);
            assertThat(later.messages())
                    .hasSize(2)
                    .allSatisfy(message -> assertThat(message.state()).isEqualTo("delayed"));
            assertThat(later.about()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void a_page_looks_at_no_more_than_ten_thousand_messages(String product) throws Exception {
        try (Databases database = new Databases(product)) {
            database.run("INSERT INTO readpast.destination (kind, name) VALUES ('Q', 'large')");
            int id = id(database, "large");
            database.run("INSERT INTO readpast.message (destination_id, priority_order, jms_destination, delivery_mode,"
                    + " jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length) SELECT "
                    + id
                    + ", 5, 'queue://large', 2, 0, 0, 0, 0, 0, 0 FROM "
                    + (database.isH2() ? "SYSTEM_RANGE(1, 10500)" : "generate_series(1, 10500)"));
            Queue queue = new Queue("Q", "large", id, null, false, null);
            RowCondition none = row -> RowCondition.Answer.OTHER;
            Found found = rows(look(database, look -> Messages.search(look, queue, false, none, null, 20)))
                    .get(0);
            assertThat(found.messages()).isEmpty();
            assertThat(found.searched()).isBetween(1000L, 10_000L);
            assertThat(found.next()).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void queues_are_found_by_a_part_of_the_name_which_is_no_pattern(String product) throws Exception {
        try (Databases database = new Databases(product)) {
            try (JMSContext context = database.factory().createContext()) {
                for (String name : List.of("a_b", "axb", "a%b", "a!b", "a[b", "c")) {
                    context.createProducer().send(context.createQueue(name), "one");
                }
            }
            for (String name : List.of("a_b", "a%b", "a!b", "a[b")) {
                assertThat(rows(look(database, look -> Messages.queues(look, name, null, 10))))
                        .as(name)
                        .extracting(Queue::name)
                        .containsExactly(name);
            }
            List<String> seen = new ArrayList<>();
            List<Queue> page = List.of();
            do {
                Queue after = page.isEmpty() ? null : page.get(page.size() - 1);
                page = rows(look(database, look -> Messages.queues(look, "", after, 2)));
                page.stream().filter(queue -> queue.kind().equals("Q")).forEach(queue -> seen.add(queue.name()));
            } while (!page.isEmpty());
            assertThat(seen).containsExactlyInAnyOrder("a_b", "axb", "a%b", "a!b", "a[b", "c");
            assertThat(rows(look(database, look -> Messages.queues(look, "c", null, 10)))
                            .get(0)
                            .depth())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void an_owner_may_read_and_where_there_are_procedures_repair(String product) throws Exception {
        try (Databases database = new Databases(product)) {
            assertThat(look(database, Messages::rights).rows()).containsExactly(new Rights(!database.isH2(), true));
        }
    }
}
