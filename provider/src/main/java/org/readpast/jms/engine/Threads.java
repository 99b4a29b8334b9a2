package org.readpast.jms.engine;

import java.util.concurrent.ThreadFactory;

/** Where the provider's threads are born: daemons, each with a name that says whose it is. */
final class Threads {

    static final String PREFIX = "readpast-";

    private Threads() {}

    static ThreadFactory named(String name) {
        return task -> create(name, task);
    }

    static Thread start(String name, Runnable task) {
        Thread thread = create(name, task);
        thread.start();
        return thread;
    }

    private static Thread create(String name, Runnable task) {
        Thread thread = new Thread(task, PREFIX + name);
        thread.setDaemon(true);
        return thread;
    }
}
