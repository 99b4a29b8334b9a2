package org.readpast.cli.administration;

import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.Callable;
import org.readpast.cli.messages.QueueName;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Question;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Consumer;
import org.readpast.operations.snapshot.Facts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes a queue or a subscription. */
@Command(
        name = "drop",
        description =
                "Removes an empty queue that nobody consumes from, or with --subscription a durable subscription with its messages."
                        + " Who still sends to the queue makes it again.",
        mixinStandardHelpOptions = true)
public final class DropCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Mixin
    private Question question;

    @Parameters(description = "The queue, or the name of the subscription.", converter = QueueName.class)
    private String name;

    @Option(names = "--subscription", description = "It is a subscription.")
    private boolean isSubscription;

    @Option(names = "--client-id", description = "The client id of the subscription, if it has one.")
    private String clientId;

    @Override
    public Integer call() throws Exception {
        question.ask("Remove the "
                + (isSubscription ? "subscription " + name + " with its messages?" : "queue " + name + "?"));
        if (isSubscription) {
            try (Connection connection = target.factory(false).createConnection()) {
                if (clientId != null) {
                    connection.setClientID(clientId);
                }
                Session session = connection.createSession();
                session.unsubscribe(name);
            }
        } else if (!target.administer(administration -> administration.dropQueue(name))) {
            List<String> consumers = consumers();
            throw new Failure.Refused(
                    ExitCode.NOT_THERE,
                    consumers.isEmpty()
                            ? "there is no queue " + name
                                    + ", or it has messages: purge it first; or a history: drop_history ends it, and"
                                    + " purge_history removes it, as JMS clients do every minute"
                            : "queue " + name + " has been consumed from by JVMs that are connected: "
                                    + String.join(", ", consumers) + "; stop them first");
        }
        output.err().println("Removed " + name);
        return ExitCode.DONE;
    }

    private List<String> consumers() throws Exception {
        return Output.known(target.look(Facts::consumers)).stream()
                .filter(consumer ->
                        consumer.kind().equals("Q") && consumer.queue().equals(name))
                .map(Consumer::client)
                .filter(client -> client.missingSince() == null)
                .map(Client::who)
                .toList();
    }
}
