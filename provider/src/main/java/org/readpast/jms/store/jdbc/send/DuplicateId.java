package org.readpast.jms.store.jdbc.send;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.Optional;
import org.readpast.jms.codec.Hexadecimal;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.sql.StorableText;

/**
 * What tells a message from a second attempt to send it: the property {@code _AMQ_DUPL_ID}, within one queue or topic. Its value
 * may be of any type and counts as text, so that 7 and "7" are the same.
 *
 * @param destinationId the queue or topic
 * @param text the id as its column holds it
 */
public record DuplicateId(int destinationId, String text) implements Comparable<DuplicateId> {

    public static final String PROPERTY = "_AMQ_DUPL_ID";

    private static final String QUOTED = '"' + PROPERTY + '"';
    private static final int COLUMN_LENGTH = 255;
    private static final String HASHED = "sha256:";
    private static final Comparator<DuplicateId> ORDER =
            Comparator.comparingInt(DuplicateId::destinationId).thenComparing(DuplicateId::text);

    /** The id of a message, if it has one. Properties without one are not parsed for it. */
    static Optional<DuplicateId> of(NewMessage sent) {
        String properties = sent.message().properties();
        if (properties == null || !properties.contains(QUOTED)) {
            return Optional.empty();
        }
        return Optional.ofNullable(PropertiesJson.read(properties).get(PROPERTY))
                .map(value -> new DuplicateId(sent.destinationId(), stored(value.toString())));
    }

    /**
     * The id itself, for people to look for. One that a column cannot hold, or that a database would take for another one, since
     * it compares without regard to blanks at the end, is stored as its hash.
     */
    private static String stored(String id) {
        boolean exact = id.length() <= COLUMN_LENGTH
                && StorableText.prefixLength(id) == id.length()
                && !id.endsWith(" ")
                && !id.startsWith(HASHED);
        return exact ? id : HASHED + sha256(id);
    }

    private static String sha256(String id) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return Hexadecimal.format(digest.digest(id.getBytes(StandardCharsets.UTF_16BE)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    @Override
    public int compareTo(DuplicateId other) {
        return ORDER.compare(this, other);
    }
}
