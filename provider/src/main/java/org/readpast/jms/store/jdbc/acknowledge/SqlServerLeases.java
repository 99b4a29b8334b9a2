package org.readpast.jms.store.jdbc.acknowledge;

import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** The same on SQL Server, where somebody may hold a lock on the key that a message had in its queue: then its lease only ends. */
public final class SqlServerLeases extends Leases {

    public SqlServerLeases(Statements statements) {
        super(statements);
    }

    @Override
    Query returning(Connection connection, boolean delivered) throws SQLException {
        return super.returning(connection, delivered).set("delivered", delivered ? 1 : 0);
    }
}
