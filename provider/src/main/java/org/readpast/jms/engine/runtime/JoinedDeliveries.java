package org.readpast.jms.engine.runtime;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageKey;

/**
 * The messages that this JVM has delivered in transactions of the application's, most of them without counting. Nobody tells it how such a
 * transaction ends; but a message that it claims once more as it was has come back, since its transaction was rolled back. One that was put
 * off comes with a higher count. Remembers the last 10,000. Thread-safe.
 */
public final class JoinedDeliveries {

    private static final int REMEMBERED = 10_000;

    /** The count of deliveries that a message came with. */
    private final Map<MessageKey, Note<Integer>> delivered = bounded();

    /** Why the last delivery of a message has failed, as far as somebody has told. */
    private final Map<MessageKey, Note<String>> reasons = bounded();

    /** What is noted of a message. After a failover that loses commits the database gives its key to another one. */
    private record Note<T>(String messageId, long timestamp, T content) {}

    private static <T> Map<MessageKey, Note<T>> bounded() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<MessageKey, Note<T>> eldest) {
                return size() > REMEMBERED;
            }
        });
    }

    private static <T> void note(Map<MessageKey, Note<T>> notes, Claim claim, T content) {
        notes.put(claim.key(), new Note<>(claim.messageId(), claim.timestamp(), content));
    }

    private static <T> T noted(Map<MessageKey, Note<T>> notes, Claim claim) {
        Note<T> note = notes.get(claim.key());
        return note != null
                        && Objects.equals(note.messageId(), claim.messageId())
                        && note.timestamp() == claim.timestamp()
                ? note.content()
                : null;
    }

    /** A message is delivered, as it was claimed. */
    public void begin(Unacknowledged message) {
        note(delivered, message.claim(), message.deliveryCount());
    }

    /** Whether a message that was claimed has been delivered before and has come back. */
    public boolean cameBack(Unacknowledged message) {
        Integer count = noted(delivered, message.claim());
        return count != null && count == message.deliveryCount();
    }

    /** A message will come back. */
    public void failed(Claim claim, String why) {
        note(reasons, claim, why);
    }

    /** Why the last delivery has failed, or null if nobody has told. */
    public String whyFailed(Claim claim) {
        return noted(reasons, claim);
    }

    /**
     * A message is not delivered after all, or not any more: a dead letter that is sent back comes as if it had never been delivered. Where
     * nobody tells of the commit that makes it one, it is remembered: that may not come, and a message that allows a single delivery would be
     * delivered again each time. One of these that is sent back is a dead letter again at once, unless another JVM receives it.
     */
    public void forget(MessageKey message) {
        delivered.remove(message);
        reasons.remove(message);
    }
}
