package org.readpast.jms.store.jdbc.connect;

/**
 * How large what is stored of a message may be.
 *
 * @param inlineBody bodies up to this many bytes come with a claim, larger ones are read when they are wanted
 * @param body the longest body, in bytes, that is sent or read
 * @param properties the longest properties, in characters of their JSON, that are sent; those that are read may have notes besides
 */
public record SizeLimits(int inlineBody, int body, int properties) {

    /** More than the notes of a dead letter take, which come to what was sent. */
    private static final int NOTES = 4096;

    /** What holds where nothing is set. */
    static final SizeLimits DEFAULTS = new SizeLimits(256 * 1024, 64 * 1024 * 1024, 1024 * 1024);

    /** Checks that none is negative. */
    public SizeLimits {
        if (inlineBody < 0 || body < 0 || properties < 0) {
            throw new IllegalArgumentException(
                    "Sizes must not be negative: " + inlineBody + ", " + body + ", " + properties);
        }
    }

    /** Whether properties of this length are read: what could be sent can be read when it has become a dead letter, too. */
    public boolean areRead(int propertiesLength) {
        return (long) propertiesLength - NOTES <= properties;
    }
}
