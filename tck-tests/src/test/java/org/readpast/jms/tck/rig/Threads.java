package org.readpast.jms.tck.rig;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Looks at threads of this JVM. */
public final class Threads {

    private Threads() {}

    /** Whether a thread waits, without being about to go on, within a method of Readpast's of this name: others have one of that name, too. */
    public static boolean restsIn(Thread thread, String method) {
        Thread.State state = thread.getState();
        return (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals(method)
                                && frame.getClassName().startsWith("org.readpast."));
    }

    /** The living threads whose name begins so. */
    public static List<Thread> named(String prefix) {
        return alive().filter(thread -> thread.getName().startsWith(prefix)).toList();
    }

    /** The living threads. Their stacks are not looked at, for which all of them would be stopped: tests ask this often. */
    public static Stream<Thread> alive() {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        Thread[] threads = new Thread[2 * all.activeCount() + 100];
        return Arrays.stream(threads, 0, all.enumerate(threads));
    }
}
