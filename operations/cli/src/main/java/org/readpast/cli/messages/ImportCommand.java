package org.readpast.cli.messages;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import org.readpast.jms.ReadpastConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Messages from lines of JSON. */
@Command(
        name = "import",
        description =
                "Sends the messages that export has written, to a queue or topic, all in one transaction. They get ids of their own; expired ones are left out, and so are properties whose names JMS does not have, which is told.",
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(description = "The queue, or topic://NAME.")
    private String destination;

    @Option(
            names = {"-i", "--from"},
            description = "A file. Default: the standard input.")
    private Path file;

    @Option(names = "--create", description = "Make the queue or topic if it is not there.")
    private boolean mayCreate;

    @Override
    public Integer call() throws Exception {
        try (BufferedReader lines = file == null
                        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()))
                        : Files.newBufferedReader(file, StandardCharsets.UTF_8);
                Connection connection = factory().createConnection()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(Destinations.of(session, destination));
            Import sending = new Import(session, producer);
            int sent = send(lines, sending);
            session.commit();
            output.err().println("Imported " + sent + " to " + destination);
            if (sending.expired() > 0) {
                output.err().println("Left out, since they had expired: " + sending.expired());
            }
            sending.leftOut()
                    .forEach((name, times) -> output.err()
                            .println(Output.plain(
                                    "Left out, since no property can have this name: " + name + " (" + times + ")")));
            return sent == 0 ? ExitCode.FOUND : ExitCode.DONE;
        }
    }

    /** Messages of several queues may have one id, and who imports anew what was received means to. */
    private ReadpastConnectionFactory factory() throws IOException {
        ReadpastConnectionFactory factory = target.factory(mayCreate);
        factory.setProperty("duplicateWindowMillis", "0");
        return factory;
    }

    private static int send(BufferedReader lines, Import target) throws IOException, JMSException {
        int sent = 0;
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                JsonNode object = MessageJson.read(line);
                sent += target.send(object) ? 1 : 0;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(refused(number, e), e);
            } catch (JMSException e) {
                JMSException told = new JMSException(refused(number, e), e.getErrorCode());
                told.initCause(e);
                throw told;
            }
        }
        return sent;
    }

    private static String refused(int line, Exception why) {
        return "line " + line + ": " + why.getMessage() + "; nothing was imported";
    }
}
