package org.readpast.operations.messages;

import java.util.List;
import org.readpast.operations.messages.StoredMessage.Place;

/**
 * A page of messages that a condition chooses.
 *
 * @param messages unmodifiable, in the order of the queue
 * @param searched how many messages were looked at for it
 * @param about how many there are about, counted up to 10,001; null where it is not known
 * @param unreadable of how many it could not be found out whether they are meant
 * @param next behind which message the search goes on; null at the end of the queue
 */
public record Found(List<StoredMessage> messages, long searched, Long about, long unreadable, Place next) {
    public Found {
        messages = List.copyOf(messages);
    }
}
