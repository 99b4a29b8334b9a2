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
 * A queue or topic, known by its name. Two are equal when their kind and name are. JMSReplyTo is stored as {@link #text}, such as
 * {@code queue://orders}; {@code toString} is the same in one line, whatever characters the name has.
 *
 * <p>A name may be followed by {@link #options}, as in {@code orders?exclusive=true}, which are not part of the name. A name with commas
 * is that of a composite destination, which stands for its {@link #members} and can only be sent to. The scheme may stand before it.
 *
 * <p>Once its name is set, a destination does not change and is safe for use by several threads.
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
     * Sets the name. This is for JNDI object factories and dependency injection, and comes before first use.
     *
     * @param name with the options behind it, if any; null for no name
     * @throws IllegalArgumentException if an option behind the name, or a member of a composite name, is not understood, or the name has
     *     the scheme of another kind
     */
    public void setName(String name) {
        DestinationName read = isTemporary() ? DestinationName.literal(name) : DestinationName.read(name, scheme());
        this.name = read.physical();
        this.options = read.options();
        this.received = false;
    }

    /** The options that were written behind the name; {@link DestinationOptions#NONE} if there were none. {@code equals} ignores them. */
    public final DestinationOptions options() {
        return options;
    }

    /** Whether this destination came with a message, so that the sender of the message chose the name. */
    public final boolean isReceived() {
        return received;
    }

    /** Whether this destination stands for several others. */
    public final boolean isComposite() {
        return !isTemporary() && DestinationName.isComposite(name);
    }

    /**
     * The destinations that this one stands for: itself, or the members of a composite one, each once and in their order.
     *
     * @throws IllegalArgumentException if it came with a message, and its name is not that of a composite destination
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

    /** Returns what a naming service may keep in place of this destination (§5.1). */
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

    /** Whether this destination lives only as long as the connection that created it (§6.2.2). */
    public abstract boolean isTemporary();

    /** The text form, from which {@link #parse} makes an equal destination. */
    public final String text() {
        return scheme() + "://" + name;
    }

    /**
     * Returns the destination of a text form that came with a message.
     *
     * @param text what {@link #text} returned, or null
     * @return the destination, or null for null
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
