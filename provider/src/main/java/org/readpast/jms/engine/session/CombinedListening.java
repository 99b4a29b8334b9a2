package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.runtime.CombinedDeliveries;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.SharedDelivery;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.engine.source.Source;
import org.readpast.jms.engine.transaction.Acknowledgement;
import org.readpast.jms.engine.transaction.Acknowledger;
import org.readpast.jms.engine.transaction.Claimer;
import org.readpast.jms.engine.transaction.Recipient;
import org.readpast.jms.engine.transaction.Redeliverer;
import org.readpast.jms.engine.transaction.SessionTransaction;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Patience;

/**
 * How a session of AUTO_ACKNOWLEDGE takes part in deliveries that are combined with those of others. What cannot be ended there is
 * taken into the session's own transaction, held by lease. Used with the session's lock; not thread-safe.
 */
final class CombinedListening {

    private final CombinedDeliveries deliveries;
    private final ProviderRuntime runtime;
    private final Arrivals arrivals;
    private final SessionTransaction transaction;
    private final Claimer claimer;
    private final Acknowledger acknowledger;
    private final Redeliverer redeliverer;
    private final Acknowledgement acknowledgement;

    /** What the listener has in hand, which is not the session's own; null while there is nothing. */
    private SharedDelivery inHand;

    /** The queue in which the next message is kept for the session; null where none is. */
    private Integer keptIn;

    CombinedListening(
            ProviderRuntime runtime,
            SessionTransaction transaction,
            Claimer claimer,
            Acknowledger acknowledger,
            Redeliverer redeliverer,
            Acknowledgement acknowledgement) {
        this.deliveries = runtime.combinedDeliveries();
        this.runtime = runtime;
        this.arrivals = runtime.arrivals();
        this.transaction = transaction;
        this.claimer = claimer;
        this.acknowledger = acknowledger;
        this.redeliverer = redeliverer;
        this.acknowledgement = acknowledgement;
    }

    /** How a message is delivered, one way or the other. */
    interface Ways {

        /** Calls the listener; false if it has failed. */
        boolean call(Delivery delivery);

        /**
         * Delivers a message in the session's own transaction.
         *
         * @param mayGoOn asked when the listener has returned
         */
        Delivered alone(BooleanSupplier mayGoOn) throws StoreException, JMSException;
    }

    /**
     * Delivers one message.
     *
     * @param mayGoOn whether, afterwards, the next message for the same recipient is to be delivered; asked when the listener has returned
     */
    Delivered deliver(Recipient recipient, Ways ways, BooleanSupplier mayGoOn) throws StoreException, JMSException {
        Source source = recipient.source();
        int from = source.destinationId();
        if (keptIn != null && keptIn != from) {
            forgo();
        }
        if (keptIn == null && !(recipient.isQuick() && runtime.store().isCombined(source.request(1)))) {
            return ways.alone(mayGoOn);
        }
        deliveries.enter(from);
        try {
            return claimer.isReady(recipient)
                    ? ways.alone(() -> mayGoOn.getAsBoolean() && !deliveries.isNext(from))
                    : combined(recipient, from, ways, mayGoOn);
        } finally {
            deliveries.leave(from);
        }
    }

    private Delivered combined(Recipient recipient, int from, Ways ways, BooleanSupplier mayGoOn)
            throws StoreException, JMSException {
        // What is claimed for another recipient would stay locked for as long as this one goes on.
        transaction.release();
        long mark = arrivals.mark(from);
        boolean isKept = keptIn != null;
        keptIn = null;
        CombinedDeliveries.Next next = deliveries.next(from, isKept, acknowledger::settleDoubt);
        switch (next.kind()) {
            case ALONE -> {
                return ways.alone(() -> mayGoOn.getAsBoolean() && !deliveries.isNext(from));
            }
            case NOTHING -> {
                arrivals.foundNothing(from, mark);
                return Delivered.NONE;
            }
            case DELIVERED -> {}
        }
        inHand = next.delivery();
        boolean handled = false;
        try {
            arrivals.claimed(from);
            handled = ways.call(Delivery.of(inHand.message()));
        } finally {
            if (!handled) {
                failed();
            }
        }
        return handled ? handled(recipient, from, mayGoOn) : Delivered.ONE;
    }

    private void failed() {
        takeOver();
        acknowledgement.failed();
    }

    private Delivered handled(Recipient recipient, int from, BooleanSupplier mayGoOn) throws StoreException {
        if (inHand == null) {
            // The listener has recovered its session.
            return Delivered.ONE;
        }
        boolean more = mayGoOn.getAsBoolean();
        // Where its listener has closed the consumer, the destination may be forgotten, and is to stay so.
        long mark = more ? arrivals.mark(from) : 0;
        SharedDelivery done = inHand;
        inHand = null;
        switch (done.end(more)) {
            case ACKNOWLEDGED -> {}
            case NEXT_IS_READY -> keptIn = from;
            case LAST -> {
                arrivals.foundNothing(from, mark);
                return Delivered.LAST;
            }
            case LEASED -> {
                claimer.deliver(Unacknowledged.of(done.message()));
                acknowledgement.handled(recipient, false);
            }
            case LOST -> {
                Patience patience = new Patience(runtime.settings().poolTimeoutMillis());
                acknowledger.settleDoubt(List.of(done.message()), patience);
            }
        }
        return Delivered.ONE;
    }

    /** The session does not go on just now: what is kept for it is for others. */
    void forgo() {
        if (keptIn != null) {
            deliveries.forgo(keptIn);
            keptIn = null;
        }
    }

    /** The message that the listener has in hand, if there is one, is the session's own from now on. */
    void takeOver() {
        SharedDelivery taken = inHand;
        inHand = null;
        if (taken != null) {
            switch (taken.keep()) {
                case LEASED -> claimer.deliver(Unacknowledged.of(taken.message()));
                case LOST -> redeliverer.countLost(Unacknowledged.of(taken.message()));
                default -> throw new IllegalStateException("A delivery was ended that is to go on");
            }
        }
    }
}
