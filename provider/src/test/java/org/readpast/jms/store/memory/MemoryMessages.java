package org.readpast.jms.store.memory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.BrowsePage;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.SelectorValues;

/** What is done to messages within a unit of work. Guarded by the database's monitor. */
final class MemoryMessages {

    private final MemoryDatabase database;
    private final SizeLimits sizes;

    MemoryMessages(MemoryDatabase database, SizeLimits sizes) {
        this.database = database;
        this.sizes = sizes;
    }

    /** Whether the message that was claimed is there, and not a later one in its place. */
    boolean isThere(Unit unit, Claim claim) {
        Entry entry = database.messages.get(unit, claim.key());
        return entry != null
                && entry.message().timestamp() == claim.timestamp()
                && Objects.equals(entry.message().messageId(), claim.messageId());
    }

    // In

    void insert(Unit unit, Collection<NewMessage> sent) throws StoreException {
        for (NewMessage message : sent) {
            if (message.publication() == null) {
                require(message.destinationId());
                insert(unit, message, message.destinationId());
            } else {
                List<Integer> reached = audience(message);
                reached.forEach(subscription -> insert(unit, message, subscription));
                message.publication().reached(reached);
            }
        }
    }

    private List<Integer> audience(NewMessage message) throws StoreException {
        MemoryDatabase.Destination topic = require(message.destinationId());
        SelectorValues values = new SelectorValues(new StoredMessage(null, message.message(), 0));
        return database.subscriptions.values().stream()
                .filter(subscription -> subscription.isOf(topic))
                .filter(subscription -> !message.publication()
                        .origin()
                        .equals(subscription.request().origin()))
                .filter(subscription -> subscription.selector() == null
                        || subscription.selector().matches(values))
                .map(Subscription::id)
                .toList();
    }

    private void insert(Unit unit, NewMessage sent, int destinationId) {
        long sentAt = MemoryDatabase.millis(sent.sentNanos());
        long expiresAt = sent.timeToLiveMillis() == 0 ? MemoryDatabase.NEVER : sum(sentAt, sent.timeToLiveMillis());
        long dueAt = sum(sentAt, sent.deliveryDelayMillis());
        MessageKey key = new MessageKey(destinationId, 9 - sent.message().priority(), database.nextMessageId());
        Entry entry = new Entry(sent.message(), expiresAt);
        if (sent.deliveryDelayMillis() == 0 || dueAt <= database.now()) {
            database.messages.put(unit, key, entry);
        } else {
            database.delayed.put(unit, key, entry.due(dueAt));
        }
    }

    private static StoreException gone(int destinationId) {
        return new StoreException(
                Failure.DESTINATION_GONE,
                "Destination " + destinationId + ": a message cannot go to what is not there",
                null);
    }

    private MemoryDatabase.Destination require(int destinationId) throws StoreException {
        MemoryDatabase.Destination there = database.destinations.get(destinationId);
        if (there == null) {
            throw gone(destinationId);
        }
        return there;
    }

    private static long sum(long time, long millis) {
        return time > 0 && millis > MemoryDatabase.NEVER - time ? MemoryDatabase.NEVER : time + millis;
    }

    /** Why a message is too large to be sent; null if it is not. */
    String tooLarge(EncodedMessage message) {
        long body = length(message.body());
        if (body > sizes.body()) {
            return "its body has " + body + " bytes, and the option 'maxBodyBytes' allows " + sizes.body();
        }
        return message.properties() == null || message.properties().length() <= sizes.properties()
                ? null
                : "its properties are " + message.properties().length()
                        + " characters of JSON, and the option 'maxPropertiesLength' allows " + sizes.properties();
    }

    private static long length(Body body) {
        return body instanceof Body.Text text
                ? text.text().getBytes(StandardCharsets.UTF_8).length
                : body instanceof Body.Binary binary ? binary.bytes().length : 0;
    }

    // Out

    /** Locks the first messages that match, stepping over those that others hold. */
    List<StoredMessage> claim(Unit unit, ClaimRequest request) {
        List<StoredMessage> claimed = new ArrayList<>();
        for (MessageKey key : available(unit, request)) {
            if (claimed.size() < request.max() && !request.held().contains(key) && database.messages.lock(unit, key)) {
                claimed.add(claimed(unit, key));
            }
        }
        return claimed;
    }

    /** The messages that a request is about, whoever has locked them, in the order of delivery. */
    List<MessageKey> available(Unit unit, ClaimRequest request) {
        return available(unit, request.destinationId(), request.after(), request.selector());
    }

    private List<MessageKey> available(Unit unit, int destinationId, MessageKey after, Selector selector) {
        long now = database.now();
        MessageKey from = after == null ? new MessageKey(destinationId, Integer.MIN_VALUE, 0) : after;
        return database.messages.keys(
                unit,
                from,
                new MessageKey(destinationId + 1, Integer.MIN_VALUE, 0),
                (key, entry) -> entry.expiresAt() > now
                        && (selector == null || selector.matches(new SelectorValues(whole(key, entry)))));
    }

    /** A message that a unit of work has locked. */
    StoredMessage claimed(Unit unit, MessageKey key) {
        StoredMessage message = partial(key, database.messages.get(unit, key)).locked(System.nanoTime());
        MemoryDatabase.Mark mark = database.marks.get(key.destinationId());
        return mark != null && key.messageId() <= mark.upTo() ? message.suspected() : message;
    }

    private static StoredMessage whole(MessageKey key, Entry entry) {
        return new StoredMessage(key, entry.message(), entry.deliveryCount());
    }

    /** Large bodies are left behind. */
    StoredMessage partial(MessageKey key, Entry entry) {
        StoredMessage whole = whole(key, entry);
        long length = length(entry.message().body());
        return length > sizes.inlineBody() ? whole.withBody(new Body.Deferred(length)) : whole;
    }

    BrowsePage browse(int destinationId, MessageKey after, int max, Selector selector) {
        List<MessageKey> keys = available(null, destinationId, after, selector);
        List<StoredMessage> page = keys.stream()
                .limit(max)
                .map(key -> whole(key, database.messages.get(null, key)))
                .toList();
        return new BrowsePage(page, page.size() < max ? null : page.get(max - 1).key());
    }

    // What becomes of them

    void acknowledge(Unit unit, Collection<MessageKey> keys) throws StoreException {
        int lost = 0;
        for (MessageKey key : keys) {
            lost += database.messages.remove(unit, key) == null ? 1 : 0;
        }
        if (lost > 0) {
            throw claimLost(keys, lost);
        }
    }

    StoreException claimLost(Collection<MessageKey> keys, int lost) {
        return new StoreException(
                Failure.CLAIM_LOST,
                database.subject(keys.iterator().next().destinationId()) + ": acknowledge failed, of " + keys.size()
                        + " claimed messages " + lost + " are not there any more; nothing was committed",
                null);
    }

    /** Counts a delivery before it begins, and returns how many before it were counted and never ended. */
    int countDelivery(Unit unit, MessageKey key) {
        Integer before = database.counted.get(unit, key);
        database.counted.put(unit, key, before == null ? 1 : before + 1);
        return before == null ? 0 : before;
    }

    /** Puts what was counted before these deliveries, which end now, into the counts of the messages. */
    int endDeliveries(Unit unit, Collection<MessageKey> keys) {
        int ended = 0;
        for (MessageKey key : keys) {
            Integer counted = database.counted.remove(unit, key);
            ended += counted == null ? 0 : 1;
            if (counted != null && counted > 1 && database.messages.lock(unit, key)) {
                database.messages.put(
                        unit, key, database.messages.get(unit, key).raised(counted - 1));
            }
        }
        return ended;
    }

    /** Raises counts and moves messages, leaving alone what somebody else has claimed meanwhile. */
    void redeliver(Unit unit, List<Redelivery> redeliveries) throws StoreException {
        for (Redelivery redelivery : redeliveries) {
            if (database.messages.lock(unit, redelivery.key())) {
                redeliver(unit, redelivery);
            }
        }
    }

    private void redeliver(Unit unit, Redelivery redelivery) throws StoreException {
        MessageKey key = redelivery.key();
        Entry entry = database.messages.remove(unit, key);
        if (redelivery instanceof Redelivery.AtOnce) {
            database.messages.put(unit, key, entry.raised(1));
        } else if (redelivery instanceof Redelivery.Delayed delayed) {
            database.delayed.put(unit, key, entry.raised(1).due(database.now() + delayed.delayMillis()));
        } else if (redelivery instanceof Redelivery.DeadLetter dead) {
            move(unit, key, entry.message().withProperties(withNotes(entry.message(), dead.notes())), dead.target());
        }
    }

    private static String withNotes(EncodedMessage message, Map<String, Object> notes) {
        Map<String, Object> properties = PropertiesJson.read(message.properties());
        properties.putAll(notes);
        return PropertiesJson.write(properties);
    }

    /** Puts a message that was removed into another queue, where it never expires. */
    void move(Unit unit, MessageKey key, EncodedMessage message, NamedQueue queue) throws StoreException {
        MemoryDatabase.Destination target = require(queue.id());
        if (!target.name().equals(queue.name())) {
            throw gone(queue.id());
        }
        database.messages.put(
                unit,
                new MessageKey(queue.id(), key.priorityOrder(), key.messageId()),
                new Entry(unexpiring(message, "queue://" + target.name()), MemoryDatabase.NEVER));
    }

    private static EncodedMessage unexpiring(EncodedMessage message, String destination) {
        return new EncodedMessage(
                message.messageId(),
                destination,
                message.replyTo(),
                message.correlationId(),
                message.type(),
                message.deliveryMode(),
                message.priority(),
                message.timestamp(),
                0,
                message.deliveryTime(),
                message.groupId(),
                message.properties(),
                message.kind(),
                message.body());
    }
}
