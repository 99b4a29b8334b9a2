package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.session.EngineSession;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.engine.transaction.SessionLock;

/**
 * The parts of a session: one session in each database that it has used. They share a lock, so that no two of them are at work at a time, and
 * a listener of one may use all. What is one transaction is in one part: from the first send or receive of a transacted session to its commit
 * or rollback, and from the first receive of a CLIENT session to its acknowledgement. Thread-safe.
 */
final class SessionParts implements SessionRules {

    private final Databases databases;
    private final Branches branches;
    private final AcknowledgeMode mode;
    private final SessionLock lock;

    /** By the names of their databases. Added to with the monitor. */
    private final Map<String, EngineSession> parts = new ConcurrentHashMap<>();

    /** Its consumers of temporary queues, which may be in no database yet. */
    private final Set<TemporaryConsumer> onTemporaries = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /** Whether its connection is being closed. */
    private volatile boolean over;

    private volatile String lastReceived;

    SessionParts(Databases databases, Branches branches, AcknowledgeMode mode, SessionLock lock) {
        this.databases = databases;
        this.branches = branches;
        this.mode = mode;
        this.lock = lock;
    }

    AcknowledgeMode mode() {
        return mode;
    }

    boolean isTransacted() {
        return mode == AcknowledgeMode.TRANSACTED;
    }

    @Override
    public EngineSession in(String database) throws JMSException {
        EngineSession there = parts.get(database);
        if (there != null) {
            return there;
        }
        checkOpen();
        // Without the monitor, as it takes long where the database is away.
        branches.at(database);
        synchronized (this) {
            checkOpen();
            there = parts.get(database);
            if (there == null) {
                there = branches.at(database).createSession(mode, lock);
                parts.put(database, there);
            }
            return there;
        }
    }

    Collection<EngineSession> all() {
        return parts.values();
    }

    void add(TemporaryConsumer consumer) {
        onTemporaries.removeIf(TemporaryConsumer::isClosed);
        onTemporaries.add(consumer);
    }

    Set<TemporaryConsumer> onTemporaries() {
        return onTemporaries;
    }

    // Which database (§6.2.7)

    @Override
    public boolean isOneTransaction() {
        return isTransacted() || mode == AcknowledgeMode.CLIENT;
    }

    /** The database that the session's transaction is in, or will be as soon as its listener is called; null for any. */
    String working() {
        if (!isOneTransaction()) {
            return null;
        }
        return listensIn().or(() -> first(EngineSession::isAtWork)).orElse(null);
    }

    @Override
    public Optional<String> listensIn() {
        return first(EngineSession::hasListener);
    }

    private Optional<String> first(Predicate<EngineSession> what) {
        return parts.entrySet().stream()
                .filter(part -> what.test(part.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * Throws IllegalStateException where the session's transaction is in another database, or the calling thread has one there by a framework.
     *
     * @param working the database of the session's transaction; null for any
     */
    void check(String database, ReadpastDestination destination, String working) throws JMSException {
        if (working != null && !working.equals(database)) {
            throw worksElsewhere(database, destination, working);
        }
        if (databases.hasTransaction(database)) {
            return;
        }
        String elsewhere = joined();
        if (elsewhere != null) {
            throw new IllegalStateException(
                    destination + " is in database '" + database
                            + "', and the calling thread has a transaction in '" + elsewhere
                            + "' that it would not be part of: do it outside of that transaction, or route both to one database");
        }
    }

    private IllegalStateException worksElsewhere(String database, ReadpastDestination destination, String working)
            throws JMSException {
        String what;
        String remedy;
        if (parts.get(working).hasListener()) {
            what = "message listener is";
            remedy = "Use another session";
        } else if (mode == AcknowledgeMode.CLIENT) {
            what = "unacknowledged messages are";
            remedy = "Acknowledge or recover first, or use another session";
        } else {
            what = "transaction is";
            remedy = destination instanceof ReadpastQueue && in(working).moveOf(destination.getName()) != null
                    ? "The queue was moved there, so a transaction in its old place cannot send to it: use another"
                            + " session, or wait until nothing is left in the old place"
                    : "Commit or roll back first, use another session, or route both to one database";
        }
        return new IllegalStateException(destination + " is in database '" + database + "', and the session's " + what
                + " in '" + working + "': nothing is committed in two databases together. " + remedy);
    }

    /** The database whose transaction the calling thread has by a framework; null if none. */
    String joined() throws JMSException {
        for (String database : databases.names()) {
            if (databases.hasTransaction(database)) {
                return database;
            }
        }
        return null;
    }

    @Override
    public void checkMayUse(String database, ReadpastDestination destination) throws JMSException {
        check(database, destination, working());
    }

    @Override
    public boolean mayReceive(String database) {
        String working = working();
        return working == null || working.equals(database);
    }

    @Override
    public void checkMayReceive() throws JMSException {
        for (EngineSession part : parts.values()) {
            part.checkMayReceive();
        }
        if (onTemporaries.stream().anyMatch(TemporaryConsumer::hasListener)) {
            throw new IllegalStateException(
                    "The session has a message listener, so nothing can be received synchronously (§6.2.6)");
        }
    }

    @Override
    public boolean leave(String database, Runnable leaving) {
        if (!isOneTransaction()) {
            leaving.run();
            return true;
        }
        if (!lock.tryLock()) {
            return false;
        }
        try {
            boolean free = !parts.get(database).isAtWork();
            if (free) {
                leaving.run();
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void received(String database) {
        lastReceived = database;
    }

    /** Where the last message came from; null for none yet. */
    String lastReceived() {
        return lastReceived;
    }

    /** The part with the transaction comes first, if there is one. */
    List<EngineSession> workingFirst() {
        List<EngineSession> order = new ArrayList<>(parts.values());
        String working = working();
        if (working != null) {
            EngineSession first = parts.get(working);
            order.remove(first);
            order.add(0, first);
        }
        return order;
    }

    // Their life

    @Override
    public void checkOpen() throws JMSException {
        if (closed && !isInListenerOrCallback()) {
            throw new IllegalStateException("The session is closed");
        }
    }

    /** Whether the caller is a message listener or a completion listener of this session. */
    boolean isInListenerOrCallback() {
        return parts.values().stream().anyMatch(EngineSession::isInListenerOrCallback);
    }

    @Override
    public boolean isOver() {
        return closed || over;
    }

    /** The connection is being closed: whoever waits for a message gets none. */
    void cease() {
        over = true;
    }

    /** Nobody but a listener that runs uses them any more. */
    synchronized void end() {
        closed = true;
    }
}
