package org.readpast.jms.selector;

/** A selector that is not one. */
public final class SelectorSyntaxException extends Exception {

    /** How much of a long selector the message shows on either side of the problem. */
    private static final int SHOWN = 100;

    private final int position;

    /**
     * @param problem what is wrong, for a person
     * @param selector the whole text
     * @param position where in the text, counted from 0
     */
    public SelectorSyntaxException(String problem, String selector, int position) {
        super(problem + " at position " + (position + 1) + " of selector: " + around(selector, position));
        this.position = position;
    }

    private static String around(String selector, int position) {
        int from = Math.max(0, position - SHOWN);
        int to = Math.min(selector.length(), position + SHOWN);
        // In one line, and character by character, so that the position still holds.
        String shown = selector.substring(from, to).replaceAll("[\\p{Cntrl}\u0085\u2028\u2029]", " ");
        return (from > 0 ? "..." : "") + shown + (to < selector.length() ? "..." : "");
    }

    /** Where in the text the problem is, counted from 0. */
    public int position() {
        return position;
    }
}
