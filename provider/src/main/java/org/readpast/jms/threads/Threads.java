package org.readpast.jms.threads;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Where the provider's threads are born: daemons, each with a name that says whose it is. Those that several applications share know
 * nothing of the one that happened to come first, whose class loader they would otherwise keep for as long as they live; those that run
 * an application's listeners have its context class loader.
 */
public final class Threads {

    public static final String PREFIX = "readpast-";

    /** Called with a thread's name before it is made: a test throws here what the JVM throws that can have no more threads. */
    static volatile Consumer<String> beforeBirth = name -> {};

    private Threads() {}

    /** Makes threads that belong to no application. */
    public static ThreadFactory shared(String name) {
        return task -> newShared(name, task);
    }

    /** Starts a thread that belongs to no application. */
    public static Thread startShared(String name, Runnable task) {
        Thread thread = newShared(name, task);
        thread.start();
        return thread;
    }

    /** Makes threads of the application that calls now, which end with what it has open. */
    public static ThreadFactory ofCaller(String name) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return task -> create(name, loader, task);
    }

    /** Starts a thread of the application that calls, which ends with what it has open. */
    public static Thread startOfCaller(String name, Runnable task) {
        Thread thread = ofCaller(name).newThread(task);
        thread.start();
        return thread;
    }

    private static Thread newShared(String name, Runnable task) {
        return create(name, Threads.class.getClassLoader(), task);
    }

    /** A thread keeps the protection domains of all that is on the stack where it is made, but for what is below doPrivileged. */
    @SuppressWarnings("removal")
    private static Thread create(String name, ClassLoader loader, Runnable task) {
        beforeBirth.accept(name);
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            Thread thread = new Thread(null, task, PREFIX + name, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
            return thread;
        });
    }
}
