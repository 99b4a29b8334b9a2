package org.readpast.console.session;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.console.view.Depths;
import org.readpast.operations.database.Look;
import org.readpast.operations.database.Product;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.snapshot.Queue;

/**
 * Somebody who has signed in: two connections that were opened then, and no password. When the database has closed both he signs in again.
 * Thread-safe.
 */
public final class SignedIn implements AutoCloseable {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 32;
    private static final int CONNECTIONS = 2;
    private static final int SECONDS_TO_WAIT = 5;
    private static final int MOST_WAITING = 4;
    private static final int SECONDS_TO_ANSWER = 2;
    private static final int REMEMBERED = 20;
    private static final int MILLIS_OF_LOOK = 10_000;
    private static final int MILLIS_OF_REPAIR = 120_000;

    /** Both connections are in use. */
    public static final class Busy extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** What is done with a connection. */
    public interface Use<A, T> {
        T with(A lent) throws Exception;
    }

    private final String login;
    private final String claimedUser;
    private final String schema;
    private final String session = random();
    private final String csrf = random();
    private final Clock clock;
    private final Instant since;
    private final BlockingQueue<Connection> free = new ArrayBlockingQueue<>(CONNECTIONS);
    private final Depths depths = new Depths();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    /** Guarded by itself. */
    private final Map<String, Job> jobs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Job> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The ids of all jobs so far. Guarded by {@code jobs}. */
    private final Set<String> ordered = new HashSet<>();

    private volatile Instant used;
    private volatile boolean isClosed;

    private SignedIn(String login, String claimedUser, String schema, Clock clock) {
        this.login = login;
        this.claimedUser = claimedUser;
        this.schema = schema;
        this.clock = clock;
        this.since = clock.instant();
        this.used = since;
    }

    /**
     * Logs in.
     *
     * @param claimedUser whom a proxy says that it is for; null for the owner of the login
     * @throws SQLException if the database does not let him in
     */
    public static SignedIn open(Database database, String login, String password, String claimedUser, Clock clock)
            throws SQLException {
        SignedIn user = new SignedIn(login, claimedUser, database.schema(), clock);
        try {
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                Connection opened = database.connect(login, password);
                user.free.add(opened);
                user.open.incrementAndGet();
                opened.setNetworkTimeout(Runnable::run, MILLIS_OF_LOOK);
                refuseUnasked(opened);
            }
            return user;
        } catch (SQLException | RuntimeException e) {
            user.close();
            throw e;
        }
    }

    private static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** PostgreSQL lets in who is trusted by his address, whatever password was typed: here that is everybody. */
    private static void refuseUnasked(Connection connection) throws SQLException {
        if (Product.of(connection) == Product.POSTGRESQL) {
            try (Look look = new Look(connection, "readpast")) {
                if (Messages.isUnauthenticated(look)) {
                    throw new SQLException(
                            "The database asked for no password (trust in pg_hba.conf): the console would let everybody in",
                            "28000");
                }
            }
        }
    }

    /** Who he is, for pages and the log: the login's name, or the one that a proxy gives him. */
    public String name() {
        return claimedUser == null ? login : claimedUser;
    }

    /** Whom a proxy says that he is, for the audit; null where there was none. */
    public String claimedUser() {
        return claimedUser;
    }

    /** Whether a proxy has named him so, and he came in by this login. */
    public boolean is(String named, String by) {
        return named.equals(claimedUser) && by.equals(login);
    }

    /** What his browser shows to be taken for him: nobody else knows it. */
    public String session() {
        return session;
    }

    /** What his forms show. */
    public String csrf() {
        return csrf;
    }

    /** Of the message tables. */
    public String schema() {
        return schema;
    }

    /**
     * How a queue went while he looked.
     *
     * @param now the database's time; null where it is not known
     */
    public Depths.Lines note(Queue queue, Instant now) {
        if (queue.depth() == null) {
            return Depths.Lines.NONE;
        }
        Instant oldest = queue.oldestAt();
        Long age = oldest == null
                ? (Long) 0L
                : now == null
                        ? null
                        : (Long) Math.max(0, Duration.between(oldest, now).toSeconds());
        return depths.note(queue.id(), queue.depth(), age, clock.instant());
    }

    /** He did something himself. */
    public void touch() {
        used = clock.instant();
    }

    /** When he did something himself last. */
    public Instant used() {
        return used;
    }

    /** Whether the session has ended: it was closed, both connections are gone, or its time is up, which while a job is at work is the longest alone. */
    public boolean isOver(Duration idle, Duration longest) {
        Instant now = clock.instant();
        boolean isWorking = running().isPresent();
        return isClosed
                || open.get() == 0
                || (!isWorking && used.plus(idle).isBefore(now))
                || since.plus(longest).isBefore(now);
    }

    /** Looks, over one of his connections. */
    public <T> T look(Use<Look, T> use) throws Exception {
        return connected(MILLIS_OF_LOOK, connection -> {
            try (Look look = new Look(connection, schema)) {
                return use.with(look);
            }
        });
    }

    /** Does something that may take longer. */
    public <T> T repair(Use<Connection, T> use) throws Exception {
        return connected(MILLIS_OF_REPAIR, use);
    }

    /**
     * Uses one of his connections, which is gone afterwards if the database has closed it, or said nothing for so long. H2 has no such limit,
     * and needs none: its statements are limited by itself.
     */
    private <T> T connected(int millis, Use<Connection, T> use) throws Exception {
        Connection lent = free.poll();
        if (lent == null) {
            lent = awaitFree();
        }
        boolean isDone = false;
        try {
            lent.setNetworkTimeout(Runnable::run, millis);
            T result = use.with(lent);
            isDone = true;
            return result;
        } finally {
            if (isClosed || (!isDone && !isAlive(lent))) {
                drop(lent);
            } else {
                free.add(lent);
                if (isClosed) {
                    closeFree();
                }
            }
        }
    }

    /** Each who waits has a thread, and others need some too. */
    private Connection awaitFree() throws Busy, InterruptedException {
        try {
            Connection lent =
                    waiting.incrementAndGet() > MOST_WAITING ? null : free.poll(SECONDS_TO_WAIT, TimeUnit.SECONDS);
            if (lent == null) {
                throw new Busy();
            }
            return lent;
        } finally {
            waiting.decrementAndGet();
        }
    }

    private static boolean isAlive(Connection connection) {
        try {
            return connection.isValid(SECONDS_TO_ANSWER) && connection.getAutoCommit();
        } catch (SQLException e) {
            return false;
        }
    }

    private void drop(Connection connection) {
        open.decrementAndGet();
        try {
            connection.close();
        } catch (SQLException e) {
            // It is gone, which is what was wanted.
        }
    }

    /** What became of a job that was ordered. */
    public enum Added {
        NEW,
        /** One was ordered before by the same form, though perhaps another one. */
        AGAIN,
        /** Another one is at work, which has one of the two connections. */
        BUSY
    }

    /** Remembers a job, which is to be run if it is new. */
    public Added add(Job job) {
        synchronized (jobs) {
            if (ordered.contains(job.id())) {
                return Added.AGAIN;
            }
            if (isClosed || running().isPresent()) {
                return Added.BUSY;
            }
            ordered.add(job.id());
            jobs.put(job.id(), job);
            return Added.NEW;
        }
    }

    /** Whether a job of this id was ordered, though it may be forgotten since. */
    public boolean hasOrdered(String id) {
        synchronized (jobs) {
            return ordered.contains(id);
        }
    }

    /** A job of his; empty if there was none of this id, or many have come since. */
    public Optional<Job> job(String id) {
        synchronized (jobs) {
            return Optional.ofNullable(jobs.get(id));
        }
    }

    /** The job that is at work; empty if none is. */
    public Optional<Job> running() {
        synchronized (jobs) {
            return jobs.values().stream().filter(Job::isRunning).findFirst();
        }
    }

    /** Ends the session: a job stops, and its batch is undone. */
    @Override
    public void close() {
        isClosed = true;
        running().ifPresent(Job::stop);
        closeFree();
    }

    private void closeFree() {
        for (Connection connection = free.poll(); connection != null; connection = free.poll()) {
            drop(connection);
        }
    }
}
