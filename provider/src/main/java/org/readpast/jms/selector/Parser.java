package org.readpast.jms.selector;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.selector.Token.Kind;

/**
 * Recursive descent over the grammar of §3.8.1.1, loosest first: OR, AND, NOT, one comparison, sum, product, sign. It recurses
 * only at an opening parenthesis, and those are bounded.
 *
 * <p>What the specification restricts to a type is held where the text alone shows the type: an operator that orders, BETWEEN
 * and arithmetic take no string and no boolean; a logical operator, and the selector as a whole, take no string and no number.
 * An equality of unlike literals is no error, as the specification gives it a value, false. For one thread.
 */
final class Parser {

    /** Parsed within 300 KB of stack, of the megabyte that a thread has by default. */
    static final int DEEPEST_NESTING = 100;

    private static final Set<String> HEADER_FIELDS =
            Set.of("JMSDeliveryMode", "JMSPriority", "JMSMessageID", "JMSTimestamp", "JMSCorrelationID", "JMSType");

    private final String selector;
    private final Lexer lexer;
    private Token token;
    private int nesting;

    private Parser(String selector) throws SelectorSyntaxException {
        this.selector = selector;
        this.lexer = new Lexer(selector);
        this.token = lexer.next();
    }

    static Expression parse(String selector) throws SelectorSyntaxException {
        Parser parser = new Parser(selector);
        int start = parser.token.position();
        Expression expression = parser.condition(parser.disjunction(), start);
        if (!parser.token.is(Kind.END)) {
            throw parser.unexpected("AND, OR or the end");
        }
        return expression;
    }

    private Expression disjunction() throws SelectorSyntaxException {
        int start = token.position();
        Expression first = conjunction();
        if (!token.is(Kind.OR)) {
            return first;
        }
        List<Expression> operands = new ArrayList<>();
        operands.addAll(alternatives(condition(first, start)));
        while (accept(Kind.OR)) {
            start = token.position();
            operands.addAll(alternatives(condition(conjunction(), start)));
        }
        return new Expression.Or(operands);
    }

    private Expression conjunction() throws SelectorSyntaxException {
        int start = token.position();
        Expression first = negation();
        if (!token.is(Kind.AND)) {
            return first;
        }
        List<Expression> operands = new ArrayList<>();
        operands.addAll(conjuncts(condition(first, start)));
        while (accept(Kind.AND)) {
            start = token.position();
            operands.addAll(conjuncts(condition(negation(), start)));
        }
        return new Expression.And(operands);
    }

    /** {@code (a OR b) OR c} says the same as one list, and is less deep. */
    private static List<Expression> alternatives(Expression operand) {
        return operand instanceof Expression.Or nested ? nested.operands() : List.of(operand);
    }

    private static List<Expression> conjuncts(Expression operand) {
        return operand instanceof Expression.And nested ? nested.operands() : List.of(operand);
    }

    /** Two NOTs stand for any even number of them, so that many are not deep. */
    private Expression negation() throws SelectorSyntaxException {
        int negations = 0;
        while (accept(Kind.NOT)) {
            negations++;
        }
        int start = token.position();
        Expression operand = comparison();
        if (negations == 0) {
            return operand;
        }
        Expression negated = new Expression.Not(condition(operand, start));
        return negations % 2 == 0 ? new Expression.Not(negated) : negated;
    }

    private Expression comparison() throws SelectorSyntaxException {
        int start = token.position();
        Expression left = sum();
        ComparisonOperator operator = operator(token.kind());
        if (operator != null) {
            return comparison(left, start, operator);
        }
        if (accept(Kind.IS)) {
            boolean negated = accept(Kind.NOT);
            expect(Kind.NULL, "NULL");
            return new Expression.IsNull(identifier(left, start, "IS NULL"), negated);
        }
        boolean negated = accept(Kind.NOT);
        if (accept(Kind.BETWEEN)) {
            return between(left, start, negated);
        }
        if (accept(Kind.IN)) {
            return in(identifier(left, start, "IN"), negated);
        }
        if (accept(Kind.LIKE)) {
            return like(identifier(left, start, "LIKE"), negated);
        }
        if (negated) {
            throw unexpected("BETWEEN, IN or LIKE");
        }
        return left;
    }

    private static ComparisonOperator operator(Kind kind) {
        return switch (kind) {
            case EQUAL -> ComparisonOperator.EQUAL;
            case NOT_EQUAL -> ComparisonOperator.NOT_EQUAL;
            case LESS -> ComparisonOperator.LESS;
            case LESS_OR_EQUAL -> ComparisonOperator.LESS_OR_EQUAL;
            case GREATER -> ComparisonOperator.GREATER;
            case GREATER_OR_EQUAL -> ComparisonOperator.GREATER_OR_EQUAL;
            default -> null;
        };
    }

    private Expression comparison(Expression left, int start, ComparisonOperator operator)
            throws SelectorSyntaxException {
        advance();
        int rightStart = token.position();
        Expression right = sum();
        if (operator.orders()) {
            number(left, start, operator.symbol());
            number(right, rightStart, operator.symbol());
        }
        return new Expression.Comparison(left, operator, right);
    }

    private Expression between(Expression value, int start, boolean negated) throws SelectorSyntaxException {
        number(value, start, "BETWEEN");
        int lowStart = token.position();
        Expression low = number(sum(), lowStart, "BETWEEN");
        expect(Kind.AND, "AND");
        int highStart = token.position();
        Expression high = number(sum(), highStart, "BETWEEN");
        return new Expression.Between(value, low, high, negated);
    }

    private Expression in(Expression.Identifier identifier, boolean negated) throws SelectorSyntaxException {
        expect(Kind.OPENING, "(");
        Set<String> texts = new LinkedHashSet<>();
        do {
            texts.add(expect(Kind.STRING, "a string literal").text());
        } while (accept(Kind.COMMA));
        expect(Kind.CLOSING, ", or )");
        return new Expression.In(identifier, texts, negated);
    }

    private Expression like(Expression.Identifier identifier, boolean negated) throws SelectorSyntaxException {
        Token pattern = expect(Kind.STRING, "a string literal");
        String escape = null;
        if (accept(Kind.ESCAPE)) {
            Token character = expect(Kind.STRING, "a string literal of one character");
            escape = character.text();
            if (escape.codePointCount(0, escape.length()) != 1) {
                throw problem("An escape character is a string literal of one character", character.position());
            }
        }
        LikePattern compiled = LikePattern.compile(pattern.text(), escape);
        if (compiled == null) {
            throw problem("The pattern ends with its escape character, which escapes nothing", pattern.position());
        }
        return new Expression.Like(identifier, compiled, negated);
    }

    private Expression sum() throws SelectorSyntaxException {
        int start = token.position();
        Expression first = product();
        if (!token.is(Kind.PLUS) && !token.is(Kind.MINUS)) {
            return first;
        }
        number(first, start, token.text());
        List<Expression.Arithmetic.Step> steps = new ArrayList<>();
        while (token.is(Kind.PLUS) || token.is(Kind.MINUS)) {
            Token sign = advance();
            int operandStart = token.position();
            ArithmeticOperator operator = sign.is(Kind.PLUS) ? ArithmeticOperator.ADD : ArithmeticOperator.SUBTRACT;
            steps.add(new Expression.Arithmetic.Step(operator, number(product(), operandStart, sign.text())));
        }
        return reckoned(new Expression.Arithmetic(first, steps));
    }

    private Expression product() throws SelectorSyntaxException {
        int start = token.position();
        Expression first = signed();
        if (!token.is(Kind.TIMES) && !token.is(Kind.DIVIDED)) {
            return first;
        }
        number(first, start, token.text());
        List<Expression.Arithmetic.Step> steps = new ArrayList<>();
        while (token.is(Kind.TIMES) || token.is(Kind.DIVIDED)) {
            Token sign = advance();
            int operandStart = token.position();
            ArithmeticOperator operator = sign.is(Kind.TIMES) ? ArithmeticOperator.MULTIPLY : ArithmeticOperator.DIVIDE;
            steps.add(new Expression.Arithmetic.Step(operator, number(signed(), operandStart, sign.text())));
        }
        return reckoned(new Expression.Arithmetic(first, steps));
    }

    /** Arithmetic on literals alone is done once, here. What has no value, such as 1/0, stays as it is. */
    private static Expression reckoned(Expression.Arithmetic arithmetic) {
        if (!(arithmetic.first() instanceof Expression.Literal)) {
            return arithmetic;
        }
        for (Expression.Arithmetic.Step step : arithmetic.steps()) {
            if (!(step.operand() instanceof Expression.Literal)) {
                return arithmetic;
            }
        }
        return folded(arithmetic);
    }

    private static Expression folded(Expression constant) {
        Object value = constant.value(name -> null);
        return value == null ? constant : new Expression.Literal(value);
    }

    /** An even number of minuses is a plus. */
    private Expression signed() throws SelectorSyntaxException {
        if (!token.is(Kind.PLUS) && !token.is(Kind.MINUS)) {
            return primary(false);
        }
        String sign = token.text();
        boolean negative = false;
        while (token.is(Kind.PLUS) || token.is(Kind.MINUS)) {
            negative ^= advance().is(Kind.MINUS);
        }
        if (token.is(Kind.NUMBER)) {
            return primary(negative);
        }
        int start = token.position();
        Expression.Signed signed = new Expression.Signed(negative, number(primary(false), start, sign));
        return signed.operand() instanceof Expression.Literal ? folded(signed) : signed;
    }

    private Expression primary(boolean negative) throws SelectorSyntaxException {
        Token first = token;
        return switch (first.kind()) {
            case STRING -> literal(first.text());
            case TRUE -> literal(true);
            case FALSE -> literal(false);
            case NUMBER -> {
                try {
                    yield literal(NumericLiteral.parse(first.text(), negative));
                } catch (NumericLiteral.Malformed e) {
                    throw problem(e.getMessage(), first.position());
                }
            }
            case IDENTIFIER -> {
                requireSelectable(first);
                advance();
                yield new Expression.Identifier(first.text());
            }
            case OPENING -> parenthesised();
            default -> throw unexpected("a literal, an identifier or (");
        };
    }

    private Expression literal(Object value) throws SelectorSyntaxException {
        advance();
        return new Expression.Literal(value);
    }

    private Expression parenthesised() throws SelectorSyntaxException {
        if (nesting == DEEPEST_NESTING) {
            throw problem("Parentheses are nested deeper than " + DEEPEST_NESTING, token.position());
        }
        advance();
        nesting++;
        Expression inner = disjunction();
        nesting--;
        expect(Kind.CLOSING, ")");
        return inner;
    }

    /** Of the names that begin with JMS, six header fields, JMSX and JMS_ (§3.8.1.1). */
    private void requireSelectable(Token name) throws SelectorSyntaxException {
        String text = name.text();
        if (text.startsWith("JMS")
                && !text.startsWith("JMSX")
                && !text.startsWith("JMS_")
                && !HEADER_FIELDS.contains(text)) {
            throw problem("A selector cannot refer to " + name, name.position());
        }
    }

    private Expression condition(Expression operand, int start) throws SelectorSyntaxException {
        boolean value = operand instanceof Expression.Arithmetic
                || operand instanceof Expression.Signed
                || (operand instanceof Expression.Literal literal && !(literal.value() instanceof Boolean));
        if (value) {
            throw problem("A condition is wanted here, not a number or a string", start);
        }
        return operand;
    }

    private Expression number(Expression operand, int start, String operator) throws SelectorSyntaxException {
        boolean other = operand instanceof Expression.Condition
                || (operand instanceof Expression.Literal literal && !(literal.value() instanceof Number));
        if (other) {
            throw problem("The operands of " + operator + " are numbers, not strings or conditions", start);
        }
        return operand;
    }

    private Expression.Identifier identifier(Expression operand, int start, String operator)
            throws SelectorSyntaxException {
        if (operand instanceof Expression.Identifier identifier) {
            return identifier;
        }
        throw problem("The left operand of " + operator + " is an identifier", start);
    }

    private Token advance() throws SelectorSyntaxException {
        Token passed = token;
        token = lexer.next();
        return passed;
    }

    private boolean accept(Kind kind) throws SelectorSyntaxException {
        if (!token.is(kind)) {
            return false;
        }
        advance();
        return true;
    }

    private Token expect(Kind kind, String wanted) throws SelectorSyntaxException {
        if (!token.is(kind)) {
            throw unexpected(wanted);
        }
        return advance();
    }

    private SelectorSyntaxException unexpected(String wanted) {
        return problem("Expected " + wanted + " but found " + token, token.position());
    }

    private SelectorSyntaxException problem(String problem, int position) {
        return new SelectorSyntaxException(problem, selector, position);
    }
}
