package org.readpast.jms.selector;

import java.util.List;
import java.util.Set;

/**
 * A parsed selector as a tree that evaluates itself (§3.8.1.1, §3.8.1.2). No message makes it throw: a value of a type that an
 * operator has no use for gives false or unknown, as each record says. All records are immutable and thread-safe; their
 * depth is bounded by the parser.
 */
public sealed interface Expression {

    /**
     * What it evaluates to.
     *
     * @return a String, a Boolean, a number, or null for NULL and for unknown
     */
    Object value(Values values);

    /** What it evaluates to as a condition. A value that is not a boolean is unknown. */
    Truth test(Values values);

    /** An expression that has a value of any type. */
    sealed interface Operand extends Expression {

        @Override
        default Truth test(Values values) {
            return value(values) instanceof Boolean truth ? Truth.of(truth) : Truth.UNKNOWN;
        }
    }

    /** An expression that is true, false or unknown. */
    sealed interface Condition extends Expression {

        @Override
        default Object value(Values values) {
            return switch (test(values)) {
                case TRUE -> true;
                case FALSE -> false;
                case UNKNOWN -> null;
            };
        }
    }

    /**
     * A literal.
     *
     * @param value a String, Boolean, Long, Float or Double
     */
    record Literal(Object value) implements Operand {

        @Override
        public Object value(Values values) {
            return value;
        }
    }

    /** A header field or property. A value of a type that a property cannot have, such as an array, counts as unknown. */
    record Identifier(String name) implements Operand {

        @Override
        public Object value(Values values) {
            Object value = values.get(name);
            return value instanceof String || value instanceof Boolean || isNumber(value) ? value : null;
        }

        private static boolean isNumber(Object value) {
            return value instanceof Integer
                    || value instanceof Long
                    || value instanceof Double
                    || value instanceof Float
                    || value instanceof Short
                    || value instanceof Byte;
        }
    }

    /** A unary plus or minus: NULL where the operand is no number. */
    record Signed(boolean negative, Expression operand) implements Operand {

        @Override
        public Object value(Values values) {
            if (operand.value(values) instanceof Number number) {
                return negative ? ArithmeticOperator.negate(number) : number;
            }
            return null;
        }
    }

    /**
     * Operators of one precedence level, applied from left to right: NULL where an operand is no number. A list, not a tree of
     * pairs, so that a long sum is not a deep one.
     */
    record Arithmetic(Expression first, List<Step> steps) implements Operand {

        public Arithmetic {
            steps = List.copyOf(steps);
        }

        /** One operator and its right operand. */
        public record Step(ArithmeticOperator operator, Expression operand) {}

        @Override
        public Object value(Values values) {
            if (!(first.value(values) instanceof Number result)) {
                return null;
            }
            for (int i = 0; i < steps.size() && result != null; i++) {
                Step step = steps.get(i);
                result = step.operand.value(values) instanceof Number operand
                        ? step.operator.apply(result, operand)
                        : null;
            }
            return result;
        }
    }

    /** Table 3-4. */
    record And(List<Expression> operands) implements Condition {

        public And {
            operands = List.copyOf(operands);
        }

        @Override
        public Truth test(Values values) {
            Truth result = Truth.TRUE;
            for (int i = 0; i < operands.size(); i++) {
                Truth truth = operands.get(i).test(values);
                if (truth == Truth.FALSE) {
                    return truth;
                }
                if (truth == Truth.UNKNOWN) {
                    result = truth;
                }
            }
            return result;
        }
    }

    /** Table 3-5. */
    record Or(List<Expression> operands) implements Condition {

        public Or {
            operands = List.copyOf(operands);
        }

        @Override
        public Truth test(Values values) {
            Truth result = Truth.FALSE;
            for (int i = 0; i < operands.size(); i++) {
                Truth truth = operands.get(i).test(values);
                if (truth == Truth.TRUE) {
                    return truth;
                }
                if (truth == Truth.UNKNOWN) {
                    result = truth;
                }
            }
            return result;
        }
    }

    /** Table 3-6. */
    record Not(Expression operand) implements Condition {

        @Override
        public Truth test(Values values) {
            return operand.test(values).not();
        }
    }

    /** Unlike types compare false, NULL compares unknown. */
    record Comparison(Expression left, ComparisonOperator operator, Expression right) implements Condition {

        @Override
        public Truth test(Values values) {
            return operator.compare(left.value(values), right.value(values));
        }
    }

    /**
     * BETWEEN is {@code value >= low AND value <= high}, and NOT BETWEEN is {@code value < low OR value > high}; so with a
     * value that is no number both are false.
     */
    record Between(Expression value, Expression low, Expression high, boolean negated) implements Condition {

        @Override
        public Truth test(Values values) {
            Object tested = value.value(values);
            Truth below = limit(ComparisonOperator.LESS, ComparisonOperator.GREATER_OR_EQUAL)
                    .compare(tested, low.value(values));
            Truth above = limit(ComparisonOperator.GREATER, ComparisonOperator.LESS_OR_EQUAL)
                    .compare(tested, high.value(values));
            Truth decisive = Truth.of(negated);
            if (below == decisive || above == decisive) {
                return decisive;
            }
            return below == Truth.UNKNOWN || above == Truth.UNKNOWN ? Truth.UNKNOWN : decisive.not();
        }

        private ComparisonOperator limit(ComparisonOperator outside, ComparisonOperator inside) {
            return negated ? outside : inside;
        }
    }

    /**
     * The identifier of an IN or NOT IN has a String or NULL value (§3.8.1.1), so of a value that is no string both are unknown; so
     * {@code NOT x IN ('a')} and {@code x NOT IN ('a')} say the same of every message.
     */
    record In(Identifier identifier, Set<String> texts, boolean negated) implements Condition {

        public In {
            texts = Set.copyOf(texts);
        }

        @Override
        public Truth test(Values values) {
            return identifier.value(values) instanceof String text
                    ? Truth.of(texts.contains(text) != negated)
                    : Truth.UNKNOWN;
        }
    }

    /** The identifier of a LIKE or NOT LIKE has a String value (§3.8.1.1), so of a value that is none both are unknown. */
    record Like(Identifier identifier, LikePattern pattern, boolean negated) implements Condition {

        @Override
        public Truth test(Values values) {
            return identifier.value(values) instanceof String text
                    ? Truth.of(pattern.matches(text) != negated)
                    : Truth.UNKNOWN;
        }
    }

    /** IS NULL and IS NOT NULL: never unknown. */
    record IsNull(Identifier identifier, boolean negated) implements Condition {

        @Override
        public Truth test(Values values) {
            return Truth.of((values.get(identifier.name()) == null) != negated);
        }
    }
}
