package org.readpast.operations.messages;

import java.time.Instant;
import org.readpast.operations.database.Product;
import org.readpast.operations.messages.StoredMessage.Place;

/**
 * A message as somebody has seen it: once it was delivered again, moved, held or claimed, it is another one.
 *
 * @param place where it lies in its queue
 * @param deliveries how often it had been delivered
 * @param timestamp its JMSTimestamp in milliseconds: after a crash another message may have the place of one that was lost
 */
public record MessageKey(Place place, int deliveries, long timestamp) {

    /** As the procedures take it. */
    String json(Product product) {
        Instant due = place.dueAt();
        return "{\"p\":" + place.priority() + ",\"i\":" + place.id() + ",\"c\":" + deliveries
                + ",\"t\":" + timestamp
                + (due == null ? "" : ",\"u\":\"" + Repair.time(product, due) + "\"") + "}";
    }
}
