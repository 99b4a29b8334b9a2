package org.readpast.jms.engine.routing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.readpast.jms.config.Routes;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.support.Problems;

/**
 * The connections to the databases, each made when it is first needed: so nobody waits for a database that is away and not asked for.
 * Thread-safe.
 */
final class Branches {

    private final Databases databases;
    private final Consumer<JMSException> report;
    private final Runnable onMoves;
    private final Map<String, Branch> branches = new ConcurrentHashMap<>();

    /** Guarded by this. */
    private boolean started;

    /** Guarded by this. */
    private boolean closed;

    /** Null while there is none. */
    private volatile String clientId;

    /** Its monitor is held while connecting. */
    private static final class Branch {
        private volatile EngineConnection connection;
    }

    /**
     * @param report is told of trouble that no caller sees
     * @param onMoves is told, again and again, while a queue is moved
     */
    Branches(Databases databases, Consumer<JMSException> report, Runnable onMoves) {
        this.databases = databases;
        this.report = report;
        this.onMoves = onMoves;
    }

    /** The connection to a database; throws as {@link Databases#connect}. */
    EngineConnection at(String database) throws JMSException {
        Branch branch = branches.computeIfAbsent(database, name -> new Branch());
        EngineConnection there = branch.connection;
        if (there != null) {
            return there;
        }
        synchronized (branch) {
            if (branch.connection == null) {
                connect(database, branch);
            }
            return branch.connection;
        }
    }

    private void connect(String database, Branch branch) throws JMSException {
        EngineConnection made = databases.connect(database);
        try {
            if (clientId != null && !database.equals(Routes.HOME)) {
                made.goBy(clientId);
            }
            made.onException(report);
            synchronized (this) {
                if (closed) {
                    throw new IllegalStateException("The connection is closed");
                }
                if (started) {
                    made.start();
                }
                made.onMoves(onMoves);
                branch.connection = made;
            }
        } catch (JMSException | RuntimeException | Error e) {
            Problems.attemptBehind(e, made::close);
            throw e;
        }
    }

    String clientId() {
        return clientId;
    }

    /** What those go by that are made from now on, and those that there are; {@link Routes#HOME} has taken it already. */
    void setClientId(String id) throws JMSException {
        clientId = id;
        for (Map.Entry<String, Branch> branch : branches.entrySet()) {
            EngineConnection there = branch.getValue().connection;
            if (id != null && there != null && !branch.getKey().equals(Routes.HOME)) {
                there.goBy(id);
            }
        }
    }

    boolean isConnected(String database) {
        Branch branch = branches.get(database);
        return branch != null && branch.connection != null;
    }

    List<EngineConnection> connected() {
        List<EngineConnection> connected = new ArrayList<>();
        for (Branch branch : branches.values()) {
            EngineConnection connection = branch.connection;
            if (connection != null) {
                connected.add(connection);
            }
        }
        return connected;
    }

    /** Those that are made later are started too. */
    List<EngineConnection> setStarted(boolean nowStarted) {
        synchronized (this) {
            started = nowStarted;
        }
        return connected();
    }

    /** There will be no more. */
    List<EngineConnection> close() {
        synchronized (this) {
            closed = true;
        }
        return connected();
    }
}
