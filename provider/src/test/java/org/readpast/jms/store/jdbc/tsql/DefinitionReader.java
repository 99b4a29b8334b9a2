package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.readpast.jms.store.jdbc.tsql.Script.Columns;
import org.readpast.jms.store.jdbc.tsql.Script.Expression;
import org.readpast.jms.store.jdbc.tsql.Script.Index;
import org.readpast.jms.store.jdbc.tsql.Script.Query;
import org.readpast.jms.store.jdbc.tsql.Token.Kind;

/** Reads what makes tables, indexes, views and procedures, and keeps which columns and indexes there are. */
final class DefinitionReader {

    private final Cursor cursor;
    private final Script script;
    private final QueryReader queries;
    private final ExpressionReader expressions;
    private final Map<String, Columns> declared;
    private final Consumer<String> procedures;

    /** {@code procedures} reads the body of the procedure or function of that name. */
    DefinitionReader(
            Cursor cursor,
            Script script,
            QueryReader queries,
            Map<String, Columns> declared,
            Consumer<String> procedures) {
        this.cursor = cursor;
        this.script = script;
        this.queries = queries;
        this.expressions = queries.expressions();
        this.declared = declared;
        this.procedures = procedures;
    }

    void read(String verb, String within) {
        int line = cursor.line();
        String what = switch (verb) {
            case "CREATE" -> cursor.oneOf("TABLE", "INDEX", "UNIQUE", "CLUSTERED", "VIEW", "PROCEDURE", "FUNCTION");
            case "ALTER" -> cursor.oneOf("PROCEDURE", "FUNCTION");
            default -> null;
        };
        if (what == null) {
            other(verb, within);
            return;
        }
        switch (what) {
            case "TABLE" -> what += table();
            case "VIEW" -> {
                String name = tableName();
                cursor.expect("AS");
                view(name);
            }
            case "PROCEDURE" -> procedure(tableName());
            case "FUNCTION" -> function(tableName());
            default -> index(what);
        }
        cursor.uses(
                verb + " " + what + (what.equals("UNIQUE") || what.equals("CLUSTERED") ? " INDEX" : ""), within, line);
    }

    private void view(String name) {
        Query query = queries.query(QueryReader.Place.READ);
        script.queries.add(query);
        script.views.putIfAbsent(name, query); // where there are two, the second stands in for the first
    }

    /** What makes no difference to any rule is a form by its first two words; ALTER TABLE by all of them but the name. */
    private void other(String verb, String within) {
        int line = cursor.line();
        String form = verb.equals("GRANT") ? verb : verb + " " + Cursor.upper(cursor.next());
        if (form.equals("ALTER TABLE")) {
            expressions.path();
            form += " ...";
        }
        int from = cursor.at();
        while (!cursor.sees(";") && !cursor.sees("GO") && !cursor.sees(Kind.END)) {
            cursor.next();
        }
        cursor.uses(form.endsWith("...") ? form + " " + cursor.textSince(from) : form, within, line);
    }

    private String tableName() {
        List<String> path = expressions.path();
        return path.get(path.size() - 1).toLowerCase(Locale.ROOT);
    }

    private String table() {
        String name = tableName();
        Columns columns = columns(name);
        if (name.startsWith("#")) {
            // A temporary table's strings have the collation of tempdb, which is the server's.
            columns.replaceAll(
                    (column, collation) -> Collations.DATABASE.equals(collation) ? Collations.SERVER : collation);
            declared.put(name, columns);
            return " #table";
        }
        script.tables.put(name, columns);
        return "";
    }

    /** The columns of a table or a table variable, with its keys. */
    Columns columns(String table) {
        Columns columns = new Columns();
        cursor.expect("(");
        do {
            String constraint = cursor.takes("CONSTRAINT") ? cursor.name() : null;
            if (cursor.sees("PRIMARY", "KEY") || cursor.sees("UNIQUE")) {
                key();
                List<String> names = queries.names();
                if (constraint != null) {
                    script.indexes.put(table + "." + constraint, new Index(constraint, names, List.of()));
                }
                options();
            } else if (cursor.takes("CHECK")) {
                cursor.uses("CHECK", "table");
                cursor.expect("(");
                expressions.condition();
                cursor.expect(")");
                script.checked.add(table);
            } else {
                column(columns);
            }
        } while (cursor.takes(","));
        cursor.expect(")");
        return columns;
    }

    private boolean key() {
        boolean key = cursor.takes("PRIMARY", "KEY") || cursor.takes("UNIQUE");
        cursor.oneOf("CLUSTERED", "NONCLUSTERED");
        return key;
    }

    private void column(Columns columns) {
        int line = cursor.line();
        String name = cursor.name();
        boolean said = false;
        if (cursor.takes("AS")) {
            cursor.uses("AS ... PERSISTED", "column");
            columns.put(name, null);
            expressions.sum();
            cursor.expect("PERSISTED");
        } else {
            columns.put(name, expressions.type());
        }
        while (true) {
            if (cursor.takes("IDENTITY")) {
                cursor.uses("IDENTITY", "column");
                expressions.arguments();
            } else if (cursor.takes("DEFAULT")) {
                if (!expressions.draws("column default")) {
                    expressions.sum();
                }
            } else if (cursor.takes("NOT", "NULL") || cursor.takes("NULL") || key()) {
                said = true;
            } else {
                if (!said) {
                    script.unsaid.add(new Script.Unsaid(name, line));
                }
                return;
            }
        }
    }

    private void index(String kind) {
        if (!kind.equals("INDEX")) {
            cursor.expect("INDEX");
        }
        String name = cursor.name();
        cursor.expect("ON");
        String table = tableName();
        List<String> columns = queries.names();
        if (cursor.takes("INCLUDE")) {
            cursor.uses("INCLUDE", "index");
            queries.names();
        }
        List<String> notNull = new ArrayList<>();
        if (cursor.takes("WHERE")) {
            cursor.uses("WHERE", "index");
            if (expressions.condition() instanceof Expression.NotNull filter
                    && filter.of() instanceof Expression.Column column) {
                notNull.add(column.name());
            }
        }
        options();
        script.indexes.put(table + "." + name, new Index(name, columns, notNull));
    }

    private void options() {
        if (cursor.takes("WITH")) {
            cursor.expect("(");
            do {
                int from = cursor.at();
                while (!cursor.sees(",") && !cursor.sees(")")) {
                    cursor.next();
                }
                cursor.uses(cursor.textSince(from), "index");
            } while (cursor.takes(","));
            cursor.expect(")");
        }
    }

    private void procedure(String name) {
        while (cursor.sees(Kind.VARIABLE)) {
            parameter();
        }
        cursor.expect("AS");
        procedures.accept(name);
    }

    private void parameter() {
        cursor.next();
        expressions.type();
        if (cursor.takes("=")) {
            expressions.sum();
        }
        cursor.takes("OUTPUT");
        cursor.takes(",");
    }

    private void function(String name) {
        cursor.expect("(");
        while (!cursor.takes(")")) {
            parameter();
        }
        cursor.expect("RETURNS");
        if (!cursor.takes("TABLE")) {
            expressions.type();
            cursor.expect("AS");
            procedures.accept(name);
            return;
        }
        cursor.expect("AS");
        cursor.expect("RETURN");
        cursor.expect("(");
        view(name);
        cursor.expect(")");
    }
}
