package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/**
 * AUTO_ACKNOWLEDGE: a transaction spans one message. Where a consumer receives one message right after the other, the next one is
 * claimed in the round trip that acknowledges and commits this one, and is kept a moment for the {@code receive} that is likely
 * to follow.
 */
final class AutoAcknowledgement extends Acknowledgement {

    private final long aheadMillis;
    private final LongConsumer lapseIn;

    /** Who received last, and found its message at once; null after one that had to wait. */
    private Claimer last;

    /** When that receive returned, by {@link System#nanoTime()}. */
    private long returned;

    /** Whether the receive that is under way came right after the last one. */
    private boolean goesOn;

    /**
     * @param aheadMillis for how long a message may be kept for a receive
     * @param lapseIn asks for {@link #lapse} in so many milliseconds
     */
    AutoAcknowledgement(SessionTransaction transaction, long aheadMillis, LongConsumer lapseIn) {
        super(transaction);
        this.aheadMillis = aheadMillis;
        this.lapseIn = lapseIn;
    }

    @Override
    void receiving(Claimer claimer) {
        goesOn = claimer == last && millisLeft() > 0;
        if (!goesOn) {
            transaction.release();
        }
    }

    @Override
    List<StoredMessage> claim(Claimer claimer) throws StoreException {
        // What another consumer of the session keeps comes before what this one would get.
        transaction.release();
        List<StoredMessage> claimed = super.claim(claimer);
        if (claimed.isEmpty()) {
            last = null;
            goesOn = false;
        }
        return claimed;
    }

    @Override
    void received(Claimer claimer) throws JMSException {
        boolean ahead = goesOn && transaction.mayClaimAhead(claimer);
        try {
            settle(claimer, ahead);
        } catch (StoreException e) {
            // Known to be undone: the message is still in the queue. In doubt: rather twice than never.
            if (!acknowledgedAfterAll(e)) {
                throw JmsErrors.jms(
                        claimer + ": the received message could not be acknowledged and stays; call receive again", e);
            }
        }
        returned = System.nanoTime();
        if (!ahead) {
            last = claimer;
        } else if (claimer.hasMore()) {
            lapseIn.accept(aheadMillis);
        } else {
            last = null;
        }
    }

    @Override
    void unread() {
        transaction.release();
    }

    @Override
    boolean handled(Claimer claimer, boolean more) throws StoreException {
        if (!transaction.hasTaken()) {
            return false;
        }
        try {
            settle(claimer, more);
            return more && !claimer.hasMore();
        } catch (StoreException e) {
            if (!acknowledgedAfterAll(e)) {
                throw e;
            }
            return false;
        }
    }

    private void settle(Claimer claimer, boolean claimNext) throws StoreException {
        claimer.refill(claimNext ? transaction.settle(claimer, 1) : transaction.settle());
    }

    @Override
    void failed() throws JMSException {
        if (transaction.hasTaken()) {
            transaction.rollback();
        }
    }

    @Override
    void lapse() {
        long left = millisLeft();
        if (left > 0) {
            lapseIn.accept(left);
        } else {
            transaction.release();
        }
    }

    /** For how long yet the next receive counts as coming right after the last one. */
    private long millisLeft() {
        long nanos = System.nanoTime() - returned;
        return aheadMillis - TimeUnit.NANOSECONDS.toMillis(nanos);
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
