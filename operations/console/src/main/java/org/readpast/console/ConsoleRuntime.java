package org.readpast.console;

import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.console.pages.Actions;
import org.readpast.console.pages.Pages;
import org.readpast.console.session.Database;
import org.readpast.console.session.Throttle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a console has, whatever server its requests come from: who is in, the pages, and the threads of jobs. Thread-safe. */
final class ConsoleRuntime implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleRuntime.class);
    private static final int SECONDS_TO_STOP = 10;
    private static final int SWEEP_SECONDS = 1;

    private final Guard guard;
    private final Entrance entrance;
    private final ExecutorService workers;
    private final ScheduledExecutorService sweeper;

    ConsoleRuntime(Settings settings, Clock clock) {
        AtomicInteger number = new AtomicInteger();
        workers = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "readpast-console-job-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        sweeper = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "readpast-console-sweeper");
            thread.setDaemon(true);
            return thread;
        });
        guard = new Guard(settings);
        entrance = new Entrance(
                settings,
                new Database(settings.url(), settings.schema()),
                new Pages(new Actions(workers), settings.silenced()),
                new Throttle(clock),
                clock);
    }

    /** Has sessions end by themselves. */
    void start() {
        ScheduledFuture<?> sweeping =
                sweeper.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        LOG.debug("Sessions are swept: {}", sweeping);
    }

    /** What is thrown to who carries it out ends it for ever. */
    private void sweep() {
        try {
            entrance.sweep();
        } catch (RuntimeException e) {
            LOG.warn("Not all sessions that are over could be ended", e);
        }
    }

    Guard guard() {
        return guard;
    }

    Entrance entrance() {
        return entrance;
    }

    /** Ends all sessions: jobs stop, and the batch they are at is undone. */
    @Override
    public void close() {
        sweeper.shutdownNow();
        entrance.close();
        workers.shutdown();
        try {
            if (!workers.awaitTermination(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
