package org.readpast.console;

import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.readpast.operations.Conditions;
import org.readpast.operations.Repair;
import org.readpast.operations.Repair.Action;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One action of a user on messages of a queue, in batches with a transaction each. Thread-safe. */
final class Job implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    /** How far it is. */
    enum State {
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
     * @param target where to move; else null
     * @param parts which messages: those of one condition after the other
     * @param mostOfPart so many of each at the most
     */
    record Order(Action action, String kind, String queue, int queueId, String target, List<Conditions> parts, long mostOfPart) {
        Order {
            parts = List.copyOf(parts);
        }

        String verb() {
            return action == Action.PURGE ? "delete" : action.name().toLowerCase(Locale.ROOT);
        }
    }

    private final String id = UUID.randomUUID().toString();
    private final SignedIn user;
    private final Order order;
    private volatile long done;
    private volatile State state = State.RUNNING;
    private volatile String error;
    private volatile boolean isStopping;

    Job(SignedIn user, Order order) {
        this.user = user;
        this.order = order;
    }

    String id() {
        return id;
    }

    Order order() {
        return order;
    }

    long done() {
        return done;
    }

    State state() {
        return state;
    }

    /** What went wrong; null where nothing did. */
    String error() {
        return error;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Lets it end behind the batch it is at. What was done stays done. */
    void stop() {
        isStopping = true;
    }

    @Override
    public void run() {
        State end = State.FAILED;
        try {
            user.connected(connection -> {
                Repair repair = new Repair(connection, user.schema());
                for (Conditions part : order.parts()) {
                    long before = done;
                    done = before
                            + repair.run(
                                    order.action(), order.queue(), order.target(), part, order.mostOfPart(), count -> {
                                        done = before + count;
                                        if (isStopping) {
                                            throw new Stopped();
                                        }
                                    });
                }
                return null;
            });
            end = State.DONE;
        } catch (Stopped e) {
            end = State.STOPPED;
        } catch (Exception e) {
            error = Text.of(e);
        } finally {
            state = end;
        }
        LOG.info(
                "{} of {} by {}: {} messages, {}",
                order.verb(),
                Text.line(order.queue()),
                Text.line(user.login()),
                done,
                end);
    }
}
