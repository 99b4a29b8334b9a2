package org.readpast.jms.store.jdbc.connect;

/**
 * How large what is stored of a message may be.
 *
 * @param inlineBody bodies up to this many bytes come with a claim, larger ones are read when they are wanted
 * @param body the longest body, in bytes, that is sent or read
 * @param properties the longest properties, in characters of their JSON, that are sent or read
 */
public record SizeLimits(int inlineBody, int body, int properties) {

    /** What holds where nothing is set. */
    static final SizeLimits DEFAULTS = new SizeLimits(256 * 1024, 64 * 1024 * 1024, 1024 * 1024);

    /** Checks that none is negative. */
    public SizeLimits {
        if (inlineBody < 0 || body < 0 || properties < 0) {
            throw new IllegalArgumentException(
                    "Sizes must not be negative: " + inlineBody + ", " + body + ", " + properties);
        }
    }
}
