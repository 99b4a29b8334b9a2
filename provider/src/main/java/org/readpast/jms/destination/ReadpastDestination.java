package org.readpast.jms.destination;

import jakarta.jms.Destination;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.readpast.jms.codec.Shown;

/**
 * A queue or topic by name. Two are equal when their kind and name are. Its {@link #text}, such as {@code queue://orders}, is what
 * JMSReplyTo is stored as; {@code toString} is the same in one line, whatever characters the name has.
 *
 * <p>A name may have {@link #options} behind it, as in {@code orders?exclusive=true}, which are taken off it. With commas in it
 * the destination is a composite one, which stands for its {@link #members} and can only be sent to.
 */
public abstract sealed class ReadpastDestination implements Destination, Referenceable, Serializable
        permits ReadpastQueue, ReadpastTopic {

    /** By name, since {@code jndi} imports us and not the other way round. */
    private static final String OBJECT_FACTORY = "org.readpast.jms.jndi.ReadpastObjectFactory";

    private static final long serialVersionUID = 1L;

    private String name;
    private DestinationOptions options;

    /** Whether somebody else named it. */
    private boolean received;

    ReadpastDestination(DestinationName name) {
        this.name = name.physical();
        this.options = name.options();
    }

    /** The name, or null while none is set. */
    public String getName() {
        return name;
    }

    /**
     * Sets the name; for JNDI object factories and dependency injection, before first use.
     *
     * @throws IllegalArgumentException for an option behind it, or a member of a composite one, that is not understood
     */
    public void setName(String name) {
        DestinationName read = isTemporary() ? DestinationName.literal(name) : DestinationName.read(name, scheme());
        this.name = read.physical();
        this.options = read.options();
        this.received = false;
    }

    /** What was written behind the name; no part of what makes two equal. */
    public final DestinationOptions options() {
        return options;
    }

    /** Whether it came with a message, so that its sender chose the name. */
    public final boolean isReceived() {
        return received;
    }

    /** Whether it stands for several destinations. */
    public final boolean isComposite() {
        return !isTemporary() && DestinationName.isComposite(name);
    }

    /**
     * The destinations that it stands for: itself, or the members of a composite one, each once.
     *
     * @throws IllegalArgumentException if it was received, and its name is not that of a composite destination of ours
     */
    public final List<ReadpastDestination> members() {
        return isComposite() ? DestinationName.members(name, scheme()) : List.of(this);
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
            String written = options.toString().isEmpty() ? name : name + "?" + options;
            reference.add(new StringRefAddr("physicalName", written));
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
     * The destination a text form stands for, which came with a message.
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
        ReadpastDestination destination = switch (scheme) {
            case "queue" -> new ReadpastQueue(DestinationName.literal(name));
            case "topic" -> new ReadpastTopic(DestinationName.literal(name));
            case "temp-queue" -> new ReadpastTemporaryQueue(name);
            case "temp-topic" -> new ReadpastTemporaryTopic(name);
            default ->
                throw new IllegalArgumentException("Not the text form of a destination: " + Shown.inOneLine(text));
        };
        destination.received = true;
        return destination;
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
        return Shown.inOneLine(text());
    }
}
