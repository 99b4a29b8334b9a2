package org.readpast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies messages to another queue. */
@Command(
        name = "copy",
        description =
                "Sends a copy of each waiting message to another queue or topic, all in one transaction. The copies get ids of their own.",
        mixinStandardHelpOptions = true)
final class CopyCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(index = "0", description = "The queue.")
    private String queue;

    @Parameters(index = "1", description = "Where the copies go: a queue, or topic://NAME.")
    private String to;

    @Option(names = "--where", description = "A JMS selector.")
    private String selector;

    @Option(names = "--most", defaultValue = "10000", description = "So many at the most. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Option(names = "--dry-run", description = "Only say how many there are.")
    private boolean isDryRun;

    @Override
    public Integer call() throws Exception {
        int copied = 0;
        MessageJson json = new MessageJson();
        try (Connection connection = target.factory(false).createConnection()) {
            Session reading = connection.createSession();
            Session writing = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = writing.createProducer(Destinations.of(writing, to));
            try (QueueBrowser browser = reading.createBrowser(reading.createQueue(queue), selector)) {
                for (Enumeration<?> messages = browser.getEnumeration();
                        copied < most && messages.hasMoreElements();
                        copied++) {
                    JsonNode object = json.object((Message) messages.nextElement());
                    if (!isDryRun) {
                        new Import(writing, producer, json).send(object);
                    }
                }
            }
            writing.commit();
        }
        output.err().println((isDryRun ? "Would copy " : "Copied ") + copied + " to " + to);
        return copied == 0 ? ExitCode.FOUND : ExitCode.DONE;
    }
}
