package org.readpast.bridge;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.bridge.batch.Batch;
import org.readpast.bridge.batch.MessageCopy;
import org.readpast.bridge.batch.Pace;
import org.readpast.bridge.batch.Received;
import org.readpast.bridge.batch.SidesApart;
import org.readpast.bridge.batch.Step;
import org.readpast.bridge.ends.BrokerEnd;
import org.readpast.bridge.ends.End;
import org.readpast.bridge.ends.ReadpastEnd;
import org.readpast.bridge.ends.Statements;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out one rule: batch after batch, each with a transaction on either side, and what is to be found out when one of them has failed.
 * It runs on a thread of its own.
 */
abstract class Link implements Runnable {

    /** How long a receive waits, and so how soon a link notices that it is to stop. */
    static final long RECEIVE_MILLIS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final int ATTEMPTS = 3;
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;
    private static final long TOKEN_MILLIS = 10_000;

    /** What all links of a bridge share. */
    record Shared(
            BridgeRules rules,
            Side readpast,
            Side broker,
            Statements statements,
            Pace pace,
            boolean isAfterRestore,
            Step.Listener steps) {}

    private final Shared shared;
    private final Rule rule;
    private final boolean isForReplies;
    private final String flow;
    private final boolean isInto;
    private final String hop;
    private final String name;
    private final Progress progress;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Map<String, String> reasons = new HashMap<>();

    private BrokerEnd broker;
    private ReadpastEnd readpast;
    private Sending sending;
    private MessageConsumer consumer;
    private Set<String> known;
    private long number;
    private boolean isAfterRestore;
    private int cautious;
    private boolean isTargetInDoubt;
    private long pairsLookedAt;

    /**
     * @param flow {@code into} or {@code out}, as seen from Readpast
     * @param isForReplies whether each message goes to the requester that it answers, and not to the rule's target
     */
    Link(Shared shared, Rule rule, boolean isForReplies, String flow) {
        this.shared = shared;
        this.rule = rule;
        this.isAfterRestore = shared.isAfterRestore();
        this.isForReplies = isForReplies;
        this.flow = flow;
        this.isInto = flow.equals("into");
        this.hop = hop(shared.rules(), isInto);
        this.name = shared.rules().name() + " " + flow + " " + rule.source();
        this.progress = new Progress(
                isForReplies ? rule.direction().name().toLowerCase(Locale.ROOT) + " replies" : rule.toString());
    }

    /** Which way messages cross, whichever side is called the first. */
    static String hop(BridgeRules rules, boolean isInto) {
        return rules.name() + (isInto ? ":into" : ":out");
    }

    /** Moves up to so many messages. @return how many it received */
    abstract int cross(int most) throws JMSException, SQLException;

    /** The end that messages are received at. */
    abstract End source();

    /** The end that messages are sent at. */
    abstract End target();

    /**
     * Finds out what is not known to be settled, from what both sides have stored.
     *
     * @param token what stands in the broker
     * @param row what stands in the database
     */
    abstract Optional<Set<String>> settle(Batch token, Batch row);

    String name() {
        return name;
    }

    /** The bridge's. */
    String bridge() {
        return shared.rules().name();
    }

    BrokerEnd broker() {
        return broker;
    }

    ReadpastEnd readpast() {
        return readpast;
    }

    Set<String> known() {
        return known;
    }

    /** Of the batch that both sides are at. */
    long number() {
        return number;
    }

    /** Both sides have this batch. */
    void isAt(Batch batch) {
        number = batch.number();
    }

    LinkStatus status() {
        return progress.status();
    }

    void stop() {
        stopping.countDown();
    }

    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** The queue of the token: a name that any broker takes. */
    String tokenQueue() {
        String text = rule.source().toString();
        return shared.rules()
                .queue(flow + "." + text.replaceAll("[^A-Za-z0-9]+", ".") + "." + Integer.toHexString(text.hashCode()));
    }

    @Override
    public void run() {
        long pause = FIRST_PAUSE_MILLIS;
        try {
            while (!isStopping()) {
                boolean hasMoved = false;
                try {
                    connect();
                    tryTarget();
                    recover();
                    progress.is(LinkStatus.State.RUNNING);
                    while (!isStopping()) {
                        hasMoved |= work();
                    }
                } catch (SidesApart e) {
                    progress.failed(e.getMessage());
                    LOG.error("{} stops: {}", name, e.getMessage());
                    return;
                } catch (Error e) {
                    progress.failed(text(e));
                    LOG.error("{} begins anew", name, e);
                } catch (JMSException | SQLException | RuntimeException e) {
                    if (!isStopping()) {
                        progress.failed(text(e));
                        LOG.warn("{} begins anew: {}", name, text(e));
                        LOG.debug("{} failed", name, e);
                    }
                } finally {
                    disconnect();
                }
                pause = hasMoved ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
                rest(pause);
            }
        } finally {
            progress.is(LinkStatus.State.STOPPED);
        }
    }

    /** Waits, unless it is to stop. */
    void rest(long millis) {
        try {
            boolean isOver = stopping.await(millis, TimeUnit.MILLISECONDS);
            LOG.trace("{} rested: {}", name, isOver);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
    }

    static String text(Throwable error) {
        StringBuilder text = new StringBuilder(
                error instanceof Error || error.getMessage() == null ? error.toString() : error.getMessage());
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(cause.getMessage());
            }
        }
        return text.toString().replaceAll("\\s*\\R\\s*", " ");
    }

    private void connect() throws JMSException {
        progress.is(LinkStatus.State.CONNECTING);
        String clientId = rule.source().clientId();
        readpast = new ReadpastEnd(shared.readpast().connect(), isInto ? null : clientId, shared.statements());
        broker = new BrokerEnd(shared.broker().connect(), isInto ? clientId : null, tokenQueue());
        sending = sending();
    }

    private Sending sending() throws JMSException {
        return Sending.in(target().session(), shared.rules(), rule, hop, isForReplies);
    }

    private void disconnect() {
        consumer = null;
        for (AutoCloseable end : new AutoCloseable[] {broker, readpast}) {
            try {
                if (end != null) {
                    end.close();
                }
            } catch (Exception e) {
                LOG.debug("{} closes a connection that is broken", name, e);
            }
        }
        broker = null;
        readpast = null;
    }

    /**
     * Where something other than a message was at fault, finds out whether the target takes messages now, before one is received: many a broker counts how
     * often it has delivered each, and takes it away in the end. Some causes, such as a missing right, show only when a transaction is committed.
     */
    private void tryTarget() throws JMSException {
        if (isTargetInDoubt) {
            Session session = target().session();
            target().producer().send(sending.target(), session.createMessage());
            session.rollback();
            isTargetInDoubt = false;
        }
    }

    private void recover() throws JMSException, SQLException {
        Optional<Batch> begun = new Recovery(this, readpast, broker, progress, isAfterRestore).begin();
        if (begun.isPresent()) {
            isAt(begun.get());
            known = new LinkedHashSet<>(begun.get().open());
            isAfterRestore = false;
            consumer = rule.source().consumer(source().session());
        }
    }

    JMSException hasGoneOn() {
        return new JMSException("another bridge of this name has gone on with " + name);
    }

    private boolean work() throws JMSException, SQLException {
        broker.check();
        forgetPairs();
        int moved = cross(cautious > 0 ? 1 : shared.rules().most());
        cautious = Math.max(0, cautious - moved);
        if (moved > 0) {
            rest(shared.pace().millisAfter(moved));
        }
        return moved > 0;
    }

    private void forgetPairs() throws JMSException, SQLException {
        long now = System.currentTimeMillis();
        if (now - pairsLookedAt > TimeUnit.HOURS.toMillis(1)) {
            readpast.forgetPairs(
                    shared.rules().name(),
                    now - Duration.ofDays(shared.rules().pairDays()).toMillis());
            pairsLookedAt = now;
        }
    }

    void at(Step step) {
        shared.steps().at(step);
    }

    /** The first message of a batch; null if none has come within the time. */
    Message first() throws JMSException {
        return consumer.receive(RECEIVE_MILLIS);
    }

    /** Takes the token into the transaction with what is received. */
    void token() throws JMSException {
        Batch token = broker.take(TOKEN_MILLIS);
        if (token == null) {
            throw new JMSException("the broker does not give out the token of " + name
                    + " any more: it takes this connection for dead, or another bridge of this name has it, or somebody"
                    + " has removed it from " + tokenQueue());
        }
        if (token.number() != number) {
            throw hasGoneOn();
        }
    }

    /**
     * Receives up to so many messages and writes each on the other side at once, unless it does not cross. Nothing is committed.
     *
     * @param first has been received already
     */
    Received carry(Message first, int most) throws JMSException, SQLException {
        // A broker may have lost the target since, and take messages for it all the same, which would go nowhere.
        sending = sending();
        Received received = new Received();
        for (Message message = first;
                message != null;
                message = received.all() < most ? consumer.receiveNoWait() : null) {
            String id = message.getJMSMessageID();
            boolean isNamed = Batch.isUsable(id);
            boolean isFirst = !isNamed || received.isFirst(id);
            if (isNamed && isFirst && known.contains(id)) {
                received.recognized(id);
                continue;
            }
            String reason = whyNot(message, isNamed, isFirst);
            if (reason == null) {
                carry(message, received);
            } else {
                bury(message, reason);
                received.isDead();
            }
        }
        return received;
    }

    /** What a message is known by when it comes again: others without an id, sent in the same millisecond, are known by the same. */
    private static String key(Message message) throws JMSException {
        return message.getJMSMessageID() + " " + message.getJMSTimestamp() + " " + message.getJMSPriority();
    }

    private void carry(Message message, Received received) throws JMSException, SQLException {
        String id = message.getJMSMessageID();
        received.crosses(key(message));
        try {
            sending.send(message, readpast, target().session(), target().producer())
                    .ifPresent(received::request);
            if (Batch.isUsable(id)) {
                received.crossed(id);
            }
        } catch (JMSException e) {
            throw failed(received, e);
        } catch (SQLException e) {
            throw failed(received, e);
        } catch (RuntimeException e) {
            throw failed(received, Sending.itsOwn("it cannot be sent: ", e));
        }
    }

    private String whyNot(Message message, boolean isNamed, boolean isFirstOfId) throws JMSException {
        if (!isNamed && shared.rules().isIdRequired()) {
            return "it has no JMSMessageID that a key can be made of, and 'without-id at-least-once' was not said";
        }
        if (!isFirstOfId) {
            return "another message with its JMSMessageID came with it, which is no redelivery";
        }
        String unreadable = MessageCopy.unreadable(message, source().session());
        if (unreadable != null) {
            return "it cannot be read: " + unreadable;
        }
        if (MessageCopy.hasCrossed(message, hop)) {
            return "it has crossed this way before";
        }
        String key = key(message);
        if (attempts.getOrDefault(key, 0) >= ATTEMPTS) {
            if (!isNamed) {
                // The next one may be known by the same, and be right.
                attempts.remove(key);
            }
            return reasons.get(key);
        }
        if (isForReplies && MessageCopy.correlationId(message) == null) {
            return "it has no JMSCorrelationID, which says which request it answers";
        }
        return null;
    }

    /** Sends a message that does not cross to the dead letters, on the side that it comes from. */
    private void bury(Message message, String reason) throws JMSException {
        int mode = message.getJMSDeliveryMode();
        int priority = message.getJMSPriority();
        LOG.warn("{}: {} is a dead letter: {}", name, message.getJMSMessageID(), reason);
        MessageCopy.makeDeadLetter(message, rule.source().toString(), reason);
        source().producer()
                .send(source().session().createQueue(shared.rules().deadLetterQueue()), message, mode, priority, 0);
    }

    /**
     * A batch could not be written on the other side. Its messages then come one by one; one that is refused alone three times, where both sides
     * work, is at fault itself. It is not at fault where a connection was lost: the next one may work again at once.
     *
     * @return what to throw
     */
    <E extends Exception> E failed(Received received, E cause) {
        String key = received.only();
        boolean hasRefused = ReadpastEnd.hasRefused(cause, !isForReplies);
        isTargetInDoubt = !hasRefused && !isForReplies;
        if (received.all() > 1) {
            cautious = received.all();
        } else if (key != null && hasRefused && readpast.works(name) && broker.works()) {
            attempts.merge(key, 1, Integer::sum);
            reasons.put(key, text(cause));
        }
        return cause;
    }

    /** Everything is done with a batch on both sides. */
    void done(Received received) {
        known.removeAll(received.ids());
        if (received.dead() > 0) {
            attempts.clear();
            reasons.clear();
        }
        progress.done(received.crossing(), received.recognized(), received.dead());
    }
}
