package org.readpast.cli;

import java.util.Locale;
import java.util.Map;
import org.readpast.operations.Conditions;
import org.readpast.operations.Repair;
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

    @Parameters(index = "0", description = "The queue or subscription.")
    private String queue;

    @Option(
            names = "--dry-run",
            description = "Only say how many there are, counted up to 10,000. They are locked for the moment.")
    private boolean isDryRun;

    String queue() {
        return queue;
    }

    /**
     * Does it, or says how many there are.
     *
     * @param question what is asked before, null for nothing
     */
    int run(Repair.Action action, String to, Conditions conditions, long most, Runnable question) throws Exception {
        return target.repair(repair -> {
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

    private void progress(long done) {
        if (done >= SHOWN && Terminal.find().isPresent()) {
            output.err().print("\r" + done + " done\r");
            output.err().flush();
        }
    }

    private void tell(Repair.Action action, long count) {
        String word = action.name().toLowerCase(Locale.ROOT);
        if (output.isJson()) {
            output.json(Map.of("action", word, "queue", queue, "messages", count, "dryRun", isDryRun));
        } else {
            output.out()
                    .println((isDryRun ? "would " : "") + word + ": " + count + (count == 1 ? " message" : " messages")
                            + (isDryRun && count == COUNTED ? " or more" : "") + " of " + queue);
        }
    }
}
