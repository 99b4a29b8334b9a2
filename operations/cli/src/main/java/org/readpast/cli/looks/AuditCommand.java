package org.readpast.cli.looks;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.readpast.cli.messages.QueueName;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.database.Product;
import org.readpast.operations.snapshot.Audit;
import org.readpast.operations.snapshot.Facts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who repaired what. */
@Command(
        name = "audit",
        description = "What administrators did to messages, the last first: who, when, what, and how many messages.",
        mixinStandardHelpOptions = true)
public final class AuditCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Option(
            names = "--queue",
            description = "Of this queue or subscription only, from it or into it.",
            converter = QueueName.class)
    private String queue;

    @Option(
            names = "--most",
            defaultValue = "100",
            description = "So many at the most, of the last 10,000. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Override
    public Integer call() throws Exception {
        List<Audit> found = target.look(look -> {
            if (look.product() == Product.H2) {
                throw new IllegalArgumentException("H2 has no procedures for repair, and no audit of them");
            }
            return Output.known(Facts.audit(look));
        });
        output.printRows(
                found.stream()
                        .filter(audit -> queue == null || queue.equals(audit.queue()) || queue.equals(audit.target()))
                        .limit(most)
                        .toList(),
                List.of("time", "login", "for", "action", "queue", "to", "messages"),
                audit -> Arrays.asList(
                        audit.doneAt(),
                        audit.login(),
                        audit.claimedUser(),
                        audit.action(),
                        audit.queue(),
                        audit.target(),
                        audit.messages()));
        return ExitCode.DONE;
    }
}
