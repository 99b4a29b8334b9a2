package org.readpast.cli.messages;

import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.readpast.operations.messages.Chosen;
import org.readpast.operations.messages.Conditions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which messages a repair is for. */
final class Choice {

    @Option(names = "--id", description = "With this JMSMessageID.")
    private String id;

    @Option(names = "--correlation-id", description = "With this JMSCorrelationID.")
    private String correlationId;

    @Option(names = "--type", description = "With this JMSType.")
    private String type;

    @Option(
            names = "--property",
            description = "With this property; with =VALUE exactly this value, as text.",
            paramLabel = "NAME[=VALUE]")
    private String property;

    @Option(names = "--sent-before", description = "Sent before this moment, in UTC, as 2026-11-24T22:00:00Z.")
    private Instant sentBefore;

    @Option(names = "--sent-after", description = "Sent after this moment, in UTC.")
    private Instant sentAfter;

    @Option(names = "--deliveries", description = "Delivered so often at the least.")
    private Integer deliveries;

    @Option(
            names = "--origin",
            description = "Dead letters of this queue or subscription.",
            converter = QueueName.class)
    private String origin;

    @Mixin
    private Selection selection;

    /** Whether a selector chooses. */
    boolean isSelector() {
        if (!selection.hasSelector() && selection.hasPlace()) {
            throw new IllegalArgumentException("--after goes with --where");
        }
        return selection.hasSelector();
    }

    /**
     * What a selector chooses.
     *
     * @param isRelease of held ones, whatever the state
     */
    Chosen chosen(boolean isRelease) {
        if (others().anyMatch(Objects::nonNull)) {
            throw new IllegalArgumentException(
                    "With --where there are no other conditions but --state: a selector has JMSMessageID, JMSCorrelationID,"
                            + " JMSType, JMSTimestamp, JMSXDeliveryCount and properties");
        }
        return isRelease ? selection.held() : selection.chosen();
    }

    private Stream<Object> others() {
        return Stream.of(id, correlationId, type, property, sentBefore, sentAfter, deliveries, origin);
    }

    Conditions conditions() {
        int equals = property == null ? -1 : property.indexOf('=');
        return new Conditions(
                id,
                correlationId,
                type,
                equals < 0 ? property : property.substring(0, equals),
                equals < 0 ? null : property.substring(equals + 1),
                sentBefore,
                sentAfter,
                deliveries,
                origin,
                selection.state());
    }

    long most() {
        return selection.most();
    }

    /** Whether something was said at all. */
    boolean isGiven() {
        return selection.isGiven() || others().anyMatch(Objects::nonNull);
    }
}
