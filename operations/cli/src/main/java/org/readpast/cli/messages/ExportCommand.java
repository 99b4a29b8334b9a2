package org.readpast.cli.messages;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Messages as lines of JSON, or as CSV. */
@Command(
        name = "export",
        description =
                "Writes the waiting messages of a queue as lines of JSON, with all headers, and leaves them there. An ObjectMessage is "
                        + "written without its body, and one that cannot be read with what can be: exit code 1. CSV is for spreadsheets and is not imported again.",
        mixinStandardHelpOptions = true)
public final class ExportCommand implements Callable<Integer> {

    /** After so many messages it looks whether there is somebody still who reads them. */
    private static final int CHECKED = 100;

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(description = "The queue.")
    private String queue;

    @Option(names = "--where", description = "A JMS selector.")
    private String selector;

    @Option(
            names = "--csv",
            description =
                    "Writes CSV instead. What a spreadsheet would take for a formula gets an apostrophe before it.")
    private boolean csv;

    @Option(
            names = {"-o", "--to"},
            description = "A file, which must not be there yet. Default: the standard output.")
    private Path file;

    @Override
    public Integer call() throws Exception {
        if (file == null) {
            return write(output.out());
        }
        try (PrintWriter writer =
                new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW))) {
            return write(writer);
        }
    }

    private int write(PrintWriter writer) throws Exception {
        long written = 0;
        long objects = 0;
        long unreadable = 0;
        MessageCsv asCsv = new MessageCsv();
        try (Connection connection = target.factory(false).createConnection()) {
            Session session = connection.createSession();
            try (QueueBrowser browser = session.createBrowser(session.createQueue(queue), selector)) {
                for (Enumeration<?> messages = browser.getEnumeration(); messages.hasMoreElements(); written++) {
                    Message message = (Message) messages.nextElement();
                    objects += message instanceof ObjectMessage ? 1 : 0;
                    unreadable += MessageJson.isUnreadable(message) ? 1 : 0;
                    writer.print(csv ? asCsv.lines(message) : MessageJson.line(message) + "\n");
                    if (written % CHECKED == 0) {
                        Output.check(writer);
                    }
                }
            }
        }
        Output.check(writer);
        output.err()
                .println("Exported " + written
                        + (objects == 0
                                ? ""
                                : ", of which " + objects
                                        + " object messages lack their bodies and cannot be imported"));
        if (unreadable != 0) {
            output.err().println("Of these, " + unreadable + " could not be read and cannot be imported");
            return ExitCode.FOUND;
        }
        return ExitCode.DONE;
    }
}
