package org.readpast.jms.tck.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A row of a result, by the names of its columns in small letters. */
record SqlRow(Map<String, Object> columns) {

    static List<SqlRow> all(ResultSet result) throws SQLException {
        List<SqlRow> rows = new ArrayList<>();
        while (result.next()) {
            Map<String, Object> columns = new LinkedHashMap<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                String name = result.getMetaData().getColumnLabel(i).toLowerCase(Locale.ROOT);
                columns.put(name, isBinary(name) ? result.getBytes(i) : result.getObject(i));
            }
            rows.add(new SqlRow(columns));
        }
        return rows;
    }

    private static boolean isBinary(String name) {
        return name.equals("binary_body");
    }

    /** A column as text, null for null. */
    String text(String column) {
        Object value = value(column);
        return value == null ? null : value.toString();
    }

    /** A column that holds a number. */
    long number(String column) {
        return ((Number) value(column)).longValue();
    }

    byte[] bytes(String column) {
        return (byte[]) value(column);
    }

    String body() {
        return text("body");
    }

    String token() {
        return text("claim_token");
    }

    private Object value(String column) {
        if (!columns.containsKey(column)) {
            throw new IllegalArgumentException("no column " + column + " in " + columns.keySet());
        }
        return columns.get(column);
    }
}
