package org.readpast.jms.selector;

import java.util.List;

/**
 * What a selector demands of the header fields alone that bounds where a database has to look. Every message that the selector
 * matches satisfies it; not every message that satisfies it is matched, so the selector is still to be asked.
 *
 * <p>It has SQL's meaning: a header field that is NULL satisfies no leaf. A dialect may render any leaf as something wider, or
 * leave it out of an {@link All}; it must not render one as something narrower. There is no NOT in it. Immutable and thread-safe.
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

    /** An integer compared with a literal. */
    record Compared(NumberField field, ComparisonOperator operator, long number) implements HeaderCondition {}

    /** From low to high, both included; low may be above high. */
    record Within(NumberField field, long low, long high) implements HeaderCondition {}

    /** JMSDeliveryMode is PERSISTENT, or it is NON_PERSISTENT. */
    record Persistence(boolean persistent) implements HeaderCondition {}
}
