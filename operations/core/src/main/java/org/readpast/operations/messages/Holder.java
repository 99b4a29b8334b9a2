package org.readpast.operations.messages;

import java.time.Instant;
import org.readpast.operations.database.Words;

/**
 * Who has a message in his transaction.
 *
 * @param messageId the row's id
 * @param session the number by which the server ends it; 0 for a prepared transaction
 * @param name the connection's name
 * @param host null where it is not known
 * @param process likewise
 * @param login the session's user
 * @param since when its transaction began; null where it is not known
 */
public record Holder(
        long messageId, int session, String name, String host, String process, String login, Instant since) {

    /** The holder in words. */
    public String who() {
        return Words.who(process, host, name == null || name.isBlank() ? "session " + session : name);
    }
}
