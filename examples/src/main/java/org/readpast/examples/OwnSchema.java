package org.readpast.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The schema that the quick start has to itself: it must not be there before, and is dropped behind it. */
final class OwnSchema {

    static final String NAME = "readpast_quickstart";

    private OwnSchema() {}

    /**
     * @param url a JDBC URL
     * @throws IllegalStateException if the schema is there
     */
    static void mustNotBeThere(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            if (isThere(connection)) {
                throw new IllegalStateException(
                        "The schema " + NAME + " is there already, as a run leaves it that was ended before its"
                                + " time. If nothing in it is yours, add --drop");
            }
        }
    }

    /** Drops the schema with all that is in it, if it is there. */
    static void drop(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!isThere(connection)) {
                return;
            }
            if (!url.startsWith("jdbc:sqlserver:")) {
                statement.execute("DROP SCHEMA " + NAME + " CASCADE");
                return;
            }
            for (String object : objects(statement)) {
                statement.execute("DROP " + object);
            }
            statement.execute("DROP SEQUENCE " + NAME + ".message_seq");
            statement.execute("DROP SCHEMA " + NAME);
        }
    }

    private static boolean isThere(Connection connection) throws SQLException {
        try (ResultSet schemas = connection.getMetaData().getSchemas()) {
            while (schemas.next()) {
                if (NAME.equalsIgnoreCase(schemas.getString("TABLE_SCHEM"))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** SQL Server drops no schema that has something in it: what uses others goes first, tables last, the newest before older ones. */
    private static List<String> objects(Statement statement) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("""
                SELECT CASE type WHEN 'P' THEN 'PROCEDURE' WHEN 'V' THEN 'VIEW' WHEN 'U' THEN 'TABLE' ELSE 'FUNCTION' END, name
                FROM sys.objects
                WHERE schema_id = SCHEMA_ID('%s') AND type IN ('P', 'V', 'U', 'FN', 'IF', 'TF')
                ORDER BY CASE type WHEN 'U' THEN 2 ELSE 1 END, object_id DESC""".formatted(NAME))) {
            while (rows.next()) {
                found.add(rows.getString(1) + " " + NAME + "." + rows.getString(2));
            }
        }
        return found;
    }
}
