package org.readpast.jms.engine.support;

import jakarta.jms.InvalidDestinationException;
import java.util.concurrent.atomic.AtomicLong;
import org.readpast.jms.destination.ReadpastDestination;

/**
 * How many destinations a connection may still bring into being. Their names can come from whoever sends a message, as a
 * JMSReplyTo, and each is a row that stays. Thread-safe.
 */
public final class AutoCreation {

    private final long most;
    private final AtomicLong created = new AtomicLong();

    public AutoCreation(long most) {
        this.most = most;
    }

    /** @throws InvalidDestinationException if there were enough */
    public void oneMore(ReadpastDestination destination) throws InvalidDestinationException {
        if (created.getAndUpdate(before -> Math.min(most, before + 1)) >= most) {
            throw new InvalidDestinationException(destination + " does not exist, and is not created: "
                    + (most == 0
                            ? "the option 'autoCreate' is false"
                            : "this connection has created " + most
                                    + " destinations already, which is what the option 'autoCreate' allows")
                    + "; let an administrator create it, or raise the option");
        }
    }
}
