package org.readpast.jms.store.jdbc;

import java.util.Collection;
import java.util.List;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores messages in small transactions of their own, on connections of the pool. Thread-safe. */
final class CommittedSends {

    private static final Logger LOG = LoggerFactory.getLogger(CommittedSends.class);
    private static final String SEND = "send";

    private final OpenStore open;

    CommittedSends(OpenStore open) {
        this.open = open;
    }

    /** See {@link org.readpast.jms.store.MessageStore#insert}. */
    void insert(Collection<NewMessage> messages) throws StoreException {
        if (messages.isEmpty()) {
            return;
        }
        String subject = open.subject(messages);
        CommitVerifier verifier = open.commits().verifier();
        try {
            if (messages.size() == 1) {
                NewMessage message = messages.iterator().next();
                open.shortTransactions().runCommitting(subject, SEND, connection -> {
                    open.sends().insertAndCommit(connection, message, verifier);
                    return null;
                });
            } else {
                open.shortTransactions()
                        .run(
                                subject,
                                SEND,
                                connection -> {
                                    open.sends().insert(connection, messages, verifier);
                                    return null;
                                },
                                verifier);
            }
        } catch (StoreException e) {
            open.commits().settle(verifier, e, subject, SEND);
        }
    }

    /** See {@link org.readpast.jms.store.MessageStore#isCombined}. */
    boolean isCombined(NewMessage message) {
        return open.pool() instanceof ConnectionPool.Own
                && !open.commits().leaveMarkers()
                && open.sends().isCombined(message);
    }

    /**
     * Inserts a message and tells watching JVMs of it, if that can be done in one round trip.
     *
     * @param signature of this JVM's rings
     * @return whether it was done
     */
    boolean insertAndRing(NewMessage message, String signature) throws StoreException {
        if (open.commits().leaveMarkers() || !open.sends().isPlain(message)) {
            return false;
        }
        String subject = open.subject(List.of(message));
        CommitVerifier verifier = open.commits().verifier();
        try {
            open.shortTransactions().runCommitting(subject, SEND, connection -> {
                verifier.begin();
                PostgresBell.insertAndRing(open.statements(), connection, signature, message);
                return null;
            });
            return true;
        } catch (StoreException e) {
            if (e.failure() != Failure.OTHER && e.failure() != Failure.PERMISSION) {
                open.commits().settle(verifier, e, subject, SEND);
                return true;
            }
            // Such as one of a full queue of notifications, which must not keep a message from being sent.
            LOG.debug("Could not send and ring at once", e);
            return false;
        }
    }
}
