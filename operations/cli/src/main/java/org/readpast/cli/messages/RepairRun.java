package org.readpast.cli.messages;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.SearchLine;
import org.readpast.cli.terminal.Target;
import org.readpast.cli.terminal.Terminal;
import org.readpast.operations.messages.Chosen;
import org.readpast.operations.messages.Conditions;
import org.readpast.operations.messages.Progress;
import org.readpast.operations.messages.Repair;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands of repair have in common. */
final class RepairRun {

    private static final int COUNTED = 10_000;
    private static final int SHOWN = 2000;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(index = "0", description = "The queue or subscription.", converter = QueueName.class)
    private String queue;

    @Option(
            names = "--dry-run",
            description = "Only say how many there are, counted up to 10,000. They are locked for the moment.")
    private boolean isDryRun;

    @Option(
            names = "--rate",
            description = "At most so many messages a second, for the sake of consumers. Default: as fast as it goes.",
            paramLabel = "N")
    private Integer rate;

    String queue() {
        return queue;
    }

    /** No faster than was asked for. */
    private void slow(Repair repair) {
        if (rate != null && rate < 1) {
            throw new IllegalArgumentException("--rate is one message a second at the least");
        }
        if (rate != null) {
            repair.limitRate(rate);
        }
    }

    /**
     * Does it, or says how many there are.
     *
     * @param question asks before it begins, or does nothing
     */
    int run(Repair.Action action, String to, Conditions conditions, long most, Runnable question) throws Exception {
        return target.repair(repair -> {
            slow(repair);
            if (isDryRun) {
                long found = repair.tryOut(action, queue, to, conditions, (int) Math.min(COUNTED, most));
                tell(action, found);
                return found == 0 ? ExitCode.FOUND : ExitCode.DONE;
            }
            question.run();
            long done = repair.run(action, queue, to, conditions, most, this::progress);
            tell(action, done);
            return done == 0 ? ExitCode.FOUND : ExitCode.DONE;
        });
    }

    /** The same with what was chosen on the command line. */
    int run(Repair.Action action, String to, Choice choice, Runnable question) throws Exception {
        return choice.isSelector()
                ? search(action, to, choice.chosen(action == Repair.Action.RELEASE), question)
                : run(action, to, choice.conditions(), choice.most(), question);
    }

    /** Does it with what is chosen by looking at each. */
    int search(Repair.Action action, String to, Chosen chosen, Runnable question) throws Exception {
        return target.repair(repair -> {
            slow(repair);
            if (!isDryRun) {
                question.run();
            }
            Interruption interruption = new Interruption(repair);
            try {
                return search(repair, action, to, chosen);
            } finally {
                interruption.over();
            }
        });
    }

    private int search(Repair repair, Repair.Action action, String to, Chosen chosen) throws SQLException {
        SearchLine line = new SearchLine(output.err());
        Progress end;
        try {
            end = isDryRun
                    ? repair.tryOut(action, queue, to, chosen, line)
                    : repair.run(action, queue, to, chosen, line);
        } catch (SQLException e) {
            line.tellWhereToGoOn();
            throw e;
        }
        line.end(end, action == Repair.Action.RETRY);
        tell(action, end.done(), end);
        return end.done() == 0 ? ExitCode.FOUND : ExitCode.DONE;
    }

    private void progress(long done) {
        if ((done >= SHOWN || rate != null) && Terminal.find().isPresent()) {
            output.err().print("\r" + done + " done\r");
            output.err().flush();
        }
    }

    private void tell(Repair.Action action, long count) {
        tell(action, count, null);
    }

    /**
     * @param searched null where nothing was searched
     */
    private void tell(Repair.Action action, long count, Progress searched) {
        String word = action.name().toLowerCase(Locale.ROOT);
        if (output.isJson()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("action", word);
            object.put("queue", queue);
            object.put("messages", count);
            object.put("dryRun", isDryRun);
            if (searched != null) {
                object.put("searched", searched.searched());
                object.put("unreadable", searched.unreadable());
                object.put(
                        "after",
                        searched.cursor() == null ? null : searched.cursor().toString());
            }
            output.json(object);
        } else {
            output.out()
                    .println((isDryRun ? "would " : "") + word + ": " + count + (count == 1 ? " message" : " messages")
                            + (isDryRun && searched == null && count == COUNTED ? " or more" : "") + " of " + queue);
        }
    }
}
