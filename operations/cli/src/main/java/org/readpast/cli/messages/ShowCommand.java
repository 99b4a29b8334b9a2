package org.readpast.cli.messages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One message with everything in it. */
@Command(
        name = "show",
        description = "Shows one message of a queue with all headers, its properties and its body, as JSON.",
        mixinStandardHelpOptions = true)
public final class ShowCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(index = "0", description = "The queue.")
    private String queue;

    @Parameters(index = "1", description = "The JMSMessageID, as browse shows it.")
    private String id;

    @Override
    public Integer call() throws Exception {
        try (Connection connection = target.factory(false).createConnection()) {
            Session session = connection.createSession();
            String selector = "JMSMessageID = '" + id.replace("'", "''") + "'";
            try (QueueBrowser browser = session.createBrowser(session.createQueue(queue), selector)) {
                Enumeration<?> messages = browser.getEnumeration();
                if (!messages.hasMoreElements()) {
                    output.err()
                            .println("No message " + id + " waits in " + queue
                                    + "; a consumer may have it, or it is delayed or held.");
                    return ExitCode.FOUND;
                }
                ObjectNode object = MessageJson.object((Message) messages.nextElement());
                output.json(object);
            }
        }
        return ExitCode.DONE;
    }
}
