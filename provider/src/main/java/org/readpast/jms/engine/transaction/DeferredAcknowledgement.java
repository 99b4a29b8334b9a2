package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.List;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/**
 * CLIENT_ACKNOWLEDGE and transacted sessions: the application says when. A transaction spans everything since the session's last
 * acknowledge or recover, commit or rollback.
 */
public final class DeferredAcknowledgement extends Acknowledgement {

    private final int limit;

    /**
     * @param limit how many messages to claim ahead at the most
     */
    public DeferredAcknowledgement(SessionTransaction transaction, int limit) {
        super(transaction);
        this.limit = limit;
    }

    @Override
    List<StoredMessage> claim(Claimer claimer) throws StoreException {
        int ahead = claimer.atMost(transaction.likelyToFollow(limit));
        return transaction.claim(claimer.source(), ahead);
    }

    @Override
    public boolean received(Claimer claimer) {
        // Waits for the application to acknowledge or commit.
        return false;
    }

    @Override
    public void unread() {
        // The message was claimed and not taken: it stays locked until the transaction ends, and then comes back
        // uncounted.
    }

    @Override
    public boolean handled(Claimer claimer, boolean more) {
        // Waits for the application to acknowledge or commit.
        return false;
    }

    @Override
    public void failed() {
        // The session goes on with the next message (§8.7); this one waits for the application.
    }

    @Override
    public void acknowledge() throws JMSException {
        if (!transaction.hasTaken()) {
            return;
        }
        try {
            transaction.settle();
        } catch (StoreException e) {
            if (e.failure() == Failure.IN_DOUBT) {
                if (transaction.settleDoubt()) {
                    return;
                }
                throw JmsErrors.jms(
                        "It is not known whether the messages were acknowledged; they may be delivered again", e);
            }
            transaction.abandon();
            throw JmsErrors.jms("The messages could not be acknowledged and will be delivered again", e);
        }
    }
}
