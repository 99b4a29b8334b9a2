package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.readpast.jms.store.jdbc.tsql.Script.Columns;
import org.readpast.jms.store.jdbc.tsql.Script.Expression;
import org.readpast.jms.store.jdbc.tsql.Script.Item;
import org.readpast.jms.store.jdbc.tsql.Script.Listed;
import org.readpast.jms.store.jdbc.tsql.Script.Named;
import org.readpast.jms.store.jdbc.tsql.Script.Origin;
import org.readpast.jms.store.jdbc.tsql.Script.Query;
import org.readpast.jms.store.jdbc.tsql.Script.Select;
import org.readpast.jms.store.jdbc.tsql.Script.Source;
import org.readpast.jms.store.jdbc.tsql.Token.Kind;

/** Reads SELECTs, and what stands in FROM of any statement. */
final class QueryReader {

    /** Where hints stand: behind a table of a query, or in FROM of a change of {@code target}. */
    record Place(String name, String target) {
        static final Place READ = new Place("read", null);
        static final Place SUBQUERY = new Place("read in a subquery", null);

        static Place from(String verb, String target) {
            return new Place("FROM of " + verb, target);
        }

        String of(Source source) {
            return source.alias().equalsIgnoreCase(target) ? "target in " + name : name;
        }
    }

    private record Hinted(Source source, List<Hint> hints, int line) {
        Hinted(Source source) {
            this(source, List.of(), 0);
        }
    }

    private record Hint(String form, String index, List<String> columns, int line) {}

    private final Cursor cursor;
    private final Script script;
    private final Map<String, Columns> declared;
    private final ExpressionReader expressions;
    private int tables;

    /** How many tables have been met that are read with UPDLOCK. */
    private int locked;

    QueryReader(Cursor cursor, Script script, Map<String, Columns> declared) {
        this.cursor = cursor;
        this.script = script;
        this.declared = declared;
        this.expressions = new ExpressionReader(cursor, this);
    }

    ExpressionReader expressions() {
        return expressions;
    }

    /** How many tables have been met that are no variables: what touches one begins an implicit transaction. */
    int tables() {
        return tables;
    }

    void touch(int more) {
        tables += more;
    }

    Query query(Place place) {
        int line = cursor.line();
        List<Select> united = new ArrayList<>();
        boolean top = false;
        do {
            top |= cursor.sees("SELECT", "TOP") || cursor.sees("SELECT", "DISTINCT", "TOP");
            united.add(select(place));
        } while (unites());
        boolean ordered = cursor.takes("ORDER", "BY");
        if (ordered) {
            orderBy();
        }
        if (top) {
            cursor.uses(ordered ? "TOP (n) ... ORDER BY" : "TOP (n)", "SELECT", line);
        }
        if (cursor.takes("OFFSET")) {
            cursor.uses("OFFSET ... FETCH", "SELECT");
            expressions.sum();
            cursor.expect("ROWS");
            cursor.expect("FETCH", "NEXT");
            expressions.sum();
            cursor.expect("ROWS", "ONLY");
        }
        option();
        return new Query(united, line);
    }

    private boolean unites() {
        String union = cursor.takes("UNION", "ALL") ? "UNION ALL" : cursor.oneOf("UNION", "EXCEPT", "INTERSECT");
        if (union != null) {
            cursor.uses(union, "SELECT");
        }
        return union != null;
    }

    private Select select(Place place) {
        if (cursor.takes("(")) {
            Select inner = select(place);
            cursor.expect(")");
            return inner;
        }
        int line = cursor.line();
        int tablesBefore = tables;
        int lockedBefore = locked;
        cursor.expect("SELECT");
        cursor.takes("DISTINCT");
        boolean top = cursor.takes("TOP");
        if (top) {
            expressions.parenthesised();
        }
        List<Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (cursor.takes(","));
        if (cursor.sees("INTO")) {
            throw cursor.notUnderstood();
        }
        List<Expression> conditions = new ArrayList<>();
        List<Source> from = from(place, conditions);
        if (cursor.takes("GROUP", "BY")) {
            do {
                conditions.add(expressions.sum());
            } while (cursor.takes(","));
        }
        if (cursor.takes("HAVING")) {
            conditions.add(expressions.condition());
        }
        if (top && locked > lockedBefore && tables - tablesBefore > 1) {
            cursor.uses("TOP (n) with UPDLOCK and another table", "SELECT", line);
        }
        return new Select(items, from, conditions);
    }

    private Item item() {
        if (cursor.takes("*")) {
            return new Item("*", null);
        }
        if (cursor.sees(Kind.VARIABLE)) {
            Expression value = expressions.assignment();
            return new Item(cursor.takes("AS") ? cursor.name() : null, value);
        }
        Expression value = expressions.condition();
        String named = value instanceof Expression.Column column ? column.name() : null;
        return new Item(cursor.takes("AS") ? cursor.name() : named, value);
    }

    void orderBy() {
        do {
            expressions.sum();
            cursor.oneOf("ASC", "DESC");
        } while (cursor.takes(","));
    }

    /** OPTION (...), each hint a form of its own. */
    void option() {
        if (cursor.takes("OPTION")) {
            cursor.expect("(");
            do {
                StringJoiner hint = new StringJoiner(" ", "OPTION (", ")");
                while (!cursor.sees(")") && !cursor.sees(",")) {
                    hint.add(cursor.next().text());
                }
                cursor.uses(hint.toString(), "query");
            } while (cursor.takes(","));
            cursor.expect(")");
        }
    }

    /** FROM and WHERE, where there are any. */
    List<Source> from(Place place, List<Expression> conditions) {
        List<Hinted> hinted = new ArrayList<>();
        if (cursor.takes("FROM")) {
            do {
                joins(place, hinted, conditions);
            } while (cursor.takes(","));
        }
        if (cursor.takes("WHERE")) {
            conditions.add(expressions.condition());
        }
        List<Source> sources = new ArrayList<>();
        for (Hinted table : hinted) {
            sources.add(table.source());
            noteHints(place.of(table.source()), table.hints());
            noteRead(place, table);
            table.hints().forEach(hint -> noteForced(table.source(), hint, conditions));
        }
        return sources;
    }

    private void joins(Place place, List<Hinted> tables, List<Expression> conditions) {
        tables.add(table(place));
        while (true) {
            int line = cursor.line();
            String join = join();
            if (join == null) {
                return;
            }
            cursor.uses(join, place.name(), line);
            tables.add(table(place));
            if (cursor.takes("ON")) {
                conditions.add(expressions.condition());
            }
        }
    }

    private String join() {
        if (cursor.takes("CROSS", "APPLY")) {
            return "CROSS APPLY";
        }
        if (cursor.takes("JOIN")) {
            return "INNER JOIN";
        }
        String kind = cursor.oneOf("INNER", "LEFT", "RIGHT", "FULL", "CROSS", "OUTER");
        if (kind == null) {
            return null;
        }
        cursor.takes("OUTER");
        String by = cursor.oneOf("LOOP", "HASH", "MERGE");
        cursor.expect("JOIN");
        return kind + (by == null ? "" : " " + by) + " JOIN";
    }

    private Hinted table(Place place) {
        if (cursor.takes("(")) {
            Origin origin = cursor.sees("VALUES") ? values() : query(place.target() == null ? place : Place.SUBQUERY);
            cursor.expect(")");
            return renamed(alias(null), origin);
        }
        if (cursor.sees("OPENJSON")) {
            return openJson();
        }
        if (cursor.sees(Kind.VARIABLE)) {
            String name = cursor.next().text();
            return new Hinted(new Source(alias(name), declared(name), null));
        }
        int line = cursor.line();
        Named name = named();
        if (cursor.sees("(")) {
            expressions.arguments();
        }
        if (name.schema() != null && name.schema().equalsIgnoreCase("sys")) {
            cursor.uses("sys." + name.name(), "catalogue");
        }
        Source source =
                new Source(alias(name.name()), name.name().startsWith("#") ? declared(name.name()) : name, null);
        return new Hinted(source, hints(), line);
    }

    /** The name of a table. A view of the catalogue and a table make the same difference: reading one begins a transaction. */
    Named named() {
        tables++;
        String name = cursor.name();
        return cursor.takes(".") ? new Named(name, cursor.name()) : new Named(null, name);
    }

    Listed declared(String name) {
        return new Listed(declared.getOrDefault(name.toLowerCase(Locale.ROOT), new Columns()));
    }

    private String alias(String otherwise) {
        return cursor.takes("AS") || cursor.seesName() ? cursor.name() : otherwise;
    }

    private Hinted renamed(String alias, Origin origin) {
        List<String> names = cursor.sees("(") ? names() : null;
        return new Hinted(new Source(alias, origin, names));
    }

    private Origin values() {
        List<Select> rows = new ArrayList<>();
        int line = cursor.line();
        cursor.expect("VALUES");
        do {
            List<Item> row = new ArrayList<>();
            for (Expression value : expressions.arguments()) {
                row.add(new Item("c" + row.size(), value));
            }
            rows.add(new Select(row, List.of(), List.of()));
        } while (cursor.takes(","));
        return new Query(rows, line);
    }

    private Hinted openJson() {
        int line = cursor.line();
        cursor.next();
        expressions.arguments();
        Columns columns = new Columns();
        if (cursor.takes("WITH")) {
            cursor.uses("OPENJSON (...) WITH (...)", "FROM", line);
            cursor.expect("(");
            do {
                String name = cursor.name();
                columns.put(name, expressions.type());
                if (cursor.sees(Kind.STRING)) {
                    cursor.next();
                }
            } while (cursor.takes(","));
            cursor.expect(")");
        } else {
            cursor.uses("OPENJSON (...)", "FROM", line);
            columns.put("key", "Latin1_General_BIN2");
            columns.put("value", Collations.DATABASE);
        }
        return new Hinted(new Source(alias("OPENJSON"), new Listed(columns), null));
    }

    /** Hints of a table that stands directly behind its verb. */
    void hintsOfTarget(String verb) {
        noteHints("target behind " + verb, hints());
    }

    private List<Hint> hints() {
        List<Hint> hints = new ArrayList<>();
        if (cursor.takes("WITH")) {
            cursor.expect("(");
            do {
                hints.add(hint());
            } while (cursor.takes(","));
            cursor.expect(")");
        }
        return hints;
    }

    private Hint hint() {
        int line = cursor.line();
        String word = Cursor.upper(cursor.next());
        String index = null;
        List<String> columns = List.of();
        if (word.equals("INDEX") && cursor.takes("=")) {
            index = cursor.next().text();
        } else if (cursor.takes("(")) {
            index = cursor.next().text();
            columns = cursor.sees("(") ? names() : columns;
            cursor.expect(")");
        }
        String form = word + (index == null ? "" : columns.isEmpty() ? " (index)" : " (index (columns))");
        return new Hint(form, index, columns, line);
    }

    private void noteHints(String place, List<Hint> hints) {
        if (!hints.isEmpty()) {
            TreeSet<String> forms = new TreeSet<>();
            hints.forEach(hint -> forms.add(hint.form()));
            locked += forms.contains("UPDLOCK") ? 1 : 0;
            cursor.uses(
                    "WITH (" + String.join(", ", forms) + ")",
                    place,
                    hints.get(0).line());
        }
    }

    private void noteRead(Place place, Hinted table) {
        if (table.source().origin() instanceof Named named
                && !place.of(table.source()).startsWith("target")) {
            Set<String> words = table.hints().stream()
                    .map(hint -> hint.form().replaceFirst(" .*", ""))
                    .collect(Collectors.toSet());
            script.reads.add(new Script.Read(named.name(), words, table.line()));
        }
    }

    private void noteForced(Source source, Hint hint, List<Expression> conditions) {
        if (hint.index() != null && source.origin() instanceof Named table) {
            Expression where = new Expression.Parts(List.copyOf(conditions));
            script.forced.add(
                    new Script.Forced(table.name(), source.alias(), hint.index(), hint.columns(), where, hint.line()));
        }
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        cursor.expect("(");
        do {
            names.add(cursor.name());
            cursor.oneOf("ASC", "DESC");
        } while (cursor.takes(","));
        cursor.expect(")");
        return names;
    }
}
