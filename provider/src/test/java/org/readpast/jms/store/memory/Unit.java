package org.readpast.jms.store.memory;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** A unit of work: the rows that a transaction has locked, and their end. Guarded by the database's monitor. */
final class Unit {

    /** What a row does when the unit that has locked it ends. */
    interface Locked {

        void commit();

        void rollback();

        /** What takes the row back to what it is now, without giving up its lock. */
        Runnable wayBack();
    }

    private final Set<Locked> rows = new LinkedHashSet<>();

    /** The rows that were locked when the savepoint was set; null where none was. */
    private Map<Locked, Runnable> savepoint;

    void locked(Locked row) {
        rows.add(row);
    }

    void commit() {
        rows.forEach(Locked::commit);
        over();
    }

    void rollback() {
        rows.forEach(Locked::rollback);
        over();
    }

    private void over() {
        rows.clear();
        savepoint = null;
    }

    void setSavepoint() {
        savepoint = new HashMap<>();
        rows.forEach(row -> savepoint.put(row, row.wayBack()));
    }

    void rollbackToSavepoint() {
        rows.stream().filter(row -> !savepoint.containsKey(row)).forEach(Locked::rollback);
        rows.retainAll(savepoint.keySet());
        savepoint.values().forEach(Runnable::run);
    }
}
