package org.readpast.jms.destination;

import jakarta.jms.Queue;

/** A queue by name. */
public sealed class ReadpastQueue extends ReadpastDestination implements Queue permits ReadpastTemporaryQueue {

    private static final long serialVersionUID = 1L;

    /** A queue whose name is set later. */
    public ReadpastQueue() {
        this(null);
    }

    public ReadpastQueue(String name) {
        super(name);
    }

    @Override
    public String getQueueName() {
        return getName();
    }

    @Override
    String scheme() {
        return "queue";
    }

    @Override
    public boolean isTemporary() {
        return false;
    }
}
