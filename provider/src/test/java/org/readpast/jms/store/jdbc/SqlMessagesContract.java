package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.XAConnection;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.contract.MessagesContract;

/** What SQL sees of messages, and what the application does with them in transactions of its own. */
abstract class SqlMessagesContract extends MessagesContract {

    final SqlTables tables;

    SqlMessagesContract(TestDatabase database) {
        this(new SqlTables(database));
    }

    private SqlMessagesContract(SqlTables tables) {
        super(tables);
        this.tables = tables;
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    /** Behind a failover or a restore it may be the first that leads there. */
    @Test
    void connection_of_an_XA_session_finds_out_which_destinations_are_gone() throws Exception {
        int gone = store.destination(DestinationKind.QUEUE, "gone " + UUID.randomUUID());
        sql("DELETE FROM readpast.destination WHERE destination_id = ?", gone);
        MessageStore.XaSource source = store.xaSource();
        XAConnection connection = source.open();
        try {
            Connection handle = connection.getConnection();
            source.prepare(handle);
            assertThat(SqlTables.opened(store).names().isGone(gone)).isTrue();
            assertThat(handle.getAutoCommit()).isTrue();
        } finally {
            connection.close();
        }
    }

    @Test
    void text_bodies_can_be_read_in_sql() throws StoreException, SQLException {
        sendTogether(message("readable 🚀"), message("not \0 readable"));

        assertThat(sql(
                        "SELECT body_text FROM readpast.message_text WHERE destination_id = ? ORDER BY message_id",
                        queue))
                .hasSize(2)
                .startsWith("readable 🚀");
    }

    /** Of those that are moved late, together: each database in its way, as docs/conformance.md says of section 6.2.9.1. */
    @Test
    void delayed_messages_come_by_delivery_time_on_postgresql_and_by_their_sending_elsewhere() throws Exception {
        delayUntil("sent first, due last", "2020-01-01 00:00:02");
        delayUntil("sent last, due first", "2020-01-01 00:00:01");

        store.moveDue(10);

        List<String> order = texts(drain());
        if (tables.database == TestDatabase.POSTGRESQL) {
            assertThat(order).containsExactly("sent last, due first", "sent first, due last");
        } else {
            assertThat(order).containsExactly("sent first, due last", "sent last, due first");
        }
    }

    private void delayUntil(String text, String dueAt) throws Exception {
        store.insert(List.of(to(message(text), 0, 60_000)));
        sql(
                "UPDATE readpast.delayed_message SET due_at = '" + dueAt
                        + "' WHERE destination_id = ? AND due_at > '2021-01-01 00:00:00'",
                queue);
    }

    @Test
    void joined_transaction_commits_or_vanishes_with_the_application() throws Exception {
        send("a");
        try (Connection application = tables.database.connect()) {
            application.setAutoCommit(false);
            StoreTransaction joined = store.join(SqlTables.source(application), "test");
            for (boolean commits : new boolean[] {false, true}) {
                List<StoredMessage> claimed = joined.claim(head(1));
                assertThat(texts(claimed)).containsExactly("a");
                joined.insert(List.of(to(message("b"))));
                joined.acknowledge(claims(claimed));
                if (commits) {
                    application.commit();
                } else {
                    application.rollback();
                }
            }
        }
        assertThat(texts(drain())).containsExactly("b");
    }

    @Test
    void claim_on_a_connection_in_autocommit_mode_is_refused() throws Exception {
        send("a");
        try (Connection application = tables.database.connect()) {
            StoreTransaction joined = store.join(SqlTables.source(application), "test");

            assertThatThrownBy(() -> joined.claim(head(1)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("autocommit");
            assertThat(store.currentTransaction(SqlTables.source(application))).isNull();
        }
    }

    @Test
    void transaction_of_the_application_is_told_from_the_next_one() throws Exception {
        send("a");
        try (Connection application = tables.database.connect()) {
            application.setAutoCommit(false);
            StoreTransaction joined = store.join(SqlTables.source(application), "test");
            joined.claim(head(1));
            String first = store.currentTransaction(SqlTables.source(application));
            String same = store.currentTransaction(SqlTables.source(application));
            application.rollback();
            joined.claim(head(1));
            String second = store.currentTransaction(SqlTables.source(application));
            application.rollback();

            assertThat(first).isNotNull().isEqualTo(same).isNotEqualTo(second);
        }
    }

    @Test
    void overview_counts_messages_and_dead_letters() throws Exception {
        int graveyard = store.destination(DestinationKind.QUEUE, "DLQ " + queueName);
        send("poison");
        StoreTransaction transaction = transaction();
        MessageKey key = transaction.claim(head(1)).get(0).key();

        transaction.redeliver(List.of(new Redelivery.DeadLetter(
                key, new NamedQueue(graveyard, "DLQ " + queueName), Map.of("why", "poison"), null, 1, 0)));
        transaction.commit(Settlement.NOTHING, null);

        assertThat(sql("SELECT dead_letters FROM readpast.queue_overview WHERE name = ?", queueName))
                .containsExactly("1");
        assertThat(sql("SELECT depth FROM readpast.queue_overview WHERE name = ?", "DLQ " + queueName))
                .containsExactly("1");
    }
}
