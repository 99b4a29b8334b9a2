package org.readpast.ra.beans;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.WorkException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.readpast.ra.database.MessageDatabase;
import org.slf4j.Logger;

/** A message-driven bean, from its deployment until it is undeployed. Thread-safe. */
public final class Activation {

    private static final Logger LOG = Loggers.of(Activation.class);

    /** How long a bean may go on with its message when it is undeployed. */
    private static final long GRACE_MILLIS = 30_000;

    private final Bean bean;
    private final Pausing pausing;
    private final Workers workers;
    private final Management management;

    /**
     * A bean that has not been started.
     *
     * @throws ResourceException if it has container transactions that its database cannot take part in, or is no MessageListener
     */
    public Activation(Host host, MessageEndpointFactory endpoints, Subscription subscription) throws ResourceException {
        this.bean = new Bean(host, endpoints, subscription);
        this.pausing = new Pausing(bean);
        this.workers = new Workers(bean, pausing, this::end);
        this.management = new Management(bean, pausing, workers);
    }

    /**
     * Begins, on another thread.
     *
     * @throws ResourceException if the server gives no thread
     */
    public void start() throws ResourceException {
        LOG.info(
                "{}: up to {} messages side by side, {}",
                bean,
                bean.subscription().sessions(),
                bean.isTransacted()
                        ? "each in a container transaction with a connection of "
                                + bean.subscription().database()
                        : "each without a container transaction, and with a connection of Readpast's");
        if (!bean.isTransacted()) {
            PoolCheck.check(bean);
        }
        management.start();
        try {
            workers.connect();
        } catch (WorkException | RuntimeException | Error e) {
            management.stop();
            throw new ResourceException(bean + ": the server gave no thread: " + e.getMessage(), e);
        }
    }

    /** How many messages it delivers side by side, each with a connection of the pool that Readpast has for a database. */
    public int pooledDeliveries(MessageDatabase database) {
        return bean.isTransacted() || !bean.subscription().database().equals(database)
                ? 0
                : bean.subscription().sessions();
    }

    /**
     * No message is begun any more. What is being delivered goes on. The connection is stopped first: what is rolled back then is not counted,
     * nor does another worker have it once more.
     */
    private void end() {
        management.stop();
        pausing.end();
        workers.end();
    }

    /** Ends, and waits for what is being delivered, for a time of grace. What goes on for longer has its connection until it is over. */
    public void stop() {
        stop(List.of(this));
    }

    /** Ends several side by side: they share the time of grace. */
    public static void stop(Collection<Activation> activations) {
        stop(activations, GRACE_MILLIS);
    }

    /** @param graceMillis how long what is being delivered may go on, or a database may take to answer */
    static void stop(Collection<Activation> activations, long graceMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
        List<Activation> all = List.copyOf(activations);
        List<Thread> ending = all.stream().flatMap(Activation::startEnding).toList();
        try {
            for (Thread each : ending) {
                TimeUnit.NANOSECONDS.timedJoin(each, deadline - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(activation -> activation.workers.awaitEnd(deadline, graceMillis));
    }

    /**
     * Ends, on a thread of its own: who stops a connection waits for claims that have begun, for as long as the database does not answer. The
     * server's threads may all be taken by then.
     *
     * @return the thread, or none if it has ended without one
     */
    private Stream<Thread> startEnding() {
        try {
            return Stream.of(Threads.startShared("ending-" + bean.name(), this::end));
        } catch (OutOfMemoryError e) {
            LOG.debug("{}: no thread is left to end it", bean, e);
            end();
            return Stream.empty();
        }
    }
}
