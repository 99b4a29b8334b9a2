package org.readpast.jms.store.jdbc.send;

import jakarta.jms.DeliveryMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.row.Copies;
import org.readpast.jms.store.jdbc.transaction.CommitVerification;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.MarkerVerifier;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** Stores messages in small transactions of their own, on connections of the pool. Thread-safe. */
public final class CommittedSends {

    private static final String SEND = "send";

    private final Sends sends;
    private final Inserts inserts;
    private final ShortTransactions transactions;
    private final CommitVerification commits;
    private final boolean loses;

    /** @param loses whether NON_PERSISTENT messages may be lost with the server, so that their commits need not wait for its disk */
    public CommittedSends(
            Sends sends, Inserts inserts, ShortTransactions transactions, CommitVerification commits, boolean loses) {
        this.sends = sends;
        this.inserts = inserts;
        this.transactions = transactions;
        this.commits = commits;
        this.loses = loses;
    }

    /**
     * See {@link org.readpast.jms.store.MessageStore#insert}.
     *
     * @param subject what an error is about
     */
    public void insert(Collection<NewMessage> messages, String subject) throws StoreException {
        CommitVerifier verifier = commits.verifier();
        if (messages.stream().allMatch(this::mayBeLost)) {
            verifier.commitBy(inserts::commitNonPersistent);
        }
        try {
            if (messages.size() == 1) {
                NewMessage message = messages.iterator().next();
                transactions.runCommitting(subject, SEND, connection -> {
                    insertAndCommit(connection, message, verifier);
                    return null;
                });
            } else if (!messages.isEmpty()) {
                transactions.run(
                        subject,
                        SEND,
                        connection -> {
                            sends.insert(connection, messages, verifier);
                            return null;
                        },
                        verifier);
            }
        } catch (StoreException e) {
            commits.settle(verifier, e, subject, SEND);
        }
    }

    /** Inserts one message and commits it, in one round trip where the database can. */
    public void insertAndCommit(Connection connection, NewMessage message, CommitVerifier verifier)
            throws SQLException {
        MarkerVerifier marker = verifier instanceof MarkerVerifier leaving ? leaving : null;
        // A publication may have to be repeated, and its marker can be left only once.
        if (sends.isDeduplicated(message) || (marker != null && message.publication() != null)) {
            sends.insert(connection, List.of(message), verifier);
            verifier.commit(connection);
            return;
        }
        if (marker != null) {
            marker.begin();
            inserts.insertMarkAndCommit(connection, message, marker.token());
            return;
        }
        verifier.begin();
        if (message.publication() == null) {
            if (mayBeLost(message)) {
                inserts.insertNonPersistent(connection, message);
            } else {
                inserts.insertAndCommit(connection, message);
            }
            return;
        }
        for (int attempt = 1; !publishAndCommit(connection, message); attempt++) {
            Sends.checkAttempts(attempt, List.of(message));
        }
    }

    private boolean publishAndCommit(Connection connection, NewMessage message) throws SQLException {
        Copies known = sends.knownCopies(message);
        if (known != null && !known.subscriptions().isEmpty()) {
            int inserted = mayBeLost(message)
                    ? inserts.publishNonPersistent(connection, known)
                    : inserts.publishAndCommit(connection, known);
            return sends.noted(known, inserted > 0);
        }
        // What was read has begun a transaction, and a statement that commits is for a connection without one.
        Copies copies = known == null ? sends.copies(connection, message) : known;
        boolean done = copies.subscriptions().isEmpty()
                ? sends.isCurrent(connection, copies)
                : inserts.publish(connection, copies, System.nanoTime()) > 0;
        connection.commit();
        return sends.noted(copies, done);
    }

    /**
     * A crash may give out the id of a lost message again. Whoever has the id of one that was in a transaction then tells the two apart by
     * their JMSMessageIDs, and what was shown by its JMSTimestamp, so that one without either is not lost.
     */
    private boolean mayBeLost(NewMessage message) {
        return loses
                && message.message().deliveryMode() == DeliveryMode.NON_PERSISTENT
                && message.message().messageId() != null
                && message.message().timestamp() != 0;
    }
}
