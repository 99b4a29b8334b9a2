package org.readpast.jms.store;

import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;

/**
 * A message as it was read from the table.
 *
 * @param key where it stands
 * @param message its content; its body may be a {@link Body.Deferred}, and its properties may be too long to have come with it
 * @param deliveryCount how often it was delivered before and came back; 0 for a new message
 * @param suspicion null unless it may have been in delivery when a JVM died; always null where it was not claimed by lock
 * @param claim what holds it, or null where it is not claimed
 */
public record StoredMessage(
        MessageKey key, EncodedMessage message, int deliveryCount, Suspicion suspicion, Claim claim) {

    /** A message that is not claimed. */
    public StoredMessage(MessageKey key, EncodedMessage message, int deliveryCount) {
        this(key, message, deliveryCount, null, null);
    }

    /** Whether its body has yet to be read. */
    public boolean lacksBody() {
        return message.body() instanceof Body.Deferred;
    }

    /** Whether its properties have yet to be read; their length stands in their place. */
    public boolean lacksProperties() {
        return PropertiesJson.lengthIn(message.properties()) >= 0;
    }

    /** Whether anything of it has yet to be read. */
    public boolean isPartial() {
        return lacksBody() || lacksProperties();
    }

    /** Why its row cannot be read, in words that name the column and its value; null if it can, as far as it has been read. */
    public String unreadable() {
        return message.body() instanceof Body.Unreadable row ? row.reason() : null;
    }

    /** Whether a delivery of it is to be counted as it begins. */
    public boolean isSuspect() {
        return suspicion != null;
    }

    /** The lease that holds it, or null where none does. */
    public Lease lease() {
        return claim == null ? null : claim.lease();
    }

    /** The same, locked. */
    public StoredMessage locked(long sinceNanos) {
        return new StoredMessage(key, message, deliveryCount, suspicion, Claim.of(this, null, sinceNanos));
    }

    /** The same, held by a lease, which has counted its delivery. */
    public StoredMessage leased(Lease lease) {
        return new StoredMessage(key, message, deliveryCount, null, Claim.of(this, lease, lease.sinceNanos()));
    }

    /** The same with other content. */
    public StoredMessage withMessage(EncodedMessage other) {
        return new StoredMessage(key, other, deliveryCount, suspicion, claim);
    }

    /** The same with its body read. */
    public StoredMessage withBody(Body body) {
        return new StoredMessage(key, message.withBody(body), deliveryCount, suspicion, claim);
    }

    /** The same, which may have been in delivery when a JVM died. */
    public StoredMessage suspected() {
        return new StoredMessage(key, message, deliveryCount, Suspicion.CLAIMED, claim);
    }

    /** The same, after this many deliveries that were counted as they began and never ended. */
    public StoredMessage afterUnended(int deliveries) {
        return new StoredMessage(key, message, deliveryCount + deliveries, new Suspicion(deliveries), claim);
    }

    /** The same, after one more delivery that was not counted as it began and ended with a rollback. */
    public StoredMessage afterUncounted() {
        return new StoredMessage(key, message, deliveryCount + 1, Suspicion.CLAIMED, claim);
    }
}
