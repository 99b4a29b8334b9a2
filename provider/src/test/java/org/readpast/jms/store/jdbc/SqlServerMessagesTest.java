package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.StoreException;

/** Messages on SQL Server, where one is given. */
@OnSqlServer
class SqlServerMessagesTest extends SqlMessagesContract {

    SqlServerMessagesTest() {
        super(TestDatabase.SQL_SERVER);
    }

    /** Babelfish reads the bytes as Windows-1252, not as UTF-16. */
    @Override
    @Test
    void text_bodies_can_be_read_in_sql() throws StoreException, SQLException {
        assumeThat(sql("SELECT @@VERSION").get(0)).doesNotContain("Babelfish");
        super.text_bodies_can_be_read_in_sql();
    }
}
