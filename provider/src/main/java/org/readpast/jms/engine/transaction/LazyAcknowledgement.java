package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.function.LongConsumer;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.StoreException;

/**
 * DUPS_OK_ACKNOWLEDGE: a transaction spans a batch of claims, acknowledged with the claim of the next batch or when nothing
 * follows soon.
 */
final class LazyAcknowledgement extends Acknowledgement {

    private static final long LAZY_MILLIS = 100;

    private final LazyBatch batch;
    private final LongConsumer lapseIn;

    /**
     * @param most how many messages to claim at once at the most
     * @param lapseIn asks for {@link #lapse} in this many milliseconds
     */
    LazyAcknowledgement(
            SessionTransaction transaction,
            Claimer claimer,
            Acknowledger acknowledger,
            int most,
            LongConsumer lapseIn) {
        super(transaction, claimer, acknowledger);
        this.batch = new LazyBatch(most, System::nanoTime);
        this.lapseIn = lapseIn;
    }

    @Override
    public void claim(Recipient recipient) throws StoreException {
        int wanted = recipient.atMost(batch.next());
        batch.claimed(
                acknowledger.hasDelivered()
                        ? settle(() -> claimer.settleAndClaim(recipient, wanted))
                        : claimer.claim(recipient, wanted));
    }

    @Override
    public boolean received(Recipient recipient) {
        lapseIn.accept(LAZY_MILLIS);
        return false;
    }

    @Override
    public void unread() throws JMSException {
        try {
            idle();
        } catch (StoreException e) {
            throw JmsErrors.jms("Acknowledging lazily failed; the messages may be delivered again", e);
        }
    }

    @Override
    public boolean handled(Recipient recipient, boolean more) {
        lapseIn.accept(LAZY_MILLIS);
        return false;
    }

    /** Those before it in the batch were handled well; only the last is delivered again. */
    @Override
    public void failed() {
        if (acknowledger.hasDelivered()) {
            acknowledger.rollbackLast();
        }
    }

    @Override
    public void idle() throws StoreException {
        if (acknowledger.hasDelivered()) {
            settle(() -> {
                acknowledger.settle();
                return 0;
            });
        }
        super.idle();
    }

    @Override
    public void close() throws JMSException {
        unread();
    }

    /** Returns how many messages were claimed with it. */
    @FunctionalInterface
    private interface Settling {
        int run() throws StoreException;
    }

    private int settle(Settling settling) throws StoreException {
        try {
            return settling.run();
        } catch (StoreException e) {
            // What follows is claimed anew.
            if (acknowledger.acknowledgedAfterAll(e, true)) {
                return 0;
            }
            throw e;
        }
    }
}
