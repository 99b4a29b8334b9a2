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
}
