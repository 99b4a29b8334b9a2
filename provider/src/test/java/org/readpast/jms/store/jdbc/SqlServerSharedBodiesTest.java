package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.StoreException;

/** Shared bodies on SQL Server, where one is given. */
@OnSqlServer
class SqlServerSharedBodiesTest extends SharedBodiesContract {

    SqlServerSharedBodiesTest() {
        super(TestDatabase.SQL_SERVER);
    }

    /** It may commit the body before its copies. */
    @Override
    @Test
    void publish_on_a_connection_without_a_transaction_shares_the_body() throws Exception {
        publishWithoutTransaction();

        assertThat(bodies()).isEqualTo("0");
    }

    /** Babelfish reads the bytes as Windows-1252, not as UTF-16. */
    @Override
    @Test
    void administrator_sees_the_text_of_a_shared_body() throws StoreException, SQLException {
        assumeThat(sql("SELECT @@VERSION").get(0)).doesNotContain("Babelfish");
        super.administrator_sees_the_text_of_a_shared_body();
    }
}
