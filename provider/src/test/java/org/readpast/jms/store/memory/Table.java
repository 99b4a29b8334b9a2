package org.readpast.jms.store.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Rows in the order of their keys. Each has a value that is committed, and another one while a unit of work has locked it, which nobody
 * else sees. Guarded by the database's monitor.
 */
final class Table<K, V> {

    private final NavigableMap<K, Row> rows;

    Table(Comparator<? super K> order) {
        rows = new TreeMap<>(order);
    }

    /** A value of null is none: the row has yet to be committed, or will be gone with the commit. */
    private final class Row implements Unit.Locked {

        private final K key;
        private V committed;
        private V current;
        private Unit owner;

        Row(K key) {
            this.key = key;
        }

        V seenBy(Unit unit) {
            return owner != null && owner == unit ? current : committed;
        }

        boolean isFreeFor(Unit unit) {
            return owner == null || owner == unit;
        }

        void lock(Unit unit) {
            owner = unit;
            unit.locked(this);
        }

        @Override
        public void commit() {
            committed = current;
            release();
        }

        @Override
        public void rollback() {
            current = committed;
            release();
        }

        private void release() {
            owner = null;
            if (committed == null) {
                rows.remove(key);
            }
        }

        @Override
        public Runnable wayBack() {
            V now = current;
            return () -> current = now;
        }
    }

    /** The value of a row as a unit of work sees it, whoever has locked it; null where there is none. */
    V get(Unit unit, K key) {
        Row row = rows.get(key);
        return row == null ? null : row.seenBy(unit);
    }

    /** Whether a unit of work could lock a row, if it is there. */
    boolean isFree(Unit unit, K key) {
        Row row = rows.get(key);
        return row == null || row.isFreeFor(unit);
    }

    /** Locks a row; false if it is not there, or another unit of work has it. */
    boolean lock(Unit unit, K key) {
        Row row = rows.get(key);
        if (row == null || !row.isFreeFor(unit) || row.seenBy(unit) == null) {
            return false;
        }
        row.lock(unit);
        return true;
    }

    /** Writes a row that nobody else has locked. */
    void put(Unit unit, K key, V value) {
        Row row = rows.computeIfAbsent(key, Row::new);
        if (!row.isFreeFor(unit)) {
            throw new IllegalStateException(key + " is locked by another unit of work");
        }
        row.lock(unit);
        row.current = value;
    }

    /** Removes a row, and returns what it held; null if it is not there, or another unit of work has it. */
    V remove(Unit unit, K key) {
        if (!lock(unit, key)) {
            return null;
        }
        V value = rows.get(key).current;
        rows.get(key).current = null;
        return value;
    }

    /** The keys of the rows from one key to another that a unit of work sees and that fulfil a condition, in their order. */
    List<K> keys(Unit unit, K from, K to, BiPredicate<K, V> condition) {
        return keys(rows.subMap(from, false, to, false), unit, condition);
    }

    /** The keys of all rows that a unit of work sees and that fulfil a condition, in their order. */
    List<K> keys(Unit unit, BiPredicate<K, V> condition) {
        return keys(rows, unit, condition);
    }

    private List<K> keys(NavigableMap<K, Row> some, Unit unit, BiPredicate<K, V> condition) {
        List<K> found = new ArrayList<>();
        some.forEach((key, row) -> {
            V value = row.seenBy(unit);
            if (value != null && condition.test(key, value)) {
                found.add(key);
            }
        });
        return found;
    }
}
