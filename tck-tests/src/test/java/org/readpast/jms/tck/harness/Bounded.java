package org.readpast.jms.tck.harness;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** Runs something on a thread of its own, for a bounded time, so that what hangs is a failure that shows where. */
final class Bounded {

    /** What may be run. */
    @FunctionalInterface
    interface Action {
        void run() throws Throwable;
    }

    private Bounded() {}

    /** @return what the action threw, an {@link AssertionError} when its time was up, or null when all went well */
    static Throwable run(String what, Duration patience, Action action) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                },
                "tck-" + what);
        thread.setDaemon(true);
        thread.start();
        thread.join(patience.toMillis());
        if (thread.isAlive()) {
            String stack = Arrays.stream(thread.getStackTrace())
                    .map(frame -> "\n    at " + frame)
                    .collect(Collectors.joining());
            thread.interrupt();
            return new AssertionError("the " + what + " did not end within " + patience.toSeconds() + " s:" + stack);
        }
        return failure.get();
    }
}
