package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.contract.LeasesContract;
import org.readpast.jms.store.jdbc.acknowledge.Leases;

/** What SQL sees of leases. */
public abstract class SqlLeasesContract extends LeasesContract {

    final SqlTables tables;

    public SqlLeasesContract(TestDatabase database) {
        this(new SqlTables(database));
    }

    private SqlLeasesContract(SqlTables tables) {
        super(tables);
        this.tables = tables;
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    @Test
    void leases_of_a_dead_instance_end_with_it_and_count() throws Exception {
        send("a", "b");
        try (Connection database = tables.database.connect()) {
            Leases leases = SqlTables.opened(store).leases();
            StoreTransaction transaction = transaction();
            transaction.claim(leased(1));
            database.setAutoCommit(false);
            leases.endAll(database, "somebody else");
            leases.endAll(database, worker);
            database.commit();
        }
        assertThat(store.moveDue(10)).containsExactly(queue);
        List<StoredMessage> available = drain();
        assertThat(texts(available)).containsExactly("a", "b");
        assertThat(available).extracting(StoredMessage::deliveryCount).containsExactly(1, 0);
    }

    @Test
    void leases_are_seen_and_deliveries_that_come_back_later_are_counted() throws Exception {
        send("a", "b");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(leased(2));

        assertThat(column("worker")).containsExactly(worker, worker);
        assertThat(column("delivery_count")).containsExactly("1", "1");
        assertThat(sql("SELECT attempt FROM readpast.claimed_message WHERE name = ?", queueName))
                .containsExactly("1", "1");

        List<Redelivery> plan = List.of(new Redelivery.Delayed(claimed.get(1).key(), 3_600_000));
        assertThat(transaction.giveBack(claims(claimed), plan)).isEqualTo(plan);
        assertThat(column("delivery_count")).containsExactly("1");
    }

    private List<String> column(String column) throws SQLException {
        return sql(
                "SELECT " + column + " FROM readpast.delayed_message WHERE destination_id = ? ORDER BY message_id",
                queue);
    }
}
