package org.readpast.jms.selector;

import java.util.Optional;

/** A parsed message selector (§3.8.1). Two are equal where their texts are. Immutable and thread-safe. */
public final class Selector {

    private final String text;
    private final Expression expression;
    private final Optional<HeaderCondition> headerCondition;

    private Selector(String text, Expression expression) {
        this.text = text;
        this.expression = expression;
        this.headerCondition = HeaderDemands.of(expression);
    }

    /**
     * Parses a selector.
     *
     * @return null where the text is null or blank, which selects everything (§3.8.1)
     * @throws SelectorSyntaxException if it is not one, saying where
     */
    public static Selector parse(String text) throws SelectorSyntaxException {
        return text == null || text.isBlank() ? null : new Selector(text, Parser.parse(text));
    }

    /** Whether it is true, not false or unknown, of a message with these values. */
    public boolean matches(Values values) {
        return expression.test(values) == Truth.TRUE;
    }

    /** The tree that {@link #matches} evaluates. */
    public Expression expression() {
        return expression;
    }

    /** What every message that it matches fulfils in its header fields, or empty where that bounds none of them. */
    public Optional<HeaderCondition> headerCondition() {
        return headerCondition;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selector that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The text it was parsed from. */
    @Override
    public String toString() {
        return text;
    }
}
