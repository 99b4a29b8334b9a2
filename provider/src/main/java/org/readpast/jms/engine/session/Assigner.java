package org.readpast.jms.engine.session;

import org.readpast.jms.engine.source.Source;
import org.readpast.jms.store.StoreException;

/** Assigns messages to sessions, and is told what became of them. Thread-safe. */
public interface Assigner {

    /** Something that claims. */
    @FunctionalInterface
    interface Claim {
        boolean make() throws StoreException;
    }

    Source source();

    /** Claims, unless nothing may be claimed now. With the lock of the session that claims. */
    boolean claim(Claim claim) throws StoreException;

    /** A session has delivered what it was assigned. */
    void delivered();

    /** The transaction has ended in which a session has delivered what it was assigned. */
    void settled();

    /** A session could not deliver what it was assigned, which is available again. */
    void failed(Exception problem);

    boolean isOver();
}
