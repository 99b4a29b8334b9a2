package org.readpast.jms.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The parameters of many rows for one statement: an array for each parameter, with an element for each row. For PostgreSQL, whose
 * names of types these are. Not thread-safe.
 */
public final class ParameterArrays implements Parameters {

    private record Column(String type, IntFunction<Object[]> array, List<Object> values) {}

    private final Map<String, Column> columns = new LinkedHashMap<>();
    private long bytes;

    /** How many bytes of bodies there are. */
    public long bytes() {
        return bytes;
    }

    /** Sets the parameters of a statement. */
    public void bind(Query query) throws SQLException {
        Connection connection = query.statement().getConnection();
        for (Map.Entry<String, Column> column : columns.entrySet()) {
            Column values = column.getValue();
            query.set(
                    column.getKey(),
                    connection.createArrayOf(values.type(), values.values().toArray(values.array())));
        }
    }

    @Override
    public ParameterArrays set(String name, int value) {
        return add(name, "int4", Integer[]::new, value);
    }

    @Override
    public ParameterArrays set(String name, long value) {
        return add(name, "int8", Long[]::new, value);
    }

    @Override
    public ParameterArrays set(String name, Long value) {
        return add(name, "int8", Long[]::new, value);
    }

    @Override
    public ParameterArrays set(String name, String value) {
        return add(name, "text", String[]::new, value);
    }

    @Override
    public ParameterArrays set(String name, byte[] value) {
        bytes += value == null ? 0 : value.length;
        return add(name, "bytea", byte[][]::new, value);
    }

    private ParameterArrays add(String name, String type, IntFunction<Object[]> array, Object value) {
        Column column = columns.get(name);
        if (column == null) {
            column = new Column(type, array, new ArrayList<>());
            columns.put(name, column);
        }
        column.values().add(value);
        return this;
    }
}
