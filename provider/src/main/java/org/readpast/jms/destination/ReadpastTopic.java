package org.readpast.jms.destination;

import jakarta.jms.Topic;

/** A topic by name. */
public sealed class ReadpastTopic extends ReadpastDestination implements Topic permits ReadpastTemporaryTopic {

    private static final long serialVersionUID = 1L;

    /** A topic whose name is set later. */
    public ReadpastTopic() {
        this(null);
    }

    public ReadpastTopic(String name) {
        super(name);
    }

    @Override
    public String getTopicName() {
        return getName();
    }

    @Override
    String scheme() {
        return "topic";
    }

    @Override
    public boolean isTemporary() {
        return false;
    }
}
