package org.readpast.operations.messages;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * How far a search has come in a queue: behind which message it goes on.
 *
 * @param priorityOrder of that message, where it waits in the queue
 * @param dueAt when that message is due, where it is delayed, claimed by lease or held; null where it waits
 * @param messageId of that message
 */
public record Cursor(int priorityOrder, Instant dueAt, long messageId) {

    static final Cursor HEAD = new Cursor(-1, null, 0);
    static final Cursor FIRST_DELAYED = new Cursor(0, Instant.parse("0001-01-01T00:00:00Z"), 0);

    /** What is held is due in the year 9999, behind all that is not. */
    static final Cursor FIRST_HELD = new Cursor(0, Instant.parse("9999-12-31T00:00:00Z"), 0);

    boolean isDelayed() {
        return dueAt != null;
    }

    /**
     * What {@link #toString} gave.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Cursor parse(String text) {
        int slash = text.indexOf('/');
        if (slash > 0) {
            String first = text.substring(0, slash);
            try {
                long id = Long.parseLong(text.substring(slash + 1));
                return first.endsWith("Z")
                        ? new Cursor(0, Instant.parse(first), id)
                        : new Cursor(Short.parseShort(first), null, id);
            } catch (DateTimeException | NumberFormatException e) {
                throw new IllegalArgumentException(notOne(text), e);
            }
        }
        throw new IllegalArgumentException(notOne(text));
    }

    private static String notOne(String text) {
        return "'" + text + "' is no place in a queue: as it was printed, for example 4/4711";
    }

    /** In a form to be printed and given again. */
    @Override
    public String toString() {
        return (dueAt == null ? String.valueOf(priorityOrder) : dueAt.toString()) + "/" + messageId;
    }
}
