package org.readpast.jms.store.jdbc.claim;

import org.readpast.jms.store.StoredMessage;

/**
 * A message, read without a lock and without its body, that a claim by groups may be for.
 *
 * @param owned whether the consumer has its group; a group that it does not have nobody has
 */
record Candidate(StoredMessage message, boolean owned) {

    /** Its group as the database knows it, or null. */
    String group() {
        return Groups.idOf(message);
    }
}
