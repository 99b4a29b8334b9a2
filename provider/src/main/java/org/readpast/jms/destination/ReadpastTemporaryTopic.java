package org.readpast.jms.destination;

import jakarta.jms.JMSException;
import jakarta.jms.TemporaryTopic;

/** A topic that lives as long as the connection that created it (§6.2.2). */
public final class ReadpastTemporaryTopic extends ReadpastTopic implements TemporaryTopic {

    private static final long serialVersionUID = 1L;

    private final transient TemporaryOwner owner;

    /** Makes a topic that another connection created, such as a JMSReplyTo. It can be sent to, but not deleted. */
    public ReadpastTemporaryTopic(String name) {
        this(name, null);
    }

    /** @param owner the connection that created it, or null if that is not known here */
    public ReadpastTemporaryTopic(String name, TemporaryOwner owner) {
        super(DestinationName.literal(name));
        this.owner = owner;
    }

    @Override
    String scheme() {
        return "temp-topic";
    }

    @Override
    public boolean isTemporary() {
        return true;
    }

    /**
     * Deletes this topic and all its messages.
     *
     * @throws JMSException if it still has a consumer, or another connection created it, or the database cannot be reached
     */
    @Override
    public void delete() throws JMSException {
        TemporaryOwner.delete(this, owner);
    }
}
