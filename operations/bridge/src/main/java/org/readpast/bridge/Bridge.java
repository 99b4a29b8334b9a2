package org.readpast.bridge;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.readpast.bridge.batch.Batch;
import org.readpast.bridge.batch.MessageCopy;
import org.readpast.bridge.batch.Pace;
import org.readpast.bridge.batch.Step;
import org.readpast.bridge.ends.ReadpastEnd;
import org.readpast.bridge.ends.Statements;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves messages between Readpast and another JMS broker by rules, while both are in use: exactly once in both directions, with
 * {@code docs/bridge.md} saying on what that rests. What it stores lies in two tables beside those of Readpast, and in a queue of the broker
 * for each rule, so it can be stopped or killed at any time and goes on where it was. Each rule has a thread. Thread-safe.
 */
public final class Bridge implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
    private static final int LOOK_AT = 1_000;
    private static final long GRACE_SECONDS = 30;

    private final BridgeRules rules;
    private final Side readpast;
    private final Side broker;
    private final boolean isReadpastFirst;
    private final Step.Listener steps;
    private final List<Link> links = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * A bridge that has not been started.
     *
     * @param first where messages come from that go over
     * @param second where they go. One of the two is made by a {@link ReadpastConnectionFactory}, or the second where both are. Of
     *     such factories the bridge sets options, so nobody else uses them and they have made no connection yet
     * @throws IllegalArgumentException if neither is Readpast
     */
    public Bridge(BridgeRules rules, Side first, Side second) {
        this(rules, first, second, step -> {});
    }

    Bridge(BridgeRules rules, Side first, Side second, Step.Listener steps) {
        this.rules = rules;
        this.isReadpastFirst = !(second.factory() instanceof ReadpastConnectionFactory);
        this.readpast = isReadpastFirst ? first : second;
        this.broker = isReadpastFirst ? second : first;
        this.steps = steps;
        if (!(readpast.factory() instanceof ReadpastConnectionFactory)) {
            throw new IllegalArgumentException("neither of the two sides is Readpast");
        }
        for (Side side : List.of(first, second)) {
            if (side.factory() instanceof ReadpastConnectionFactory factory) {
                // An outage must not make a dead letter of what the bridge had in its hands.
                factory.setProperty("redelivery.maximumDeliveries", "0");
                factory.setProperty("claimAhead", Integer.toString(rules.most()));
                // Where they go is known to the applications alone.
                factory.setProperty("removeExpired", "false");
            }
        }
    }

    /**
     * Makes the tables of the bridge, or leaves those that are there. It needs the right to make tables in the schema; a DBA can run
     * {@code sql/DATABASE/bridge/tables.sql} instead.
     *
     * @throws JMSException if the database cannot be reached
     * @throws SQLException if the login has not the right
     */
    public void createTables() throws JMSException, SQLException {
        try (ReadpastEnd end = new ReadpastEnd(readpast.connect(), null, statements())) {
            end.createTables();
        }
    }

    /**
     * Starts to move messages, after a look whether both sides can be reached and the tables are there. Later outages are waited for.
     *
     * @throws JMSException if a side cannot be reached
     * @throws SQLException if the tables of the bridge are not there, or must not be used by this login
     * @throws IllegalStateException if it was started before
     */
    public void start() throws JMSException, SQLException {
        start(false);
    }

    /**
     * Starts as {@link #start} does, and goes on where the two sides do not belong together any more, because one was restored from a
     * backup: what the restored one does not know of is lost or comes twice. A token that the broker does not have is made anew, so no other
     * bridge of this name may run.
     */
    public void startAfterRestore() throws JMSException, SQLException {
        start(true);
    }

    private synchronized void start(boolean isAfterRestore) throws JMSException, SQLException {
        if (!links.isEmpty()) {
            throw new IllegalStateException("the bridge was started before");
        }
        Statements statements = statements();
        look(statements);
        Link.Shared shared = new Link.Shared(
                rules, readpast, broker, statements, new Pace(rules.perSecond()), isAfterRestore, steps);
        rules.rules().forEach(rule -> links.add(link(shared, rule, false)));
        if (rules.areRepliesMapped()) {
            Place replies = Place.queue(rules.replyQueue());
            // Both ways: a reply may want a reply, too.
            for (Direction direction : Direction.values()) {
                links.add(link(shared, new Rule(direction, replies, replies), true));
            }
        }
        for (Link link : links) {
            Thread thread = new Thread(link, "readpast-bridge " + link.name());
            threads.add(thread);
            thread.start();
        }
    }

    private Link link(Link.Shared shared, Rule rule, boolean isForReplies) {
        return isInto(rule)
                ? new IntoReadpast(shared, rule, isForReplies)
                : new OutOfReadpast(shared, rule, isForReplies);
    }

    private boolean isInto(Rule rule) {
        return (rule.direction() == Direction.OVER) != isReadpastFirst;
    }

    private Statements statements() throws JMSException, SQLException {
        try (Connection connection = readpast.connect();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            String product =
                    ((SqlSession) session).sqlConnection().getMetaData().getDatabaseProductName();
            session.rollback();
            return new Statements(product, ((ReadpastConnectionFactory) readpast.factory()).schema());
        }
    }

    private void look(Statements statements) throws JMSException, SQLException {
        try (ReadpastEnd end = new ReadpastEnd(readpast.connect(), null, statements);
                Connection connection = broker.connect()) {
            end.find("");
            end.findPair(rules.name(), "");
            end.session().rollback();
            connection.start();
        }
    }

    /** How each link is doing; empty before the start. */
    public synchronized List<LinkStatus> status() {
        return links.stream().map(Link::status).toList();
    }

    /**
     * Says what would move and what could not be kept, of the first 1,000 messages of each queue, and moves nothing. A subscription cannot be
     * looked at.
     *
     * @throws JMSException if a side cannot be reached, or a queue is not there
     */
    public List<Preview> preview() throws JMSException {
        List<Preview> previews = new ArrayList<>();
        for (Rule rule : rules.rules()) {
            Side from = isInto(rule) ? broker : readpast;
            Side to = isInto(rule) ? readpast : broker;
            try (Connection source = from.connect();
                    Connection target = to.connect();
                    Session receiving = source.createSession(false, Session.AUTO_ACKNOWLEDGE);
                    Session sending = target.createSession(true, Session.SESSION_TRANSACTED)) {
                source.start();
                previews.add(preview(rule, receiving, sending));
            }
        }
        return previews;
    }

    private Preview preview(Rule rule, Session receiving, Session sending) throws JMSException {
        Map<String, Integer> remarks = new TreeMap<>();
        if (rule.source().isTopic()) {
            return new Preview(rule.toString(), 0, false, Map.of("a subscription, which cannot be looked at", 1));
        }
        int found = 0;
        try (QueueBrowser browser =
                receiving.createBrowser(receiving.createQueue(rule.source().name()))) {
            Enumeration<?> messages = browser.getEnumeration();
            for (; found < LOOK_AT && messages.hasMoreElements(); found++) {
                remark((Message) messages.nextElement(), rule, receiving, sending, remarks);
            }
            return new Preview(rule.toString(), found, messages.hasMoreElements(), remarks);
        }
    }

    private void remark(Message message, Rule rule, Session receiving, Session sending, Map<String, Integer> remarks) {
        try {
            if (MessageCopy.unreadable(message, receiving) != null) {
                count(remarks, "cannot be read: goes to the dead letters of the bridge");
            }
            if (!Batch.isUsable(message.getJMSMessageID())) {
                count(
                        remarks,
                        rules.isIdRequired()
                                ? "has no JMSMessageID: goes to the dead letters of the bridge"
                                : "has no JMSMessageID: crosses at least once");
            }
            String hop = Link.hop(rules, isInto(rule));
            if (MessageCopy.hasCrossed(message, hop)) {
                count(remarks, "has crossed this way before: goes to the dead letters of the bridge");
            }
            String dropped = MessageCopy.of(message, sending, hop).getStringProperty(MessageCopy.DROPPED);
            if (dropped != null) {
                count(remarks, "loses " + dropped);
            }
            if (Sending.isLost(message.getJMSReplyTo(), rules)) {
                count(remarks, "loses JMSReplyTo");
            }
        } catch (JMSException | RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError e) {
            count(remarks, "cannot be copied: " + Link.text(e));
        }
    }

    private static void count(Map<String, Integer> remarks, String remark) {
        remarks.merge(remark, 1, Integer::sum);
    }

    /**
     * Ends the batches that are under way, and stops. What was not moved stays where it is. A batch that does not end within half a minute is
     * interrupted, and found again at the next start: some clients wait for a broker that is away for as long as it takes.
     */
    @Override
    public void close() {
        List<Thread> ending;
        synchronized (this) {
            links.forEach(Link::stop);
            ending = List.copyOf(threads);
        }
        try {
            if (!haveEnded(ending)) {
                ending.forEach(Thread::interrupt);
                if (!haveEnded(ending)) {
                    LOG.warn(
                            "A thread of bridge {} does not end: its client waits in a call that cannot be interrupted",
                            rules.name());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean haveEnded(List<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        return threads.stream().noneMatch(Thread::isAlive);
    }
}
