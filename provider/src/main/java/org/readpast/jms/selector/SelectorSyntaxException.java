package org.readpast.jms.selector;

/** A selector that is not one. */
public final class SelectorSyntaxException extends Exception {

    private final int position;

    /**
     * @param problem what is wrong, for a person
     * @param selector the whole text
     * @param position where in the text, counted from 0
     */
    public SelectorSyntaxException(String problem, String selector, int position) {
        super(problem + " at position " + (position + 1) + " of selector: " + selector);
        this.position = position;
    }

    /** Where in the text the problem is, counted from 0. */
    public int position() {
        return position;
    }
}
