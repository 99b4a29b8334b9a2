package org.readpast.jms.engine.runtime;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Patience;

/**
 * A message of a shared transaction in the hands of a listener; see {@link CombinedDeliveries}. The public methods are for the thread
 * of its session.
 */
public final class SharedDelivery {

    /** What has become of it. */
    public enum Ending {
        /** The message is acknowledged. */
        ACKNOWLEDGED,
        /** The same, and the next one is kept for this listener, who has to ask for it or to forgo it. */
        NEXT_IS_READY,
        /** The same, and a claim has found nothing more for this listener. */
        LAST,
        /** The message is not acknowledged. It is held by lease now, and the session's own affair. */
        LEASED,
        /** The message is not acknowledged, and nothing holds it any more. */
        LOST
    }

    /** Acknowledges messages on a connection of its own, as far as that can be done. */
    @FunctionalInterface
    public interface Settler {
        /** @param patience for how long to look what became of them */
        void settleDoubt(List<StoredMessage> messages, Patience patience);
    }

    /** Those who are to be told that a listener has returned. */
    @FunctionalInterface
    interface Owner {

        /** @param done false if the session wants the message for itself */
        void returned(SharedDelivery delivery, boolean done, boolean goesOn);
    }

    private final Owner owner;
    private final Settler settler;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** As it is held. Written by our thread before the latch is opened. */
    private StoredMessage message;

    /** As above. */
    private Ending ending;

    /** Whether it is to be acknowledged. Guarded by the owner. */
    private boolean done;

    /** Whether the listener would have another one. As above. */
    private boolean goesOn;

    SharedDelivery(Owner owner, StoredMessage message, Settler settler) {
        this.owner = owner;
        this.message = message;
        this.settler = settler;
    }

    /** The message, as it is held: by lease after {@link Ending#LEASED}. */
    public StoredMessage message() {
        return message;
    }

    /**
     * The listener has returned. Waits until its message is acknowledged. An interrupt is put aside meanwhile.
     *
     * @param more whether it would have another one
     */
    public Ending end(boolean more) {
        owner.returned(this, true, more);
        return awaitEnding();
    }

    /** The session wants the message for itself. Waits until it holds it by lease. An interrupt is put aside meanwhile. */
    public Ending keep() {
        owner.returned(this, false, false);
        return awaitEnding();
    }

    private Ending awaitEnding() {
        Uninterrupted.await(ended, System.nanoTime() + Long.MAX_VALUE);
        return ending;
    }

    // For the thread that serves the listeners.

    void returned(boolean isDone, boolean wouldGoOn) {
        done = isDone;
        goesOn = wouldGoOn;
    }

    boolean isDone() {
        return done;
    }

    boolean goesOn() {
        return goesOn;
    }

    void ends(Ending came) {
        ending = came;
        ended.countDown();
    }

    void leased(StoredMessage leased) {
        message = leased;
        ends(Ending.LEASED);
    }

    /** By way of this one's session. */
    void settle(List<StoredMessage> messages, Patience patience) {
        settler.settleDoubt(messages, patience);
    }
}
