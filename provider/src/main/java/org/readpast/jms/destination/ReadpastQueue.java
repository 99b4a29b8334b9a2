package org.readpast.jms.destination;

import jakarta.jms.Queue;

/** A queue by name. */
public sealed class ReadpastQueue extends ReadpastDestination implements Queue permits ReadpastTemporaryQueue {

    private static final long serialVersionUID = 1L;

    private static final String SCHEME = "queue";

    /** A queue whose name is set later. */
    public ReadpastQueue() {
        this(DestinationName.literal(null));
    }

    /**
     * @param name the name, options behind it included; see {@link ReadpastDestination}
     * @throws IllegalArgumentException for an option, or a member of a composite name, that is not understood
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
