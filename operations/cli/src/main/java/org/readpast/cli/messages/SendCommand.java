package org.readpast.cli.messages;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends a text message. */
@Command(
        name = "send",
        description = "Sends a text message and prints its JMSMessageID.",
        mixinStandardHelpOptions = true)
public final class SendCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Parameters(index = "0", description = "The queue, or topic://NAME.")
    private String destination;

    @Parameters(
            index = "1",
            arity = "0..1",
            description = "The text. Without it and --file: what comes on the standard input.")
    private String text;

    @Option(names = "--file", description = "A file in UTF-8 with the text.")
    private Path file;

    @Option(
            names = "--property",
            description = "A property, as text. May be given several times.",
            paramLabel = "NAME=VALUE")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--type", description = "JMSType.")
    private String type;

    @Option(names = "--correlation-id", description = "JMSCorrelationID.")
    private String correlationId;

    @Option(names = "--priority", defaultValue = "4", description = "0 to 9. Default: ${DEFAULT-VALUE}.")
    private int priority;

    @Option(
            names = "--live",
            defaultValue = "0",
            description = "Milliseconds until it expires. Default: ${DEFAULT-VALUE}, for ever.")
    private long timeToLive;

    @Option(
            names = "--delay",
            defaultValue = "0",
            description = "Milliseconds until it is delivered. Default: ${DEFAULT-VALUE}.")
    private long delay;

    @Option(names = "--create", description = "Make the queue or topic if it is not there.")
    private boolean mayCreate;

    @Override
    public Integer call() throws Exception {
        String body = text != null ? text : file != null ? Files.readString(file) : input();
        try (Connection connection = target.factory(mayCreate).createConnection()) {
            Session session = connection.createSession();
            TextMessage message = session.createTextMessage(body);
            message.setJMSType(type);
            message.setJMSCorrelationID(correlationId);
            for (Map.Entry<String, String> property : properties.entrySet()) {
                message.setStringProperty(property.getKey(), property.getValue());
            }
            MessageProducer producer = session.createProducer(Destinations.of(session, destination));
            producer.setDeliveryDelay(delay);
            producer.send(message, DeliveryMode.PERSISTENT, priority, timeToLive);
            if (output.isJson()) {
                output.json(Map.of("message", message.getJMSMessageID()));
            } else {
                output.out().println(message.getJMSMessageID());
            }
        }
        return ExitCode.DONE;
    }

    /** What is not UTF-8 is an error, as in a file. */
    private static String input() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(System.in.readAllBytes());
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    }
}
