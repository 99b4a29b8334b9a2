package org.readpast.ra.beans;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.readpast.jms.session.ContainerConsumer;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.readpast.ra.database.IsolationCheck;
import org.readpast.ra.database.NamedDataSource;
import org.readpast.ra.transactions.NoTransactions;
import org.slf4j.Logger;

/**
 * A message-driven bean at work. One worker waits for messages, on a thread of the server's and with no transaction. When it has one, the
 * next worker begins to wait, up to the number that may deliver side by side; who finds no more and is not needed to wait rests. Thread-safe.
 */
public final class Activation {

    private static final Logger LOG = Loggers.of(Activation.class);

    /** How long a bean may go on with its message when it is undeployed. */
    private static final long GRACE_MILLIS = 30_000;

    private static final Method ON_MESSAGE;

    static {
        try {
            ON_MESSAGE = MessageListener.class.getMethod("onMessage", jakarta.jms.Message.class);
        } catch (NoSuchMethodException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Host host;
    private final MessageEndpointFactory endpoints;
    private final Subscription subscription;
    private final boolean transacted;
    private final Outage outage;
    private final Deliveries deliveries;
    private final Management management;

    /** Held while the connection is stopped or started, so that the last to ask has the last word. */
    private final Object pausing = new Object();

    private volatile boolean open = true;
    private volatile boolean paused;

    private final Claiming claiming = new Claiming();

    /** Null until it is connected. Guarded by this, as all below. */
    private Connection connection;

    /** Who waits for messages, or is to; null if all are at work. */
    private Worker waiting;

    private final Set<Worker> working = new HashSet<>();
    private final Deque<Worker> resting = new ArrayDeque<>();

    /** Whether the thread is at work that connects. */
    private boolean connecting;

    /**
     * A bean that has not been started.
     *
     * @throws ResourceException if it has container transactions that its database cannot take part in, or is no MessageListener
     */
    public Activation(Host host, MessageEndpointFactory endpoints, Subscription subscription) throws ResourceException {
        this.host = host;
        this.endpoints = endpoints;
        this.subscription = subscription;
        try {
            this.transacted = endpoints.isDeliveryTransacted(ON_MESSAGE);
        } catch (NoSuchMethodException e) {
            throw new ResourceException("The message-driven bean is no MessageListener", e);
        }
        if (transacted && !subscription.database().isJoined()) {
            throw new ResourceException("The message-driven bean has container transactions, and its messages are in "
                    + subscription.database()
                    + ", which cannot take part in them. Set 'dataSource' to the JNDI name of the container's DataSource, which may"
                    + " be an XA DataSource, or let the bean have none (NOT_SUPPORTED)");
        }
        this.outage = new Outage(toString());
        this.deliveries = new Deliveries(subscription.toleratedFailures());
        this.management = new Management(this, deliveries);
    }

    /**
     * Begins, on another thread.
     *
     * @throws ResourceException if the server gives no thread
     */
    public synchronized void start() throws ResourceException {
        LOG.info(
                "{}: up to {} messages side by side, {}",
                this,
                subscription.sessions(),
                transacted
                        ? "each in a container transaction with a connection of " + subscription.database()
                        : "each without a container transaction, and with a connection of Readpast's");
        if (!transacted) {
            PoolCheck.check(host, this);
        }
        management.start();
        try {
            connect();
        } catch (WorkException | RuntimeException | Error e) {
            management.stop();
            throw new ResourceException(this + ": the server gave no thread: " + e.getMessage(), e);
        }
    }

    private synchronized void connect() throws WorkException {
        run(new Connecting());
        // It says with the lock, which is held here, that it is over.
        connecting = true;
    }

    private void run(Work work) throws WorkException {
        host.workManager().scheduleWork(work, WorkManager.INDEFINITE, null, null);
    }

    /** Connects when the database is there, and is the first worker's work then. */
    private final class Connecting extends LongWork {

        @Override
        void work() {
            Worker first = null;
            boolean begins;
            try {
                while (open && first == null && !Thread.currentThread().isInterrupted()) {
                    try {
                        first = connected();
                        outage.over();
                    } catch (JMSException | RuntimeException | Error e) {
                        delay(outage.failed(e));
                    }
                }
            } finally {
                begins = begins(first);
            }
            if (begins) {
                first.run();
            } else {
                goOnIfInterrupted();
            }
        }

        @Override
        void interrupted() {
            end();
        }
    }

    /** Whether the first worker begins to wait, now that nobody connects any more; null if there is none. */
    private synchronized boolean begins(Worker first) {
        connecting = false;
        if (open && first != null) {
            waiting = first;
            working.add(first);
            return true;
        }
        closeIfOver();
        notifyAll();
        return false;
    }

    private Worker connected() throws JMSException {
        ContainerTransactions transactions =
                transacted ? host.transactions(subscription.database()) : new NoTransactions();
        Connection made = host.factory(subscription.database()).createConnection(transactions);
        try {
            if (transacted) {
                IsolationCheck.check(
                        subscription.database().dataSource(),
                        new NamedDataSource(subscription.database().dataSource()));
            }
            subscription.start(made);
            Worker first = worker(made);
            synchronized (pausing) {
                if (paused) {
                    made.stop();
                }
                synchronized (this) {
                    connection = made;
                }
            }
            return first;
        } catch (JMSException | RuntimeException | Error e) {
            close(made);
            throw e;
        }
    }

    private Worker worker(Connection of) throws JMSException {
        Session session = of.createSession(transacted ? Session.AUTO_ACKNOWLEDGE : Session.SESSION_TRANSACTED);
        return new Worker(this, session, (ContainerConsumer) subscription.consumer(session));
    }

    boolean isOpen() {
        return open;
    }

    /** Whether each message is delivered in a transaction of the container's. */
    public boolean isTransacted() {
        return transacted;
    }

    boolean isPaused() {
        return paused;
    }

    /** What the bean receives. */
    public Subscription subscription() {
        return subscription;
    }

    MessageEndpointFactory endpoints() {
        return endpoints;
    }

    TransactionSynchronizationRegistry registry() {
        return host.registry();
    }

    Outage outage() {
        return outage;
    }

    static Method onMessage() {
        return ON_MESSAGE;
    }

    /** How many messages are with the bean. */
    synchronized int delivering() {
        return (int) working.stream()
                .filter(worker -> worker != waiting && worker.isRunning())
                .count();
    }

    void succeeded() {
        deliveries.succeeded();
    }

    Claiming claiming() {
        return claiming;
    }

    /** A worker's delivery has failed, and its message is not back yet. Where that was one too many, no delivery begins from now on. */
    void failed(Worker worker, String reason) {
        if (deliveries.failed(reason)) {
            claiming.hold(worker);
        }
    }

    /**
     * Pauses the bean where the worker's delivery was one too many. Its message is back by now: what is rolled back when the connection is
     * stopped is not counted.
     */
    void pauseAfter(Worker worker) {
        if (claiming.isHeldBy(worker) && pauseUnlessResumedSince(worker)) {
            LOG.warn(
                    "{}: paused, deliveries that failed in a row: {}; the last: {}. The MBean {} resumes it",
                    this,
                    deliveries.failuresInARow(),
                    deliveries.lastFailureReason(),
                    management.name());
        }
    }

    private boolean pauseUnlessResumedSince(Worker worker) {
        synchronized (pausing) {
            if (!claiming.isHeldBy(worker)) {
                return false;
            }
            boolean isFirst = setPaused(true);
            // The connection is stopped: whoever claims finds nothing, and waits until it is started.
            claiming.release();
            return isFirst;
        }
    }

    /** Lets no delivery begin any more; returns false if that is so already. */
    boolean pause() {
        return setPaused(true);
    }

    /** Lets deliveries begin again. */
    void resume() {
        if (setPaused(false)) {
            LOG.info("{}: resumed", this);
        }
    }

    private boolean setPaused(boolean wanted) {
        synchronized (pausing) {
            if (paused == wanted) {
                return false;
            }
            paused = wanted;
            Connection of;
            synchronized (this) {
                of = connection;
            }
            if (wanted) {
                stop(of);
            } else if (of != null) {
                deliveries.startAnew();
                claiming.release();
                try {
                    of.start();
                } catch (JMSException e) {
                    LOG.warn("{}: resumed with a problem: {}", this, e.getMessage());
                }
            }
            return true;
        }
    }

    private void stop(Connection of) {
        try {
            if (of != null) {
                of.stop();
            }
        } catch (JMSException e) {
            LOG.warn("{}: stopped with a problem: {}", this, e.getMessage());
        }
    }

    /**
     * Whether a worker is the one that waits now; if not, it is not at work any more, and nobody relies on it. It is not left to one that has no
     * thread yet: the server may have none for it.
     */
    synchronized boolean waits(Worker worker) {
        if (waiting == null || !waiting.isRunning()) {
            waiting = worker;
        }
        if (waiting != worker) {
            working.remove(worker);
        }
        return waiting == worker;
    }

    /** A worker has a message: there may be more, and another one is to see to them. */
    void found(Worker worker) {
        synchronized (this) {
            if (waiting != null && waiting != worker) {
                return;
            }
            // Nobody waits either where the server had no thread for the last one.
            waiting = null;
            if (!open || working.size() >= subscription.sessions()) {
                return;
            }
        }
        try {
            another();
        } catch (JMSException | WorkException | RuntimeException | Error e) {
            // Whatever it is, the message that was found is not to blame, and is delivered.
            LOG.debug("{}: goes on with {} workers", this, working.size(), e);
        }
    }

    /** Has another worker wait, unless one is to already. */
    private void another() throws JMSException, WorkException {
        Worker next = next();
        if (next != null) {
            try {
                run(next);
            } catch (WorkException | RuntimeException | Error e) {
                rested(next);
                throw e;
            }
        }
    }

    /** Whatever has interrupted the thread at work, the bean goes on on another one. A server that ends gives none. */
    void goOnIfInterrupted() {
        // Some servers refuse to give work to others on a thread that is interrupted.
        if (!open || !Thread.interrupted()) {
            return;
        }
        LOG.debug("{}: the server has interrupted its thread, and is asked for another one", this);
        try {
            if (isConnected()) {
                another();
            } else {
                connect();
            }
        } catch (JMSException | WorkException | RuntimeException | Error e) {
            endUnlessOthersGoOn(e);
            Thread.currentThread().interrupt();
        }
    }

    private void endUnlessOthersGoOn(Throwable refusal) {
        synchronized (this) {
            if (atWork() > 0) {
                LOG.debug("{}: goes on with {} workers", this, working.size(), refusal);
                return;
            }
        }
        LOG.warn(
                "{}: ends, since the server has interrupted its thread and gives no other: {}",
                this,
                refusal.toString());
        end();
        synchronized (this) {
            closeIfOver();
        }
    }

    private synchronized boolean isConnected() {
        return connection != null;
    }

    private Worker next() throws JMSException {
        Connection of;
        Worker next;
        synchronized (this) {
            of = connection;
            next = resting.poll();
        }
        if (next == null) {
            next = worker(of);
        }
        synchronized (this) {
            if (waiting != null || !open) {
                // Somebody was quicker.
                resting.add(next);
                return null;
            }
            working.add(next);
            waiting = next;
            return next;
        }
    }

    /** A worker is not needed for now, or ends. */
    synchronized void rested(Worker worker) {
        working.remove(worker);
        if (waiting == worker) {
            waiting = null;
        }
        resting.add(worker);
        closeIfOver();
        notifyAll();
    }

    /** Waits for a while, or until this ends, or until the thread is interrupted, which it is still then. */
    void delay(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            await(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void await(long deadline) throws InterruptedException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        while (open && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
    }

    /**
     * No message is begun any more. What is being delivered goes on. The connection is stopped first: what is rolled back then is not counted,
     * nor does another worker have it once more.
     */
    void end() {
        management.stop();
        Set<Worker> all;
        synchronized (pausing) {
            Connection of;
            synchronized (this) {
                of = connection;
            }
            stop(of);
            synchronized (this) {
                open = false;
                notifyAll();
                all = Set.copyOf(working);
            }
        }
        all.forEach(Worker::wakeUp);
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
        all.forEach(activation -> activation.awaitEnd(deadline, graceMillis));
    }

    /**
     * Ends, on a thread of its own: who stops a connection waits for claims that have begun, for as long as the database does not answer. The
     * server's threads may all be taken by then.
     *
     * @return the thread, or none if it has ended without one
     */
    private Stream<Thread> startEnding() {
        try {
            return Stream.of(Threads.startShared("ending-" + beanName(), this::end));
        } catch (OutOfMemoryError e) {
            LOG.debug("{}: no thread is left to end it", this, e);
            end();
            return Stream.empty();
        }
    }

    private synchronized void awaitEnd(long deadline, long graceMillis) {
        open = false;
        notifyAll();
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        try {
            while ((connecting || atWork() > 0) && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (atWork() > 0) {
            LOG.warn(
                    "{}: {} messages are still being delivered after {} s; those whose transaction is rolled back are not counted",
                    this,
                    atWork(),
                    graceMillis / 1000);
        }
        closeIfOver();
    }

    /** With the lock. */
    private void closeIfOver() {
        if (!open && !connecting && atWork() == 0 && connection != null) {
            close(connection);
            connection = null;
        }
    }

    /** How many have a thread, with the lock. Who has none yet ends as soon as it gets one. */
    private long atWork() {
        return working.stream().filter(LongWork::isRunning).count();
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.warn("A connection did not close as it should: {}", e.getMessage());
        }
    }

    /** For errors and logs. */
    @Override
    public String toString() {
        String bean = beanName();
        return "Message-driven bean " + (bean.isEmpty() ? "" : bean + " ") + "of " + subscription.destination();
    }

    /** Empty where the server's API is Connectors 1.6, as TomEE 8's is, which does not tell. */
    String beanName() {
        try {
            return endpoints.getEndpointClass().getSimpleName();
        } catch (IncompatibleClassChangeError e) {
            return "";
        }
    }
}
