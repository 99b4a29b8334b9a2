package org.readpast.jms.destination;

import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;

/** A queue that lives as long as the connection that created it. */
public final class ReadpastTemporaryQueue extends ReadpastQueue implements TemporaryQueue {

    private static final long serialVersionUID = 1L;

    private final transient TemporaryOwner owner;

    /** One that somebody else's connection created, such as a JMSReplyTo; it can be sent to, not deleted. */
    public ReadpastTemporaryQueue(String name) {
        this(name, null);
    }

    public ReadpastTemporaryQueue(String name, TemporaryOwner owner) {
        super(DestinationName.literal(name));
        this.owner = owner;
    }

    @Override
    String scheme() {
        return "temp-queue";
    }

    @Override
    public boolean isTemporary() {
        return true;
    }

    /**
     * Deletes it with all its messages.
     *
     * @throws JMSException if it still has a consumer, or another connection created it
     */
    @Override
    public void delete() throws JMSException {
        TemporaryOwner.delete(this, owner);
    }
}
