package org.readpast.jms.selector;

/** The comparison operators (§3.8.1.1). */
public enum ComparisonOperator {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String symbol;

    ComparisonOperator(String symbol) {
        this.symbol = symbol;
    }

    /** How it is written, in a selector as in SQL. */
    public String symbol() {
        return symbol;
    }

    /** The operator that is true of two integers exactly where this one is false. */
    public ComparisonOperator inverse() {
        return switch (this) {
            case EQUAL -> NOT_EQUAL;
            case NOT_EQUAL -> EQUAL;
            case LESS -> GREATER_OR_EQUAL;
            case LESS_OR_EQUAL -> GREATER;
            case GREATER -> LESS_OR_EQUAL;
            case GREATER_OR_EQUAL -> LESS;
        };
    }

    /** The operator that says the same with its operands exchanged. */
    public ComparisonOperator mirrored() {
        return switch (this) {
            case EQUAL, NOT_EQUAL -> this;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }

    /** Strings and booleans know only equal and not equal. */
    boolean orders() {
        return this != EQUAL && this != NOT_EQUAL;
    }

    /**
     * Compares two values. Where one is NULL the result is unknown; unlike types, and strings or booleans under an operator
     * that orders, compare false whatever the operator, {@code <>} included.
     */
    Truth compare(Object left, Object right) {
        if (left == null || right == null) {
            return Truth.UNKNOWN;
        }
        if (left instanceof Number a && right instanceof Number b) {
            return Truth.of(compareNumbers(a, b));
        }
        if (orders() || left.getClass() != right.getClass()) {
            return Truth.FALSE;
        }
        return Truth.of(left.equals(right) == (this == EQUAL));
    }

    /** Under Java's binary numeric promotion, so with Java's loss of precision and its NaN. */
    private boolean compareNumbers(Number left, Number right) {
        if (ArithmeticOperator.isDouble(left) || ArithmeticOperator.isDouble(right)) {
            return holds(left.doubleValue(), right.doubleValue());
        }
        if (ArithmeticOperator.isFloat(left) || ArithmeticOperator.isFloat(right)) {
            return holds(left.floatValue(), right.floatValue());
        }
        return holds(left.longValue(), right.longValue());
    }

    private boolean holds(double left, double right) {
        return switch (this) {
            case EQUAL -> left == right;
            case NOT_EQUAL -> left != right;
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
            case GREATER -> left > right;
            case GREATER_OR_EQUAL -> left >= right;
        };
    }

    private boolean holds(long left, long right) {
        return switch (this) {
            case EQUAL -> left == right;
            case NOT_EQUAL -> left != right;
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
            case GREATER -> left > right;
            case GREATER_OR_EQUAL -> left >= right;
        };
    }
}
