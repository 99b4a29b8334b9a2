package org.readpast.jms.engine.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * What must happen now and then whoever sends or receives: delayed messages that have become due are put back, expired ones
 * removed, this JVM's presence refreshed and that of dead ones removed. What is done for all JVMs alike is left to one of them, where one looks
 * for all. One thread, another one for sessions, and one for presence. Thread-safe.
 */
public final class Housekeeping {

    private static final Logger LOG = Loggers.of(Housekeeping.class);
    private static final int BATCH = 500;
    private static final int BODY_BATCH = 100;
    private static final long MARKS_MILLIS = 50;
    private static final long MARKS_REST_MILLIS = 200;
    private static final long EXPIRY_MILLIS = 5_000;
    private static final long BODIES_MILLIS = 5_000;

    /** The first time of what comes seldom otherwise, so that it is done where no JVM ever lives for long. */
    private static final long SOON_MILLIS = 5_000;

    private static final long PRESENCE_MILLIS = 2_000;

    private static final long MOVED_MILLIS = 4_000;

    /** What one JVM finds so, and tells the others, is known to them a second later: five seconds in all. */
    private static final long SETTINGS_MILLIS = 4_000;

    /** While another JVM looks for this one, and sees for it whether its lock is held and what is set for queues. */
    private static final long PRESENCE_REST_MILLIS = 30_000;

    private static final long MOVED_REST_MILLIS = 60_000;
    private static final long SETTINGS_REST_MILLIS = 300_000;

    /** How soon it is noticed that no other JVM looks for this one any more. */
    private static final long NOTICE_MILLIS = 500;

    private static final long REPORT_MILLIS = 1000;
    private static final long SWEEP_MILLIS = 60_000;

    private final MessageStore store;
    private final Presence presence;
    private final Settings settings;
    private final ArrivalNews news;
    private final OtherJvms others;
    private final Outages outages;
    private final ScheduledThreadPoolExecutor executor;

    /** Apart from the chores: they may have to wait for SQL connections that sessions give back here. No thread until it is needed. */
    private final ScheduledThreadPoolExecutor releases;

    /** Apart from the chores: while they wait for a server that does not answer, others would take this JVM for dead. */
    private final ScheduledThreadPoolExecutor presenceKeeper;

    /** Set before the first chore. */
    private volatile Consumer<Presence.Refreshed> onReturn;

    /** Set before the first chore. */
    private volatile Runnable onPresence;

    /** Set before the first chore. */
    private volatile Recurring followMoved;

    private final DueMessages dueMessages;
    private final Recurring presences;
    private final Recurring queueSettings;

    /** What one JVM does for all. */
    private final List<Recurring> forAll = new CopyOnWriteArrayList<>();

    private final Runnable marks;

    /** Whether so much is claimed that marks matter. Used by the thread of the chores. */
    private boolean marksMatter;

    /** Whether they are found out soon, apart from now and then. Used by the thread of the chores. */
    private boolean areMarksScheduled;

    /**
     * @param name what its threads have in their names
     */
    public Housekeeping(
            MessageStore store,
            Presence presence,
            Settings settings,
            ArrivalNews news,
            OtherJvms others,
            Outages outages,
            String name) {
        this.store = store;
        this.presence = presence;
        this.settings = settings;
        this.news = news;
        this.others = others;
        this.outages = outages;
        executor = executor("housekeeping-" + name);
        releases = executor("release-" + name);
        presenceKeeper = executor("presence-" + name);
        dueMessages = new DueMessages(store, news, others, executor, this::recurring);
        presences = recurring("refreshing this JVM's presence", this::refreshPresence);
        queueSettings = recurring("looking what is set for queues", this::refreshQueueSettings);
        marks = recurring("finding out where claims may begin", () -> marksMatter = store.refreshMarks());
    }

    private static ScheduledThreadPoolExecutor executor(String threadName) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Threads.shared(threadName));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return executor;
    }

    /**
     * @param onReturn what to do when this JVM has its lock again, and perhaps was taken for dead
     * @param forgetIdle gives up what consumers do not use any more
     * @param moved finds out whether destinations that are in use are where they were
     * @param onPresence what to do when this JVM has seen which others there are
     * @param report tells of this JVM
     */
    public void start(
            Consumer<Presence.Refreshed> onReturn, Chore forgetIdle, Chore moved, Runnable onPresence, Chore report) {
        this.onReturn = onReturn;
        this.onPresence = onPresence;
        followMoved = recurring("looking whether queues are where they were", moved);
        dueMessages.start();
        later(0, this::warn);
        every(MARKS_MILLIS, MARKS_REST_MILLIS, this::refreshMarks);
        if (settings.removeExpired()) {
            forAllInBatches(EXPIRY_MILLIS, EXPIRY_MILLIS, "removing expired messages", this::removeExpired);
        }
        everyUnlessSpared(executor, SETTINGS_MILLIS, SETTINGS_REST_MILLIS, queueSettings);
        everyUnlessSpared(executor, MOVED_MILLIS, MOVED_REST_MILLIS, followMoved);
        every(REPORT_MILLIS, REPORT_MILLIS, recurring("telling of this JVM", report));
        every(SWEEP_MILLIS, SWEEP_MILLIS, recurring("giving up idle message groups", forgetIdle));
        forAllInBatches(
                SOON_MILLIS,
                SWEEP_MILLIS,
                "sweeping what is left of removed destinations",
                () -> store.sweepDropped(BATCH) == BATCH);
        forAllInBatches(
                BODIES_MILLIS,
                BODIES_MILLIS,
                "removing bodies that no message has any more",
                () -> store.removeUnusedBodies(BODY_BATCH));
        forAllInBatches(
                SWEEP_MILLIS,
                SWEEP_MILLIS,
                "forgetting old duplicate ids",
                () -> store.forgetDuplicates(BATCH) == BATCH);
        forAllInBatches(SOON_MILLIS, SWEEP_MILLIS, "removing old history", () -> store.purgeHistory(BATCH) == BATCH);
        // By each that leaves some: the one that looks for all need not.
        every(
                SOON_MILLIS,
                SWEEP_MILLIS,
                new Batches(
                        inBatches("forgetting old markers of commits", () -> store.forgetMarkers(BATCH) == BATCH),
                        () -> false));
        forAllEvery(SWEEP_MILLIS, SWEEP_MILLIS, "forgetting suspicions", store::sweepSuspects);
        forAllEvery(SWEEP_MILLIS, SWEEP_MILLIS, "giving up what dead JVMs made last", presence::releaseOrphaned);
        forAllEvery(PRESENCE_MILLIS, PRESENCE_MILLIS, "removing what dead JVMs left behind", this::removeDead);
        everyUnlessSpared(presenceKeeper, PRESENCE_MILLIS, PRESENCE_REST_MILLIS, presences);
    }

    /** Looks for other JVMs before it is time. */
    public void refreshPresenceSoon() {
        schedule(presenceKeeper, 0, presences);
    }

    /** Once, and not while the first connection is being made, so that no check delays it. */
    private void warn() {
        try {
            store.warnings().forEach(warning -> LOG.warn("{}: {}", store.describe(), warning));
        } catch (StoreException e) {
            LOG.debug("Start-up checks broke off: {}", e.getMessage());
        }
    }

    /** A message of this JVM will be due in this many milliseconds, if it comes. */
    public void dueIn(long millis) {
        dueMessages.dueIn(millis);
    }

    /** What is known of the times when the database is away. */
    Outages outages() {
        return outages;
    }

    /** Tries something a little later that could not be done yet. */
    void later(long millis, Runnable task) {
        schedule(executor, millis, task);
    }

    /** Ends a little later what a session has begun and does not go on with, such as a batch that is not acknowledged yet. */
    public void releaseLater(long millis, Runnable task) {
        schedule(releases, millis, task);
    }

    private static void schedule(ScheduledThreadPoolExecutor on, long millis, Runnable task) {
        if (!on.isShutdown()) {
            ScheduledFuture<?> unused = on.schedule(guarded(task), millis, TimeUnit.MILLISECONDS);
        }
    }

    /** An executor says nothing of what a task throws, and never runs one again that recurs. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                LOG.error("Housekeeping met something that it did not expect, and goes on", e);
            }
        };
    }

    private Recurring recurring(String activity, Chore chore) {
        return inBatches(activity, () -> {
            chore.run();
            return false;
        });
    }

    private Recurring inBatches(String activity, Recurring.Batch batch) {
        return new Recurring(activity + " at " + store.describe(), settings, outages, batch);
    }

    /** Waits for what is running. */
    public void close() {
        executor.shutdown();
        releases.shutdown();
        presenceKeeper.shutdown();
        await(executor);
        await(releases);
        await(presenceKeeper);
    }

    private void await(ScheduledThreadPoolExecutor ending) {
        try {
            if (!ending.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("Housekeeping of {} is still waiting for the database.", store.describe());
                ending.shutdownNow();
            }
        } catch (InterruptedException e) {
            ending.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this JVM does all that is done for all JVMs alike, as far as is known. */
    public boolean isAllowedAll() {
        return settings.removeExpired()
                && dueMessages.isAllowed()
                && forAll.stream().allMatch(Recurring::isAllowed);
    }

    /** What one JVM does for all. */
    private void forAllEvery(long firstMillis, long millis, String activity, Chore chore) {
        forAll(firstMillis, millis, recurring(activity, chore));
    }

    private void forAllInBatches(long firstMillis, long millis, String activity, Recurring.Batch batch) {
        forAll(firstMillis, millis, inBatches(activity, batch));
    }

    private void forAll(long firstMillis, long millis, Recurring recurring) {
        forAll.add(recurring);
        // Left to another JVM that looks for this one.
        every(firstMillis, millis, new Batches(recurring, others::lookForThis));
    }

    /** One batch of a chore after the other. Used by the thread of the chores. */
    private final class Batches implements Runnable {

        private final Recurring recurring;
        private final BooleanSupplier isLeftToAnother;
        private boolean isNextScheduled;

        Batches(Recurring recurring, BooleanSupplier isLeftToAnother) {
            this.recurring = recurring;
            this.isLeftToAnother = isLeftToAnother;
        }

        @Override
        public void run() {
            if (!isNextScheduled) {
                runBatch();
            }
        }

        /** What is due is done before the next one. */
        private void runBatch() {
            isNextScheduled = false;
            if (!isLeftToAnother.getAsBoolean() && recurring.runBatch()) {
                later(0, this::runBatch);
                isNextScheduled = true;
            }
        }
    }

    private void every(long firstMillis, long millis, Runnable task) {
        ScheduledFuture<?> unused =
                executor.scheduleWithFixedDelay(guarded(task), firstMillis, millis, TimeUnit.MILLISECONDS);
    }

    /** Seldom while another JVM looks for this one, and at once when it does so no more. */
    private void everyUnlessSpared(ScheduledThreadPoolExecutor on, long millis, long restMillis, Recurring recurring) {
        Spared spared = new Spared(others, millis, restMillis, recurring);
        ScheduledFuture<?> unused =
                on.scheduleWithFixedDelay(guarded(spared), NOTICE_MILLIS, NOTICE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Less often at rest, so that a JVM whose consumers are idle is idle too. */
    private void refreshMarks() {
        if (!areMarksScheduled) {
            refreshMarksNow();
        }
    }

    private void refreshMarksNow() {
        areMarksScheduled = false;
        marks.run();
        if (marksMatter) {
            later(MARKS_MILLIS, this::refreshMarksNow);
            areMarksScheduled = true;
        }
    }

    /**
     * Of all queues no more than about one batch.
     *
     * @throws StoreException if those of some queue could not be removed; the others' are, unless they would fail as well
     */
    private boolean removeExpired() throws StoreException {
        int removed = 0;
        StoreException problem = null;
        for (Map.Entry<Integer, String> queue : store.queuesWithExpired().entrySet()) {
            try {
                removed += removeExpired(queue.getKey(), queue.getValue());
            } catch (StoreException e) {
                if (!e.failure().mayBeOfOneMessageNow()) {
                    throw e;
                }
                problem = e;
            }
            if (removed >= BATCH) {
                return true;
            }
        }
        if (problem != null) {
            throw problem;
        }
        return false;
    }

    private int removeExpired(int queueId, String name) throws StoreException {
        Optional<NamedQueue> target = expiryTarget(queueId, name);
        int removed = store.removeExpired(queueId, target, BATCH);
        LOG.debug("Removed {} expired messages of '{}'.", removed, name);
        target.ifPresent(there -> news.available(there.id()));
        return removed;
    }

    /** What has waited for the end of a pause is there for whoever waits for it. */
    private void refreshQueueSettings() throws StoreException {
        store.refreshQueueSettings().forEach(news::available);
    }

    /** What expires where the expired go stays there no longer. */
    private Optional<NamedQueue> expiryTarget(int queueId, String name) throws StoreException {
        String target = settings.expiryDestination(name);
        if (target == null) {
            return Optional.empty();
        }
        int targetId = store.destination(DestinationKind.QUEUE, target);
        return targetId == queueId ? Optional.empty() : Optional.of(new NamedQueue(targetId, target));
    }

    private void refreshPresence() throws StoreException {
        Presence.Refreshed refreshed = presence.refresh();
        if (refreshed != Presence.Refreshed.HELD) {
            // Perhaps to a database that was restored, or on another server.
            later(0, followMoved);
            later(0, recurring("coming back from an absence", () -> onReturn.accept(refreshed)));
        }
        if (refreshed == Presence.Refreshed.REMOVED) {
            LOG.warn("This JVM was away from {} for so long that others took it for dead.", store.describe());
            // The new row says nothing of pauses yet.
            later(0, queueSettings);
        }
        onPresence.run();
    }

    private void removeDead() throws StoreException {
        int dead = presence.reapDead();
        if (dead > 0) {
            LOG.info("Removed what {} dead JVMs left behind at {}.", dead, store.describe());
        }
        others.missing(presence.missing());
    }
}
