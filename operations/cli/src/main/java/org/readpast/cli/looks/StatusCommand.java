package org.readpast.cli.looks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import org.readpast.cli.terminal.EachDatabase;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Silenced;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.database.Answer;
import org.readpast.operations.snapshot.Delayed;
import org.readpast.operations.snapshot.Lease;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.verdict.Finding;
import org.readpast.operations.verdict.Silences;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** All of it in a few lines. */
@Command(name = "status", description = "The state of everything in a few lines.", mixinStandardHelpOptions = true)
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Silenced silenced;

    @Mixin
    private Output output;

    /** The lines about one database, and what is wrong there. */
    private record State(Map<String, Object> lines, List<Finding> findings) {}

    @Override
    public Integer call() throws Exception {
        Silences silences = silenced.read(target);
        EachDatabase<State> each = EachDatabase.look(target, database -> state(database, silences));
        if (output.isJson()) {
            output.json(json(each));
        } else {
            each.print(output, this::print);
        }
        return each.unknown().isEmpty() ? ExitCode.DONE : ExitCode.FOUND;
    }

    private static Object json(EachDatabase<State> each) {
        Map<String, Object> all = new LinkedHashMap<>();
        each.found()
                .forEach((name, state) -> all.put(
                        name,
                        state.isPresent()
                                ? state.get().lines()
                                : Map.of("not_known", each.unknown().get(name))));
        return each.isOne() ? all.values().iterator().next() : all;
    }

    private static State state(Target database, Silences silences) throws Exception {
        Judged judged = Judged.look(database);
        Snapshot seen = judged.seen();
        List<Finding> all = judged.findings();
        List<Finding> findings = all.stream()
                .filter(finding -> silences.of(finding, seen.takenAt()).isEmpty())
                .toList();
        Map<String, Object> lines = new LinkedHashMap<>();
        lines.put("database", seen.product().toString());
        lines.put("time", seen.takenAt().toString());
        lines.put("schema version", number(seen.scripts(), seen.scripts().rows().size()));
        lines.put("clients", number(seen.clients(), seen.connected().size()));
        lines.put("queues", number(seen.queues(), count(seen, "Q")));
        lines.put("topics", number(seen.queues(), count(seen, "T")));
        lines.put(
                "subscriptions",
                number(seen.subscriptions(), seen.subscriptions().rows().size()));
        lines.put("messages waiting", waiting(seen));
        Answer<Delayed> delayed = seen.delayed();
        lines.put("delayed", sum(delayed, Delayed::delayed, Delayed.isDelayedMore(delayed)));
        lines.put("held", sum(delayed, Delayed::held, Delayed.isHeldMore(delayed)));
        lines.put("claimed by lease", sum(seen.leases(), lease -> 1, Lease.isMore(seen.leases())));
        lines.put("findings", findings.size());
        lines.put("silenced", all.size() - findings.size());
        return new State(lines, findings);
    }

    private void print(State state) {
        state.lines()
                .forEach((name, value) -> output.out().printf("%-18s %s%n", name, value == null ? "unknown" : value));
        state.findings().stream()
                .limit(3)
                .forEach(finding -> output.out()
                        .println(DoctorCommand.severity(finding.severity()) + " "
                                + finding.cause().code() + ": " + Output.plain(finding.what())));
        if (!state.findings().isEmpty()) {
            output.out().println("readpast doctor says more.");
        }
    }

    private static Long number(Answer<?> answer, long number) {
        return answer.isKnown() ? (Long) number : null;
    }

    private static long count(Snapshot seen, String kind) {
        return seen.queues().rows().stream()
                .filter(queue -> queue.kind().equals(kind))
                .count();
    }

    /** Unknown as soon as one is. */
    private static Object waiting(Snapshot seen) {
        List<Queue> queues = seen.queues().rows();
        if (!seen.queues().isKnown() || queues.stream().anyMatch(queue -> queue.depth() == null)) {
            return null;
        }
        return sum(seen.queues(), Queue::depth, queues.stream().anyMatch(Queue::isMore));
    }

    /** @param isMore whether there may be more than was counted */
    private static <T> Object sum(Answer<T> answer, ToLongFunction<T> value, boolean isMore) {
        if (!answer.isKnown()) {
            return null;
        }
        long sum = answer.rows().stream().mapToLong(value).sum();
        return isMore ? sum + "+" : (Object) sum;
    }
}
