package org.readpast.cli.administration;

import java.util.concurrent.Callable;
import org.readpast.cli.messages.QueueName;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Ends a pause. */
@Command(
        name = "resume",
        description = "Ends the pause of a queue. JVMs go on within some seconds.",
        mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(description = "The queue.", converter = QueueName.class)
    private String queue;

    @Override
    public Integer call() throws Exception {
        target.administer(administration -> {
            administration.resume(queue);
            return null;
        });
        output.err().println("Resumed " + queue);
        return ExitCode.DONE;
    }
}
