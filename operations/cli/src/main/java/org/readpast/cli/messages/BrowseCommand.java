package org.readpast.cli.messages;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The messages of a queue, in the order of delivery. */
@Command(
        name = "browse",
        description =
                "Lists the messages of a queue in the order of delivery. What a consumer has, what is delayed and what is held does not show.",
        mixinStandardHelpOptions = true)
public final class BrowseCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(description = "The queue.")
    private String queue;

    @Option(names = "--where", description = "A JMS selector.")
    private String selector;

    @Option(names = "--most", defaultValue = "100", description = "So many at the most. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Override
    public Integer call() throws Exception {
        List<List<?>> rows = new ArrayList<>();
        try (Connection connection = target.factory(false).createConnection()) {
            Session session = connection.createSession();
            try (QueueBrowser browser = session.createBrowser(session.createQueue(queue), selector)) {
                for (Enumeration<?> messages = browser.getEnumeration();
                        rows.size() < most && messages.hasMoreElements(); ) {
                    Message message = (Message) messages.nextElement();
                    rows.add(Arrays.asList(
                            message.getJMSMessageID(),
                            message.getJMSPriority(),
                            Instant.ofEpochMilli(message.getJMSTimestamp()),
                            message.getJMSType(),
                            message.getJMSCorrelationID(),
                            message.getStringProperty("JMS_READPAST_DeadLetterReason"),
                            message instanceof TextMessage text ? output.shown(text.getText()) : null));
                }
            }
        }
        output.printRows(
                rows,
                List.of("message", "priority", "sent", "type", "correlation", "dead letter because", "text"),
                row -> row);
        return ExitCode.DONE;
    }
}
