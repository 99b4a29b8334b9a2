package org.readpast.console.session;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.readpast.console.view.Text;
import org.readpast.operations.messages.Chosen;
import org.readpast.operations.messages.Conditions;
import org.readpast.operations.messages.Cursor;
import org.readpast.operations.messages.MessageKey;
import org.readpast.operations.messages.Progress;
import org.readpast.operations.messages.Repair;
import org.readpast.operations.messages.Repair.Action;
import org.readpast.operations.messages.RowCondition;
import org.readpast.operations.messages.SelectorCondition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One action of a user on messages of a queue, in batches with a transaction each. Thread-safe. */
public final class Job implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    /** How far it is. */
    public enum State {
        RUNNING,
        DONE,
        STOPPED,
        FAILED
    }

    /** Ends it behind a batch. */
    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * What is to be done.
     *
     * @param action what
     * @param kind in words
     * @param queue the queue or subscription
     * @param queueId its id
     * @param target where to move or copy; else null
     * @param which with which messages
     * @param rate messages a second at the most; 0 for as fast as it goes
     */
    public record Order(Action action, String kind, String queue, int queueId, String target, Which which, int rate) {

        /** What is done, in one word for pages and the log. */
        public String verb() {
            return action == Action.PURGE ? "delete" : action.name().toLowerCase(Locale.ROOT);
        }
    }

    /** Which messages are meant. */
    public sealed interface Which {}

    /**
     * All that meet conditions.
     *
     * @param conditions null for any
     */
    public record All(Conditions conditions) implements Which {}

    /**
     * Those that were chosen.
     *
     * @param ofState as they were seen, by the state they were in; null with an action that has but one
     */
    public record Those(Map<String, List<MessageKey>> ofState) implements Which {

        /** How many were chosen. */
        public int count() {
            return ofState.values().stream().mapToInt(List::size).sum();
        }
    }

    /**
     * Those that a selector chooses, or all, one by one.
     *
     * @param selector a JMS selector; empty for all
     * @param of what it chooses among, as the form has it
     * @param state the same, as the search has it
     * @param after where it goes on; null for the head of the queue
     */
    public record Matching(String selector, String of, String state, Cursor after) implements Which {}

    private final String id;
    private final String next = UUID.randomUUID().toString();
    private final SignedIn user;
    private final Order order;
    private volatile long done;
    private volatile Progress progress;
    private volatile State state = State.RUNNING;
    private volatile String error;
    private volatile boolean isStopping;
    private volatile Repair repair;

    /**
     * A job that has not begun.
     *
     * @param id a random one
     * @param user on whose connection it runs
     */
    public Job(String id, SignedIn user, Order order) {
        this.id = id;
        this.user = user;
        this.order = order;
    }

    /** A random one, which nobody guesses. */
    public String id() {
        return id;
    }

    /** The id of the job that goes on with its rest. */
    public String next() {
        return next;
    }

    /** What it does. */
    public Order order() {
        return order;
    }

    /** To how many messages it has been done so far. */
    public long done() {
        return done;
    }

    /** How far a search is; null where nothing is searched, or nothing was yet. */
    public Progress progress() {
        return progress;
    }

    /** Whether it is still at work, and how it ended. */
    public State state() {
        return state;
    }

    /** What went wrong; null where nothing did. */
    public String error() {
        return error;
    }

    /** Whether it has not ended yet. */
    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Ends it: the batch that it is at is undone, and what was done before stays done. */
    public void stop() {
        isStopping = true;
        Repair atWork = repair;
        if (atWork != null) {
            try {
                atWork.cancel();
            } catch (SQLException e) {
                LOG.info("A batch could not be cancelled, and ends when its time is up: {}", e.getSQLState());
            }
        }
    }

    @Override
    public void run() {
        State end = State.FAILED;
        String code = "";
        try {
            user.repair(connection -> {
                run(new Repair(connection, user.schema(), user.claimedUser()));
                return null;
            });
            end = State.DONE;
        } catch (Stopped e) {
            end = State.STOPPED;
        } catch (Exception e) {
            if (isStopping) {
                end = State.STOPPED;
            } else {
                error = Text.of(e);
                code = ": " + code(e);
            }
        } finally {
            // From here on his time runs, and not from when he ordered it.
            user.touch();
            state = end;
        }
        LOG.info(
                "{} of {} by {}: {} messages, {}{}{}",
                order.verb(),
                Text.line(order.queue()),
                Text.line(user.name()),
                done,
                end,
                code,
                progress == null || progress.cursor() == null ? "" : ", to go on: --after " + progress.cursor());
    }

    /** Without its text, which may have something of a message in it. */
    private static String code(Exception e) {
        return e instanceof SQLException sql
                ? sql.getSQLState() + " (" + sql.getErrorCode() + ")"
                : e.getClass().getSimpleName();
    }

    private void run(Repair limited) throws SQLException {
        repair = limited;
        tell(0);
        limited.limit();
        if (order.rate() > 0) {
            limited.limitRate(order.rate());
        }
        if (order.which() instanceof All all) {
            limited.run(order.action(), order.queue(), order.target(), all.conditions(), Long.MAX_VALUE, this::tell);
        } else if (order.which() instanceof Those those) {
            run(limited, those);
        } else if (order.which() instanceof Matching matching) {
            run(limited, matching);
        }
        limited.unlimit();
    }

    private void run(Repair limited, Those those) throws SQLException {
        for (Map.Entry<String, List<MessageKey>> part : those.ofState().entrySet()) {
            tell(done + limited.run(order.action(), order.queue(), order.target(), part.getKey(), part.getValue()));
        }
    }

    private void run(Repair limited, Matching matching) throws SQLException {
        RowCondition condition =
                matching.selector().isBlank() ? RowCondition.ANY : new SelectorCondition(matching.selector());
        Chosen chosen = new Chosen(condition, matching.state(), Long.MAX_VALUE, matching.after());
        progress = limited.run(order.action(), order.queue(), order.target(), chosen, so -> {
            progress = so;
            tell(so.done());
        });
    }

    private void tell(long count) {
        done = count;
        if (isStopping) {
            throw new Stopped();
        }
    }
}
