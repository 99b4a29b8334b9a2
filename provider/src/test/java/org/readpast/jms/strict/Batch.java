package org.readpast.jms.strict;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.strict.Token.Kind;

/**
 * What there is in a text of T-SQL that SQL Server may refuse by where it stands, in the order in which it stands. A reading of
 * statements, clauses and brackets, not a full parse: it knows verbs and their targets, what stands in FROM, and the strings that
 * EXECUTE runs. Immutable.
 *
 * @param parts in the order of the text
 * @param isModule whether it makes a procedure, function, view or trigger, which runs later and at the level of its caller
 * @param hasTransactionStatements whether it may change the number of open transactions by itself, but for an implicit begin
 * @param callsProcedures whether it does so by EXECUTE of a name
 */
record Batch(List<Part> parts, boolean isModule, boolean hasTransactionStatements, boolean callsProcedures) {

    /** Something of a statement. */
    sealed interface Part permits Hints, Setting, OpenJson {}

    /** Where hints stand. */
    enum Place {
        /** Behind the name that follows the verb. */
        TARGET,
        /** In FROM, on the table that is changed. */
        TARGET_IN_FROM,
        /** On a table that is read. */
        SOURCE
    }

    /** The hints of one table, in upper case and without what stands in their brackets. */
    record Hints(Place place, String verb, String table, Set<String> names) implements Part {

        boolean hasAny(String... some) {
            return Set.of(some).stream().anyMatch(names::contains);
        }
    }

    /** SET of something that a connection keeps; the isolation level's name is ISOLATION. */
    record Setting(String name, String value) implements Part {}

    /** A use of OPENJSON. */
    record OpenJson() implements Part {}

    private static final Map<String, Batch> READ = new ConcurrentHashMap<>();

    static Batch of(String sql) {
        return READ.computeIfAbsent(sql, text -> new Reader(Token.of(text)).read());
    }

    /** The last value that it sets, if it does. */
    Optional<String> lastSetting(String name) {
        return parts.stream()
                .filter(part ->
                        part instanceof Setting setting && setting.name().equals(name))
                .map(part -> ((Setting) part).value())
                .reduce((earlier, later) -> later);
    }

    /** What is known within a pair of brackets, and outside of all. */
    private static final class Level {
        private String verb = "SELECT";
        private String target = "";
        private boolean inFrom;
    }

    private static final class Reader {

        private static final Set<String> KEPT =
                Set.of("NOCOUNT", "XACT_ABORT", "LOCK_TIMEOUT", "IMPLICIT_TRANSACTIONS");
        private static final Set<String> MODULES = Set.of("PROCEDURE", "PROC", "FUNCTION", "VIEW", "TRIGGER");

        private final List<Token> tokens;
        private final List<Part> parts = new ArrayList<>();
        private final Deque<Level> levels = new ArrayDeque<>();
        private boolean hasTransactionStatements;
        private boolean callsProcedures;
        private int at;

        Reader(List<Token> tokens) {
            this.tokens = tokens;
            levels.push(new Level());
        }

        Batch read() {
            while (at < tokens.size()) {
                Token token = tokens.get(at++);
                if (token.is("(")) {
                    levels.push(new Level());
                } else if (token.is(")")) {
                    if (levels.size() > 1) {
                        levels.pop();
                    }
                } else if (token.is(";")) {
                    levels.peek().inFrom = false;
                } else if (token.is(",")) {
                    if (levels.peek().inFrom) {
                        source();
                    }
                } else if (token.kind() == Kind.WORD) {
                    word(token.text().toUpperCase(Locale.ROOT));
                }
            }
            return new Batch(List.copyOf(parts), isModule(), hasTransactionStatements, callsProcedures);
        }

        private boolean isModule() {
            return (next(0, "CREATE") || next(0, "ALTER"))
                    && tokens.stream()
                            .skip(1)
                            .limit(3)
                            .anyMatch(token -> MODULES.contains(token.text().toUpperCase(Locale.ROOT)));
        }

        private void word(String word) {
            Level level = levels.peek();
            switch (word) {
                case "INSERT", "UPDATE", "DELETE", "MERGE" -> target(word);
                case "SELECT" -> {
                    level.verb = word;
                    level.target = "";
                    level.inFrom = false;
                }
                case "FROM", "USING" -> {
                    level.inFrom = true;
                    source();
                }
                case "JOIN", "APPLY" -> source();
                case "SET" -> {
                    level.inFrom = false;
                    setting();
                }
                case "WHERE", "GROUP", "ORDER", "HAVING", "OPTION", "UNION", "VALUES", "DECLARE", "IF" ->
                    level.inFrom = false;
                case "COMMIT", "ROLLBACK", "TRAN", "TRANSACTION" -> hasTransactionStatements = true;
                case "EXEC", "EXECUTE" -> executed();
                case "OPENJSON" -> {
                    if (next(at, "(")) {
                        parts.add(new OpenJson());
                    }
                }
                default -> {}
            }
        }

        /** The table that a verb changes: {@code DELETE TOP (1) FROM a.t WITH (...)}, {@code INSERT INTO t}, {@code MERGE t WITH (...) AS x}. */
        private void target(String verb) {
            int begin = at;
            if (next(at, "TOP")) {
                at++;
                inBrackets();
                if (next(at, "PERCENT")) {
                    at++;
                }
            }
            if (next(at, "INTO") || next(at, "FROM")) {
                at++;
            }
            if (at >= tokens.size()
                    || !tokens.get(at).isName()
                    || next(at, "SET")
                    || next(at, "ON")
                    || next(at, "AS")) {
                // A branch of a MERGE, a trigger's event, a right.
                at = begin;
                return;
            }
            Level level = levels.peek();
            level.verb = verb;
            level.inFrom = false;
            level.target = name();
            hints(Place.TARGET, level.target);
        }

        /** A table in FROM, with its other name and its hints. What stands in brackets is read as a level of its own. */
        private void source() {
            if (at >= tokens.size() || !tokens.get(at).isName() || next(at, "OPENJSON")) {
                return;
            }
            Level level = levels.peek();
            String table = name();
            int alias = next(at, "AS") ? at + 1 : at;
            String known = table;
            if (alias + 1 < tokens.size() && tokens.get(alias).isName() && next(alias + 1, "WITH")) {
                known = tokens.get(alias).text();
                at = alias + 1;
            }
            boolean changed = !level.target.isEmpty() && known.equalsIgnoreCase(level.target);
            hints(changed ? Place.TARGET_IN_FROM : Place.SOURCE, table);
        }

        private void hints(Place place, String table) {
            if (!next(at, "WITH") || !next(at + 1, "(")) {
                return;
            }
            at++;
            Set<String> names = new LinkedHashSet<>();
            int depth = 0;
            boolean isValue = false;
            for (Token token : inBrackets()) {
                if (token.is("(")) {
                    depth++;
                } else if (token.is(")")) {
                    depth--;
                } else if (depth == 1) {
                    if (token.kind() == Kind.WORD && !isValue) {
                        names.add(token.text().toUpperCase(Locale.ROOT));
                    }
                    isValue = token.is("=");
                }
            }
            parts.add(new Hints(place, levels.peek().verb, table, names));
        }

        private void setting() {
            if (next(at, "TRANSACTION") && next(at + 1, "ISOLATION") && next(at + 2, "LEVEL")) {
                String level = text(at + 3);
                parts.add(new Setting(
                        "ISOLATION",
                        level.equals("READ") || level.equals("REPEATABLE") ? level + " " + text(at + 4) : level));
                at += 4;
            } else if (KEPT.contains(text(at))) {
                parts.add(new Setting(text(at), text(at + 1)));
            }
        }

        /** {@code EXECUTE (N'...')}: the text runs as one of its own. */
        private void executed() {
            if (next(at, "(")) {
                for (Token token : inBrackets()) {
                    if (token.kind() == Kind.STRING) {
                        Batch inner = new Reader(Token.of(token.text())).read();
                        parts.addAll(inner.parts());
                        hasTransactionStatements |= inner.hasTransactionStatements();
                    }
                }
            } else {
                callsProcedures = true;
            }
        }

        /** Goes behind a name of one or more parts and returns the last of them. */
        private String name() {
            String last = tokens.get(at++).text();
            while (next(at, ".") && at + 1 < tokens.size()) {
                last = tokens.get(at + 1).text();
                at += 2;
            }
            return last;
        }

        /** Goes behind a pair of brackets that begins here, and returns it, or behind one token that is none. */
        private List<Token> inBrackets() {
            int begin = at;
            int depth = 0;
            do {
                depth += next(at, "(") ? 1 : next(at, ")") ? -1 : 0;
                at++;
            } while (depth > 0 && at < tokens.size());
            return tokens.subList(begin, Math.min(at, tokens.size()));
        }

        private boolean next(int place, String word) {
            return place < tokens.size() && tokens.get(place).is(word);
        }

        private String text(int place) {
            return place < tokens.size() ? tokens.get(place).text().toUpperCase(Locale.ROOT) : "";
        }
    }
}
