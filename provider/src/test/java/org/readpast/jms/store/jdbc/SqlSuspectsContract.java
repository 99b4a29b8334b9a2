package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.contract.SuspectsContract;

/** Suspect messages in transactions of the application. */
abstract class SqlSuspectsContract extends SuspectsContract {

    final SqlTables tables;

    SqlSuspectsContract(TestDatabase database) {
        this(new SqlTables(database));
    }

    private SqlSuspectsContract(SqlTables tables) {
        super(tables);
        this.tables = tables;
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    @Test
    void delivery_in_the_applications_transaction_is_counted_outside_of_it() throws Exception {
        send("a");
        nextLife(register());
        try (java.sql.Connection connection = tables.database.connect()) {
            connection.setAutoCommit(false);
            for (int before = 0; before < 2; before++) {
                try (StoreTransaction joined = store.join(SqlTables.source(connection), "test")) {
                    StoredMessage begun =
                            joined.beginDelivery(joined.claim(head(1)).get(0));
                    assertThat(begun.deliveryCount()).isEqualTo(before);
                    joined.endDeliveries(List.of(begun.key()));
                    joined.acknowledge(List.of(begun.claim()));
                }
                connection.rollback();
            }
        }
        assertThat(tables().countedDeliveries()).containsExactly("2");
    }

    @Test
    void what_is_noted_of_an_unreadable_dead_letter_goes_with_it_and_not_before() throws Exception {
        send("a");
        tables.sql("INSERT INTO readpast.unreadable_message"
                + " (destination_id, priority_order, message_id, origin_id, reason, deliveries)"
                + " SELECT destination_id, priority_order, message_id, destination_id, 'why', 1 FROM readpast.message");
        assertThat(store.sweepSuspects()).isZero();
        try (java.sql.Connection acknowledging = tables.database.connect()) {
            acknowledging.setAutoCommit(false);
            tables.sql(acknowledging, "DELETE FROM readpast.message");
            assertThat(store.sweepSuspects()).isZero();
            acknowledging.rollback();
            assertThat(store.sweepSuspects()).isZero();
            assertThat(sql("SELECT reason FROM readpast.unreadable_message")).containsExactly("why");

            tables.sql(acknowledging, "DELETE FROM readpast.message");
            acknowledging.commit();
        }
        assertThat(store.sweepSuspects()).isOne();
    }
}
