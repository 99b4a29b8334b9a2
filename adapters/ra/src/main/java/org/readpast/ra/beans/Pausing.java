package org.readpast.ra.beans;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Whether a bean's deliveries may begin, which is so while its connection is started. It is stopped where somebody pauses the bean, where too
 * many deliveries have failed in a row, and for good when the bean ends. Thread-safe.
 */
final class Pausing {

    private static final Logger LOG = Loggers.of(Pausing.class);

    private final Bean bean;
    private final Claiming claiming = new Claiming();
    private volatile boolean paused;

    /** Guarded by this. */
    private boolean ended;

    /**
     * Null until it is connected, and after the end. Guarded by this, which is held while it is stopped or started, so that the last to ask has
     * the last word.
     */
    private Connection connection;

    Pausing(Bean bean) {
        this.bean = bean;
    }

    Claiming claiming() {
        return claiming;
    }

    boolean isPaused() {
        return paused;
    }

    /** A connection is there, and started. */
    synchronized void connected(Connection made) throws JMSException {
        if (paused || ended) {
            made.stop();
        }
        if (!ended) {
            connection = made;
        }
    }

    /** A worker's delivery has failed, and its message is not back yet. Where that was one too many, no delivery begins from now on. */
    void failed(Object worker, String reason) {
        if (bean.deliveries().failed(reason)) {
            claiming.hold(worker);
        }
    }

    /**
     * Pauses the bean where the worker's delivery was one too many. Its message is back by now: what is rolled back when the connection is
     * stopped is not counted.
     */
    void pauseAfter(Object worker) {
        if (claiming.isHeldBy(worker) && pauseUnlessResumedSince(worker)) {
            LOG.warn(
                    "{}: paused, deliveries that failed in a row: {}; the last: {}. The MBean {} resumes it",
                    bean,
                    bean.deliveries().failuresInARow(),
                    bean.deliveries().lastFailureReason(),
                    bean.mbean());
        }
    }

    private synchronized boolean pauseUnlessResumedSince(Object worker) {
        if (!claiming.isHeldBy(worker)) {
            return false;
        }
        boolean isFirst = pause();
        // The connection is stopped: whoever claims finds nothing, and waits until it is started.
        claiming.release();
        return isFirst;
    }

    /** Lets no delivery begin any more; returns false if that is so already. */
    synchronized boolean pause() {
        if (paused) {
            return false;
        }
        paused = true;
        stop();
        return true;
    }

    /** Lets deliveries begin again. */
    synchronized void resume() {
        if (!paused) {
            return;
        }
        paused = false;
        if (connection != null) {
            bean.deliveries().startAnew();
            claiming.release();
            try {
                connection.start();
            } catch (JMSException e) {
                LOG.warn("{}: resumed with a problem: {}", bean, e.getMessage());
            }
        }
        LOG.info("{}: resumed", bean);
    }

    /** Lets no delivery begin ever again. */
    synchronized void end() {
        ended = true;
        stop();
        connection = null;
    }

    private void stop() {
        try {
            if (connection != null) {
                connection.stop();
            }
        } catch (JMSException e) {
            LOG.warn("{}: stopped with a problem: {}", bean, e.getMessage());
        }
    }
}
