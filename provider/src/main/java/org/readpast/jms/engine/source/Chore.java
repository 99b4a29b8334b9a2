package org.readpast.jms.engine.source;

import org.readpast.jms.store.StoreException;

/** Something to be done now and then. */
@FunctionalInterface
public interface Chore {
    void run() throws StoreException;
}
