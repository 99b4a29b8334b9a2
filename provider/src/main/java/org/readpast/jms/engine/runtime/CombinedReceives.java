package org.readpast.jms.engine.runtime;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.source.Groups;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Patience;
import org.slf4j.Logger;

/**
 * Receives of many sessions of this JVM from one queue share a transaction. What a {@code receive} returns is acknowledged before the
 * application sees it, so nothing is held while an application works: a thread of ours claims a message for each that waits, reads
 * them, deletes them and commits, and goes on with those who have come meanwhile. A {@code receive} returns when
 * its message is committed. A few receive each for itself, on their own threads. Thread-safe.
 *
 * <p>Only messages that come to be delivered as they are. Where a claim has met another one, or anything has failed, all of it goes back
 * and each receives for itself for a while. So each does behind a message that had yet to be read, which is returned before: if it
 * went back, who receives for himself might get it behind a later one.
 */
public final class CombinedReceives extends CombinedClaims<CombinedReceives.Receiving> {

    private static final Logger LOG = Loggers.of(CombinedReceives.class);

    /** What a receive does with its message, on a thread of ours, while its own thread waits. */
    public interface Receiver {

        /** Makes of a claimed message what {@code receive} returns. */
        Object read(StoredMessage message) throws JMSException;

        /**
         * It is not known whether the acknowledgement of these messages, of which one is its own, was committed: sees to it, as far as that
         * can be done.
         *
         * @param patience for how long to look
         */
        void settleDoubt(List<StoredMessage> messages, Patience patience);
    }

    /** What is to become of a receive. */
    public enum Kind {
        /** Nothing was done: it is to go on by itself. */
        ALONE,
        /** A claim that began after it has found nothing. */
        NOTHING,
        /** It has a message, which is acknowledged. */
        RECEIVED
    }

    /**
     * What came of a receive.
     *
     * @param value what was made of the message
     */
    public record Outcome(Kind kind, Object value) {

        private static final Outcome ALONE = new Outcome(Kind.ALONE, null);
        private static final Outcome NOTHING = new Outcome(Kind.NOTHING, null);
    }

    /** One receive that waits for its message. Used by our thread until the latch is open. */
    static final class Receiving {

        private final Receiver receiver;
        private final CountDownLatch ended = new CountDownLatch(1);
        private StoredMessage message;
        private Object value;

        /** Written before the latch is opened. */
        private Outcome outcome;

        Receiving(Receiver receiver) {
            this.receiver = receiver;
        }

        void read(StoredMessage claimed) throws JMSException {
            value = receiver.read(claimed);
            message = claimed;
        }

        void received() {
            ends(new Outcome(Kind.RECEIVED, value));
        }

        void ends(Outcome came) {
            outcome = came;
            ended.countDown();
        }
    }

    private final ArrivalNews news;

    /**
     * @param news is told of messages that were claimed and are free again
     * @param doubtMillis for how long is looked, all in all, into what became of a commit
     * @param name for the threads
     */
    CombinedReceives(
            MessageStore store,
            RedeliveryPlanner redeliveries,
            Groups groups,
            ArrivalNews news,
            long doubtMillis,
            String name) {
        super(store, redeliveries, groups, doubtMillis, "receives-" + name + "-");
        this.news = news;
    }

    @Override
    Line newLine(int queue) {
        return new Receives(queue);
    }

    /**
     * Receives one message together with others, if there are many; for a receive that has entered and holds nothing. An interrupt of
     * the thread is put aside meanwhile.
     */
    public Outcome receive(int queue, Receiver receiver) {
        Line line = line(queue);
        Receiving receiving = new Receiving(receiver);
        if (!line.takes(receiving)) {
            return Outcome.ALONE;
        }
        return line.awaitServed(receiving, receiving.ended) ? receiving.outcome : Outcome.ALONE;
    }

    private final class Receives extends Line {

        Receives(int queue) {
            super(queue);
        }

        @Override
        void alone(Receiving receiving) {
            receiving.ends(Outcome.ALONE);
        }

        @Override
        void serve(StoreTransaction transaction, List<Receiving> first) {
            List<Receiving> batch = first;
            List<StoredMessage> claimed = List.of();
            boolean isCommitting = false;
            try {
                while (!batch.isEmpty()) {
                    claimed = transaction.claim(ClaimRequest.fromHead(queue, batch.size(), null));
                    if (claimed.isEmpty()) {
                        batch.forEach(receiving -> receiving.ends(Outcome.NOTHING));
                        return;
                    }
                    List<StoredMessage> complete = complete(transaction, claimed);
                    if (complete == null || !read(batch, complete)) {
                        transaction.rollback();
                        alone(batch, claimed, LONG_PAUSE);
                        return;
                    }
                    // Found out where its answer is lost, and so with no claim behind it in the same round trip.
                    isCommitting = true;
                    transaction.commitVerified(Settlement.acknowledgement(
                            claimed.stream().map(StoredMessage::claim).toList()));
                    received(batch.subList(0, claimed.size()));
                    batch = next(batch.subList(claimed.size(), batch.size()), claimed.size());
                    isCommitting = false;
                    boolean isLong = claimed.stream().anyMatch(StoredMessage::isPartial);
                    claimed = List.of();
                    if (isLong) {
                        alone(batch, claimed, PAUSE);
                        return;
                    }
                }
            } catch (Throwable e) {
                holdBack();
                LOG.debug("Receives that were combined failed, each goes on by itself", e);
                transaction.rollback();
                failed(batch, claimed, isCommitting && mayBeCommitted(e));
            }
        }

        private void failed(List<Receiving> batch, List<StoredMessage> claimed, boolean isInDoubt) {
            if (isInDoubt) {
                try {
                    settleDoubt(batch.subList(0, claimed.size()));
                } finally {
                    alone(batch.subList(claimed.size(), batch.size()), List.of(), PAUSE);
                }
            } else {
                alone(batch, claimed, PAUSE);
            }
        }

        /** Reads what was claimed, each message for its receive; false if one of them has to go another way. */
        private boolean read(List<Receiving> batch, List<StoredMessage> claimed) {
            for (int i = 0; i < claimed.size(); i++) {
                try {
                    batch.get(i).read(claimed.get(i));
                } catch (JMSException | RuntimeException e) {
                    LOG.debug("A message cannot be read, which is left to who receives it for itself", e);
                    return false;
                }
            }
            return true;
        }

        private void received(List<Receiving> served) {
            served.forEach(Receiving::received);
        }

        /** Before anybody of this line receives for himself, who might get what is in doubt. Rather twice than never. */
        private void settleDoubt(List<Receiving> batch) {
            try {
                List<StoredMessage> messages =
                        batch.stream().map(receiving -> receiving.message).toList();
                batch.get(0).receiver.settleDoubt(messages, patience());
            } finally {
                pause(PAUSE);
                received(batch);
            }
        }

        /** What was claimed is free again, and each receives for itself. */
        private void alone(List<Receiving> batch, List<StoredMessage> claimed, Duration pause) {
            pause(pause);
            batch.forEach(this::alone);
            if (!claimed.isEmpty()) {
                news.arrived(queue, claimed.size());
            }
        }
    }
}
