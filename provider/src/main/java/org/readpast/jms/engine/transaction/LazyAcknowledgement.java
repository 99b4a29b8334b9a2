package org.readpast.jms.engine.transaction;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.function.LongConsumer;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/**
 * DUPS_OK_ACKNOWLEDGE: a transaction spans a batch of claims, acknowledged with the claim of the next batch or when nothing
 * follows soon.
 */
public final class LazyAcknowledgement extends Acknowledgement {

    private static final long LAZY_MILLIS = 100;

    private final LazyBatch batch;
    private final LongConsumer lapseIn;

    /**
     * @param most how many messages to claim at once at the most
     * @param lapseIn asks for {@link #lapse} in so many milliseconds
     */
    public LazyAcknowledgement(SessionTransaction transaction, int most, LongConsumer lapseIn) {
        super(transaction);
        this.batch = new LazyBatch(most, System::nanoTime);
        this.lapseIn = lapseIn;
    }

    @Override
    List<StoredMessage> claim(Claimer claimer) throws StoreException {
        int wanted = claimer.atMost(batch.next());
        List<StoredMessage> claimed;
        if (transaction.hasTaken()) {
            claimed = settle(() -> transaction.settle(claimer.source(), wanted));
        } else {
            claimed = transaction.claim(claimer.source(), wanted);
        }
        batch.claimed(claimed.size());
        return claimed;
    }

    @Override
    public boolean received(Claimer claimer) {
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
    public boolean handled(Claimer claimer, boolean more) {
        lapseIn.accept(LAZY_MILLIS);
        return false;
    }

    /** Those before it in the batch were handled well; only the last is delivered again. */
    @Override
    public void failed() throws JMSException {
        if (transaction.hasTaken()) {
            transaction.rollbackLast();
        }
    }

    @Override
    public void idle() throws StoreException {
        if (transaction.hasTaken()) {
            settle(transaction::settle);
        }
        super.idle();
    }

    @Override
    public void close() throws JMSException {
        unread();
    }

    @FunctionalInterface
    private interface Settling {
        List<StoredMessage> run() throws StoreException;
    }

    private List<StoredMessage> settle(Settling settling) throws StoreException {
        try {
            return settling.run();
        } catch (StoreException e) {
            // In doubt: what had still to be acknowledged is acknowledged now; what follows is claimed anew.
            if (e.failure() == Failure.IN_DOUBT && transaction.settleDoubt()) {
                return List.of();
            }
            transaction.abandon();
            throw e;
        }
    }
}
