package org.readpast.jms.engine.transaction;

import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.store.NewMessage;

/** What a transacted session sends: held back until the commit, or gone out early because it was too much. Not thread-safe. */
final class Outbox {

    private final long limitBytes;
    private final List<NewMessage> held = new ArrayList<>();
    private final List<NewMessage> early = new ArrayList<>();
    private long heldBytes;

    Outbox(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Returns false if what is held is too much now, and has to go out. */
    boolean hold(List<NewMessage> messages) {
        held.addAll(messages);
        heldBytes += messages.stream().mapToLong(NewMessage::bytes).sum();
        return heldBytes <= limitBytes;
    }

    /** A copy of what is held. */
    List<NewMessage> held() {
        return List.copyOf(held);
    }

    /** What was held went out, within the SQL transaction. Nobody needs its content any more. */
    void wentOut() {
        held.forEach(message -> early.add(message.withoutContent()));
        held.clear();
        heldBytes = 0;
    }

    boolean hasGoneOut() {
        return !early.isEmpty();
    }

    boolean isEmpty() {
        return held.isEmpty() && early.isEmpty();
    }

    /** All of this transaction, in the order of the sends; those that went out early without their content. */
    List<NewMessage> all() {
        List<NewMessage> all = new ArrayList<>(early);
        all.addAll(held);
        return all;
    }

    void clear() {
        held.clear();
        early.clear();
        heldBytes = 0;
    }
}
