package org.readpast.jms.store.jdbc.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.CommitCheck;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Patience;
import org.slf4j.Logger;

/**
 * Finds out what came of commits whose answer was lost. It asks on other connections, for as long as an operation waits for one, and
 * says that it does not know only if it has no answer by then. Thread-safe.
 */
public final class CommitVerification {

    private static final Logger LOG = Loggers.of(CommitVerification.class);
    /** From this age on markers are removed; those who ask believe in them for half as long. */
    private static final long MARKER_MILLIS = 600_000;

    private final Statements statements;
    private final MarkerVerifier.MarkAndCommit markAndCommit;
    private final ConnectionPool pool;
    private final CommitCheck check;
    private final long patienceMillis;

    /** Which life of the server this JVM knows of; null where the server does not tell. See {@link StatusVerifier}. */
    private final AtomicReference<String> life = new AtomicReference<>();

    /**
     * @param check what the database can
     * @param patienceMillis how long to ask
     */
    public CommitVerification(
            Statements statements,
            MarkerVerifier.MarkAndCommit markAndCommit,
            ConnectionPool pool,
            CommitCheck check,
            long patienceMillis) {
        this.statements = statements;
        this.markAndCommit = markAndCommit;
        this.pool = pool;
        this.check = check;
        this.patienceMillis = patienceMillis;
    }

    /** Learns what has to be known before anything is in doubt; where the server does not tell it, less can be found out. */
    public void open(ShortTransactions transactions) {
        if (check != CommitCheck.STATUS) {
            return;
        }
        try {
            life.set(transactions.run("Server", "look", connection -> StatusVerifier.life(statements, connection)));
        } catch (StoreException e) {
            LOG.debug("Commits in doubt will stay so: the server does not tell one of its lives from the next", e);
        }
    }

    /** A connection was lost: behind the next one the server may have another life. */
    public void connectionLost() {
        life.updateAndGet(known -> known == null ? null : StatusVerifier.UNREAD);
    }

    /** For a transaction that is to be committed. */
    public CommitVerifier verifier() {
        return switch (check) {
            case NONE -> new PlainCommit();
            case STATUS -> new StatusVerifier(statements, life);
            case MARKER -> new MarkerVerifier(statements, pool.failures(), markAndCommit, markerMillis() / 2);
        };
    }

    /**
     * For a transaction whose claims tell its id along, which costs nothing; where they do not, its outcome stays unknown.
     *
     * @param connection has begun it
     */
    public CommitVerifier toldByClaims(Connection connection) throws SQLException {
        if (check != CommitCheck.STATUS) {
            return new PlainCommit();
        }
        StatusVerifier verifier = new StatusVerifier(statements, life);
        verifier.readLife(connection);
        return verifier;
    }

    /** Whether transactions leave rows behind, which housekeeping has to remove. */
    public boolean leaveMarkers() {
        return check == CommitCheck.MARKER;
    }

    /** How old the marker of a commit is before it may be removed; longer than anybody asks for it. */
    public long markerMillis() {
        return Math.max(MARKER_MILLIS, 4 * patienceMillis);
    }

    /**
     * Takes the doubt out of a failure; returns if the commit was carried out after all. The broken connection has been given up
     * before.
     *
     * @throws StoreException with {@link Failure#IN_DOUBT} if it cannot be found out; with another one, nothing was committed
     */
    public void settle(CommitVerifier verifier, StoreException problem, String subject, String action)
            throws StoreException {
        if (problem.failure() != Failure.IN_DOUBT) {
            throw problem;
        }
        Outcome outcome = verifier.hasBegun() ? find(verifier) : Outcome.ROLLED_BACK;
        switch (outcome) {
            case COMMITTED -> LOG.info("{}: {} had been carried out although its answer was lost", subject, action);
            case ROLLED_BACK -> {
                LOG.info("{}: {} had not been carried out when its connection broke", subject, action);
                throw problem.getCause() instanceof SQLException cause
                        ? pool.failures().ofUndone(cause, subject, action)
                        : problem;
            }
            case UNDER_WAY, UNKNOWN -> throw problem;
        }
    }

    private Outcome find(CommitVerifier verifier) {
        if (!verifier.canTell()) {
            return Outcome.UNKNOWN;
        }
        Patience patience = new Patience(patienceMillis);
        Outcome outcome;
        do {
            outcome = ask(verifier);
        } while (outcome == Outcome.UNDER_WAY && patience.pause());
        return outcome;
    }

    /** A database that does not answer may do so a little later. */
    private Outcome ask(CommitVerifier verifier) {
        Connection connection = null;
        try {
            connection = pool.borrow();
            Outcome outcome = verifier.ask(connection);
            ShortTransactions.giveBack(pool, connection);
            return outcome;
        } catch (SQLException e) {
            LOG.debug("A commit in doubt: no answer yet", e);
            if (connection != null) {
                ShortTransactions.end(
                        pool, connection, pool.failures().of(e, connection, "A commit in doubt", "asking"));
            }
            return Outcome.UNDER_WAY;
        } catch (RuntimeException | Error e) {
            LOG.debug("A commit in doubt: the question went wrong", e);
            if (connection != null) {
                pool.discard(connection);
            }
            return Outcome.UNDER_WAY;
        }
    }
}
