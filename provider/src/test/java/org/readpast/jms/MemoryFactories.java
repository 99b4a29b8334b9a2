package org.readpast.jms;

import java.util.UUID;
import java.util.function.UnaryOperator;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.memory.MemoryDatabase;
import org.readpast.jms.store.memory.MemoryStore;

/** Connection factories to one message store in memory. */
public final class MemoryFactories {

    private static final long GRACE_MILLIS = 5_000;

    /** No SQL connection is ever made. Another one for each of these: what a test before has closed may be there for a moment. */
    private final String url = "readpast:jdbc:h2:mem:never-opened-" + UUID.randomUUID() + "#";

    private final MemoryDatabase database = new MemoryDatabase(GRACE_MILLIS);
    private final UnaryOperator<MessageStore> wrapping;

    /** Factories to the store as it is. */
    public MemoryFactories() {
        this(UnaryOperator.identity());
    }

    /** @param wrapping puts something between the engine and the store */
    public MemoryFactories(UnaryOperator<MessageStore> wrapping) {
        this.wrapping = wrapping;
    }

    /** @param options as behind the {@code #} of a URL */
    public ReadpastConnectionFactory factory(String options) {
        return new ReadpastConnectionFactory(
                url + options,
                new Connector((connections, store) -> wrapping.apply(new MemoryStore(database, store.sizes()))));
    }

    /** How many transactions of sessions hold something. */
    public int openTransactions() {
        return database.openTransactions();
    }
}
