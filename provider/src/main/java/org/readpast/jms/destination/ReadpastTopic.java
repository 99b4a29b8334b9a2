package org.readpast.jms.destination;

import jakarta.jms.Topic;

/** A topic, known by its name. */
public sealed class ReadpastTopic extends ReadpastDestination implements Topic permits ReadpastTemporaryTopic {

    private static final long serialVersionUID = 1L;

    private static final String SCHEME = "topic";

    /** Makes a topic whose name is set later, with {@link #setName}. */
    public ReadpastTopic() {
        this(DestinationName.literal(null));
    }

    /**
     * Makes a topic of this name. The database is not asked whether it exists.
     *
     * @param name the name, and any options behind it; see {@link ReadpastDestination}
     * @throws IllegalArgumentException if an option, or a member of a composite name, is not understood, or the name has the scheme of
     *     another kind
     */
    public ReadpastTopic(String name) {
        this(DestinationName.read(name, SCHEME));
    }

    ReadpastTopic(DestinationName name) {
        super(name);
    }

    @Override
    public String getTopicName() {
        return getName();
    }

    /** Whether the name stands for all topics that match it, as {@code orders.*} does; it can only be subscribed to. */
    public boolean isPattern() {
        return !isTemporary() && getName() != null && TopicPattern.isPattern(getName());
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
