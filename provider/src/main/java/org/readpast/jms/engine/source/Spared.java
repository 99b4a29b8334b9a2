package org.readpast.jms.engine.source;

import java.util.concurrent.TimeUnit;
import org.readpast.jms.engine.arrival.OtherJvms;

/** A chore that is done seldom while another JVM looks for this one, and at once when it does so no more. Used by one thread. */
final class Spared implements Runnable {

    private final OtherJvms others;
    private final long millis;
    private final long restMillis;
    private final Recurring recurring;
    private long lastNanos = System.nanoTime();
    private boolean isSpared;

    Spared(OtherJvms others, long millis, long restMillis, Recurring recurring) {
        this.others = others;
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
