package org.readpast.bridge;

/**
 * What a broker still has of a queue or subscription, of one kind.
 *
 * @param kind in words: {@code waiting}, {@code scheduled}, {@code delivering} and so on
 * @param count how many; null where the broker does not tell
 */
public record Remaining(String kind, Long count) {

    /** Of a queue or subscription that is not there: it may have another name, or was removed as it became empty. */
    public static final Remaining NOT_THERE = new Remaining("waiting (it is not there)", null);

    /** Whether there is nothing, and that is known. */
    public boolean isNone() {
        return count != null && count == 0;
    }
}
