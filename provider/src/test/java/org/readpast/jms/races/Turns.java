package org.readpast.jms.races;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Lets one thread run at a time, from one step to the next. Before each step it waits until all threads rest: at a step, or waiting for
 * each other. Then a random number says which of those at a step goes on, so that the same seed leads to the same order of steps. That a
 * monitor's wait has ended is seen at once; a thread that was unparked seems to rest until it runs, which is why rest has to last for a
 * moment. Where that was too short the order is another one, and no less a real one.
 */
final class Turns implements SteppedStore.Steps {

    static final String PREFIX = "race-";

    private static final List<String> OURS = List.of(PREFIX, "readpast-session-", "readpast-closing-");
    private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Only where a race fails somebody waits for so long. */
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Random random;
    private final List<String> order = new ArrayList<>();

    /** Who is at which step. Guarded by this, as the fields below. */
    private final Map<Thread, String> stopped = new HashMap<>();

    private Thread chosen;
    private boolean over;

    Turns(long seed) {
        this.random = new Random(seed);
    }

    /** Stops here until it is this thread's turn. */
    @Override
    public synchronized void step(String what) {
        Thread me = Thread.currentThread();
        if (over || !isOurs(me)) {
            return;
        }
        stopped.put(me, what);
        boolean interrupted = false;
        while (!over && chosen != me) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        stopped.remove(me);
        chosen = null;
        if (interrupted) {
            me.interrupt();
        }
    }

    private static boolean isOurs(Thread thread) {
        return OURS.stream().anyMatch(thread.getName()::startsWith);
    }

    /**
     * Plays until nobody is at a step any more.
     *
     * @param actors are started here
     * @throws AssertionError if one of them then waits for something that nobody will do
     */
    void play(List<Thread> actors) {
        try {
            actors.forEach(Thread::start);
            for (Thread next = next(actors); next != null; next = next(actors)) {
                go(next);
            }
        } finally {
            letAllGo();
        }
    }

    /** Who goes on; null where all has been done. */
    private Thread next(List<Thread> actors) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            awaitRest(deadline);
            List<Thread> ready = ready();
            if (!ready.isEmpty()) {
                return ready.get(random.nextInt(ready.size()));
            }
            if (actors.stream().noneMatch(Thread::isAlive)) {
                return null;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Somebody waits for what nobody will do" + stacks(ours()));
            }
        }
    }

    private synchronized List<Thread> ready() {
        return stopped.keySet().stream()
                .sorted(Comparator.comparing(Thread::getName).thenComparing(Thread::getId))
                .toList();
    }

    private synchronized void go(Thread thread) {
        order.add(thread.getName().replaceAll("-\\d.*", "") + ": " + stopped.get(thread));
        chosen = thread;
        notifyAll();
    }

    private synchronized void letAllGo() {
        over = true;
        notifyAll();
    }

    @SuppressWarnings("ThreadPriorityCheck") // to yield is a courtesy to those that are waited for
    private void awaitRest(long deadline) {
        long began = System.nanoTime();
        boolean rest = false;
        while (!rest || System.nanoTime() - began < REST_NANOS) {
            boolean before = rest;
            rest = areAllAtRest();
            if (!rest || !before) {
                began = System.nanoTime();
            }
            if (began - deadline > 0) {
                throw new AssertionError("Somebody does not come to rest" + stacks(ours()));
            }
            Thread.yield();
        }
    }

    private synchronized boolean areAllAtRest() {
        return chosen == null && ours().stream().allMatch(thread -> stopped.containsKey(thread) || isWaiting(thread));
    }

    private boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            case BLOCKED -> {
                ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
                yield info != null
                        && stopped.keySet().stream().anyMatch(other -> other.getId() == info.getLockOwnerId());
            }
            default -> false;
        };
    }

    private static List<Thread> ours() {
        return threads().stream().filter(Turns::isOurs).toList();
    }

    private static List<Thread> threads() {
        Thread[] all = new Thread[Thread.activeCount() * 2 + 16];
        return List.of(Arrays.copyOf(all, Thread.enumerate(all)));
    }

    private static String stacks(Collection<Thread> threads) {
        StringBuilder stacks = new StringBuilder();
        for (Thread thread : threads) {
            stacks.append("\n").append(thread.getName()).append(' ').append(thread.getState());
            Arrays.stream(thread.getStackTrace())
                    .limit(12)
                    .forEach(frame -> stacks.append("\n    at ").append(frame));
        }
        return stacks.toString();
    }

    /** The steps in the order in which they were taken. */
    List<String> order() {
        return order;
    }
}
