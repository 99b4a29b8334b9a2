package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.readpast.jms.store.jdbc.tsql.QueryReader.Place;
import org.readpast.jms.store.jdbc.tsql.Script.Columns;
import org.readpast.jms.store.jdbc.tsql.Script.Expression;
import org.readpast.jms.store.jdbc.tsql.Script.Item;
import org.readpast.jms.store.jdbc.tsql.Script.Named;
import org.readpast.jms.store.jdbc.tsql.Script.Query;
import org.readpast.jms.store.jdbc.tsql.Script.Select;
import org.readpast.jms.store.jdbc.tsql.Script.Source;
import org.readpast.jms.store.jdbc.tsql.Script.Statement;
import org.readpast.jms.store.jdbc.tsql.Token.Kind;

/**
 * Reads statements. It knows the T-SQL that is used here and no other: what it does not know is not understood, and so is held to be
 * a form that nothing allows.
 */
final class StatementReader {

    private final Cursor cursor;
    private final Script script;
    private final QueryReader queries;
    private final ExpressionReader expressions;
    private final DefinitionReader definitions;
    private final Map<String, Columns> declared;

    /** What the statements stand in: a call, a script or, while one is read, a procedure. */
    private String within;

    private StatementReader(Cursor cursor, Script script, String within, Map<String, Columns> declared) {
        this.cursor = cursor;
        this.script = script;
        this.within = within;
        this.declared = declared;
        this.queries = new QueryReader(cursor, script, declared);
        this.expressions = queries.expressions();
        this.definitions = new DefinitionReader(cursor, script, queries, declared, this::procedure);
    }

    /** Reads a file: {@code call} where JDBC sends it, {@code script} where sqlcmd does. */
    static Script read(String sql, String within) {
        Script script = new Script();
        List<Token> tokens = Token.of(sql, 1);
        script.parameters = tokens.stream()
                .anyMatch(token -> token.kind() == Kind.VARIABLE && token.text().startsWith(":"));
        script.batches.addAll(
                new StatementReader(new Cursor(tokens, script), script, within, new HashMap<>()).batches());
        return script;
    }

    private List<List<Statement>> batches() {
        List<List<Statement>> batches = new ArrayList<>();
        while (!cursor.sees(Kind.END)) {
            batches.add(statements());
            declared.keySet().removeIf(name -> name.startsWith("@"));
            if (!cursor.sees(Kind.END)) {
                cursor.expect("GO");
            }
        }
        return batches;
    }

    private List<Statement> statements() {
        List<Statement> statements = new ArrayList<>();
        while (true) {
            while (cursor.takes(";")) {
                // Between statements there may be none or many.
            }
            if (cursor.sees(Kind.END) || cursor.sees("GO") || cursor.sees("END")) {
                return statements;
            }
            statements.addAll(statement());
        }
    }

    private List<Statement> statement() {
        if (cursor.sees("BEGIN", "TRY")) {
            return List.of(attempt());
        }
        if (cursor.sees("BEGIN", "TRANSACTION") || cursor.sees("BEGIN", "TRAN") || !cursor.sees("BEGIN")) {
            int tables = queries.tables();
            int line = cursor.line();
            Statement statement = single(Cursor.upper(cursor.next()), line);
            return List.of(statement != null ? statement : new Statement.Other(queries.tables() > tables));
        }
        cursor.expect("BEGIN");
        List<Statement> block = statements();
        cursor.expect("END");
        return block;
    }

    /** Null for a statement that has nothing to do with transactions, unless it touches a table. */
    private Statement single(String verb, int line) {
        switch (verb) {
            case "SELECT" -> select();
            case "INSERT" -> insert();
            case "UPDATE" -> update();
            case "DELETE" -> delete();
            case "DECLARE" -> declare();
            case "SET" -> set();
            case "EXECUTE", "EXEC" -> execute();
            case "PRINT" -> expressions.sum();
            case "BREAK", "CONTINUE" -> {}
            case "CREATE", "ALTER", "DROP", "GRANT" -> definitions.read(verb, within);
            case "BEGIN", "COMMIT", "ROLLBACK", "SAVE" -> {
                return transaction(verb, line);
            }
            case "IF" -> {
                return condition();
            }
            case "WHILE" -> {
                int tables = queries.tables();
                expressions.condition();
                return new Statement.Loop(queries.tables() > tables, statement());
            }
            case "THROW" -> {
                cursor.uses("THROW", within, line);
                if (cursor.sees(Kind.NUMBER)) {
                    values();
                }
                return new Statement.End(false, line);
            }
            case "RETURN" -> {
                if (!cursor.sees(";") && !cursor.sees("END")) {
                    check(expressions.condition());
                }
                return new Statement.End(true, line);
            }
            default -> throw new Token.NotUnderstood(line, verb);
        }
        return null;
    }

    private Statement transaction(String verb, int line) {
        if (cursor.oneOf("TRANSACTION", "TRAN") == null) {
            throw cursor.notUnderstood();
        }
        boolean savepoint = cursor.seesName();
        if (savepoint) {
            cursor.name();
        }
        cursor.uses(verb + " TRANSACTION" + (savepoint ? " savepoint" : ""), within, line);
        return savepoint ? null : new Statement.Transaction(verb, line);
    }

    private Statement attempt() {
        cursor.uses("BEGIN TRY ... BEGIN CATCH", within);
        cursor.expect("BEGIN", "TRY");
        List<Statement> body = statements();
        cursor.expect("END", "TRY");
        cursor.takes(";");
        cursor.expect("BEGIN", "CATCH");
        List<Statement> caught = statements();
        cursor.expect("END", "CATCH");
        return new Statement.Try(body, caught);
    }

    private Statement condition() {
        int tables = queries.tables();
        int from = cursor.at();
        check(expressions.condition());
        String text = cursor.textSince(from);
        boolean begins = queries.tables() > tables;
        List<Statement> then = statement();
        if (cursor.sees(";", "ELSE")) {
            cursor.takes(";");
        }
        return new Statement.If(text, begins, then, cursor.takes("ELSE") ? statement() : List.of());
    }

    private void procedure(String name) {
        String around = within;
        within = "procedure";
        script.procedures.put(name, statement());
        within = around;
    }

    private void select() {
        cursor.back();
        script.queries.add(queries.query(Place.READ));
    }

    private void values() {
        do {
            check(expressions.sum());
        } while (cursor.takes(","));
    }

    private void assigned() {
        if (!expressions.draws("variable")) {
            check(expressions.condition());
        }
    }

    private void check(Expression value) {
        script.queries.add(new Query(List.of(new Select(List.of(), List.of(), List.of(value))), cursor.line()));
    }

    private void top(String verb) {
        if (cursor.takes("TOP")) {
            cursor.uses("TOP (n)", verb);
            expressions.parenthesised();
        }
    }

    private void insert() {
        cursor.takes("INTO");
        if (cursor.sees(Kind.VARIABLE)) {
            cursor.next();
        } else {
            queries.named();
            queries.hintsOfTarget("INSERT");
        }
        if (cursor.sees("(")) {
            queries.names();
        }
        output("INSERT", List.of());
        if (cursor.takes("VALUES")) {
            do {
                expressions.arguments().forEach(this::check);
            } while (cursor.takes(","));
        } else {
            script.queries.add(queries.query(Place.READ));
        }
        queries.option();
    }

    private void delete() {
        top("DELETE");
        cursor.takes("FROM");
        change("DELETE", false);
    }

    private void update() {
        top("UPDATE");
        change("UPDATE", true);
    }

    /** What DELETE and UPDATE have in common, behind their verbs. */
    private void change(String verb, boolean assigns) {
        boolean variable = cursor.sees(Kind.VARIABLE);
        Named target = variable ? new Named(null, cursor.next().text()) : queries.named();
        queries.hintsOfTarget(verb);
        List<Item> items = assigns ? assignments() : List.of();
        Source own = new Source(target.name(), variable ? queries.declared(target.name()) : target, null);
        output(verb, List.of(own));
        List<Expression> conditions = new ArrayList<>();
        List<Source> sources = new ArrayList<>(queries.from(Place.from(verb, target.name()), conditions));
        if (sources.isEmpty()) {
            sources.add(own);
        }
        queries.option();
        script.queries.add(new Query(List.of(new Select(items, sources, conditions)), cursor.line()));
    }

    private List<Item> assignments() {
        List<Item> items = new ArrayList<>();
        cursor.expect("SET");
        do {
            if (cursor.sees(Kind.VARIABLE)) {
                cursor.next();
            } else {
                expressions.path();
            }
            if (cursor.oneOf("=", "+=", "-=") == null) {
                throw cursor.notUnderstood();
            }
            items.add(new Item(null, expressions.condition()));
        } while (cursor.takes(","));
        return items;
    }

    private void output(String verb, List<Source> target) {
        while (cursor.takes("OUTPUT")) {
            int line = cursor.line();
            List<Expression> values = new ArrayList<>();
            do {
                values.add(expressions.sum());
                if (cursor.takes("AS")) {
                    cursor.name();
                }
            } while (cursor.takes(","));
            if (cursor.takes("INTO")) {
                cursor.uses("OUTPUT ... INTO " + (cursor.sees(Kind.VARIABLE) ? "@table" : "table"), verb, line);
                if (cursor.sees(Kind.VARIABLE)) {
                    cursor.next();
                } else {
                    script.written.add(new Script.Written(queries.named().name(), line));
                }
                if (cursor.sees("(")) {
                    queries.names();
                }
            } else {
                cursor.uses("OUTPUT", verb, line);
            }
            script.queries.add(new Query(List.of(new Select(List.of(), target, values)), line));
        }
    }

    private void declare() {
        do {
            String name = cursor.expect(Kind.VARIABLE).text();
            if (cursor.takes("TABLE")) {
                cursor.uses("DECLARE @table TABLE", within);
                declared.put(name.toLowerCase(Locale.ROOT), definitions.columns(name));
            } else {
                expressions.type();
                if (cursor.takes("=")) {
                    assigned();
                }
            }
        } while (cursor.takes(","));
    }

    private void set() {
        if (cursor.sees(Kind.VARIABLE)) {
            cursor.next();
            if (cursor.oneOf("=", "+=", "-=") == null) {
                throw cursor.notUnderstood();
            }
            assigned();
            return;
        }
        int line = cursor.line();
        List<String> options = new ArrayList<>();
        do {
            options.add(Cursor.upper(cursor.next()));
        } while (cursor.takes(","));
        if (options.contains("IDENTITY_INSERT")) {
            expressions.path();
        }
        int from = cursor.at();
        while (!cursor.sees(";") && !cursor.sees("GO") && !cursor.sees(Kind.END)) {
            cursor.next();
        }
        String value = cursor.textSince(from).toUpperCase(Locale.ROOT);
        options.forEach(option -> cursor.uses("SET " + option + " " + value, within, line));
    }

    private void execute() {
        if (cursor.takes("(")) {
            if (cursor.sees(Kind.STRING)) {
                cursor.uses("EXECUTE (string)", within);
                nested("script");
            } else {
                cursor.uses("EXECUTE (@variable)", within);
                cursor.expect(Kind.VARIABLE);
            }
            cursor.expect(")");
            return;
        }
        if (cursor.sees(Kind.VARIABLE)) {
            cursor.next();
            cursor.expect("=");
        }
        int line = cursor.line();
        List<String> name = expressions.path();
        cursor.uses("EXECUTE " + (name.size() > 1 ? "procedure" : name.get(0)), within, line);
        if (name.get(0).equals("sp_executesql")) {
            script.calls.addAll(nested("call"));
            cursor.takes(",");
        }
        while (!cursor.sees(";")
                && !cursor.sees("END")
                && !cursor.sees("ELSE")
                && !cursor.sees("IF")
                && !cursor.sees("GO")
                && !cursor.sees(Kind.END)) {
            check(expressions.assignment());
            cursor.takes("OUTPUT");
            if (!cursor.takes(",")) {
                return;
            }
        }
    }

    /** The text that comes next, which is executed; it has variables and batches of its own. */
    private List<List<Statement>> nested(String place) {
        Token text = cursor.expect(Kind.STRING);
        StatementReader inner = new StatementReader(
                new Cursor(Token.of(text.text(), text.line()), script), script, place, new HashMap<>());
        List<List<Statement>> batches = inner.batches();
        queries.touch(inner.queries.tables());
        return batches;
    }
}
