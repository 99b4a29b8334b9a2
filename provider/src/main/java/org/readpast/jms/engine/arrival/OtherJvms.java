package org.readpast.jms.engine.arrival;

import java.util.Collection;
import java.util.Set;

/** What the JVMs of a database look for for each other, while they rest. Thread-safe; nothing here waits. */
public interface OtherJvms {

    /** There are none. */
    OtherJvms NONE = new OtherJvms() {
        @Override
        public boolean reachesAll() {
            return false;
        }

        @Override
        public boolean lookForThis() {
            return false;
        }

        @Override
        public Set<Integer> toLookFor() {
            return Set.of();
        }

        @Override
        public void looked(Collection<Integer> found) {
            // There is nobody to be told.
        }

        @Override
        public void missing(Collection<String> instances) {
            // There is nobody to be told.
        }
    };

    /** Whether each of them hears when this one rings, and so rings for this one. */
    boolean reachesAll();

    /**
     * Whether one of them looks just now for all that this JVM waits for, as often as this one would at rest, and has seen this JVM alive, and
     * the settings of queues that this one keeps to.
     */
    boolean lookForThis();

    /** The queues that this JVM is to look for for others, ids of destinations; none if another one does so. */
    Set<Integer> toLookFor();

    /**
     * A look of this JVM has worked.
     *
     * @param found the queues in which there are messages, if others are to be told
     */
    void looked(Collection<Integer> found);

    /** Nobody holds the locks of these instances, which are to take them again if they live. */
    void missing(Collection<String> instances);
}
