package org.readpast.jms.destination;

import jakarta.jms.Queue;

/** A queue, known by its name. */
public sealed class ReadpastQueue extends ReadpastDestination implements Queue permits ReadpastTemporaryQueue {

    private static final long serialVersionUID = 1L;

    private static final String SCHEME = "queue";

    /** Makes a queue whose name is set later, with {@link #setName}. */
    public ReadpastQueue() {
        this(DestinationName.literal(null));
    }

    /**
     * Makes a queue of this name. The database is not asked whether it exists.
     *
     * @param name the name, and any options behind it; see {@link ReadpastDestination}
     * @throws IllegalArgumentException if an option, or a member of a composite name, is not understood, or the name has the scheme of
     *     another kind
     */
    public ReadpastQueue(String name) {
        this(DestinationName.read(name, SCHEME));
    }

    ReadpastQueue(DestinationName name) {
        super(name);
    }

    @Override
    public String getQueueName() {
        return getName();
    }

    @Override
    String scheme() {
        return SCHEME;
    }

    @Override
    public boolean isTemporary() {
        return false;
    }
}
