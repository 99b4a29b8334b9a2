package org.readpast.jms.selector;

/**
 * The arithmetic operators (§3.8.1.1), on Java's promoted types: double where one operand is a double, else float where one
 * is a float, else long. Byte, short and int are taken to long, not to int, as exact literals have the range of a long; so
 * no sum of two int properties wraps round.
 */
public enum ArithmeticOperator {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE;

    static boolean isDouble(Number number) {
        return number instanceof Double;
    }

    static boolean isFloat(Number number) {
        return number instanceof Float;
    }

    /** A Long, Float or Double; null, that is NULL, where an integer is divided by zero or leaves the range of a long. */
    Number apply(Number left, Number right) {
        if (isDouble(left) || isDouble(right)) {
            return apply(left.doubleValue(), right.doubleValue());
        }
        if (isFloat(left) || isFloat(right)) {
            return apply(left.floatValue(), right.floatValue());
        }
        return apply(left.longValue(), right.longValue());
    }

    /** The number with its sign changed, or null where that leaves the range of a long. */
    static Number negate(Number number) {
        if (number instanceof Double value) {
            return -value;
        }
        if (number instanceof Float value) {
            return -value;
        }
        long value = number.longValue();
        return value == Long.MIN_VALUE ? null : Long.valueOf(-value);
    }

    private Double apply(double left, double right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
        };
    }

    private Float apply(float left, float right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
        };
    }

    private Long apply(long left, long right) {
        return switch (this) {
            case ADD -> {
                long sum = left + right;
                yield ((left ^ sum) & (right ^ sum)) < 0 ? null : Long.valueOf(sum);
            }
            case SUBTRACT -> {
                long difference = left - right;
                yield ((left ^ right) & (left ^ difference)) < 0 ? null : Long.valueOf(difference);
            }
            case MULTIPLY -> {
                long product = left * right;
                yield Math.multiplyHigh(left, right) == product >> 63 ? Long.valueOf(product) : null;
            }
            case DIVIDE -> right == 0 || (right == -1 && left == Long.MIN_VALUE) ? null : Long.valueOf(left / right);
        };
    }
}
