package org.readpast.jms.selector;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a selector demands of the header fields alone, for a database to look for. Every message that the selector matches
 * satisfies it; not every message that satisfies it is matched, so the selector is still to be asked.
 *
 * <p>It has SQL's meaning: a header field that is NULL satisfies no leaf but {@link Missing}. A dialect may render any leaf as
 * something wider, or leave it out of an {@link All}; it must not render one as something narrower. There is no NOT in it.
 * Immutable and thread-safe.
 */
public sealed interface HeaderCondition {

    /** The header fields that hold text or are NULL. */
    enum TextField {
        MESSAGE_ID("JMSMessageID"),
        CORRELATION_ID("JMSCorrelationID"),
        TYPE("JMSType");

        private final String header;

        TextField(String header) {
            this.header = header;
        }

        /** Its name in a selector. */
        public String header() {
            return header;
        }
    }

    /** The header fields that hold an integer and are never NULL: 0 to 9, and milliseconds since the epoch. */
    enum NumberField {
        PRIORITY("JMSPriority"),
        TIMESTAMP("JMSTimestamp");

        private final String header;

        NumberField(String header) {
            this.header = header;
        }

        /** Its name in a selector. */
        public String header() {
            return header;
        }
    }

    /** Every one of them; at least two, none of them an {@code All}. */
    record All(List<HeaderCondition> conditions) implements HeaderCondition {
        public All {
            conditions = List.copyOf(conditions);
        }
    }

    /** At least one of them; at least two, none of them an {@code Any}. */
    record Any(List<HeaderCondition> conditions) implements HeaderCondition {
        public Any {
            conditions = List.copyOf(conditions);
        }
    }

    /** The same characters; a comparison that ignores case or trailing blanks is wider, so it will do. */
    record Equal(TextField field, String text) implements HeaderCondition {}

    /**
     * Not NULL, and not the same characters. Case and trailing blanks count, so {@code <>} under a collation, or with SQL's
     * padding, is narrower and would lose messages: compare the bytes, or render it as {@link Present}.
     */
    record Differs(TextField field, String text) implements HeaderCondition {}

    /** One of the texts, compared as by {@link Equal}; at least two. */
    record OneOf(TextField field, Set<String> texts) implements HeaderCondition {
        public OneOf {
            texts = Set.copyOf(texts);
        }
    }

    /** NULL. */
    record Missing(TextField field) implements HeaderCondition {}

    /** Not NULL. */
    record Present(TextField field) implements HeaderCondition {}

    /** An integer compared with a literal. */
    record Compared(NumberField field, ComparisonOperator operator, long number) implements HeaderCondition {}

    /** From low to high, both included; low may be above high. */
    record Within(NumberField field, long low, long high) implements HeaderCondition {}

    /** JMSDeliveryMode is PERSISTENT, or it is NON_PERSISTENT. */
    record Persistence(boolean persistent) implements HeaderCondition {}

    /**
     * The text that a header field must have for the condition to be satisfied, which is where to seek in an index.
     *
     * @return empty where the condition leaves it open
     */
    default Optional<String> required(TextField field) {
        if (this instanceof Equal equal && equal.field == field) {
            return Optional.of(equal.text);
        }
        if (this instanceof All all) {
            return all.conditions.stream()
                    .flatMap(condition -> condition.required(field).stream())
                    .findFirst();
        }
        return Optional.empty();
    }
}
