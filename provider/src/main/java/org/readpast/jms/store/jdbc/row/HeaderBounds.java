package org.readpast.jms.store.jdbc.row;

import jakarta.jms.DeliveryMode;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.readpast.jms.selector.HeaderCondition;
import org.readpast.jms.selector.HeaderCondition.NumberField;
import org.readpast.jms.selector.HeaderCondition.TextField;
import org.readpast.jms.selector.Selector;

/**
 * Bounds that every message a selector matches lies within, for SQL to look in: one value at the most for each text header, one
 * range for each number. What else the selector demands is left to the selector.
 *
 * @param correlationId what the column must hold, null for anything; so with the other texts
 * @param deliveryMode 1 or 2, null for any
 */
public record HeaderBounds(
        String correlationId, String messageId, String type, Integer deliveryMode, Range priority, Range timestamp) {

    /** Everything. */
    static final HeaderBounds ANY = new HeaderBounds(null, null, null, null, Range.ALL, Range.ALL);

    /** From low to high, both included; empty where low is above high. */
    public record Range(long low, long high) {

        static final Range ALL = new Range(Long.MIN_VALUE, Long.MAX_VALUE);

        Range intersect(Range other) {
            return new Range(Math.max(low, other.low), Math.min(high, other.high));
        }

        /** The smallest range around both. */
        Range hull(Range other) {
            return new Range(Math.min(low, other.low), Math.max(high, other.high));
        }

        public static Range of(HeaderCondition.Compared compared) {
            long number = compared.number();
            return switch (compared.operator()) {
                case EQUAL -> new Range(number, number);
                case NOT_EQUAL -> ALL;
                case LESS, LESS_OR_EQUAL -> new Range(Long.MIN_VALUE, number);
                case GREATER, GREATER_OR_EQUAL -> new Range(number, Long.MAX_VALUE);
            };
        }
    }

    /** The bounds of a selector, null for none. */
    public static HeaderBounds of(Selector selector) {
        return selector == null
                ? ANY
                : selector.headerCondition().map(HeaderBounds::of).orElse(ANY);
    }

    private static HeaderBounds of(HeaderCondition condition) {
        if (condition instanceof HeaderCondition.All all) {
            return all.conditions().stream().map(HeaderBounds::of).reduce(ANY, HeaderBounds::intersect);
        }
        if (condition instanceof HeaderCondition.Any any) {
            return any.conditions().stream()
                    .map(HeaderBounds::of)
                    .reduce(HeaderBounds::hull)
                    .orElse(ANY);
        }
        if (condition instanceof HeaderCondition.Equal equal) {
            return text(equal.field(), HeaderColumns.fit(equal.text()));
        }
        if (condition instanceof HeaderCondition.Compared compared) {
            return number(compared.field(), Range.of(compared));
        }
        if (condition instanceof HeaderCondition.Within within) {
            return number(within.field(), new Range(within.low(), within.high()));
        }
        if (condition instanceof HeaderCondition.Persistence persistence) {
            int mode = persistence.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
            return new HeaderBounds(null, null, null, mode, Range.ALL, Range.ALL);
        }
        return ANY;
    }

    private static HeaderBounds text(TextField field, String text) {
        return switch (field) {
            case CORRELATION_ID -> new HeaderBounds(text, null, null, null, Range.ALL, Range.ALL);
            case MESSAGE_ID -> new HeaderBounds(null, text, null, null, Range.ALL, Range.ALL);
            case TYPE -> new HeaderBounds(null, null, text, null, Range.ALL, Range.ALL);
        };
    }

    private static HeaderBounds number(NumberField field, Range range) {
        return switch (field) {
            case PRIORITY -> new HeaderBounds(null, null, null, null, range, Range.ALL);
            case TIMESTAMP -> new HeaderBounds(null, null, null, null, Range.ALL, range);
        };
    }

    /** Within both; of two values that cannot both be, one will do. */
    private HeaderBounds intersect(HeaderBounds other) {
        return with(
                other,
                (mine, others) -> mine == null ? others : mine,
                priority.intersect(other.priority),
                timestamp.intersect(other.timestamp));
    }

    /** Around both. */
    private HeaderBounds hull(HeaderBounds other) {
        return with(
                other,
                (mine, others) -> Objects.equals(mine, others) ? mine : null,
                priority.hull(other.priority),
                timestamp.hull(other.timestamp));
    }

    private HeaderBounds with(
            HeaderBounds other, BinaryOperator<Object> choose, Range newPriority, Range newTimestamp) {
        return new HeaderBounds(
                (String) choose.apply(correlationId, other.correlationId),
                (String) choose.apply(messageId, other.messageId),
                (String) choose.apply(type, other.type),
                (Integer) choose.apply(deliveryMode, other.deliveryMode),
                newPriority,
                newTimestamp);
    }

    /**
     * The lowest value of the column {@code priority_order}, which runs against JMSPriority. Unbounded it is the lowest that the column can
     * hold, since a row that is no message is to be found too.
     */
    public int lowestOrder() {
        return priority.high == Long.MAX_VALUE ? Short.MIN_VALUE : 9 - (int) Math.max(-1, Math.min(9, priority.high));
    }

    /** The highest value of the column {@code priority_order}. */
    public int highestOrder() {
        return priority.low == Long.MIN_VALUE ? Short.MAX_VALUE : 9 - (int) Math.max(0, Math.min(10, priority.low));
    }
}
