package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/** AUTO_ACKNOWLEDGE: a transaction spans one message. */
final class AutoAcknowledgement extends Acknowledgement {

    AutoAcknowledgement(SessionTransaction transaction) {
        super(transaction);
    }

    @Override
    void received(Claimer claimer) throws JMSException {
        try {
            transaction.settle();
        } catch (StoreException e) {
            // Known to be undone: the message is still in the queue. In doubt: rather twice than never.
            if (!acknowledgedAfterAll(e)) {
                throw JmsErrors.jms(
                        claimer + ": the received message could not be acknowledged and stays; call receive again", e);
            }
        }
    }

    @Override
    void unread() {
        transaction.release();
    }

    @Override
    void handled(Claimer claimer, boolean more) throws StoreException {
        if (!transaction.hasTaken()) {
            return;
        }
        try {
            claimer.refill(more ? transaction.settle(claimer, 1) : transaction.settle());
        } catch (StoreException e) {
            if (!acknowledgedAfterAll(e)) {
                throw e;
            }
        }
    }

    @Override
    void failed() throws JMSException {
        if (transaction.hasTaken()) {
            transaction.rollback();
        }
    }

    private boolean acknowledgedAfterAll(StoreException problem) {
        if (problem.failure() == Failure.IN_DOUBT) {
            transaction.settleDoubt();
            return true;
        }
        transaction.abandon();
        return false;
    }
}
