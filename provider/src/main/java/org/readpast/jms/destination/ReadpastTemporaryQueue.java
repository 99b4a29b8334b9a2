package org.readpast.jms.destination;

import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;

/** A queue that lives as long as the connection that created it (§6.2.2). */
public final class ReadpastTemporaryQueue extends ReadpastQueue implements TemporaryQueue {

    private static final long serialVersionUID = 1L;

    private final transient TemporaryOwner owner;

    /** Makes a queue that another connection created, such as a JMSReplyTo. It can be sent to, but not deleted. */
    public ReadpastTemporaryQueue(String name) {
        this(name, null);
    }

    /** @param owner the connection that created it, or null if that is not known here */
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
     * Deletes this queue and all its messages.
     *
     * @throws JMSException if it still has a consumer, or another connection created it, or the database cannot be reached
     */
    @Override
    public void delete() throws JMSException {
        TemporaryOwner.delete(this, owner);
    }
}
