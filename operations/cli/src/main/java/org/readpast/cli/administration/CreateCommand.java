package org.readpast.cli.administration;

import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.util.concurrent.Callable;
import org.readpast.cli.messages.Destinations;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.database.Product;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a queue or a topic. */
@Command(
        name = "create",
        description =
                "Makes a queue, or a topic where the name begins with topic://. One that is there stays as it is, but for"
                        + " the options that are given.",
        mixinStandardHelpOptions = true)
public final class CreateCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(description = "The queue, or topic://NAME.")
    private String destination;

    @Option(
            names = "--maximum-attempts",
            description = "Of claims by programs in SQL; 0 is no limit. Default of a new queue: 10.")
    private Integer maximumAttempts;

    @Option(names = "--dead-letter-queue", description = "Of claims by programs in SQL. Default of a new queue: DLQ.")
    private String deadLetterQueue;

    @Override
    public Integer call() throws Exception {
        boolean isTopic = destination.startsWith("topic://");
        boolean hasOptions = maximumAttempts != null || deadLetterQueue != null;
        boolean isH2;
        try (java.sql.Connection connection = target.connect()) {
            isH2 = Product.of(connection) == Product.H2;
        }
        if (hasOptions && (isTopic || isH2)) {
            throw new IllegalArgumentException(
                    "--maximum-attempts and --dead-letter-queue are for programs in SQL, which know queues on"
                            + " SQL Server and PostgreSQL only");
        }
        if (isTopic || isH2) {
            // A consumer brings its destination into being.
            try (Connection connection = target.factory(true).createConnection()) {
                Session session = connection.createSession();
                session.createConsumer(Destinations.of(session, destination)).close();
            }
        } else {
            target.administer(administration -> {
                administration.createQueue(
                        Destinations.nameOfQueue(destination),
                        maximumAttempts,
                        deadLetterQueue == null ? null : Destinations.nameOfQueue(deadLetterQueue));
                return null;
            });
        }
        output.err().println("Created " + destination);
        return ExitCode.DONE;
    }
}
