package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** That PostgreSQL goes through indexes to a few rows of a full queue, though it has no statistics of it or wrong ones. */
class PostgresPlansTest extends StoreFixture {

    private static final int WAITING = 5_000;

    PostgresPlansTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @BeforeEach
    void fillTheQueue() throws StoreException, SQLException {
        sql("ALTER TABLE readpast.message SET (autovacuum_enabled = false)");
        sql("ANALYZE readpast.message");
        StoreTransaction early = transaction();
        for (int i = 0; i < 20; i++) {
            send("early");
            List<StoredMessage> claimed = early.claim(head(1));
            early.commit(new Settlement(List.of(), keys(claimed)), head(1));
            early.rollback();
        }
        sendTogether(IntStream.range(0, WAITING)
                .mapToObj(i -> message("m" + i, 4, "c" + i, null))
                .toArray(EncodedMessage[]::new));
    }

    @Test
    void claim_and_acknowledgement_touch_few_rows() throws Exception {
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(3));
        List<MessageKey> keys = keys(claimed);
        transaction.acknowledge(keys);

        assertFewRowsRead(transaction);
    }

    @Test
    void claim_by_correlation_id_touches_few_rows() throws Exception {
        StoreTransaction transaction = transaction();

        assertThat(texts(transaction.claim(matching("JMSCorrelationID = 'c4900'", 1))))
                .containsExactly("m4900");

        assertFewRowsRead(transaction);
    }

    @Test
    void claim_by_groups_touches_few_rows() throws Exception {
        GroupHolder holder = new GroupHolder("instance", false);
        sendTogether(GroupsContract.grouped("g", "first", 9), GroupsContract.grouped("g", "second", 8));
        StoreTransaction transaction = transaction();

        assertThat(texts(transaction.claim(head(3).by(holder)))).containsExactly("first", "second", "m0");

        assertFewRowsRead(transaction);
        assertThat(groupRowsScanned(transaction)).isEqualTo("0");
    }

    @Test
    void claim_behind_many_messages_of_another_consumers_group_scans_and_sorts_nothing() throws Exception {
        GroupHolder other = new GroupHolder("instance", false);
        sendTogether(IntStream.range(0, WAITING)
                .mapToObj(i -> GroupsContract.grouped("g", "g" + i, 9))
                .toArray(EncodedMessage[]::new));
        try (StoreTransaction claiming = store.transaction()) {
            assertThat(texts(claiming.claim(head(1).by(other)))).containsExactly("g0");
        }
        StoreTransaction transaction = transaction();

        assertThat(texts(transaction.claim(head(1).by(new GroupHolder("instance", false)))))
                .containsExactly("m0");

        assertThat(sql(
                        transaction.connection(),
                        "SELECT seq_tup_read FROM pg_stat_xact_user_tables"
                                + " WHERE relid IN ('readpast.message'::regclass, 'readpast.message_group'::regclass)"))
                .containsOnly("0");
    }

    private String groupRowsScanned(StoreTransaction transaction) throws Exception {
        return sql(
                        transaction.connection(),
                        "SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relid = 'readpast.message_group'::regclass")
                .get(0);
    }

    private void assertFewRowsRead(StoreTransaction transaction) throws Exception {
        String counts = sql(
                        transaction.connection(),
                        "SELECT seq_tup_read || ' scanned, ' || CASE WHEN idx_tup_fetch < 100 THEN 'few' ELSE 'many' END || ' fetched'"
                                + " FROM pg_stat_xact_user_tables WHERE relid = 'readpast.message'::regclass")
                .get(0);
        assertThat(counts).isEqualTo("0 scanned, few fetched");
    }
}
