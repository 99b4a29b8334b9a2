package org.readpast.jms.store.jdbc.row;

import java.util.List;
import org.readpast.jms.store.NewMessage;

/**
 * A message that is published, and who is to get it.
 *
 * @param version the topic's, to which that is bound
 * @param shared the body that the copies share, or null
 */
public record Copies(NewMessage message, long version, List<Integer> subscriptions, SharedBody shared) {

    public boolean isDelayed(long now) {
        return MessageRow.remainingDelay(message, now) > 0;
    }
}
