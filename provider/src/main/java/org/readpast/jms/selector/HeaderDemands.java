package org.readpast.jms.selector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.readpast.jms.selector.Expression.And;
import org.readpast.jms.selector.Expression.Between;
import org.readpast.jms.selector.Expression.Comparison;
import org.readpast.jms.selector.Expression.Identifier;
import org.readpast.jms.selector.Expression.In;
import org.readpast.jms.selector.Expression.Literal;
import org.readpast.jms.selector.Expression.Not;
import org.readpast.jms.selector.Expression.Or;
import org.readpast.jms.selector.HeaderCondition.NumberField;
import org.readpast.jms.selector.HeaderCondition.TextField;

/**
 * Finds what an expression demands of the header fields. Each step answers for an outcome, true or false: a condition that
 * holds of every message for which the expression has that outcome, or empty where nothing is known. NOT asks its operand for
 * the other outcome, so no condition is ever negated as a whole, and unknown cannot slip in.
 */
final class HeaderDemands {

    private static final String DELIVERY_MODE = "JMSDeliveryMode";

    private HeaderDemands() {}

    /** What every message demands that the selector matches. */
    static Optional<HeaderCondition> of(Expression expression) {
        return of(expression, true);
    }

    private static Optional<HeaderCondition> of(Expression expression, boolean outcome) {
        if (expression instanceof Not not) {
            return of(not.operand(), !outcome);
        }
        if (expression instanceof And and) {
            return outcome ? all(and.operands(), true) : any(and.operands(), false);
        }
        if (expression instanceof Or or) {
            return outcome ? any(or.operands(), true) : all(or.operands(), false);
        }
        if (expression instanceof Comparison comparison) {
            return comparison(comparison, outcome);
        }
        if (expression instanceof Between between) {
            return between(between, outcome);
        }
        if (expression instanceof In in) {
            return in(in, outcome != in.negated());
        }
        return Optional.empty();
    }

    /** What is known of some is known of all together. */
    private static Optional<HeaderCondition> all(List<Expression> operands, boolean outcome) {
        List<HeaderCondition> conditions = new ArrayList<>();
        for (Expression operand : operands) {
            of(operand, outcome)
                    .ifPresent(condition -> conditions.addAll(
                            condition instanceof HeaderCondition.All nested
                                    ? nested.conditions()
                                    : List.of(condition)));
        }
        if (conditions.size() < 2) {
            return conditions.stream().findFirst();
        }
        return Optional.of(new HeaderCondition.All(conditions));
    }

    /** Known only where every one is known. */
    private static Optional<HeaderCondition> any(List<Expression> operands, boolean outcome) {
        List<HeaderCondition> conditions = new ArrayList<>();
        for (Expression operand : operands) {
            Optional<HeaderCondition> condition = of(operand, outcome);
            if (condition.isEmpty()) {
                return Optional.empty();
            }
            conditions.addAll(
                    condition.get() instanceof HeaderCondition.Any nested
                            ? nested.conditions()
                            : List.of(condition.get()));
        }
        return Optional.of(new HeaderCondition.Any(conditions));
    }

    private static Optional<HeaderCondition> comparison(Comparison comparison, boolean outcome) {
        if (comparison.left() instanceof Identifier identifier && comparison.right() instanceof Literal literal) {
            return comparison(identifier, comparison.operator(), literal.value(), outcome);
        }
        if (comparison.left() instanceof Literal literal && comparison.right() instanceof Identifier identifier) {
            return comparison(identifier, comparison.operator().mirrored(), literal.value(), outcome);
        }
        return Optional.empty();
    }

    /**
     * Only like types: unlike ones are false of every message that has the field, which says nothing worth asking for. Nor are
     * approximate literals pushed down, as the database's promotion need not be Java's.
     */
    private static Optional<HeaderCondition> comparison(
            Identifier identifier, ComparisonOperator operator, Object literal, boolean outcome) {
        ComparisonOperator wanted = outcome ? operator : operator.inverse();
        if (literal instanceof Long number) {
            return numberField(identifier).map(field -> new HeaderCondition.Compared(field, wanted, number));
        }
        if (literal instanceof String text) {
            boolean equal = wanted == ComparisonOperator.EQUAL;
            return identifier.name().equals(DELIVERY_MODE)
                    ? persistence(Set.of(text), equal)
                    : textField(identifier).flatMap(field -> text(field, Set.of(text), equal));
        }
        return Optional.empty();
    }

    private static Optional<HeaderCondition> between(Between between, boolean outcome) {
        if (between.value() instanceof Identifier identifier
                && between.low() instanceof Literal low
                && between.high() instanceof Literal high
                && low.value() instanceof Long from
                && high.value() instanceof Long to) {
            return numberField(identifier).map(field -> between(field, from, to, outcome != between.negated()));
        }
        return Optional.empty();
    }

    private static HeaderCondition between(NumberField field, long low, long high, boolean within) {
        if (within) {
            return new HeaderCondition.Within(field, low, high);
        }
        return new HeaderCondition.Any(List.of(
                new HeaderCondition.Compared(field, ComparisonOperator.LESS, low),
                new HeaderCondition.Compared(field, ComparisonOperator.GREATER, high)));
    }

    private static Optional<HeaderCondition> in(In in, boolean among) {
        return in.identifier().name().equals(DELIVERY_MODE)
                ? persistence(in.texts(), among)
                : textField(in.identifier()).flatMap(field -> text(field, in.texts(), among));
    }

    /** Of one text alone: several ones are at several places of an index, and a text that it is not is at none. */
    private static Optional<HeaderCondition> text(TextField field, Set<String> texts, boolean among) {
        return among && texts.size() == 1
                ? texts.stream()
                        .filter(HeaderDemands::isPortable)
                        .findFirst()
                        .map(text -> new HeaderCondition.Equal(field, text))
                : Optional.empty();
    }

    /** Not every database takes the character NUL or half a surrogate pair as a parameter: a selector must not fail there. */
    private static boolean isPortable(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    }

    /** As text the delivery mode has two values (§3.8.1.3); any other text is never it, which is left for the selector to say. */
    private static Optional<HeaderCondition> persistence(Set<String> texts, boolean among) {
        boolean persistent = texts.contains("PERSISTENT") == among;
        boolean nonPersistent = texts.contains("NON_PERSISTENT") == among;
        return persistent == nonPersistent
                ? Optional.empty()
                : Optional.of(new HeaderCondition.Persistence(persistent));
    }

    private static Optional<TextField> textField(Identifier identifier) {
        return Arrays.stream(TextField.values())
                .filter(field -> field.header().equals(identifier.name()))
                .findFirst();
    }

    private static Optional<NumberField> numberField(Identifier identifier) {
        return Arrays.stream(NumberField.values())
                .filter(field -> field.header().equals(identifier.name()))
                .findFirst();
    }
}
