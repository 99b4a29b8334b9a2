package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.readpast.jms.store.contract.PresenceContract;

/** What becomes of an instance whose row somebody removes. */
abstract class SqlPresenceContract extends PresenceContract {

    final SqlTables tables;

    SqlPresenceContract(TestDatabase database) {
        this(new SqlTables(database));
    }

    private SqlPresenceContract(SqlTables tables) {
        super(tables);
        this.tables = tables;
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    /** For databases on which a row can be removed whose lock is held. */
    void assertComesBackWhenSomebodyRemovesItsRow() throws Exception {
        here.takeClientId("c");
        sql("DELETE FROM readpast.client_id");
        sql("DELETE FROM readpast.presence WHERE instance = ?", here.instance());

        assertThat(here.refresh()).as("was removed").isTrue();

        assertThat(there.takeClientId("c")).isFalse();
        there.refresh();
        assertThat(there.others()).hasSize(1);
        assertThat(here.refresh()).isFalse();
    }
}
