package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is kept of a script: as much as the rules need, and no more. */
final class Script {

    /** The forms that are held to the table of constructs. */
    final List<Use> uses = new ArrayList<>();

    /** Hints that name an index. */
    final List<Forced> forced = new ArrayList<>();

    /** Tables that are read, but for table variables and what is changed itself. */
    final List<Read> reads = new ArrayList<>();

    /** Queries, and the conditions of changes as if they were queries. */
    final List<Query> queries = new ArrayList<>();

    /** The statements outside of procedures, by batch, and those of each procedure. */
    final List<List<Statement>> batches = new ArrayList<>();

    /** What sp_executesql is given. */
    final List<List<Statement>> calls = new ArrayList<>();

    final Map<String, List<Statement>> procedures = new LinkedHashMap<>();
    final Map<String, Columns> tables = new LinkedHashMap<>();
    /** Tables with a CHECK. */
    final Set<String> checked = new HashSet<>();

    /** Tables that an OUTPUT clause writes into. */
    final List<Written> written = new ArrayList<>();

    /** Columns that say neither NULL nor NOT NULL. */
    final List<Unsaid> unsaid = new ArrayList<>();

    final Map<String, Query> views = new LinkedHashMap<>();
    final Map<String, Index> indexes = new LinkedHashMap<>();

    /** Whether JDBC sends it as a call with parameters. */
    boolean parameters;

    record Unsaid(String column, int line) {}

    record Written(String table, int line) {}

    /** {@code hints}: their words. */
    record Read(String table, Set<String> hints, int line) {}

    record Use(String form, String place, int line) {}

    /** A hint on {@code table}, which the statement calls {@code alias}. */
    record Forced(String table, String alias, String index, List<String> columns, Expression where, int line) {}

    /** {@code table.name}, with its columns, and of a filtered one the column that is not null in it. */
    record Index(String name, List<String> columns, List<String> notNull) {}

    /** The names of columns with the collation of each, null for one that is no string. */
    static final class Columns extends LinkedHashMap<String, String> {
        private static final long serialVersionUID = 1;
    }

    sealed interface Expression {
        /** A column of {@code table}, the name by which the statement calls it, or of any. */
        record Column(String table, String name) implements Expression {}

        /** A text or a variable: it takes the collation of what it meets. */
        record Text() implements Expression {}

        record Collated(Expression of, String collation) implements Expression {}

        /** A concatenation, a CASE, a function of strings: its collation is that of its parts. */
        record Joined(List<Expression> of, int line) implements Expression {}

        record Compared(Expression left, Expression right, String by, int line) implements Expression {}

        /** What is no string itself. */
        record Parts(List<Expression> of) implements Expression {}

        record Subquery(Query query) implements Expression {}

        /** {@code of IS NOT NULL}. */
        record NotNull(Expression of) implements Expression {}
    }

    /** SELECTs with UNION between them. */
    record Query(List<Select> united, int line) implements Origin {}

    record Select(List<Item> items, List<Source> from, List<Expression> conditions) {}

    record Item(String name, Expression value) {}

    /** A table in FROM, and the names of its columns where it renames them. */
    record Source(String alias, Origin origin, List<String> renamed) {}

    sealed interface Origin permits Query, Named, Listed {}

    record Named(String schema, String name) implements Origin {}

    record Listed(Columns columns) implements Origin {}

    /** Statements as far as they begin, end and leave transactions. */
    sealed interface Statement {
        record Other(boolean beginsImplicitly) implements Statement {}

        record Transaction(String verb, int line) implements Statement {}

        /** THROW; or RETURN, where {@code returns}. */
        record End(boolean returns, int line) implements Statement {}

        record If(String condition, boolean beginsImplicitly, List<Statement> then, List<Statement> otherwise)
                implements Statement {}

        record Loop(boolean beginsImplicitly, List<Statement> body) implements Statement {}

        record Try(List<Statement> body, List<Statement> caught) implements Statement {}
    }
}
