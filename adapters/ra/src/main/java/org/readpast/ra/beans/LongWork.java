package org.readpast.ra.beans;

import jakarta.resource.spi.work.HintsContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkContextProvider;
import java.util.List;

/** Work that a server gives a thread of those for work that goes on, if it has different ones. */
abstract class LongWork implements Work, WorkContextProvider {

    private static final long serialVersionUID = 1L;

    private volatile boolean running;

    @Override
    public final void run() {
        running = true;
        try {
            work();
        } finally {
            running = false;
            over();
        }
    }

    /** Whether it has a thread now: it may wait for one in the server. */
    final boolean isRunning() {
        return running;
    }

    /** Some servers call this after each {@link #run} too, when there is nothing left to interrupt. */
    @Override
    public final void release() {
        if (running) {
            interrupted();
        }
    }

    abstract void work();

    /** Called after each {@link #work}, when this may be given to another thread. */
    void over() {}

    /** The server is about to end, and the work still goes on. */
    abstract void interrupted();

    @Override
    public List<WorkContext> getWorkContexts() {
        HintsContext hints = new HintsContext();
        hints.setHint(HintsContext.LONGRUNNING_HINT, true);
        return List.of(hints);
    }
}
