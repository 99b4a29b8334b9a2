package org.readpast.jms.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.source.BrowseCursor;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.selector.Selector;

/** A look at a queue (§4.1.6). Each enumeration is a new walk over what is in the queue then. Not thread-safe. */
final class JmsQueueBrowser implements QueueBrowser {

    private final JmsSession session;
    private final ReadpastQueue queue;
    private final Selector selector;
    private final Set<Walk> walks = new HashSet<>();
    private boolean closed;

    JmsQueueBrowser(JmsSession session, ReadpastQueue queue, Selector selector) {
        this.session = session;
        this.queue = queue;
        this.selector = selector;
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return queue;
    }

    @Override
    public String getMessageSelector() throws JMSException {
        checkOpen();
        return Selectors.text(selector);
    }

    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        checkOpen();
        Walk walk = new Walk(session.engine().browse(queue, selector));
        walks.add(walk);
        return walk;
    }

    @Override
    public void close() {
        closed = true;
        walks.forEach(Walk::close);
        walks.clear();
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw new IllegalStateException("The browser of " + queue + " is closed");
        }
    }

    /** One walk; it reads one message ahead, to know whether there is one. */
    @SuppressWarnings("JdkObsolete") // what QueueBrowser has to return
    private final class Walk implements Enumeration<Message> {

        private final BrowseCursor cursor;
        private Message next;
        private boolean ended;

        Walk(BrowseCursor cursor) {
            this.cursor = cursor;
        }

        @Override
        public boolean hasMoreElements() {
            if (next == null && !ended) {
                Unchecked.run(this::advance);
            }
            return next != null;
        }

        @Override
        public Message nextElement() {
            if (!hasMoreElements()) {
                throw new NoSuchElementException("No more messages in " + queue);
            }
            Message message = next;
            next = null;
            return message;
        }

        private void advance() throws JMSException {
            checkOpen();
            Delivery delivery = cursor.next();
            if (delivery == null) {
                close();
                walks.remove(this);
            } else {
                next = session.browsed(delivery);
            }
        }

        void close() {
            ended = true;
            cursor.close();
        }
    }
}
