package org.readpast.jms.engine.transaction;

import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.NewMessage;

/** What a transacted session sends: held back until the commit, or gone out early because it was too much. Not thread-safe. */
public final class Outbox {

    /** What a message takes beside its body and its properties, about. */
    private static final long HEADERS = 512;

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
        heldBytes += bytes(messages);
        return heldBytes <= limitBytes;
    }

    /** How much of memory messages take, roughly. */
    public static long bytes(List<NewMessage> messages) {
        return messages.stream().mapToLong(message -> size(message.message())).sum();
    }

    private static long size(EncodedMessage message) {
        return HEADERS + size(message.properties()) + size(message.body());
    }

    private static long size(Body body) {
        if (body instanceof Body.Text text) {
            return size(text.text());
        }
        return body instanceof Body.Binary binary ? binary.bytes().length : 0;
    }

    /** Two bytes a character, as in memory and in SQL Server. */
    private static long size(String text) {
        return text == null ? 0 : 2L * text.length();
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
