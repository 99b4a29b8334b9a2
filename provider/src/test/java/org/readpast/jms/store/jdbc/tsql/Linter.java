package org.readpast.jms.store.jdbc.tsql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.readpast.jms.store.jdbc.tsql.Script.Expression;
import org.readpast.jms.store.jdbc.tsql.Script.Forced;
import org.readpast.jms.store.jdbc.tsql.Script.Index;
import org.readpast.jms.store.jdbc.tsql.Script.Query;
import org.readpast.jms.store.jdbc.tsql.Script.Use;

/** Holds T-SQL to what SQL Server is known to accept, without one: forms, forced indexes, transactions and collations. */
final class Linter {

    private static final Pattern ENTERED =
            Pattern.compile("(?m)^-- Entered: (in a transaction|in no transaction|with autocommit)(, as a batch)?");

    private static final Pattern READ_PAST = Pattern.compile("^WITH \\(.*\\bREADPAST\\b");
    private static final Pattern LOCKING = Pattern.compile("\\b(UPDLOCK|XLOCK|READCOMMITTEDLOCK)\\b");

    /** What one thread of each JVM runs for all that it does, or what a new connection is greeted with. */
    private static final Set<String> HOUSEKEEPING = Set.of(
            "queue_settings",
            "name_destinations",
            "expired_queues",
            "move_expired",
            "purge_expired",
            "purge_history",
            "sweep_marks",
            "sweep_counted",
            "sweep_unreadable",
            "list_dropped",
            "drop_delayed",
            "forget_dropped",
            "forget_duplicates",
            "forget_groups",
            "forget_markers",
            "remove_unused_bodies",
            "next_due");

    /** What an application's own transaction runs, which may last and be at REPEATABLE READ. */
    private static final Set<String> SENDING = Set.of(
            "insert_message",
            "insert_delayed",
            "publish_message",
            "publish_delayed",
            "publish_shared_message",
            "publish_shared_delayed",
            "topic_version",
            "topic_subscriptions");

    /** What programs and applications change in transactions that may last. */
    private static final Set<String> HELD_FOR_LONG = Set.of("destination", "message", "delayed_message");

    /** A form, in the file of which it is one. */
    record UseIn(Use use, String file) {}

    private final Constructs constructs;
    private final Map<String, String> texts;
    private final Map<String, Script> scripts = new TreeMap<>();

    /** All tables, indexes and views of the scripts together. */
    private final Script schema = new Script();

    private final TreeSet<String> findings = new TreeSet<>();

    /** {@code texts}: by the name of the file, with {@code schema/} in front where sqlcmd runs it. */
    Linter(Constructs constructs, Map<String, String> texts) {
        this.constructs = constructs;
        this.texts = texts;
        texts.forEach(this::read);
        scripts.forEach(this::check);
    }

    /** {@code file:line what}, each. */
    List<String> findings() {
        return List.copyOf(findings);
    }

    List<UseIn> uses() {
        List<UseIn> uses = new ArrayList<>();
        scripts.forEach((file, script) -> script.uses.forEach(use -> uses.add(new UseIn(use, file))));
        return uses;
    }

    private void read(String file, String text) {
        try {
            Script script = StatementReader.read(text, isScript(file) ? "script" : "call");
            scripts.put(file, script);
            schema.tables.putAll(script.tables);
            schema.checked.addAll(script.checked);
            schema.indexes.putAll(script.indexes);
            schema.views.putAll(script.views);
        } catch (Token.NotUnderstood e) {
            findings.add(file + ":" + e.line() + " not understood: " + e.getMessage()
                    + "; a form that nothing here has used, or an error");
        }
    }

    private static boolean isScript(String file) {
        return file.startsWith("schema/");
    }

    private void check(String file, Script script) {
        BiConsumer<Integer, String> found = (line, text) -> findings.add(file + ":" + line + " " + text);
        for (Use use : script.uses) {
            String refusal = constructs.refuses(use, file);
            if (refusal != null) {
                found.accept(use.line(), refusal);
            } else if (readsVersions(use)) {
                found.accept(
                        use.line(),
                        "READPAST with neither UPDLOCK nor READCOMMITTEDLOCK reads versions under READ_COMMITTED_SNAPSHOT"
                                + " and steps over nothing");
            }
        }
        script.forced.forEach(forced -> forced(forced, text -> found.accept(forced.line(), text)));
        if (HOUSEKEEPING.contains(file.replace(".sql", ""))) {
            script.reads.stream()
                    .filter(read -> HELD_FOR_LONG.contains(read.table().toLowerCase(Locale.ROOT))
                            && Collections.disjoint(read.hints(), Set.of("NOLOCK", "NOWAIT", "READPAST")))
                    .forEach(read -> found.accept(
                            read.line(), "housekeeping would wait for whoever holds a row of " + read.table()));
        }
        if (SENDING.contains(file.replace(".sql", ""))) {
            script.reads.stream()
                    .filter(read -> Set.of("destination", "subscription").contains(read.table())
                            && !read.hints().contains("READCOMMITTED"))
                    .forEach(read -> found.accept(
                            read.line(),
                            "at REPEATABLE READ the row of " + read.table()
                                    + " stays locked until the application commits"));
        }
        script.unsaid.forEach(unsaid -> found.accept(
                unsaid.line(),
                unsaid.column() + " says neither NULL nor NOT NULL: the session's ANSI_NULL_DFLT_ON decides"));
        script.written.stream()
                .filter(written -> schema.checked.contains(written.table().toLowerCase(Locale.ROOT)))
                .forEach(written -> found.accept(
                        written.line(), "333: " + written.table() + " has a CHECK, so that no OUTPUT goes into it"));
        Collations collations = new Collations(schema, found);
        for (Query query : script.queries) {
            collations.check(query);
        }
        if (isScript(file)) {
            script.procedures.forEach((name, body) -> {
                Transactions.check(body, 0, false, 1, (line, text) -> found.accept(line, name + ": " + text));
                Transactions.check(body, 1, false, 1, (line, text) -> found.accept(line, name + ": " + text));
            });
            settings(file, script, found);
        } else if (script.parameters) {
            call(file, script, found);
        }
    }

    /** Of tables that are read, not changed: whatever the table of constructs says. */
    private static boolean readsVersions(Use use) {
        return READ_PAST.matcher(use.form()).find()
                && !use.place().startsWith("target")
                && !LOCKING.matcher(use.form()).find();
    }

    /** A call that has a transaction statement says in its header how it is entered; a batch without parameters never raises 266. */
    private void call(String file, Script script, BiConsumer<Integer, String> found) {
        script.calls.forEach(inner -> Transactions.check(inner, 1, true, 1, found));
        Matcher entered = ENTERED.matcher(texts.get(file));
        boolean said = false;
        while (entered.find()) {
            said = true;
            if (entered.group(2) == null) {
                boolean autocommit = entered.group(1).equals("with autocommit");
                int count = entered.group(1).equals("in a transaction") ? 1 : 0;
                script.batches.forEach(batch -> Transactions.check(batch, count, !autocommit, 1, found));
            }
        }
        if (!said && script.uses.stream().anyMatch(use -> use.form().endsWith(" TRANSACTION"))) {
            found.accept(
                    1,
                    "has a transaction statement, and no line \"-- Entered: in a transaction\", \"in no transaction\" or"
                            + " \"with autocommit\" in its header");
        }
    }

    /** sqlcmd and SQL Agent have QUOTED_IDENTIFIER OFF: 1934 at the first filtered index or computed column. */
    private static void settings(String file, Script script, BiConsumer<Integer, String> found) {
        int first = script.uses.stream()
                .filter(use -> use.form().startsWith("CREATE "))
                .mapToInt(Use::line)
                .min()
                .orElse(0);
        for (String option : List.of("SET ANSI_NULLS ON", "SET QUOTED_IDENTIFIER ON")) {
            if (file.matches("schema/\\d.*")
                    && script.uses.stream().noneMatch(use -> use.form().equals(option) && use.line() < first)) {
                found.accept(1, "1934: no " + option + " before its first CREATE");
            }
        }
    }

    private void forced(Forced forced, Consumer<String> found) {
        Index index = schema.indexes.get((forced.table() + "." + forced.index()).toLowerCase(Locale.ROOT));
        if (index == null) {
            found.accept("308: " + forced.table() + " has no index " + forced.index());
            return;
        }
        int named = forced.columns().size();
        if (named > index.columns().size() || !index.columns().subList(0, named).equals(forced.columns())) {
            found.accept("362: " + forced.index() + " begins with " + index.columns());
        }
        for (String column : forced.columns()) {
            if (parts(forced.where()).noneMatch(part -> seeks(part, forced.alias(), column))) {
                found.accept("8622: no condition compares " + column + ", so that nothing seeks " + forced.index());
            }
        }
        for (String column : index.notNull()) {
            if (parts(forced.where())
                    .noneMatch(part ->
                            part instanceof Expression.NotNull notNull && is(notNull.of(), forced.alias(), column))) {
                found.accept(
                        "8622: " + forced.index() + " is filtered, and no condition says " + column + " IS NOT NULL");
            }
        }
    }

    private static boolean seeks(Expression part, String table, String column) {
        return part instanceof Expression.Compared compared
                && !compared.by().equals("<>")
                && (is(compared.left(), table, column) || is(compared.right(), table, column));
    }

    private static boolean is(Expression value, String table, String column) {
        return value instanceof Expression.Column named
                && named.name().equalsIgnoreCase(column)
                && (named.table() == null || named.table().equalsIgnoreCase(table));
    }

    private static Stream<Expression> parts(Expression of) {
        return of instanceof Expression.Parts parts ? parts.of().stream().flatMap(Linter::parts) : Stream.of(of);
    }
}
