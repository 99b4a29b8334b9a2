package org.readpast.cli;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.readpast.operations.Chosen;
import org.readpast.operations.Conditions;
import org.readpast.operations.Cursor;
import org.readpast.operations.RowCondition;
import org.readpast.operations.SelectorCondition;
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

    @Option(names = "--sent-before", description = "Sent before this moment, as 2026-11-24T22:00:00Z.")
    private Instant sentBefore;

    @Option(names = "--sent-after", description = "Sent after this moment.")
    private Instant sentAfter;

    @Option(names = "--deliveries", description = "Delivered so often at the least.")
    private Integer deliveries;

    @Option(names = "--origin", description = "Dead letters of this queue or subscription.")
    private String origin;

    @Option(
            names = "--state",
            description =
                    "That are waiting, expired, delayed, claimed or held. Default: all but claimed and held ones.")
    private String state;

    @Option(names = "--most", description = "So many at the most.")
    private Long most;

    @Option(
            names = "--where",
            description = "That this JMS selector matches. Beside it only --state, --most and --after.",
            paramLabel = "SELECTOR")
    private String selector;

    @Option(
            names = "--after",
            description = "With --where: goes on at this place in the queue, as it was printed.",
            paramLabel = "PLACE")
    private String after;

    /** Whether a selector chooses. */
    boolean isSelector() {
        if (selector == null && after != null) {
            throw new IllegalArgumentException("--after goes with --where");
        }
        return selector != null;
    }

    /**
     * What a selector chooses.
     *
     * @param isRelease of held ones, whatever the state
     */
    Chosen chosen(boolean isRelease) {
        if (Stream.of(id, correlationId, type, property, sentBefore, sentAfter, deliveries, origin)
                .anyMatch(Objects::nonNull)) {
            throw new IllegalArgumentException(
                    "With --where there are no other conditions but --state: a selector has JMSMessageID, JMSCorrelationID,"
                            + " JMSType, JMSTimestamp, JMSXDeliveryCount and properties");
        }
        if (state != null
                && !List.of("waiting", "expired", "delayed", "claimed", "held").contains(state)) {
            throw new IllegalArgumentException("--state is waiting, expired, delayed, claimed or held");
        }
        return new Chosen(condition(), isRelease ? "held" : state, most(), after == null ? null : Cursor.parse(after));
    }

    private RowCondition condition() {
        try {
            return new SelectorCondition(selector);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--where: " + e.getMessage(), e);
        }
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
                state);
    }

    long most() {
        return most == null ? Long.MAX_VALUE : most;
    }

    /** Whether something was said at all. */
    boolean isGiven() {
        return Stream.of(
                        id,
                        correlationId,
                        type,
                        property,
                        sentBefore,
                        sentAfter,
                        deliveries,
                        origin,
                        state,
                        most,
                        selector)
                .anyMatch(Objects::nonNull);
    }
}
