package org.readpast.cli.administration;

import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Question;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.administration.Administration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says that the database was restored, and holds everything. */
@Command(
        name = "restored",
        description =
                "Says that the database was restored, is a copy, or took over without the last commits: holds every message"
                        + " until release, and gives new queues ids that no JMS client remembers.",
        mixinStandardHelpOptions = true)
public final class RestoredCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Mixin
    private Question question;

    @Override
    public Integer call() throws Exception {
        question.ask("Hold ALL messages of all queues until they are released?");
        long held;
        try (Connection connection = target.connectForLong()) {
            held = new Administration(connection, target.schema(), Target.systemUser()).restored();
        }
        if (output.isJson()) {
            output.json(Map.of("action", "restored", "messages", held));
        } else {
            output.out().println("held: " + held + (held == 1 ? " message" : " messages"));
        }
        return ExitCode.DONE;
    }
}
