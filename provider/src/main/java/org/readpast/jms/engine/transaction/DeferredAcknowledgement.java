package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/**
 * CLIENT_ACKNOWLEDGE and transacted sessions: the application says when. A transaction spans everything since the session's last
 * acknowledge or recover, commit or rollback.
 */
final class DeferredAcknowledgement extends Acknowledgement {

    private final int limit;

    /**
     * @param limit how many messages to claim ahead at the most
     */
    DeferredAcknowledgement(SessionTransaction transaction, Claimer claimer, Acknowledger acknowledger, int limit) {
        super(transaction, claimer, acknowledger);
        this.limit = limit;
    }

    @Override
    public void claim(Recipient recipient) throws StoreException {
        claimer.claimAhead(recipient, limit);
    }

    @Override
    public boolean received(Recipient recipient) {
        // Waits for the application to acknowledge or commit.
        return false;
    }

    @Override
    public void unread() {
        // The message was claimed and not delivered: it stays locked until the transaction ends, and then comes back
        // uncounted.
    }

    @Override
    public boolean handled(Recipient recipient, boolean more) {
        // Waits for the application to acknowledge or commit.
        return false;
    }

    @Override
    public void failed() {
        // The session goes on with the next message (§8.7); this one waits for the application.
    }

    @Override
    public void acknowledge() throws JMSException {
        if (!acknowledger.hasDelivered()) {
            return;
        }
        try {
            acknowledger.settle();
        } catch (StoreException e) {
            if (!acknowledger.acknowledgedAfterAll(e, true)) {
                throw JmsErrors.jms(
                        e.failure() == Failure.IN_DOUBT
                                ? "It is not known whether the messages were acknowledged; they may be delivered again"
                                : "The messages could not be acknowledged and will be delivered again",
                        e);
            }
        }
    }
}
