package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.row.BodyFormat;
import org.readpast.jms.store.jdbc.row.Copies;
import org.readpast.jms.store.jdbc.row.HeaderColumns;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;

/**
 * Stores messages: those for queues as they are, those for topics once for each subscription that wants them. That is one round
 * trip however many there are, as long as the topic's subscriptions are those that this JVM knows; otherwise nothing is inserted,
 * they are read anew, and it is done again. Thread-safe.
 */
public final class Sends {

    /** Each attempt fails only if somebody subscribed or unsubscribed during the one before. */
    private static final int ATTEMPTS = 100;

    private final Inserts inserts;
    private final Audiences audiences;
    private final Duplicates duplicates;

    public Sends(Inserts inserts, Audiences audiences, Duplicates duplicates) {
        this.inserts = inserts;
        this.audiences = audiences;
        this.duplicates = duplicates;
    }

    /** Whether copies of a message have to be looked for, which takes a transaction. */
    public boolean isDeduplicated(NewMessage message) {
        return duplicates.concern(message);
    }

    /** Whether sending a message is one insert into a queue, to be delivered at once. */
    public boolean isPlain(NewMessage message) {
        return message.publication() == null && message.deliveryDelayMillis() == 0 && !isDeduplicated(message);
    }

    /** Whether it gains by being stored with others, and takes nothing from them: large bodies would be copied once more. */
    public boolean isCombined(NewMessage message) {
        return message.deliveryDelayMillis() == 0 && !isDeduplicated(message) && !inserts.isLarge(message);
    }

    /** Inserts within the open transaction, in order, what was not sent before. */
    public void insert(Connection connection, Collection<NewMessage> sent) throws SQLException {
        insert(connection, sent, new PlainCommit());
    }

    /** The same in a transaction with a verifier of its commit. */
    public void insert(Connection connection, Collection<NewMessage> sent, CommitVerifier verifier)
            throws SQLException {
        Collection<NewMessage> messages = duplicates.without(connection, sent);
        inserts.insert(
                connection,
                messages.stream()
                        .filter(message -> message.publication() == null)
                        .toList(),
                verifier);
        List<NewMessage> left = messages.stream()
                .filter(message -> message.publication() != null)
                .toList();
        for (int attempt = 1; !left.isEmpty(); attempt++) {
            left = publish(connection, left);
            checkAttempts(attempt, left);
        }
    }

    static void checkAttempts(int attempt, List<NewMessage> left) throws SQLException {
        if (attempt == ATTEMPTS && !left.isEmpty()) {
            throw new SQLTransientException(
                    "The subscriptions of a topic have changed " + ATTEMPTS + " times while a message was published",
                    Failures.OWN);
        }
    }

    /** Whom a message reaches as far as this JVM knows; null if it does not. */
    Copies knownCopies(NewMessage message) throws SQLException {
        Audience known = audiences.known(message.destinationId());
        return known == null ? null : copies(known, message, true);
    }

    /** Whom a message reaches. */
    Copies copies(Connection connection, NewMessage message) throws SQLException {
        return copies(audiences.of(connection, message.destinationId()), message, true);
    }

    private Copies copies(Audience audience, NewMessage message, boolean mayShare) throws SQLException {
        if (!audience.topic().isOf(message)) {
            audiences.outdated(message.destinationId(), audience.topic().version());
            throw new SQLException(
                    "The row " + message.destinationId() + " of this topic was removed or is another's now",
                    Failures.GONE);
        }
        List<Integer> subscriptions = audience.of(message);
        boolean shareBody = mayShare && inserts.paysToShare(message, subscriptions.size());
        return new Copies(message, audience.topic().version(), subscriptions, shareBody);
    }

    /**
     * Publishes messages and returns those that have to be published again, in their order. All messages of a topic go by one version of
     * it: one that fails is not overtaken by those behind it.
     */
    private List<NewMessage> publish(Connection connection, List<NewMessage> messages) throws SQLException {
        long now = System.nanoTime();
        boolean mayShare = inserts.commitsTogether(connection);
        List<Copies> unwanted = new ArrayList<>();
        List<Copies> immediate = new ArrayList<>();
        List<Copies> delayed = new ArrayList<>();
        Map<Integer, Audience> ofTopics = new HashMap<>();
        for (NewMessage message : messages) {
            int topic = message.destinationId();
            if (!ofTopics.containsKey(topic)) {
                ofTopics.put(topic, audiences.of(connection, topic));
            }
            Copies copies = copies(ofTopics.get(topic), message, mayShare);
            (copies.subscriptions().isEmpty() ? unwanted : copies.isDelayed(now) ? delayed : immediate).add(copies);
        }
        Set<NewMessage> again = Collections.newSetFromMap(new IdentityHashMap<>());
        Map<Integer, Boolean> current = new HashMap<>();
        for (Copies copies : unwanted) {
            Integer topic = copies.message().destinationId();
            if (!current.containsKey(topic)) {
                current.put(topic, isCurrent(connection, copies));
            }
            note(copies, current.get(topic), again);
        }
        note(immediate, inserts.publish(connection, immediate, now), again);
        note(delayed, inserts.publish(connection, delayed, now), again);
        return withUnwanted(messages, unwanted, again);
    }

    /** Whom a message reaches that nobody wanted may be different now if it comes behind one that is published again. */
    private static List<NewMessage> withUnwanted(
            List<NewMessage> messages, List<Copies> unwanted, Set<NewMessage> again) {
        Set<NewMessage> reachedNobody = Collections.newSetFromMap(new IdentityHashMap<>());
        unwanted.forEach(copies -> reachedNobody.add(copies.message()));
        Set<Integer> changed = new HashSet<>();
        List<NewMessage> left = new ArrayList<>();
        for (NewMessage message : messages) {
            if (again.contains(message)) {
                changed.add(message.destinationId());
                left.add(message);
            } else if (reachedNobody.contains(message) && changed.contains(message.destinationId())) {
                left.add(message);
            }
        }
        return left;
    }

    private void note(List<Copies> all, int[] inserted, Set<NewMessage> again) {
        for (int i = 0; i < inserted.length; i++) {
            note(all.get(i), inserted[i] > 0, again);
        }
    }

    private void note(Copies copies, boolean done, Set<NewMessage> again) {
        if (!noted(copies, done)) {
            again.add(copies.message());
        }
    }

    /** Whether it is still so that nobody wants a message. */
    boolean isCurrent(Connection connection, Copies copies) throws SQLException {
        Audience.Topic now = audiences.topic(connection, copies.message().destinationId());
        return now.version() == copies.version() && now.isOf(copies.message());
    }

    boolean noted(Copies copies, boolean done) {
        if (done) {
            copies.message().publication().reached(copies.subscriptions());
        } else {
            audiences.outdated(copies.message().destinationId(), copies.version());
        }
        return done;
    }

    /** See {@link org.readpast.jms.store.MessageStore#tooLarge}. */
    public String tooLarge(EncodedMessage message) {
        SizeLimits limits = inserts.sizes();
        long body = BodyFormat.atMost(message.body());
        if (body > limits.body()) {
            body = BodyFormat.of(message.body(), inserts.textFormat()).length(message.body());
        }
        if (body > limits.body()) {
            return "its body has " + body + " bytes, and the option 'maxBodyBytes' allows " + limits.body();
        }
        String properties = HeaderColumns.properties(message);
        return properties == null || properties.length() <= limits.properties()
                ? null
                : "its properties are " + properties.length()
                        + " characters of JSON, and the option 'maxPropertiesLength' allows " + limits.properties();
    }
}
