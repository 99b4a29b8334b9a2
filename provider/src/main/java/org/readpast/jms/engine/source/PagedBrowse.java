package org.readpast.jms.engine.source;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.BrowsePage;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/** Reads a queue a page at a time, so its memory does not grow with the queue. */
final class PagedBrowse implements BrowseCursor {

    private static final int PAGE = 100;

    private final MessageStore store;
    private final ReadpastQueue queue;
    private final int destinationId;
    private final Selector selector;
    private final Deque<StoredMessage> page = new ArrayDeque<>();
    private MessageKey last;
    private boolean ended;

    PagedBrowse(MessageStore store, ReadpastQueue queue, int destinationId, Selector selector) {
        this.store = store;
        this.queue = queue;
        this.destinationId = destinationId;
        this.selector = selector;
    }

    @Override
    public Delivery next() throws JMSException {
        while (page.isEmpty() && !ended) {
            read();
        }
        StoredMessage message = page.poll();
        return message == null ? null : Delivery.of(message);
    }

    private void read() throws JMSException {
        try {
            BrowsePage next = store.browse(destinationId, last, PAGE, selector);
            page.addAll(next.messages());
            last = next.last();
            ended = last == null;
        } catch (StoreException e) {
            throw JmsErrors.jms("Browsing " + queue + " failed", e);
        }
    }

    @Override
    public void close() {
        page.clear();
        ended = true;
    }
}
