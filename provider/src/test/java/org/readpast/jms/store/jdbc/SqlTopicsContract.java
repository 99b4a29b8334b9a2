package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.contract.TopicsContract;

/** What SQL does to subscriptions and their messages, and sees of them. */
abstract class SqlTopicsContract extends TopicsContract {

    final SqlTables tables;

    SqlTopicsContract(TestDatabase database) {
        this(new SqlTables(database));
    }

    private SqlTopicsContract(SqlTables tables) {
        super(tables);
        this.tables = tables;
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    List<String> sql(Connection connection, String statement, Object... parameters) throws SQLException {
        return tables.sql(connection, statement, parameters);
    }

    @Test
    void thousand_subscriptions_get_a_message_in_one_statement() throws Exception {
        sql(
                "INSERT INTO readpast.destination (kind, name, owner) SELECT 'S', " + concatenated("'s'", "n")
                        + ", ? FROM " + numbers(1_000),
                here.instance());
        sql(
                "INSERT INTO readpast.subscription (destination_id, topic_id, durable, shared) "
                        + "SELECT destination_id, " + topic + ", 0, 0 FROM readpast.destination WHERE owner = ?",
                here.instance());

        assertThat(publish("thousand").publication().reached()).hasSize(1_000);

        assertThat(sql("SELECT count(*) FROM readpast.message WHERE jms_message_id = 'ID:thousand'"))
                .containsExactly("1000");
        here.close();
        assertThat(sql("SELECT count(*) FROM readpast.message WHERE jms_message_id = 'ID:thousand'"))
                .containsExactly("0");
    }

    /** Only whether its topic's row is there has changed, not what it is. */
    @Test
    void subscription_whose_topic_was_made_anew_keeps_its_kind_and_its_selector() throws Exception {
        SubscriptionRequest request = durable("client", "anew");
        int one = subscribe(here, request);
        publish("kept");
        here.endConsumer(one, request.consumer());
        sql("DELETE FROM readpast.destination WHERE destination_id = ?", topic);
        store.forgetMovedDestinations();
        topic = topicNamed(store, "topic " + UUID.randomUUID());

        assertThat(there.subscribe(sharedDurable("client", "anew", null)))
                .isEqualTo(new SubscriptionAnswer(Outcome.OTHER_KIND, one));
        SubscriptionRequest again = durable("client", "anew");
        assertThat(subscribe(there, again)).isEqualTo(one);
        assertThat(publish("more").publication().reached()).containsExactly(one);
        assertThat(texts(drain(one))).containsExactly("kept", "more");
        there.endConsumer(one, again.consumer());

        sql("DELETE FROM readpast.destination WHERE destination_id = ?", topic);
        store.forgetMovedDestinations();
        topic = topicNamed(store, "topic " + UUID.randomUUID());
        SubscriptionRequest selecting =
                new SubscriptionRequest(topic, null, "client", "anew", true, false, null, "x = 1", "selecting");
        int two = subscribe(there, selecting);
        assertThat(two).isNotEqualTo(one);
        there.endConsumer(two, selecting.consumer());
        assertThat(unsubscribe("anew")).isEqualTo(Outcome.DONE);
    }

    @Test
    void message_that_comes_back_long_after_its_destination_was_removed_is_swept() throws Exception {
        String name = "temporary " + UUID.randomUUID();
        int gone = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        store.insert(List.of(elsewhere(gone, name, "held")));
        StoreTransaction holder = transaction();
        assertThat(texts(holder.claim(ClaimRequest.fromHead(gone, 1, null)))).containsExactly("held");
        here.dropTemporary(gone);
        sql(
                "UPDATE readpast.dropped_destination SET dropped_at = '2020-01-01 00:00:00' WHERE destination_id = ?",
                gone);

        store.sweepDropped(500);
        holder.rollback();
        store.sweepDropped(500);

        assertThat(tables().messages(gone)).isEmpty();
        assertThat(sql("SELECT destination_id FROM readpast.dropped_destination WHERE destination_id = ?", gone))
                .isEmpty();
    }

    @Test
    void acknowledgement_that_is_taken_back_long_after_its_destination_was_removed_leaves_nothing() throws Exception {
        String name = "temporary " + UUID.randomUUID();
        int gone = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        store.insert(List.of(elsewhere(gone, name, "held")));
        dropRow(gone);
        sql(
                "UPDATE readpast.dropped_destination SET dropped_at = '2020-01-01 00:00:00' WHERE destination_id = ?",
                gone);
        try (Connection holder = tables.database.connect()) {
            holder.setAutoCommit(false);
            sql(holder, "DELETE FROM readpast.message WHERE destination_id = ?", gone);
            CompletableFuture<Integer> sweep =
                    CompletableFuture.supplyAsync(() -> unchecked(() -> store.sweepDropped(500)));
            assertThat(sweep).succeedsWithin(PATIENCE);
            holder.rollback();
        }
        store.sweepDropped(500);

        assertThat(tables().messages(gone)).isEmpty();
    }

    @Test
    void messages_that_the_jvm_that_removed_their_destination_did_not_get_to_are_swept() throws Exception {
        String name = "temporary " + UUID.randomUUID();
        int one = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        store.insert(List.of(elsewhere(one, name, "a"), elsewhere(one, name, "later", 60_000)));
        dropRow(one);
        assertThat(tables().messages(one)).hasSize(1);

        assertThat(store.sweepDropped(1)).isEqualTo(1);
        assertThat(store.sweepDropped(2)).isEqualTo(1);

        assertThat(tables().messages(one)).isEmpty();
        assertThat(tables().delayed(one)).isEmpty();
    }

    /** What is left of a removal where the JVM dies after its commit. */
    private void dropRow(int destinationId) throws StoreException {
        SqlTables.opened(store).shortTransactions().run("test", "removal", open -> {
            assertThat(SqlTables.opened(store).destinations().drop(open, here.instance(), destinationId))
                    .isTrue();
            return null;
        });
    }

    /** A worker of the application's, or who moves what is due, may have it locked for long. */
    @Test
    void removing_a_subscription_waits_for_nobody_who_works_with_its_delayed_messages() throws Exception {
        SubscriptionRequest request = unshared();
        int one = subscribe(here, request);
        store.insert(List.of(
                toTopic(topic, message("held"), 0, 60_000, PUBLISHER),
                toTopic(topic, message("free"), 0, 60_000, PUBLISHER)));
        try (Connection holder = tables.database.connect()) {
            holder.setAutoCommit(false);
            sql(
                    holder,
                    "UPDATE readpast.delayed_message SET jms_type = 'x' WHERE destination_id = ? AND jms_message_id = 'ID:held'",
                    one);
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> unchecked(() -> {
                here.endConsumer(one, request.consumer());
                return null;
            }));
            assertThat(end).succeedsWithin(PATIENCE);
            holder.rollback();
        }
        assertThat(tables().delayed(one)).containsExactly("ID:held");
        assertThat(store.sweepDropped(500)).isEqualTo(1);
        assertThat(tables().delayed(one)).isEmpty();
    }

    /** Rows with the column n from 1. */
    abstract String numbers(int count);

    abstract String concatenated(String text, String number);
}
