package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.function.LongConsumer;
import org.readpast.jms.config.Settings;
import org.readpast.jms.store.StoreException;

/**
 * What an acknowledge mode does at the moments that matter: one small strategy for each way (§6.2.10). Called with the session's
 * lock; a message counts as delivered before its listener is called, and after a {@code receive} has read it.
 */
public abstract sealed class Acknowledgement permits AutoAcknowledgement, DeferredAcknowledgement, LazyAcknowledgement {

    final SessionTransaction transaction;
    final Claimer claimer;
    final Acknowledger acknowledger;

    Acknowledgement(SessionTransaction transaction, Claimer claimer, Acknowledger acknowledger) {
        this.transaction = transaction;
        this.claimer = claimer;
        this.acknowledger = acknowledger;
    }

    /** @param lapseIn asks for {@link #lapse} in this many milliseconds */
    public static Acknowledgement of(
            AcknowledgeMode mode,
            Settings settings,
            SessionTransaction transaction,
            Claimer claimer,
            Acknowledger acknowledger,
            LongConsumer lapseIn) {
        return switch (mode) {
            case AUTO ->
                new AutoAcknowledgement(transaction, claimer, acknowledger, settings.receiveAheadMillis(), lapseIn);
            case DUPS_OK ->
                new LazyAcknowledgement(transaction, claimer, acknowledger, settings.dupsOkBatch(), lapseIn);
            case CLIENT, TRANSACTED ->
                new DeferredAcknowledgement(transaction, claimer, acknowledger, settings.claimAhead());
        };
    }

    /** A {@code receive} begins. */
    public void receiving(Recipient recipient) {}

    /** Claims the next messages for a recipient for which none is ready, and that may have more. */
    public void claim(Recipient recipient) throws StoreException {
        claimer.claim(recipient, 1);
    }

    /**
     * A {@code receive} is about to return the message that it has delivered.
     *
     * @return whether the recipient's queue was seen to be empty, after the {@code receive} had begun
     */
    public abstract boolean received(Recipient recipient) throws JMSException;

    /** A {@code receive} could not read the message it has claimed; it was not delivered. */
    public abstract void unread() throws JMSException;

    /**
     * The listener has returned.
     *
     * @param more whether the same recipient is to go on, so that its next claim may travel along
     * @return whether that claim found nothing
     */
    public abstract boolean handled(Recipient recipient, boolean more) throws StoreException;

    /** The listener threw. */
    public abstract void failed();

    /** Nothing was found and the session is about to wait. */
    public void idle() throws StoreException {
        transaction.release();
    }

    /** Nobody has gone on for as long as it asked to be left alone. */
    public void lapse() throws StoreException {
        idle();
    }

    /** The application acknowledged a message, and with it all that the session has consumed. */
    public void acknowledge() throws JMSException {}

    /** The session stops for good; what is unacknowledged comes back. */
    public void close() throws JMSException {
        if (transaction.isAtStake()) {
            transaction.rollback();
        }
    }
}
