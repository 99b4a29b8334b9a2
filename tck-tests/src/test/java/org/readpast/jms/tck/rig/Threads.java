package org.readpast.jms.tck.rig;

import java.util.Arrays;
import java.util.List;

/** Looks at threads of this JVM. */
public final class Threads {

    private Threads() {}

    /** Whether a thread waits, without being about to go on, within a method of this name. */
    public static boolean restsIn(Thread thread, String method) {
        Thread.State state = thread.getState();
        return (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    /** The living threads whose name begins so. */
    public static List<Thread> named(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .toList();
    }
}
