package org.readpast.examples;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Prints what happens, in lines and small tables. */
final class Display {

    private Display() {}

    static void title(String text) {
        System.out.printf("%n== %s%n", text);
    }

    static void line(String format, Object... values) {
        System.out.printf("   " + format + "%n", values);
    }

    static void table(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        List<List<String>> table = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            names.add(columns.getColumnLabel(i).toLowerCase(java.util.Locale.ROOT));
        }
        table.add(names);
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String value = rows.getString(i);
                row.add(value == null ? "-" : value);
            }
            table.add(row);
        }
        print(table);
    }

    private static void print(List<List<String>> table) {
        for (List<String> row : table) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int width = table.stream()
                        .mapToInt(r -> r.get(column).length())
                        .max()
                        .orElse(1);
                line.append(String.format("%-" + width + "s  ", row.get(i)));
            }
            line("%s", line.toString().stripTrailing());
        }
    }
}
