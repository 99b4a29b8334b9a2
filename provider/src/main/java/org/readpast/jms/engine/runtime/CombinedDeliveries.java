package org.readpast.jms.engine.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.codec.Body;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.runtime.SharedDelivery.Ending;
import org.readpast.jms.engine.source.Groups;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Listeners of many sessions of this JVM that listen to one queue share a transaction. A thread of ours claims a message for each
 * of them, and waits until they have returned; then it acknowledges their messages together and commits. The delivery of each ends when
 * its message is committed. Only listeners that are known to return at once take part, and a few listen each for itself. Thread-safe.
 *
 * <p>They wait for each other for a millisecond. A message that is still in its listener's hands then is held by lease from the
 * commit on, and its session goes on with it as with any that it holds by lease; so it does with one whose listener has failed. No
 * message is free between the shared transaction and the lease. Where that happens to more than one message in a hundred, each
 * listens for itself for a while; so it does where bodies are so long that others should rather wait for their listeners. What is
 * claimed is handed out all the same: if it went back, who listens for himself might get it behind a later one.
 *
 * <p>As with {@link CombinedReceives}, anything that is not as usual goes the way of a single session.
 */
public final class CombinedDeliveries extends CombinedClaims<CombinedDeliveries.Waiting> {

    private static final Logger LOG = Loggers.of(CombinedDeliveries.class);

    /**
     * For how long a message is kept for somebody who is about to ask for it; only a thread that gets no time at all does not come. Another
     * one might get what is free again behind later ones.
     */
    private static final Duration KEPT = Duration.ofSeconds(1);

    /** How often somebody who waits for them looks at the time, to see whether this JVM stood still. */
    private static final Duration LOOK = KEPT.dividedBy(20);

    /** For how long those who are done wait for the others. */
    private static final Duration TOGETHER = Duration.ofMillis(1);

    /** A body that is longer is moved to a lease only if it must be. */
    private static final int LEASED_BYTES = 4_096;

    /** For how long those who are done wait for the others where one of these has such a body. */
    private static final Duration LONG_TOGETHER = Duration.ofSeconds(1);

    /** Of a character, on SQL Server. */
    private static final int BYTES_IN_TEXT = 2;

    /**
     * A safety net: a lease ends with the presence of this JVM, or when its session is done. It would end by itself only where a session
     * could not be told of it.
     */
    private static final int LEASE_SECONDS = (int) TimeUnit.DAYS.toSeconds(1);

    /** A lease has to be made good by this many messages that needed none. */
    private static final int PER_LEASE = 100;

    /** What leases may cost at once. */
    private static final int CREDIT = 8 * PER_LEASE;

    /** What is to become of a listener that would have a message. */
    public enum Kind {
        /** Nothing was done: its session is to go on by itself. */
        ALONE,
        /** A claim that began after it has found nothing. */
        NOTHING,
        /** It has a message. */
        DELIVERED
    }

    /**
     * What a listener gets.
     *
     * @param delivery null unless it is delivered
     */
    public record Next(Kind kind, SharedDelivery delivery) {

        private static final Next ALONE = new Next(Kind.ALONE, null);
        private static final Next NOTHING = new Next(Kind.NOTHING, null);
    }

    /** One listener that waits for a message. */
    static final class Waiting {

        private final SharedDelivery.Settler settler;
        private final CountDownLatch served = new CountDownLatch(1);

        /** Written before the latch is opened. */
        private Next next;

        private Waiting(SharedDelivery.Settler settler) {
            this.settler = settler;
        }

        private void gets(Next given) {
            next = given;
            served.countDown();
        }
    }

    private final ArrivalNews news;
    private final Housekeeping housekeeping;
    private final LeaseTerms lease;

    /**
     * @param news is told of messages that were claimed and are free again
     * @param housekeeping tries again what cannot be given back while the database is away
     * @param instance of this JVM, which has the leases
     * @param doubtMillis for how long is looked, all in all, into what became of a commit
     * @param name for the threads
     */
    CombinedDeliveries(
            MessageStore store,
            RedeliveryPlanner redeliveries,
            Groups groups,
            ArrivalNews news,
            Housekeeping housekeeping,
            String instance,
            long doubtMillis,
            String name) {
        super(store, redeliveries, groups, doubtMillis, "listeners-" + name + "-");
        this.news = news;
        this.housekeeping = housekeeping;
        this.lease = new LeaseTerms(instance, LEASE_SECONDS);
    }

    @Override
    Line newLine(int queue) {
        return new Deliveries(queue);
    }

    /**
     * The next message for a listener, together with others if there are many; for one that has entered and whose session holds nothing.
     * An interrupt of the thread is put aside meanwhile.
     *
     * @param isKept whether a message is kept for it, see {@link Ending#NEXT_IS_READY}. Nobody else gets one of those: who has listened for
     *     himself meanwhile may have had a later one (§6.2.9)
     */
    public Next next(int queue, boolean isKept, SharedDelivery.Settler settler) {
        Deliveries line = (Deliveries) line(queue);
        Waiting waiting = new Waiting(settler);
        SharedDelivery kept = isKept ? line.takeReady(waiting) : null;
        if (kept != null) {
            return new Next(Kind.DELIVERED, kept);
        }
        if (!line.takes(waiting)) {
            return Next.ALONE;
        }
        return line.awaitServed(waiting, waiting.served) ? waiting.next : Next.ALONE;
    }

    /** A listener does not ask for the message that is kept for it. */
    public void forgo(int queue) {
        Deliveries line = (Deliveries) line(queue);
        if (line != null) {
            line.forgo();
        }
    }

    /**
     * How a shared transaction ends.
     *
     * @param done to be acknowledged
     * @param kept to be held by lease from then on
     * @param forgone how many of the claimed messages were not asked for
     */
    private record Round(List<SharedDelivery> done, List<SharedDelivery> kept, int forgone) {

        private static final Round NONE = new Round(List.of(), List.of(), 0);

        boolean isEmpty() {
            return done.isEmpty() && kept.isEmpty();
        }
    }

    /** The listeners of one queue. */
    private final class Deliveries extends Line implements SharedDelivery.Owner {

        /** Claimed for those who are about to ask, in their order. Guarded by this. */
        private final Deque<StoredMessage> ready = new ArrayDeque<>();

        /** How many of these nobody will ask for: the last ones. Guarded by this. */
        private int forgone;

        /** In the order in which they were handed out. Guarded by this. */
        private final Set<SharedDelivery> out = new LinkedHashSet<>();

        /** How many of these are at work. Guarded by this. */
        private int atWork;

        /** When one of them has begun or ended last, by {@link System#nanoTime()}. Guarded by this. */
        private long lastMove;

        /** What leases may still cost, in messages that need none. Used by our thread. */
        private int credit = CREDIT;

        Deliveries(int queue) {
            super(queue);
        }

        @Override
        void alone(Waiting waiting) {
            waiting.gets(Next.ALONE);
        }

        private synchronized SharedDelivery takeReady(Waiting waiting) {
            StoredMessage message = ready.poll();
            if (ready.size() <= forgone) {
                notifyAll();
            }
            return message == null ? null : handOut(message, waiting);
        }

        private synchronized void forgo() {
            // Somebody else may have got it.
            forgone = Math.min(forgone + 1, ready.size());
            notifyAll();
        }

        private synchronized SharedDelivery handOut(StoredMessage message, Waiting waiting) {
            SharedDelivery delivery = new SharedDelivery(this, message, waiting.settler);
            out.add(delivery);
            atWork++;
            lastMove = System.nanoTime();
            return delivery;
        }

        @Override
        public synchronized void returned(SharedDelivery delivery, boolean done, boolean goesOn) {
            // Not one that our thread has gone on without.
            if (out.contains(delivery)) {
                delivery.returned(done, goesOn);
                atWork--;
                lastMove = System.nanoTime();
                // Between the first, from whom on our thread looks at the time, and the last nothing changes for it.
                if (atWork == 0 || atWork == out.size() - 1) {
                    notifyAll();
                }
            }
        }

        @Override
        void serve(StoreTransaction transaction, List<Waiting> first) {
            List<Waiting> asking = first;
            List<SharedDelivery> acknowledged = List.of();
            Round round = Round.NONE;
            List<StoredMessage> leased = List.of();
            try {
                while (!asking.isEmpty() || wanted(acknowledged) > 0) {
                    if (!transaction.isConnectionToSpare()) {
                        pause(PAUSE);
                        break;
                    }
                    int wanted = asking.size() + wanted(acknowledged);
                    List<StoredMessage> claimed = transaction.claim(ClaimRequest.fromHead(queue, wanted, null));
                    List<StoredMessage> complete = complete(transaction, claimed);
                    if (complete == null) {
                        transaction.rollback();
                        news.arrived(queue, claimed.size());
                        pause(LONG_PAUSE);
                        break;
                    }
                    boolean areShort = claimed.stream().allMatch(CombinedDeliveries::isShort);
                    handOut(complete, asking, acknowledged);
                    asking = List.of();
                    acknowledged = List.of();
                    round = awaitRound(areShort ? TOGETHER : LONG_TOGETHER);
                    leased = lease(transaction, round);
                    commit(transaction, round);
                    boolean areTooMany = tellLeased(round, leased);
                    acknowledged = round.done;
                    leased = List.of();
                    round = Round.NONE;
                    asking = next(List.of(), acknowledged.size());
                    if (areTooMany || !areShort) {
                        pause(areTooMany ? LONG_PAUSE : PAUSE);
                        break;
                    }
                }
            } catch (Throwable e) {
                holdBack();
                LOG.debug("Deliveries that were combined failed, each goes on by itself", e);
                transaction.rollback();
                failed(round.isEmpty() ? collect() : round, leased, e);
            }
            acknowledged.forEach(delivery -> delivery.ends(Ending.ACKNOWLEDGED));
            asking.forEach(this::alone);
        }

        private static int wanted(List<SharedDelivery> acknowledged) {
            return (int)
                    acknowledged.stream().filter(delivery -> delivery.goesOn()).count();
        }

        /**
         * First to those who ask, then to those who are about to. A claim that has found some of what was asked for may have left others,
         * before the place where it began.
         */
        private synchronized void handOut(
                List<StoredMessage> claimed, List<Waiting> asking, List<SharedDelivery> acknowledged) {
            ready.addAll(claimed);
            lastMove = System.nanoTime();
            for (Waiting waiting : asking) {
                SharedDelivery delivery = takeReady(waiting);
                if (delivery == null) {
                    waiting.gets(claimed.isEmpty() ? Next.NOTHING : Next.ALONE);
                } else {
                    waiting.gets(new Next(Kind.DELIVERED, delivery));
                }
            }
            int left = ready.size();
            Ending without = claimed.isEmpty() ? Ending.LAST : Ending.ACKNOWLEDGED;
            for (SharedDelivery delivery : acknowledged) {
                if (delivery.goesOn()) {
                    delivery.ends(left > 0 ? Ending.NEXT_IS_READY : without);
                    left--;
                } else {
                    delivery.ends(Ending.ACKNOWLEDGED);
                }
            }
        }

        /** Until all are done; or some of them are, or somebody asks, and nothing has moved for a while. */
        private synchronized Round awaitRound(Duration together) throws InterruptedException {
            boolean isOver = false;
            while (!isOver && (atWork > 0 || ready.size() > forgone)) {
                boolean isAnyKept = ready.size() > forgone;
                if (isAnyKept || atWork < out.size() || isAnyWaiting() || isClosed()) {
                    long before = System.nanoTime();
                    long left = (isAnyKept ? KEPT : together).toNanos() - (before - lastMove);
                    isOver = left <= 0;
                    long pause = Math.min(left, LOOK.toNanos());
                    TimeUnit.NANOSECONDS.timedWait(this, pause);
                    if (isAnyKept) {
                        // While the whole JVM stood still, nobody could come.
                        lastMove += Math.max(0, System.nanoTime() - before - pause);
                    }
                } else {
                    wait();
                }
            }
            return collect();
        }

        private synchronized Round collect() {
            List<SharedDelivery> done = new ArrayList<>();
            List<SharedDelivery> kept = new ArrayList<>();
            for (SharedDelivery delivery : out) {
                (delivery.isDone() ? done : kept).add(delivery);
            }
            Round round = new Round(done, kept, ready.size());
            out.clear();
            ready.clear();
            forgone = 0;
            atWork = 0;
            return round;
        }

        private List<StoredMessage> lease(StoreTransaction transaction, Round round) throws StoreException {
            return round.kept.isEmpty()
                    ? List.of()
                    : transaction.lease(
                            round.kept.stream().map(SharedDelivery::message).toList(), lease);
        }

        private void commit(StoreTransaction transaction, Round round) throws StoreException {
            if (round.isEmpty()) {
                transaction.rollback();
            } else {
                transaction.commitVerified(Settlement.acknowledgement(round.done.stream()
                        .map(delivery -> delivery.message().claim())
                        .toList()));
            }
            if (round.forgone > 0) {
                news.arrived(queue, round.forgone);
            }
        }

        /** Returns whether leases have cost too much. */
        private boolean tellLeased(Round round, List<StoredMessage> leased) {
            for (int i = 0; i < leased.size(); i++) {
                round.kept.get(i).leased(leased.get(i));
            }
            credit = Math.min(CREDIT, credit + round.done.size()) - PER_LEASE * round.kept.size();
            boolean areTooMany = credit < 0;
            if (areTooMany) {
                credit = CREDIT;
            }
            return areTooMany;
        }

        /** Before anybody of this line listens for himself, who might get what others are done with. Rather twice than never. */
        private void failed(Round round, List<StoredMessage> leased, Throwable failure) {
            try {
                if (!leased.isEmpty() && mayBeCommitted(failure)) {
                    LeasesInDoubt.giveBack(
                            store,
                            housekeeping,
                            "What listeners may hold by lease",
                            leased.stream().map(StoredMessage::claim).toList(),
                            () -> news.arrived(queue, leased.size()));
                }
                if (!round.done.isEmpty()) {
                    List<StoredMessage> messages =
                            round.done.stream().map(SharedDelivery::message).toList();
                    round.done.get(0).settle(messages, patience());
                }
            } finally {
                pause(PAUSE);
                round.done.forEach(delivery -> delivery.ends(Ending.ACKNOWLEDGED));
                round.kept.forEach(delivery -> delivery.ends(Ending.LOST));
                news.arrived(queue, round.kept.size() + round.forgone);
            }
        }
    }

    private static boolean isShort(StoredMessage message) {
        if (message.isPartial()) {
            return false;
        }
        Body body = message.message().body();
        if (body instanceof Body.Text text) {
            return text.text().length() * BYTES_IN_TEXT <= LEASED_BYTES;
        }
        return body instanceof Body.Binary binary ? binary.bytes().length <= LEASED_BYTES : body instanceof Body.Empty;
    }
}
