package org.readpast.jms.store;

import java.util.List;

/**
 * What a commit carries out.
 *
 * @param sends messages to insert, in the order in which they were sent
 * @param acknowledged claimed messages to delete
 */
public record Settlement(List<NewMessage> sends, List<MessageKey> acknowledged) {

    public static final Settlement NOTHING = new Settlement(List.of(), List.of());

    public boolean isEmpty() {
        return sends.isEmpty() && acknowledged.isEmpty();
    }
}
