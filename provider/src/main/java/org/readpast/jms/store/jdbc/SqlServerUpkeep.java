package org.readpast.jms.store.jdbc;

import java.sql.SQLException;

/** On SQL Server. */
final class SqlServerUpkeep extends Upkeep {

    SqlServerUpkeep(Statements statements) {
        super(statements);
    }

    /** Of several statements the last one tells; counts would also be missing where the server or a DataSource sets NOCOUNT. */
    @Override
    int removed(Query query) throws SQLException {
        return returned(query);
    }
}
