package org.readpast.cli.messages;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Failure;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Receives messages: each is committed once it has been written, and not before. */
@Command(
        name = "receive",
        description =
                "Receives messages and prints each: its text, or with --json a line of JSON. A message is committed when it has been "
                        + "written out. An object message, whose body cannot be printed, stays, and so does one that cannot be read. Exit code 1 where none came.",
        mixinStandardHelpOptions = true)
public final class ReceiveCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(description = "The queue.")
    private String queue;

    @Option(names = "--where", description = "A JMS selector.")
    private String selector;

    @Option(names = "--most", defaultValue = "1", description = "So many at the most. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Option(
            names = "--wait",
            defaultValue = "1000",
            description = "Milliseconds to wait for each; 0 for not at all. Default: ${DEFAULT-VALUE}.")
    private long wait;

    @Override
    public Integer call() throws Exception {
        int received = 0;
        try (Connection connection = target.factory(false).createConnection()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue), selector);
            connection.start();
            while (received < most) {
                // To JMS no time at all is for ever.
                Message message = wait > 0 ? consumer.receive(wait) : consumer.receiveNoWait();
                if (message == null) {
                    break;
                }
                if (message instanceof ObjectMessage) {
                    throw stays(session, message, "is an object message, whose body cannot be printed");
                }
                if (MessageJson.isUnreadable(message)) {
                    throw stays(session, message, "cannot be read");
                }
                output.out().println(text(message));
                // Flushes, and tells whether everything has gone out: a pipe whose reader is gone must not cost the
                // message.
                if (output.out().checkError()) {
                    throw stays(session, message, "is not printed, as the output cannot be written");
                }
                session.commit();
                received++;
            }
        }
        return received == 0 ? ExitCode.FOUND : ExitCode.DONE;
    }

    private Failure.Refused stays(Session session, Message message, String why) throws JMSException {
        session.rollback();
        return new Failure.Refused(
                ExitCode.FAILED, "message " + message.getJMSMessageID() + " " + why + "; it stays in " + queue);
    }

    private String text(Message message) throws Exception {
        return !output.isJson() && message instanceof TextMessage text
                ? String.valueOf(text.getText())
                : MessageJson.line(message);
    }
}
