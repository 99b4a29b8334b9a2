package org.readpast.jms.store;

import java.util.List;

/**
 * What a commit carries out.
 *
 * @param sends messages to insert, in the order in which they were sent
 * @param acknowledged claimed messages to delete
 * @param returned messages that are held by lease and go back into their queues as they were
 */
public record Settlement(List<NewMessage> sends, List<Claim> acknowledged, List<Claim> returned) {

    public static final Settlement NOTHING = acknowledgement(List.of());

    /** One that only acknowledges. */
    public static Settlement acknowledgement(List<Claim> claims) {
        return new Settlement(List.of(), claims, List.of());
    }

    public boolean isEmpty() {
        return sends.isEmpty() && acknowledged.isEmpty() && returned.isEmpty();
    }
}
