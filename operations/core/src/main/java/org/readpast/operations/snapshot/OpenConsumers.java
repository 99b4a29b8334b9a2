package org.readpast.operations.snapshot;

/**
 * The consumers of a destination that are open in a JVM, as it told.
 *
 * @param open how many
 * @param stopped how many of them are of connections that are not started
 * @param selective how many of them have a selector
 * @param selector one of these, cut; null where none has one
 */
public record OpenConsumers(int open, int stopped, int selective, String selector) {

    /** These and others together, with a selector of either. */
    public OpenConsumers and(OpenConsumers more) {
        return new OpenConsumers(
                open + more.open,
                stopped + more.stopped,
                selective + more.selective,
                selector == null ? more.selector : selector);
    }
}
