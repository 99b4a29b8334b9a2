package org.readpast.jms.store.jdbc.claim;

import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoredMessage;

/**
 * A message, read without a lock and without its body, that a claim by groups may be for.
 *
 * @param group its group as the database knows it, or null
 * @param owned whether the consumer has its group; a group that it does not have nobody has
 */
record Candidate(StoredMessage message, String group, boolean owned) {

    MessageKey key() {
        return message.key();
    }
}
