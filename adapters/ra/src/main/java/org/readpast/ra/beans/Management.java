package org.readpast.ra.beans;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** What JMX shows of a message-driven bean. Thread-safe. */
final class Management implements MessageDrivenBeanMXBean {

    private static final Logger LOG = Loggers.of(Management.class);

    /** Tells apart beans of one name that have one destination. */
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Activation activation;
    private final Deliveries deliveries;
    private final ObjectName name;

    Management(Activation activation, Deliveries deliveries) {
        this.activation = activation;
        this.deliveries = deliveries;
        try {
            this.name = new ObjectName("org.readpast.ra:type=MessageDrivenBean,destination="
                    + ObjectName.quote(getDestination()) + ",bean=" + ObjectName.quote(getBean()) + ",number="
                    + NUMBERS.incrementAndGet());
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Shows it, where JMX lets it. */
    void start() {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(this, name);
        } catch (JMException | RuntimeException e) {
            LOG.warn("{}: JMX does not show it: {}", activation, e.toString());
        }
    }

    /** Does nothing if it is not shown. */
    void stop() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException | RuntimeException e) {
            LOG.debug("{}: JMX does not show it any more", activation, e);
        }
    }

    ObjectName name() {
        return name;
    }

    @Override
    public String getBean() {
        return activation.beanName();
    }

    @Override
    public String getDestination() {
        return activation.subscription().destination().toString();
    }

    @Override
    public int getDelivering() {
        return activation.delivering();
    }

    @Override
    public long getSucceeded() {
        return deliveries.successes();
    }

    @Override
    public long getFailed() {
        return deliveries.failures();
    }

    @Override
    public int getFailedInARow() {
        return deliveries.failuresInARow();
    }

    @Override
    public String getLastSuccess() {
        return text(deliveries.lastSuccess());
    }

    @Override
    public String getLastFailure() {
        return text(deliveries.lastFailure());
    }

    private static String text(Instant time) {
        return time == null ? null : time.toString();
    }

    @Override
    public String getLastFailureReason() {
        return deliveries.lastFailureReason();
    }

    @Override
    public String getOutage() {
        return activation.outage().problem();
    }

    @Override
    public boolean isPaused() {
        return activation.isPaused();
    }

    @Override
    public void pause() {
        activation.pause();
    }

    @Override
    public void resume() {
        activation.resume();
    }
}
