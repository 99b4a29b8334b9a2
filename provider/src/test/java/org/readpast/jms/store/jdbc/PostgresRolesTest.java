package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.DeliveryMode;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.Watch;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.presence.JdbcPresence;

/** That the least-privilege roles for PostgreSQL allow what they are for, and no more. */
class PostgresRolesTest extends StoreFixture {

    PostgresRolesTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @BeforeAll
    void createRolesAndUsers() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(opened().statements().files().schemaScript("roles.sql"));
            for (String right : List.of("send", "receive", "observe")) {
                statement.execute("CREATE ROLE " + user(right) + " LOGIN IN ROLE readpast_" + right);
            }
        }
    }

    private String user(String right) {
        return schema + "_" + right;
    }

    private JdbcMessageStore open(String right) throws StoreException {
        JdbcMessageStore as = new JdbcMessageStore(
                Connections.ofUrl(database.url(), user(right), "any"), options.withCreateSchema(false));
        as.open();
        return as;
    }

    @Test
    void sender_may_send_and_not_receive() throws Exception {
        try (JdbcMessageStore sender = open("send");
                Presence presence = sender.register()) {
            assertThat(presence.takeClientId("sender")).isTrue();
            int created = sender.destination(DestinationKind.QUEUE, "new " + queueName);
            sender.insert(List.of(to(message("a")), to(message("b"), 0, 60_000)));

            assertThat(created).isNotEqualTo(queue);
            assertThatThrownBy(() -> sender.transaction("test").claim(head(1)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.PERMISSION))
                    .hasMessageContaining("roles.sql");
        }
        assertThat(texts(drain())).containsExactly("a");
    }

    @Test
    void receiver_may_do_all_that_a_consumer_needs() throws Exception {
        int graveyard = store.destination(DestinationKind.QUEUE, "DLQ " + queueName);
        send("a", "b", "c", "d");
        try (JdbcMessageStore receiver = open("receive");
                Presence presence = receiver.register();
                Watch watch = receiver.watch();
                StoreTransaction transaction = receiver.transaction("test")) {
            int temporary = presence.createTemporary(DestinationKind.TEMPORARY_QUEUE, "temporary " + queueName);
            assertThat(watch.available(List.of(queue, temporary))).containsExactly(queue);
            receiver.ring(List.of(queue));

            List<StoredMessage> claimed = transaction.claim(head(4));
            transaction.redeliver(List.of(
                    new Redelivery.AtOnce(claimed.get(0).key()),
                    new Redelivery.Delayed(claimed.get(1).key(), 1),
                    new Redelivery.DeadLetter(
                            claimed.get(2).key(),
                            new NamedQueue(graveyard, "DLQ " + queueName),
                            Map.of(),
                            null,
                            1,
                            0)));
            transaction.commit(Settlement.acknowledgement(List.of(claimed.get(3).claim())), null);

            assertThat(texts(receiver.browse(queue, null, 5, null).messages())).containsExactly("a");
            receiver.moveDue(10);
            receiver.removeExpired(queue, Optional.empty(), 10);
            presence.dropTemporary(temporary);
            assertThat(presence.reapDead()).isZero();
        }
        assertThat(texts(drain(graveyard))).containsExactly("c");
    }

    @Test
    void receiver_may_write_a_history_and_not_read_it() throws Exception {
        int graveyard = store.destination(DestinationKind.QUEUE, "DLQ " + queueName);
        sql("SELECT readpast.keep_history(?, rows => 1)", queueName);
        send("a", "b", "c");
        store.insert(List.of(new NewMessage(queue, message("old"), 1, 0, System.nanoTime() - 1_000_000_000L)));
        try (JdbcMessageStore receiver = open("receive");
                StoreTransaction transaction = receiver.transaction("desk")) {
            List<StoredMessage> claimed = transaction.claim(head(2));
            transaction.redeliver(List.of(new Redelivery.DeadLetter(
                    claimed.get(0).key(), new NamedQueue(graveyard, "DLQ " + queueName), Map.of(), null, 1, 0)));
            transaction.commit(Settlement.acknowledgement(List.of(claimed.get(1).claim())), null);
            receiver.removeExpired(queue, Optional.empty(), 10);
            assertThat(receiver.purgeHistory(10)).isEqualTo(2);
        }
        try (Connection connection = DriverManager.getConnection(database.url(), user("receive"), "any")) {
            assertThat(sql(connection, "SELECT body FROM readpast.receive_batch(?)", queueName))
                    .containsExactly("c");
            assertRefused(connection, "SELECT * FROM readpast.message_history");
            assertRefused(connection, "SELECT readpast.keep_history('x')");
            assertRefused(connection, "SELECT readpast.drop_history('x')");
        }
        assertThat(sql("SELECT outcome FROM readpast.message_history ORDER BY history_id"))
                .containsExactly("expired", "completed");
    }

    @Test
    void receiver_may_claim_by_lease_and_sender_may_leave_when_others_do() throws Exception {
        send("a", "b", "c");
        try (JdbcMessageStore receiver = open("receive");
                JdbcMessageStore sender = open("send")) {
            String worker;
            String sending;
            try (Presence presence = receiver.register();
                    Presence other = sender.register();
                    StoreTransaction transaction = receiver.transaction("test")) {
                worker = presence.instance();
                sending = other.instance();
                ClaimRequest leased = head(2).onLease(new LeaseTerms(worker, 600));
                List<StoredMessage> claimed = transaction.claim(leased);
                transaction.giveBack(List.of(claimed.get(1).claim()), List.of());
                transaction.commit(
                        Settlement.acknowledgement(List.of(claimed.get(0).claim())), null);
            }
            assertThat(sql("SELECT instance FROM readpast.presence WHERE instance IN (?, ?)", worker, sending))
                    .isEmpty();
        }
        assertThat(texts(drain())).containsExactly("b", "c");
    }

    @Test
    void receiver_may_take_groups_and_give_them_up() throws Exception {
        sendTogether(grouped("g", "a"), grouped("h", "b"));
        try (JdbcMessageStore receiver = open("receive");
                Presence presence = receiver.register();
                StoreTransaction transaction = receiver.transaction("test")) {
            GroupHolder holder = new GroupHolder(presence.instance(), false);
            List<StoredMessage> claimed = transaction.claim(head(1).by(holder));
            List<StoredMessage> next = transaction.commit(
                    Settlement.acknowledgement(List.of(claimed.get(0).claim())), head(1).by(holder));
            transaction.commit(Settlement.acknowledgement(List.of(next.get(0).claim())), null);

            assertThat(presence.forgetIdleGroups(holder, 0)).isEqualTo(2);
            assertThat(presence.releaseGroups(holder)).isTrue();
            presence.releaseOrphaned();
        }
    }

    @Test
    void receiver_may_mark_what_a_dead_instance_consumed_and_count_its_deliveries() throws Exception {
        send("a");
        try (JdbcMessageStore receiver = open("receive");
                JdbcMessageStore sender = open("send");
                JdbcPresence dead = (JdbcPresence) receiver.register()) {
            dead.consumes(queue, false);
            dead.breakConnection();
            await().until(() -> {
                // Who only sends may not, and is registered all the same.
                sender.register().close();
                receiver.register().close();
                return sql("SELECT instance FROM readpast.consumed_destination").isEmpty();
            });
            try (StoreTransaction transaction = receiver.transaction("test")) {
                StoredMessage begun =
                        transaction.beginDelivery(transaction.claim(head(1)).get(0));
                assertThat(begun.isSuspect()).isTrue();
                transaction.endDeliveries(List.of(begun.key()));
                transaction.commit(acknowledging(List.of(begun)), null);
            }
            assertThat(receiver.sweepSuspects()).isEqualTo(1);
        }
    }

    @Test
    void receiver_may_subscribe_and_sender_may_publish() throws Exception {
        int topic = topicNamed(store, "topic " + queueName);
        try (JdbcMessageStore receiver = open("receive");
                JdbcMessageStore sender = open("send");
                Presence presence = receiver.register()) {
            int durable =
                    presence.subscribe(subscription(topic, "durable", "d")).destinationId();
            int alone = presence.subscribe(subscription(topic, null, "alone")).destinationId();
            NewMessage publication = toTopic(topic, message("a"), 0, 0, "connection:sender");
            sender.insert(List.of(publication));

            assertThat(publication.publication().reached()).containsExactlyInAnyOrder(durable, alone);
            sender.insert(List.of(toTopic(topic, nonPersistent("b"), 0, 0, "connection:sender")));
            EncodedMessage once = message("large".repeat(10_000), 4, null, "{\"_AMQ_DUPL_ID\":\"once\"}");
            NewMessage large = toTopic(topic, once, 0, 0, "connection:sender");
            sender.insert(List.of(large));
            sender.forgetDuplicates(10);
            assertThat(large.publication().reached()).hasSize(2);
            try (StoreTransaction transaction = receiver.transaction("test")) {
                StoredMessage claimed =
                        transaction.claim(ClaimRequest.fromHead(alone, 3, null)).get(2);
                assertThat(transaction.complete(claimed).message().body()).isEqualTo(once.body());
            }
            presence.endConsumer(alone, "alone");
            presence.endConsumer(durable, "d");
            assertThat(presence.unsubscribe("client", "durable").outcome()).isEqualTo(Outcome.DONE);
            assertThat(receiver.sweepDropped(500)).isZero();
            assertThat(receiver.removeUnusedBodies(1)).isTrue();
        }
    }

    private EncodedMessage nonPersistent(String text) {
        EncodedMessage as = message(text);
        return new EncodedMessage(
                as.messageId(),
                as.destination(),
                as.replyTo(),
                as.correlationId(),
                as.type(),
                DeliveryMode.NON_PERSISTENT,
                as.priority(),
                as.timestamp(),
                as.expiration(),
                as.deliveryTime(),
                as.groupId(),
                as.properties(),
                as.kind(),
                as.body());
    }

    @Test
    void program_in_sql_needs_the_functions_it_calls_and_nothing_else() throws Exception {
        String program = schema + "_program";
        sql("CREATE ROLE " + program + " LOGIN");
        sql("GRANT USAGE ON SCHEMA readpast TO " + program);
        sql("GRANT EXECUTE ON FUNCTION readpast.send, readpast.receive_batch(text, int), readpast.purge TO " + program);
        send("a");
        try (Connection connection = DriverManager.getConnection(database.url(), program, "any")) {
            assertThat(sql(connection, "SELECT body FROM readpast.receive_batch(?)", queueName))
                    .containsExactly("a");
            assertThat(sql(connection, "SELECT readpast.send(?, 'b')", queueName))
                    .hasSize(1);
            assertThat(sql(connection, "SELECT readpast.purge(?, state => 'delayed')", queueName))
                    .containsExactly("0");
            assertRefused(connection, "SELECT readpast.hold('any')");
            assertRefused(connection, "SELECT * FROM readpast.message");
            assertRefused(connection, "SELECT readpast.fail(gen_random_uuid())");
        } finally {
            sql("DROP OWNED BY " + program);
            sql("DROP ROLE " + program);
        }
        assertThat(texts(drain())).containsExactly("b");
    }

    @Test
    void observer_sees_how_full_queues_are_and_no_message() throws Exception {
        try (Connection connection = DriverManager.getConnection(database.url(), user("observe"), "any")) {
            assertThat(sql(connection, "SELECT depth FROM readpast.queue_overview WHERE name = ?", queueName))
                    .containsExactly("0");
            for (String view : List.of(
                    "claimed_message",
                    "throughput",
                    "queue_timing",
                    "consumer_timing",
                    "history_age",
                    "lost_message",
                    "in_flight_message")) {
                assertThat(sql(connection, "SELECT name FROM readpast." + view + " WHERE name = ?", queueName))
                        .as(view)
                        .isEmpty();
            }
            assertThat(sql(connection, "SELECT depth FROM readpast.queue_depth WHERE name = ?", queueName))
                    .containsExactly("0");
            assertThat(sql(connection, "SELECT messages FROM readpast.orphaned_message"))
                    .isEmpty();
            assertThat(sql(connection, "SELECT count(*) FROM readpast.queue_timing_since(5)"))
                    .hasSize(1);
            assertRefused(connection, "SELECT * FROM readpast.message_history");
            assertRefused(connection, "SELECT * FROM readpast.message_text");
            assertRefused(connection, "SELECT readpast.send('x')");
        }
    }

    @Test
    void observer_sees_whose_lock_is_on_a_message() throws Exception {
        send("a");
        StoreTransaction holder = transaction();
        holder.claim(head(1));
        try (Connection connection = DriverManager.getConnection(database.url(), user("observe"), "any")) {
            assertThat(sql(
                            connection,
                            "SELECT login FROM readpast.in_flight_message WHERE name = ? AND seconds >= 0",
                            queueName))
                    .containsExactly(database.user());
        }
    }

    private void assertRefused(Connection connection, String statement) {
        assertThatThrownBy(() -> sql(connection, statement))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(failures().classify(e)).isEqualTo(Failure.PERMISSION));
    }

    private static SubscriptionRequest subscription(int topic, String name, String consumer) {
        return new SubscriptionRequest(topic, null, "client", name, name != null, false, null, null, consumer);
    }

    /** In autocommit mode, as a program in SQL that has the right to send and no other. */
    private List<String> asSender(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), user("send"), "any")) {
            return tables.sql(connection, sql);
        }
    }

    private String newParameter(boolean behindTheFunctionAsItWas) throws Exception {
        String script = opened().statements().files().schemaScript("004-procedures.sql");
        int from = script.indexOf("CREATE OR REPLACE FUNCTION " + schema + ".send(");
        String function = script.substring(from, script.indexOf("$$;", from) + 3);
        String longer = function.replace(
                "binary_body bytea DEFAULT NULL)", "binary_body bytea DEFAULT NULL, note text DEFAULT NULL)");
        assertThat(longer).isNotEqualTo(function);
        try (InputStream in = getClass().getResourceAsStream("new-parameter.sql")) {
            String step = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("readpast.", schema + ".")
                    .replace("/* the function with its new parameter */", longer);
            return (behindTheFunctionAsItWas ? function : "") + step;
        }
    }

    /** Nobody who calls a function changes at the moment at which the schema does. */
    @Test
    void function_with_a_new_parameter_is_called_as_before_and_keeps_its_grants() throws Exception {
        String acl =
                "SELECT array_agg(a::text ORDER BY a::text) FROM pg_proc p, unnest(p.proacl) a WHERE p.proname = 'send'"
                        + " AND p.pronamespace = '" + schema + "'::regnamespace GROUP BY p.oid";
        List<String> granted = sql(acl);
        sql("CREATE VIEW readpast.built_upon AS SELECT readpast.send('" + queueName + "', 'by a view') AS id");
        for (boolean behindTheFunctionAsItWas : List.of(false, false, true)) {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(newParameter(behindTheFunctionAsItWas));
            }
            String send = "SELECT " + schema + ".send(";
            String to = "'" + queueName + "'";
            asSender(send + to + ")");
            asSender(send + to + ", 'text')");
            asSender(send + to + ", 'text', NULL, 4, 0, 0, NULL, NULL, NULL, NULL)");
            asSender(send + to + ", body => 'text', priority => 7)");
            asSender(send + "queue => " + to + ", body => 'text', note => 'new')");
            asSender(send + to + ", 'text', NULL, 4, 0, 0, NULL, NULL, NULL, NULL, 'new')");
            assertThat(sql("SELECT id FROM readpast.built_upon")).hasSize(1);
            assertThat(sql(acl)).isEqualTo(granted);
            assertThat(drain()).hasSize(7);
        }
        sql("DROP VIEW readpast.built_upon");
        sql("DROP FUNCTION readpast.send");
        sql("ALTER FUNCTION readpast.send_before_8 RENAME TO send");
    }

    /** Which is why it is not done so. */
    @Test
    void function_that_is_made_anew_with_a_further_parameter_is_a_second_one_and_calls_are_not_unique()
            throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            String head = "CREATE OR REPLACE FUNCTION pg_temp.said(a text, b int DEFAULT 1";
            statement.execute(head + ") RETURNS text LANGUAGE sql AS 'SELECT a'");
            statement.execute(head + ", c int DEFAULT 2) RETURNS text LANGUAGE sql AS 'SELECT a'");
            assertThatThrownBy(() -> statement.execute("SELECT pg_temp.said('x')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("is not unique");
        }
    }
}
