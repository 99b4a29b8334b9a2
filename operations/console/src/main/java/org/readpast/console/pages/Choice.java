package org.readpast.console.pages;

import java.time.DateTimeException;
import java.time.Instant;
import org.readpast.operations.messages.MessageKey;
import org.readpast.operations.messages.StoredMessage;
import org.readpast.operations.messages.StoredMessage.Place;

/**
 * A message that somebody chooses in a form: as he has seen it, and not by its JMSMessageID, which a sender may give to two.
 *
 * @param state waiting, expired, delayed or held
 * @param key which it is
 */
record Choice(String state, MessageKey key) {

    /** As a form has it. */
    static String of(StoredMessage message) {
        Place place = message.place();
        return message.state() + ":" + place.priority() + "/" + place.id() + "/" + message.deliveries() + "/"
                + message.sentAt().toEpochMilli() + (place.dueAt() == null ? "" : "/" + place.dueAt());
    }

    /**
     * What {@link #of} gave.
     *
     * @throws Visit.Malformed if it is something else
     */
    static Choice parse(String text) {
        int colon = text.indexOf(':');
        String[] parts = text.substring(colon + 1).split("/", 5);
        try {
            Place place = new Place(
                    Short.parseShort(parts[0]),
                    Long.parseLong(parts[1]),
                    parts.length < 5 ? null : Instant.parse(parts[4]));
            return new Choice(
                    text.substring(0, Math.max(colon, 0)),
                    new MessageKey(place, Integer.parseInt(parts[2]), Long.parseLong(parts[3])));
        } catch (DateTimeException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new Visit.Malformed("'message' is no message that was shown");
        }
    }
}
