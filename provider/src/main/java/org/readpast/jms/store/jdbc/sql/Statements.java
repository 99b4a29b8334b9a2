package org.readpast.jms.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;

/** The statements of one database, ready to be run on a connection. Thread-safe. */
public final class Statements {

    private final SqlFiles files;
    private final boolean nationalStrings;
    private final IdList idList;

    /** How a list of ids becomes the parameter {@code destination_ids}. */
    @FunctionalInterface
    public interface IdList {
        void bind(Query query, Collection<Integer> ids) throws SQLException;
    }

    /**
     * @param nationalStrings whether texts have to be declared as national ones, since a setting of the driver's may say otherwise
     */
    public Statements(SqlFiles files, boolean nationalStrings, IdList idList) {
        this.files = files;
        this.nationalStrings = nationalStrings;
        this.idList = idList;
    }

    public SqlFiles files() {
        return files;
    }

    public Query query(Connection connection, String statement) throws SQLException {
        return new Query(connection, files.call(statement), nationalStrings);
    }

    /** For a statement that is run with several sets of values in one round trip, and whose counts nobody reads: NOCOUNT may hide them. */
    public Query batch(Connection connection, String statement) throws SQLException {
        return new Query(connection, files.statement(statement), nationalStrings);
    }

    /** For a statement that is sent as plain text. */
    public LiteralBatch literal(String statement) {
        return new LiteralBatch(files.statement(statement));
    }

    public void bindIds(Query query, Collection<Integer> destinationIds) throws SQLException {
        idList.bind(query, destinationIds);
    }

    /** What a lock of this schema is called. */
    public String resource(String name) {
        return "readpast:" + files.schema() + ":" + name;
    }
}
