package org.readpast.jms.store.jdbc.tsql;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.readpast.jms.store.jdbc.tsql.Script.Statement;
import org.readpast.jms.store.jdbc.tsql.Script.Statement.End;
import org.readpast.jms.store.jdbc.tsql.Script.Statement.If;
import org.readpast.jms.store.jdbc.tsql.Script.Statement.Loop;
import org.readpast.jms.store.jdbc.tsql.Script.Statement.Other;
import org.readpast.jms.store.jdbc.tsql.Script.Statement.Transaction;
import org.readpast.jms.store.jdbc.tsql.Script.Statement.Try;

/**
 * Counts transactions along every way through statements, as @@TRANCOUNT does. A procedure, or a call with parameters, that ends with
 * another count than it was entered with raises error 266 behind its results. What begins implicitly does not: each first statement
 * of a JDBC transaction would.
 */
final class Transactions {

    /** {@code assumed}: how the conditions went that decided on a BEGIN or a COMMIT; the same one goes the same way again. */
    private record State(int count, Map<String, Boolean> assumed) {
        State counting(int other) {
            return new State(other, assumed);
        }

        State assuming(String condition, boolean holds) {
            Map<String, Boolean> more = new HashMap<>(assumed);
            more.put(condition, holds);
            return new State(count, more);
        }
    }

    private final boolean implicit;
    private final BiConsumer<Integer, String> found;
    private final Set<State> returned = new LinkedHashSet<>();

    private Transactions(boolean implicit, BiConsumer<Integer, String> found) {
        this.implicit = implicit;
        this.found = found;
    }

    /** {@code implicit}: SET IMPLICIT_TRANSACTIONS ON, as on a JDBC connection without autocommit. */
    static void check(
            List<Statement> statements, int entered, boolean implicit, int line, BiConsumer<Integer, String> found) {
        Transactions transactions = new Transactions(implicit, found);
        Set<State> ends = new LinkedHashSet<>(transactions.run(statements, Set.of(new State(entered, Map.of()))));
        ends.addAll(transactions.returned);
        for (State end : ends) {
            boolean begunImplicitly = implicit && entered == 0 && end.count() == 1;
            if (end.count() != entered && !begunImplicitly) {
                found.accept(line, "266: entered with " + entered + " transactions, it ends with " + end.count());
            }
        }
    }

    private Set<State> run(List<Statement> statements, Set<State> states) {
        Set<State> now = states;
        for (Statement statement : statements) {
            Set<State> then = new LinkedHashSet<>();
            for (State state : now) {
                then.addAll(run(statement, state));
            }
            now = then;
        }
        return now;
    }

    private Set<State> run(Statement statement, State state) {
        if (statement instanceof Other other) {
            return Set.of(touching(state, other.beginsImplicitly()));
        }
        if (statement instanceof Transaction transaction) {
            return Set.of(state.counting(count(transaction, state.count())));
        }
        if (statement instanceof End end) {
            if (end.returns()) {
                returned.add(state);
            }
            return Set.of();
        }
        if (statement instanceof If condition) {
            return branch(condition, touching(state, condition.beginsImplicitly()));
        }
        if (statement instanceof Loop loop) {
            State looking = touching(state, loop.beginsImplicitly());
            return union(Set.of(looking), run(loop.body(), Set.of(looking)));
        }
        Try attempt = (Try) statement;
        return union(run(attempt.body(), Set.of(state)), run(attempt.caught(), Set.of(state)));
    }

    private Set<State> branch(If condition, State state) {
        Boolean known = condition.condition().equals("@@TRANCOUNT > 0")
                ? Boolean.valueOf(state.count() > 0)
                : state.assumed().get(condition.condition());
        boolean decides = decides(condition.then()) || decides(condition.otherwise());
        State holds = decides ? state.assuming(condition.condition(), true) : state;
        State fails = decides ? state.assuming(condition.condition(), false) : state;
        return union(
                Boolean.FALSE.equals(known) ? Set.of() : run(condition.then(), Set.of(holds)),
                Boolean.TRUE.equals(known) ? Set.of() : run(condition.otherwise(), Set.of(fails)));
    }

    private static boolean decides(List<Statement> branch) {
        return branch.stream().anyMatch(Transaction.class::isInstance);
    }

    private State touching(State state, boolean table) {
        return implicit && table && state.count() == 0 ? state.counting(1) : state;
    }

    private int count(Transaction transaction, int count) {
        switch (transaction.verb()) {
            case "BEGIN" -> {
                // Microsoft, SET IMPLICIT_TRANSACTIONS: an unseen BEGIN TRANSACTION comes before the one that is seen.
                return implicit && count == 0 ? 2 : count + 1;
            }
            case "ROLLBACK" -> {
                return 0;
            }
            default -> {
                if (count == 0) {
                    found.accept(transaction.line(), "3902: COMMIT TRANSACTION without a transaction");
                } else if (implicit && count > 1) {
                    found.accept(
                            transaction.line(),
                            "COMMIT TRANSACTION commits nothing: with implicit transactions BEGIN TRANSACTION begins two");
                }
                return Math.max(0, count - 1);
            }
        }
    }

    private static Set<State> union(Set<State> one, Set<State> other) {
        Set<State> both = new LinkedHashSet<>(one);
        both.addAll(other);
        return both;
    }
}
