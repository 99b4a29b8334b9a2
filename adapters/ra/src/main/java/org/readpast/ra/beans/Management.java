package org.readpast.ra.beans;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import javax.management.JMException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** What JMX shows of a message-driven bean. Thread-safe. */
final class Management implements MessageDrivenBeanMXBean {

    private static final Logger LOG = Loggers.of(Management.class);

    private final Bean bean;
    private final Pausing pausing;
    private final Workers workers;

    Management(Bean bean, Pausing pausing, Workers workers) {
        this.bean = bean;
        this.pausing = pausing;
        this.workers = workers;
    }

    /** Shows it, where JMX lets it. */
    void start() {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(this, bean.mbean());
        } catch (JMException | RuntimeException e) {
            LOG.warn("{}: JMX does not show it: {}", bean, e.toString());
        }
    }

    /** Does nothing if it is not shown. */
    void stop() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(bean.mbean());
        } catch (JMException | RuntimeException e) {
            LOG.debug("{}: JMX does not show it any more", bean, e);
        }
    }

    @Override
    public String getBean() {
        return bean.name();
    }

    @Override
    public String getDestination() {
        return bean.subscription().destination().toString();
    }

    @Override
    public int getDelivering() {
        return workers.delivering();
    }

    @Override
    public long getSucceeded() {
        return bean.deliveries().successes();
    }

    @Override
    public long getFailed() {
        return bean.deliveries().failures();
    }

    @Override
    public int getFailedInARow() {
        return bean.deliveries().failuresInARow();
    }

    @Override
    public String getLastSuccess() {
        return text(bean.deliveries().lastSuccess());
    }

    @Override
    public String getLastFailure() {
        return text(bean.deliveries().lastFailure());
    }

    private static String text(Instant time) {
        return time == null ? null : time.toString();
    }

    @Override
    public String getLastFailureReason() {
        return bean.deliveries().lastFailureReason();
    }

    @Override
    public String getOutage() {
        return bean.outage().problem();
    }

    @Override
    public boolean isPaused() {
        return pausing.isPaused();
    }

    @Override
    public void pause() {
        pausing.pause();
    }

    @Override
    public void resume() {
        pausing.resume();
    }
}
