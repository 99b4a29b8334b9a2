package org.readpast.jms.engine.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.engine.support.Outage;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
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
    private static final long HISTORY_MILLIS = 5_000;
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

    /** Something to be done now and then. */
    @FunctionalInterface
    public interface Chore {
        void run() throws StoreException;
    }

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
    private volatile Runnable onAbsence;

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
        dueMessages = new DueMessages(store, news, others, executor, settings.recoveryCeilingMillis());
        presences = new Recurring("refreshing this JVM's presence", false, this::refreshPresence);
        queueSettings = new Recurring("looking what is set for queues", false, this::refreshQueueSettings);
        marks = new Recurring("finding out where claims may begin", false, () -> marksMatter = store.refreshMarks());
    }

    private static ScheduledThreadPoolExecutor executor(String threadName) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Threads.shared(threadName));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return executor;
    }

    /**
     * @param onAbsence what to do when this JVM was taken for dead, and is back
     * @param forgetIdle gives up what consumers do not use any more
     * @param moved finds out whether destinations that are in use are where they were
     * @param onPresence what to do when this JVM has seen which others there are
     * @param report tells of this JVM
     */
    public void start(Runnable onAbsence, Chore forgetIdle, Chore moved, Runnable onPresence, Chore report) {
        this.onAbsence = onAbsence;
        this.onPresence = onPresence;
        followMoved = new Recurring("looking whether queues are where they were", false, moved);
        dueMessages.start();
        executor.execute(this::warn);
        later(MARKS_MILLIS, this::refreshMarks);
        if (settings.removeExpired()) {
            forAllEvery(EXPIRY_MILLIS, EXPIRY_MILLIS, "removing expired messages", this::removeExpired);
        }
        everyUnlessSpared(executor, SETTINGS_MILLIS, SETTINGS_REST_MILLIS, queueSettings);
        everyUnlessSpared(executor, MOVED_MILLIS, MOVED_REST_MILLIS, followMoved);
        every(REPORT_MILLIS, "telling of this JVM", report);
        every(SWEEP_MILLIS, "giving up idle message groups", forgetIdle);
        forAllEvery(SWEEP_MILLIS, SWEEP_MILLIS, "sweeping what was sent to removed destinations", this::sweepDropped);
        forAllEvery(
                BODIES_MILLIS, BODIES_MILLIS, "removing bodies that no message has any more", this::removeUnusedBodies);
        forAllEvery(SWEEP_MILLIS, SWEEP_MILLIS, "forgetting old duplicate ids", this::forgetDuplicates);
        // For the first time soon, so that it is done where no JVM ever lives for long.
        forAllEvery(HISTORY_MILLIS, SWEEP_MILLIS, "removing old history", this::purgeHistory);
        forAllEvery(SWEEP_MILLIS, SWEEP_MILLIS, "forgetting old markers of commits", this::forgetMarkers);
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
            ScheduledFuture<?> unused = on.schedule(task, millis, TimeUnit.MILLISECONDS);
        }
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

    private void every(long millis, String activity, Chore chore) {
        every(millis, millis, new Recurring(activity, false, chore));
    }

    /** What one JVM does for all. */
    private void forAllEvery(long firstMillis, long millis, String activity, Chore chore) {
        Recurring recurring = new Recurring(activity, true, chore);
        forAll.add(recurring);
        every(firstMillis, millis, recurring);
    }

    private void every(long firstMillis, long millis, Recurring recurring) {
        ScheduledFuture<?> unused =
                executor.scheduleWithFixedDelay(recurring, firstMillis, millis, TimeUnit.MILLISECONDS);
    }

    /** Seldom while another JVM looks for this one, and at once when it does so no more. */
    private void everyUnlessSpared(ScheduledThreadPoolExecutor on, long millis, long restMillis, Recurring recurring) {
        Spared spared = new Spared(millis, restMillis, recurring);
        ScheduledFuture<?> unused =
                on.scheduleWithFixedDelay(spared, NOTICE_MILLIS, NOTICE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Used by one thread. */
    private final class Spared implements Runnable {

        private final long millis;
        private final long restMillis;
        private final Recurring recurring;
        private long lastNanos = System.nanoTime();
        private boolean isSpared;

        Spared(long millis, long restMillis, Recurring recurring) {
            this.millis = millis;
            this.restMillis = restMillis;
            this.recurring = recurring;
        }

        @Override
        public void run() {
            boolean was = isSpared;
            isSpared = others.lookForThis();
            long now = System.nanoTime();
            long pause = isSpared ? restMillis : millis;
            if ((was && !isSpared) || now - lastNanos >= TimeUnit.MILLISECONDS.toNanos(pause)) {
                lastNanos = now;
                recurring.run();
            }
        }
    }

    /** A chore that goes on when the database has been away, and that is left to others where this user may not do it. */
    private final class Recurring implements Runnable {

        private final String activity;
        private final boolean isForAll;
        private final Chore chore;
        private final Outage outage;
        private final LeftToOthers leftToOthers;

        /** Whether it failed when it was last tried. */
        private volatile boolean failed;

        /** @param isForAll whether it is left to another JVM that looks for this one */
        Recurring(String activity, boolean isForAll, Chore chore) {
            this.activity = activity + " at " + store.describe();
            this.isForAll = isForAll;
            this.chore = chore;
            this.outage = new Outage(this.activity, LOG, settings, outages);
            this.leftToOthers = new LeftToOthers(this.activity, settings.recoveryCeilingMillis());
        }

        boolean isAllowed() {
            return !failed;
        }

        @Override
        public void run() {
            if (leftToOthers.isNow() || (isForAll && others.lookForThis())) {
                return;
            }
            try {
                chore.run();
                failed = false;
                outage.over();
                leftToOthers.over();
            } catch (StoreException e) {
                failed = true;
                if (e.failure() == Failure.PERMISSION) {
                    leftToOthers.begin(e);
                } else {
                    outage.again(e);
                }
            } catch (Throwable e) {
                // The executor would never run it again, and say nothing.
                LOG.error("{} failed and will be tried again", activity, e);
            }
        }
    }

    /** Less often at rest, so that a JVM whose consumers are idle is idle too. */
    private void refreshMarks() {
        marks.run();
        later(marksMatter ? MARKS_MILLIS : MARKS_REST_MILLIS, this::refreshMarks);
    }

    private void removeExpired() throws StoreException {
        for (Map.Entry<Integer, String> queue : store.queuesWithExpired().entrySet()) {
            Optional<NamedQueue> target = expiryTarget(queue.getKey(), queue.getValue());
            int removed = BATCH;
            while (removed == BATCH) {
                removed = store.removeExpired(queue.getKey(), target, BATCH);
                LOG.debug("Removed {} expired messages of '{}'.", removed, queue.getValue());
            }
            target.ifPresent(there -> news.available(there.id()));
        }
    }

    /** What has waited for the end of a pause is there for whoever waits for it. */
    private void refreshQueueSettings() throws StoreException {
        store.refreshQueueSettings().forEach(news::available);
    }

    private void sweepDropped() throws StoreException {
        int swept = store.sweepDropped();
        if (swept > 0) {
            LOG.debug("Swept messages of {} removed destinations.", swept);
        }
    }

    private void removeUnusedBodies() throws StoreException {
        int removed = BODY_BATCH;
        while (removed == BODY_BATCH) {
            removed = store.removeUnusedBodies(BODY_BATCH);
        }
    }

    private void purgeHistory() throws StoreException {
        int removed = BATCH;
        while (removed == BATCH) {
            removed = store.purgeHistory(BATCH);
        }
    }

    private void forgetDuplicates() throws StoreException {
        int forgotten = BATCH;
        while (forgotten == BATCH) {
            forgotten = store.forgetDuplicates(BATCH);
        }
    }

    private void forgetMarkers() throws StoreException {
        int forgotten = BATCH;
        while (forgotten == BATCH) {
            forgotten = store.forgetMarkers(BATCH);
        }
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
        }
        if (refreshed == Presence.Refreshed.REMOVED) {
            LOG.warn("This JVM was away from {} for so long that others took it for dead.", store.describe());
            later(0, new Recurring("coming back from an absence", false, onAbsence::run));
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
