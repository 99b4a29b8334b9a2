package org.readpast.jms.destination;

import jakarta.jms.Destination;
import java.io.Serializable;
import java.util.Objects;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;

/**
 * A queue or topic by name. Two are equal when their kind and name are. Its text form, such as {@code queue://orders}, is what
 * JMSReplyTo is stored as.
 */
public abstract sealed class ReadpastDestination implements Destination, Referenceable, Serializable
        permits ReadpastQueue, ReadpastTopic {

    /** By name, since {@code jndi} imports us and not the other way round. */
    private static final String OBJECT_FACTORY = "org.readpast.jms.jndi.ReadpastObjectFactory";

    private static final long serialVersionUID = 1L;

    private String name;

    /**
     * @param name the name, or null for one that JNDI is about to set
     */
    ReadpastDestination(String name) {
        this.name = name;
    }

    /** The name, or null while none is set. */
    public String getName() {
        return name;
    }

    /** Sets the name; for JNDI object factories and dependency injection, before first use. */
    public void setName(String name) {
        this.name = name;
    }

    /** The name, in ActiveMQ's words. */
    public String getPhysicalName() {
        return name;
    }

    /** Sets the name, in ActiveMQ's words. */
    public void setPhysicalName(String physicalName) {
        setName(physicalName);
    }

    /** The name, in Artemis' words. */
    public String getAddress() {
        return name;
    }

    /** Sets the name, in Artemis' words. */
    public void setAddress(String address) {
        setName(address);
    }

    /** What a naming service may keep in its place. */
    @Override
    public final Reference getReference() {
        Reference reference = new Reference(getClass().getName(), OBJECT_FACTORY, null);
        if (name != null) {
            reference.add(new StringRefAddr("physicalName", name));
        }
        return reference;
    }

    /** {@code queue}, {@code topic}, {@code temp-queue} or {@code temp-topic}. */
    abstract String scheme();

    /** Whether it lives only as long as the connection that created it. */
    public abstract boolean isTemporary();

    /** The text form, from which {@link #parse} makes an equal destination. */
    public final String text() {
        return scheme() + "://" + name;
    }

    /**
     * The destination a text form stands for.
     *
     * @param text what {@link #text} returned, or null
     * @return null for null
     * @throws IllegalArgumentException if the text has no known scheme
     */
    public static ReadpastDestination parse(String text) {
        if (text == null) {
            return null;
        }
        int colon = text.indexOf("://");
        String scheme = colon < 0 ? "" : text.substring(0, colon);
        String name = colon < 0 ? text : text.substring(colon + 3);
        return switch (scheme) {
            case "queue" -> new ReadpastQueue(name);
            case "topic" -> new ReadpastTopic(name);
            case "temp-queue" -> new ReadpastTemporaryQueue(name);
            case "temp-topic" -> new ReadpastTemporaryTopic(name);
            default -> throw new IllegalArgumentException("Not the text form of a destination: " + text);
        };
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof ReadpastDestination that
                && scheme().equals(that.scheme())
                && Objects.equals(name, that.name);
    }

    @Override
    public final int hashCode() {
        return 31 * scheme().hashCode() + Objects.hashCode(name);
    }

    @Override
    public final String toString() {
        return text();
    }
}
