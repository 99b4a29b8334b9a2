package org.readpast.cli.looks;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.Facts;
import org.readpast.operations.snapshot.Queue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How full queues are, again and again. */
@Command(
        name = "watch",
        description = "How full queues are and how that changes, again and again until it is interrupted.",
        mixinStandardHelpOptions = true)
public final class WatchCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Option(
            names = "--every",
            defaultValue = "10",
            description = "Seconds between two looks, 1 or more. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--times", description = "So many looks. Default: until it is interrupted.")
    private Integer times;

    @Override
    public Integer call() throws Exception {
        if (seconds < 1) {
            throw new IllegalArgumentException("--every is 1 second or more");
        }
        return target.look(this::watch);
    }

    private int watch(Look look) throws Exception {
        Map<Integer, Queue> before = new HashMap<>();
        boolean isKnown = true;
        for (int i = 0; times == null || i < times; i++) {
            if (i > 0) {
                Thread.sleep(seconds * 1000L);
            }
            Answer<Queue> queues = Facts.queues(look);
            isKnown = queues instanceof Answer.Known;
            if (queues instanceof Answer.Unknown<Queue> unknown && unknown.mayPass()) {
                output.err().println(Instant.now() + " not known: " + Output.plain(unknown.text()));
                continue;
            }
            if (!output.isJson()) {
                output.out().println(Instant.now());
            }
            output.print(
                    queues,
                    List.of("name", "kind", "depth", "change", "oldest"),
                    queue -> Arrays.asList(
                            queue.name(),
                            Looks.kind(queue.kind()),
                            output.isJson() ? queue.depth() : queue.depthText(),
                            change(before.get(queue.id()), queue),
                            queue.oldestAt()));
            Output.check(output.out());
            before.clear();
            queues.rows().forEach(queue -> before.put(queue.id(), queue));
        }
        return isKnown ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Null where either was not counted to its end. */
    private static Long change(Queue before, Queue now) {
        return before == null || before.depth() == null || before.isMore() || now.depth() == null || now.isMore()
                ? null
                : (Long) (now.depth() - before.depth());
    }
}
