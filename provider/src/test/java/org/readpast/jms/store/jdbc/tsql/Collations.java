package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.readpast.jms.store.jdbc.tsql.Script.Columns;
import org.readpast.jms.store.jdbc.tsql.Script.Expression;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Collated;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Column;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Compared;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Joined;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.NotNull;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Parts;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Subquery;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Text;
import org.readpast.jms.store.jdbc.tsql.Script.Item;
import org.readpast.jms.store.jdbc.tsql.Script.Listed;
import org.readpast.jms.store.jdbc.tsql.Script.Named;
import org.readpast.jms.store.jdbc.tsql.Script.Origin;
import org.readpast.jms.store.jdbc.tsql.Script.Query;
import org.readpast.jms.store.jdbc.tsql.Script.Select;
import org.readpast.jms.store.jdbc.tsql.Script.Source;

/**
 * Strings of different collations that are compared, concatenated or united, which SQL Server refuses when it compiles the statement
 * (Microsoft: Collation precedence). The collation of a string is that of its column; a variable's or a literal's gives way; COLLATE
 * decides.
 */
final class Collations {

    /** That of a column without COLLATE. */
    static final String DATABASE = "the database's collation";

    /** That of the columns of management views, and of tempdb. */
    static final String SERVER = "the server's collation";

    private static final String CATALOGUE = "Latin1_General_CI_AS_KS_WS";
    private static final String GIVES_WAY = "any";
    private static final String EXPLICIT = "COLLATE ";

    private static final Pattern NO_STRING = Pattern.compile("(?i).*_(id|count|number|level|time)|allow_.*");
    private static final Pattern OF_SERVER = Pattern.compile("(?i)dm_.*|databases|server_principals|configurations");

    private final Script schema;
    private final BiConsumer<Integer, String> found;

    /** {@code schema} has the tables and views that names stand for. */
    Collations(Script schema, BiConsumer<Integer, String> found) {
        this.schema = schema;
        this.found = found;
    }

    private record Scope(Map<String, Origin> names, Map<String, Columns> columns, Scope outer) {
        Scope(Scope outer) {
            this(new LinkedHashMap<>(), new LinkedHashMap<>(), outer);
        }
    }

    void check(Query query) {
        columns(query, null);
    }

    /** The columns that a query returns. */
    private Columns columns(Query query, Scope outer) {
        Columns columns = new Columns();
        for (Select select : query.united()) {
            Columns other = columns(select, outer);
            if (columns.isEmpty()) {
                columns.putAll(other);
                continue;
            }
            List<String> values = new ArrayList<>(other.values());
            int i = 0;
            for (Map.Entry<String, String> column : columns.entrySet()) {
                String second = i < values.size() ? values.get(i) : null;
                i++;
                column.setValue(met(
                        column.getValue(), second, query.line(), "451: column " + column.getKey() + " of the UNION"));
            }
        }
        return columns;
    }

    private Columns columns(Select select, Scope outer) {
        Scope scope = new Scope(outer);
        for (Source source : select.from()) {
            scope.names().put(key(source.alias()), source.origin());
            scope.columns().put(key(source.alias()), renamed(columns(source.origin(), scope), source.renamed()));
        }
        select.conditions().forEach(condition -> collation(condition, scope));
        Columns columns = new Columns();
        for (Item item : select.items()) {
            if (item.value() == null) {
                scope.columns().values().forEach(columns::putAll);
            } else {
                String name = item.name() == null ? "column " + columns.size() : key(item.name());
                columns.put(name, collation(item.value(), scope));
            }
        }
        return columns;
    }

    private Columns columns(Origin origin, Scope scope) {
        if (origin instanceof Query query) {
            return asColumns(columns(query, scope));
        }
        if (origin instanceof Listed listed) {
            return listed.columns();
        }
        Named table = (Named) origin;
        Columns known = schema.tables.get(key(table.name()));
        Query view = schema.views.get(key(table.name()));
        if (known == null && view != null) {
            return asColumns(new Collations(schema, (line, text) -> {}).columns(view, null));
        }
        return known == null ? new Columns() : known;
    }

    /** Outside of the query a column's collation is decided no more, and no column gives way. */
    private static Columns asColumns(Columns columns) {
        columns.replaceAll((name, collation) -> collation == null
                ? null
                : collation.equals(GIVES_WAY) || collation.equals(EXPLICIT + "DATABASE_DEFAULT")
                        ? DATABASE
                        : collation.replace(EXPLICIT, ""));
        return columns;
    }

    private static Columns renamed(Columns columns, List<String> names) {
        Columns renamed = new Columns();
        int i = 0;
        for (Map.Entry<String, String> column : columns.entrySet()) {
            renamed.put(key(names == null ? column.getKey() : names.get(i)), column.getValue());
            i++;
        }
        return renamed;
    }

    private String collation(Expression value, Scope scope) {
        if (value instanceof Column column) {
            return collation(column, scope);
        }
        if (value instanceof Text) {
            return GIVES_WAY;
        }
        if (value instanceof Collated collated) {
            collation(collated.of(), scope);
            return EXPLICIT + collated.collation();
        }
        if (value instanceof Joined joined) {
            String collation = null;
            for (Expression part : joined.of()) {
                collation = met(collation, collation(part, scope), joined.line(), "468: in one value");
            }
            return collation;
        }
        if (value instanceof Compared compared) {
            met(
                    collation(compared.left(), scope),
                    collation(compared.right(), scope),
                    compared.line(),
                    "468: " + name(compared.left()) + " beside " + name(compared.right()));
        } else if (value instanceof Parts parts) {
            parts.of().forEach(part -> collation(part, scope));
        } else if (value instanceof NotNull notNull) {
            collation(notNull.of(), scope);
        } else if (value instanceof Subquery subquery) {
            Columns columns = columns(subquery.query(), scope);
            return columns.isEmpty() ? null : columns.values().iterator().next();
        }
        return null;
    }

    private static String name(Expression value) {
        return value instanceof Column column
                ? (column.table() == null ? "" : column.table() + ".") + column.name()
                : "a value";
    }

    private static String collation(Column column, Scope innermost) {
        for (Scope scope = innermost; scope != null; scope = scope.outer()) {
            for (Map.Entry<String, Columns> table : scope.columns().entrySet()) {
                if (column.table() == null || table.getKey().equals(key(column.table()))) {
                    Columns columns = table.getValue();
                    Origin origin = scope.names().get(table.getKey());
                    if (columns.containsKey(key(column.name()))) {
                        return columns.get(key(column.name()));
                    }
                    if (origin instanceof Named named && "sys".equalsIgnoreCase(named.schema())) {
                        return ofCatalogue(named.name(), column.name());
                    }
                }
            }
        }
        return null;
    }

    private static String ofCatalogue(String view, String column) {
        if (NO_STRING.matcher(column).matches()) {
            return null;
        }
        return key(column).endsWith("_desc")
                ? CATALOGUE
                : OF_SERVER.matcher(view).matches() ? SERVER : DATABASE;
    }

    private String met(String one, String other, int line, String where) {
        if (one == null || other == null || one.equals(other)) {
            return one == null ? other : one;
        }
        if (rank(one) != rank(other)) {
            return rank(one) > rank(other) ? one : other;
        }
        found.accept(line, where + ": " + one + " meets " + other);
        return GIVES_WAY;
    }

    private static int rank(String collation) {
        return collation.equals(GIVES_WAY) ? 0 : collation.startsWith(EXPLICIT) ? 2 : 1;
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
