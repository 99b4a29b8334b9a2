package org.readpast.jms.jndi;

import java.util.Iterator;
import java.util.List;
import javax.naming.NamingEnumeration;

/** A list in JNDI's form. */
final class ListEnumeration<T> implements NamingEnumeration<T> {

    private final Iterator<T> rest;

    ListEnumeration(List<T> all) {
        rest = all.iterator();
    }

    @Override
    public boolean hasMore() {
        return rest.hasNext();
    }

    @Override
    public T next() {
        return rest.next();
    }

    @Override
    public boolean hasMoreElements() {
        return rest.hasNext();
    }

    @Override
    public T nextElement() {
        return rest.next();
    }

    @Override
    public void close() {
        // Nothing is held open.
    }
}
