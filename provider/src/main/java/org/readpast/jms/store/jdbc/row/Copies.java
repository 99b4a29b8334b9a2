package org.readpast.jms.store.jdbc.row;

import java.util.List;
import org.readpast.jms.store.NewMessage;

/**
 * A message that is published, and who is to get it.
 *
 * @param version the topic's, to which that is bound
 * @param shareBody whether its body is stored once for all of them
 */
public record Copies(NewMessage message, long version, List<Integer> subscriptions, boolean shareBody) {

    public boolean isDelayed(long now) {
        return MessageRow.remainingDelay(message, now) > 0;
    }
}
