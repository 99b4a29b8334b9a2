package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;

/** The statements of one database, ready to be run on a connection. Thread-safe. */
final class Statements {

    private final SqlFiles files;
    private final boolean nationalStrings;
    private final IdList idList;

    /** How a list of ids becomes the parameter {@code destination_ids}. */
    @FunctionalInterface
    interface IdList {
        void bind(Query query, Collection<Integer> ids) throws SQLException;
    }

    /**
     * @param nationalStrings whether texts have to be declared as national ones, since a setting of the driver's may say otherwise
     */
    Statements(SqlFiles files, boolean nationalStrings, IdList idList) {
        this.files = files;
        this.nationalStrings = nationalStrings;
        this.idList = idList;
    }

    SqlFiles files() {
        return files;
    }

    Query query(Connection connection, String statement) throws SQLException {
        return new Query(connection, files.call(statement), nationalStrings);
    }

    /** For a statement that is run with several sets of values in one round trip. */
    Query batch(Connection connection, String statement) throws SQLException {
        return new Query(connection, files.statement(statement), nationalStrings);
    }

    /** For a statement that is sent as plain text. */
    LiteralBatch literal(String statement) {
        return new LiteralBatch(files.statement(statement));
    }

    void bindIds(Query query, Collection<Integer> destinationIds) throws SQLException {
        idList.bind(query, destinationIds);
    }

    /** What a lock of this schema is called. */
    String resource(String name) {
        return "readpast:" + files.schema() + ":" + name;
    }
}
