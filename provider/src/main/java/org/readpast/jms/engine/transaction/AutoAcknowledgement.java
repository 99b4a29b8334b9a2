package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/**
 * AUTO_ACKNOWLEDGE: a transaction spans one message. Where a consumer receives one message right after the other, the next one is
 * claimed in the round trip that acknowledges and commits this one, and is kept a moment for the {@code receive} that is likely
 * to follow. Where messages come one at a time, that round trip has a look instead: a claim that finds nothing leaves a transaction
 * to be ended, a look does not.
 */
final class AutoAcknowledgement extends Acknowledgement {

    private final long aheadMillis;
    private final LongConsumer lapseIn;

    /** The last recipient, if it found its message at once and may find another; null after one that had to wait. */
    private Recipient last;

    /** When that receive returned, by {@link System#nanoTime()}. */
    private long returned;

    /** Whether the receive that is under way came right after the last one. */
    private boolean goesOn;

    /** Whether a listener's last message was the last one there. */
    private boolean trickles;

    /**
     * @param aheadMillis for how long a message may be kept for a receive
     * @param lapseIn asks for {@link #lapse} in this many milliseconds
     */
    AutoAcknowledgement(
            SessionTransaction transaction,
            Claimer claimer,
            Acknowledger acknowledger,
            long aheadMillis,
            LongConsumer lapseIn) {
        super(transaction, claimer, acknowledger);
        this.aheadMillis = aheadMillis;
        this.lapseIn = lapseIn;
    }

    @Override
    public void receiving(Recipient recipient) {
        goesOn = recipient == last && millisLeft() > 0;
        if (!goesOn) {
            transaction.release();
        }
    }

    @Override
    public void claim(Recipient recipient) throws StoreException {
        // What another consumer of the session keeps comes before what this one would get.
        transaction.release();
        super.claim(recipient);
        if (!claimer.isReady(recipient)) {
            last = null;
            goesOn = false;
        }
    }

    @Override
    public boolean received(Recipient recipient) throws JMSException {
        boolean mayHaveMore = true;
        try {
            if (acknowledger.verifiesByMarkers()) {
                acknowledger.settleVerified();
            } else {
                mayHaveMore = settle(recipient, goesOn && claimer.mayClaimWithCommit(recipient.source()));
            }
        } catch (StoreException e) {
            // Known to be undone: the message is still in the queue, or somebody else's. In doubt: rather twice than
            // never.
            if (!acknowledger.acknowledgedAfterAll(e, false) && e.failure() != Failure.IN_DOUBT) {
                throw JmsErrors.jms(
                        recipient
                                + ": the received message could not be acknowledged and is not delivered here; call receive again",
                        e);
            }
        } finally {
            // Not even an Error may leave the message among those that the next acknowledgement covers.
            failed();
        }
        returned = System.nanoTime();
        last = mayHaveMore ? recipient : null;
        if (claimer.isReady(recipient)) {
            lapseIn.accept(aheadMillis);
        }
        return !mayHaveMore;
    }

    @Override
    public void unread() {
        transaction.release();
    }

    @Override
    public boolean handled(Recipient recipient, boolean more) throws StoreException {
        if (!acknowledger.hasDelivered()) {
            return false;
        }
        try {
            boolean mayHaveMore = settle(recipient, more && !trickles);
            trickles = more ? !mayHaveMore : trickles;
            return more && !mayHaveMore;
        } catch (StoreException e) {
            if (!acknowledger.acknowledgedAfterAll(e, true) && e.failure() != Failure.IN_DOUBT) {
                throw e;
            }
            return false;
        }
    }

    /** Acknowledges, and returns whether there may be more for the recipient. */
    private boolean settle(Recipient recipient, boolean claimNext) throws StoreException {
        if (claimNext) {
            return claimer.settleAndClaim(recipient, 1) > 0;
        }
        return acknowledger.settleAndLook(recipient.source());
    }

    @Override
    public void failed() {
        if (acknowledger.hasDelivered()) {
            transaction.rollback();
        }
    }

    @Override
    public void lapse() {
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
}
