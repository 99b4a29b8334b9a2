package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.readpast.jms.store.jdbc.tsql.Script.Expression;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Column;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Compared;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Joined;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Parts;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Subquery;
import org.readpast.jms.store.jdbc.tsql.Script.Expression.Text;
import org.readpast.jms.store.jdbc.tsql.Token.Kind;

/** Reads values and conditions, and keeps of them which columns meet which. */
final class ExpressionReader {

    private static final Expression NO_STRING = new Parts(List.of());
    private static final Set<String> STRINGS = Set.of("CHAR", "NCHAR", "NVARCHAR", "SYSNAME", "VARCHAR");

    private final Cursor cursor;
    private final QueryReader queries;

    ExpressionReader(Cursor cursor, QueryReader queries) {
        this.cursor = cursor;
        this.queries = queries;
    }

    Expression condition() {
        List<Expression> parts = new ArrayList<>();
        do {
            parts.add(negated());
        } while (cursor.oneOf("AND", "OR") != null);
        return parts.size() == 1 ? parts.get(0) : new Parts(parts);
    }

    private Expression negated() {
        return cursor.takes("NOT") ? new Parts(List.of(negated())) : comparison();
    }

    private Expression comparison() {
        if (cursor.takes("EXISTS")) {
            return new Parts(List.of(parenthesised()));
        }
        Expression left = sum();
        while (true) {
            int line = cursor.line();
            String by = cursor.oneOf("=", "<>", "!=", "<=", ">=", "<", ">");
            if (by != null) {
                left = new Compared(left, sum(), by, line);
            } else if (cursor.takes("IS", "NOT", "NULL")) {
                left = new Expression.NotNull(left);
            } else if (cursor.takes("IS", "NULL")) {
                left = new Parts(List.of(left));
            } else if (cursor.takes("NOT", "LIKE") || cursor.takes("LIKE")) {
                left = new Compared(left, sum(), "LIKE", line);
            } else if (cursor.takes("NOT", "BETWEEN") || cursor.takes("BETWEEN")) {
                Expression low = sum();
                cursor.expect("AND");
                left = new Parts(List.of(new Compared(left, low, ">=", line), new Compared(left, sum(), "<=", line)));
            } else if (cursor.takes("NOT", "IN") || cursor.takes("IN")) {
                left = in(left, line);
            } else {
                return left;
            }
        }
    }

    private Expression in(Expression left, int line) {
        List<Expression> compared = new ArrayList<>();
        for (Expression value : arguments()) {
            compared.add(new Compared(left, value, "IN", line));
        }
        return new Parts(compared);
    }

    /** A sum, a product, a concatenation: what binds closer than a comparison. */
    Expression sum() {
        int line = cursor.line();
        List<Expression> parts = new ArrayList<>();
        do {
            parts.add(primary());
        } while (cursor.oneOf("+", "-", "*", "/", "%", "&", "|", "^") != null);
        return parts.size() == 1 ? parts.get(0) : new Joined(parts, line);
    }

    private Expression primary() {
        if (cursor.oneOf("+", "-", "~") != null) {
            return primary();
        }
        Expression value = value();
        return cursor.takes("COLLATE") ? new Expression.Collated(value, cursor.name()) : value;
    }

    private Expression value() {
        if (cursor.sees("(")) {
            return parenthesised();
        }
        if (cursor.sees(Kind.STRING) || cursor.sees(Kind.VARIABLE)) {
            if (cursor.peek().text().startsWith("@@")) {
                cursor.uses(Cursor.upper(cursor.peek()), "expression");
            }
            cursor.next();
            return new Text();
        }
        if (cursor.sees(Kind.NUMBER) || cursor.sees("NULL") || cursor.sees("*") || cursor.sees("DEFAULT")) {
            cursor.next();
            return NO_STRING;
        }
        if (cursor.sees(Kind.WORD) && cursor.peek().text().startsWith("%%")) {
            cursor.uses(cursor.next().text(), "expression");
            return NO_STRING;
        }
        if (draws("expression")) {
            return NO_STRING;
        }
        return cursor.sees("CASE") ? choice() : columnOrFunction();
    }

    /** Whether a number of a sequence comes next, which not every place may have. */
    boolean draws(String place) {
        int line = cursor.line();
        if (!cursor.takes("NEXT", "VALUE", "FOR")) {
            return false;
        }
        cursor.uses("NEXT VALUE FOR", place, line);
        path();
        return true;
    }

    Expression parenthesised() {
        cursor.expect("(");
        Expression inner =
                cursor.sees("SELECT") ? new Subquery(queries.query(QueryReader.Place.SUBQUERY)) : condition();
        cursor.expect(")");
        return inner;
    }

    private Expression choice() {
        int line = cursor.line();
        cursor.expect("CASE");
        Expression chosenBy = cursor.sees("WHEN") ? null : sum();
        List<Expression> conditions = new ArrayList<>();
        List<Expression> results = new ArrayList<>();
        while (cursor.takes("WHEN")) {
            Expression when = condition();
            conditions.add(chosenBy == null ? when : new Compared(chosenBy, when, "CASE", line));
            cursor.expect("THEN");
            results.add(sum());
        }
        if (cursor.takes("ELSE")) {
            results.add(sum());
        }
        cursor.expect("END");
        results.add(new Parts(conditions));
        return new Joined(results, line);
    }

    private Expression columnOrFunction() {
        int line = cursor.line();
        boolean function = cursor.sees("LEFT", "(") || cursor.sees("RIGHT", "(");
        List<String> path = function ? List.of(cursor.next().text()) : path();
        if (!cursor.sees("(")) {
            return new Column(path.size() > 1 ? path.get(path.size() - 2) : null, path.get(path.size() - 1));
        }
        if (path.size() > 1) {
            return new Joined(List.of(new Parts(arguments()), new Text()), line);
        }
        String name = path.get(0).toUpperCase(Locale.ROOT);
        cursor.uses(name, "function", line);
        if (name.equals("CAST") || name.equals("CONVERT")) {
            return cast(name.equals("CONVERT"), line);
        }
        List<Expression> arguments = arguments();
        over(name);
        return Words.OF_STRINGS.contains(name)
                ? new Joined(arguments, line)
                : Words.TEXTS.contains(name) ? new Text() : new Parts(arguments);
    }

    private Expression cast(boolean typeFirst, int line) {
        cursor.expect("(");
        String collation = typeFirst ? type() : null;
        cursor.takes(",");
        Expression value = condition();
        if (!typeFirst) {
            cursor.expect("AS");
            collation = type();
        }
        cursor.expect(")");
        return collation == null ? new Parts(List.of(value)) : new Joined(List.of(value, new Text()), line);
    }

    private void over(String function) {
        if (cursor.takes("OVER")) {
            cursor.uses(function + " OVER", "function");
            cursor.expect("(");
            if (cursor.takes("PARTITION", "BY")) {
                do {
                    sum();
                } while (cursor.takes(","));
            }
            if (cursor.takes("ORDER", "BY")) {
                queries.orderBy();
            }
            cursor.expect(")");
        }
    }

    /** Values in parentheses; of IN also a query. */
    List<Expression> arguments() {
        List<Expression> arguments = new ArrayList<>();
        if (cursor.sees("(", "SELECT")) {
            return List.of(parenthesised());
        }
        cursor.expect("(");
        while (!cursor.sees(")")) {
            cursor.takes("DISTINCT");
            arguments.add(condition());
            if (!cursor.sees(")")) {
                cursor.expect(",");
            }
        }
        cursor.expect(")");
        return arguments;
    }

    /** {@code @variable = value}, or a value that begins with a variable. */
    Expression assignment() {
        Expression value = condition();
        return value instanceof Compared assigned
                        && assigned.left() instanceof Text
                        && assigned.by().equals("=")
                ? assigned.right()
                : value;
    }

    /** {@code schema.table.column}. */
    List<String> path() {
        List<String> path = new ArrayList<>();
        do {
            path.add(cursor.name());
        } while (cursor.takes("."));
        return path;
    }

    /** The collation of a type: null for what is no string. */
    String type() {
        String type = Cursor.upper(cursor.peek());
        cursor.uses(type.toLowerCase(Locale.ROOT), "type");
        cursor.name();
        if (cursor.takes("(")) {
            while (!cursor.takes(")")) {
                cursor.next();
            }
        }
        String collation = STRINGS.contains(type) ? Collations.DATABASE : null;
        return cursor.takes("COLLATE") ? cursor.name() : collation;
    }
}
