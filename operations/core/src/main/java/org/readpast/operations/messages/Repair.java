package org.readpast.operations.messages;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.readpast.operations.database.Procedures;
import org.readpast.operations.database.Product;
import org.readpast.operations.database.Row;
import org.readpast.operations.snapshot.Facts;

/**
 * Moves, copies, deletes and holds messages by the database's procedures, in batches of up to 1,000 with a transaction each: what an error cuts off keeps
 * what was done before, and can be called again. Not thread-safe, but for {@link #cancel}.
 */
public final class Repair {

    /** What is done with messages. */
    public enum Action {
        /** Puts them into another queue. */
        MOVE,
        /** Puts copies of them into another queue: of chosen ones alone, since what is copied stays and would be found again. */
        COPY,
        /** Sends dead letters back. */
        RETRY,
        /** Lets them expire now. */
        EXPIRE,
        /** Deletes them. */
        PURGE,
        /** Keeps them away from consumers. */
        HOLD,
        /** Gives held ones back. */
        RELEASE
    }

    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Connection connection;
    private final String schema;
    private final String claimedUser;
    private final Pace pace = new Pace();
    private final Procedures procedures;

    /**
     * For nobody in particular.
     *
     * @param connection stays the caller's to close; must have autocommit on
     * @param schema the schema's name, an identifier
     * @throws SQLException if the database is none that Readpast knows
     */
    public Repair(Connection connection, String schema) throws SQLException {
        this(connection, schema, null);
    }

    /**
     * For somebody who stands beside the login in {@link Facts#audit}.
     *
     * @param connection stays the caller's to close; must have autocommit on
     * @param schema the schema's name, an identifier
     * @param claimedUser who asks for it, up to 128 characters; null for nobody. The database does not check it
     * @throws SQLException if the database is none that Readpast knows
     */
    public Repair(Connection connection, String schema, String claimedUser) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        this.claimedUser = claimedUser;
        this.procedures = new Procedures(connection, schema, pace::throwIfEnded);
    }

    /**
     * Gives each batch a minute, of which it waits 30 s for a lock, for somebody who may have gone by then. What takes longer is undone, and
     * an error.
     *
     * @throws SQLException if the database does not answer
     */
    public void limit() throws SQLException {
        procedures.limit();
    }

    /** Gives the connection its time-outs back. */
    public void unlimit() throws SQLException {
        procedures.unlimit();
    }

    /**
     * Does no more than so many messages a second from now on, so that consumers of the same database are disturbed less. Transactions become
     * as small; where messages are chosen by looking at each, a thousand are read at a time all the same.
     *
     * @param messagesPerSecond one at the least
     */
    public void limitRate(int messagesPerSecond) {
        pace.limit(messagesPerSecond);
    }

    /**
     * Ends it: the batch that is at work is undone, and no other one begins. May be called by any thread.
     *
     * @throws SQLException if the database could not be told
     */
    public void cancel() throws SQLException {
        pace.end();
        procedures.cancel();
    }

    /**
     * Does it, with all messages that meet the conditions and that nobody else has locked. Dead letters are looked at one by one, each once,
     * as {@link #run(Action, String, String, Chosen, Consumer)} does: one that fails again is soon back in its old place, where the procedure
     * would find it first.
     *
     * @param target where to move or copy; null with the other actions
     * @param most so many at the most
     * @param progress told after each batch how many were done
     * @return how many were done
     * @throws SQLException if the login has not the right, there is no such queue, or the database is gone; what was told as progress is done
     */
    public long run(Action action, String queue, String target, Conditions conditions, long most, LongConsumer progress)
            throws SQLException {
        checkTarget(queue, target);
        if (action == Action.COPY) {
            throw new IllegalArgumentException("What is copied is chosen one by one");
        }
        checkState(action, conditions.state());
        if (action == Action.RETRY) {
            RowCondition each = new RepairCondition(connection, procedures.product(), schema, conditions);
            Chosen chosen = new Chosen(each, conditions.state(), most, null);
            return run(action, queue, target, chosen, so -> progress.accept(so.done()))
                    .done();
        }
        long done = 0;
        for (Conditions part : parts(action, conditions)) {
            boolean isMore = true;
            while (isMore && done < most) {
                pace.awaitTurn();
                int batch = pace.batch(most - done);
                long now = once(action, queue, target, part, batch);
                pace.did(now);
                done += now;
                progress.accept(done);
                isMore = now == batch;
            }
        }
        return done;
    }

    /** Else what is done would be found again and again. */
    private static void checkState(Action action, String state) {
        if (isSoAlready(action, state)) {
            throw new IllegalArgumentException(
                    "Messages that are " + state + " already are not for " + name(action) + ": choose another state");
        }
    }

    private static boolean isSoAlready(Action action, String state) {
        return (action == Action.EXPIRE && "expired".equals(state)) || (action == Action.HOLD && "held".equals(state));
    }

    /** Without a state those that have expired would expire again and again. */
    private static List<Conditions> parts(Action action, Conditions conditions) {
        return action == Action.EXPIRE && conditions.state() == null
                ? List.of(conditions.withState("waiting"), conditions.withState("delayed"))
                : List.of(conditions);
    }

    /**
     * How many would be done, counted up to a bound: it is done, and rolled back. The messages are locked meanwhile.
     *
     * @param most where counting stops
     * @throws SQLException as {@link #run}
     */
    public long tryOut(Action action, String queue, String target, Conditions conditions, int most)
            throws SQLException {
        checkTarget(queue, target);
        checkState(action, conditions.state());
        return rolledBack(() -> {
            long found = 0;
            for (Conditions part : parts(action, conditions)) {
                found += found < most ? once(action, queue, target, part, (int) (most - found)) : 0;
            }
            return found;
        });
    }

    private long rolledBack(Procedures.TransactionBody<Long> work) throws SQLException {
        return procedures.inTransaction(() -> {
            long done = work.run();
            connection.rollback();
            return done;
        });
    }

    /**
     * Does it with messages that are chosen by looking at each, a chunk of 1,000 at a time. A chunk is read by a short statement that keeps no
     * lock; those of it that are chosen are done by their keys, in a transaction, unless they have changed meanwhile or somebody else has
     * locked them. Of a copy whose commit was not answered nobody knows: behind the last cursor it may be made once more.
     *
     * @param target where to move or copy; null with the other actions
     * @param progress told after each chunk; where an error ends it, its cursor is where to go on
     * @return how far it came: to the end of the queue, or to the most that were asked for
     * @throws SQLException as {@link #run(Action, String, String, Conditions, long, LongConsumer)}
     */
    public Progress run(Action action, String queue, String target, Chosen chosen, Consumer<Progress> progress)
            throws SQLException {
        return walk(
                action,
                queue,
                target,
                chosen,
                progress,
                chunk -> byKeys(action, queue, target, chunk.state(), chunk.keys(), chunk.count()));
    }

    /**
     * Does it with these messages, in one transaction: with those that are still as they were seen, and that nobody else has locked. What has
     * expired does not expire again, and what is held is not held again.
     *
     * @param target where to move or copy; null with the other actions
     * @param state waiting, expired, delayed or held; null with {@link Action#RELEASE}
     * @param keys which messages, 1,000 at the most
     * @return how many were done
     * @throws SQLException as {@link #run(Action, String, String, Conditions, long, LongConsumer)}
     */
    public long run(Action action, String queue, String target, String state, List<MessageKey> keys)
            throws SQLException {
        checkTarget(queue, target);
        if (isSoAlready(action, state)) {
            return 0;
        }
        String json =
                keys.stream().map(key -> key.json(procedures.product())).collect(Collectors.joining(",", "[", "]"));
        return byKeys(action, queue, target, state, json, keys.size());
    }

    private static void checkTarget(String queue, String target) {
        if (queue.equals(target)) {
            throw new IllegalArgumentException("The messages of '" + queue + "' are there already");
        }
    }

    private long byKeys(Action action, String queue, String target, String state, String keys, int most)
            throws SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("queue", queue);
        values.put("target", target);
        values.put("state", state);
        values.put("most", most);
        values.put("keys", keys);
        values.put("claimed_user", claimedUser);
        return procedures.execute(name(action), values);
    }

    private static String name(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Chooses, and does nothing. What is to be sent back is tried out a chunk at a time and rolled back, since the database alone knows where it
     * can go.
     *
     * @param target where they would go; null with the other actions
     * @return how many would be done, unless they change meanwhile or somebody else locks them
     * @throws SQLException as {@link #run(Action, String, String, Conditions, long, LongConsumer)}
     */
    public Progress tryOut(Action action, String queue, String target, Chosen chosen, Consumer<Progress> progress)
            throws SQLException {
        return walk(
                action,
                queue,
                target,
                chosen,
                progress,
                chunk -> action == Action.RETRY
                        ? rolledBack(() -> byKeys(action, queue, target, chunk.state(), chunk.keys(), chunk.count()))
                        : chunk.count());
    }

    private interface Work {
        long on(Search.Chunk chunk) throws SQLException;
    }

    private Progress walk(
            Action action, String queue, String target, Chosen chosen, Consumer<Progress> progress, Work work)
            throws SQLException {
        checkTarget(queue, target);
        checkState(action, chosen.state());
        Procedures.file(procedures.product(), schema, name(action));
        Search search = new Search(connection, procedures.product(), schema, action, queue, chosen);
        // With no message: whether the login may do it, and whether there is such a target.
        rolledBack(() -> byKeys(action, queue, target, chosen.state(), "[]", 1));
        Progress so = new Progress(0, search.about(), search.isMore(), 0, 0, 0, search.cursor());
        while (so.done() < chosen.most()) {
            pace.awaitTurn();
            Search.Chunk chunk = search.next(pace.batch(chosen.most() - so.done()));
            if (chunk == null) {
                break;
            }
            long done = chunk.keys() == null ? 0 : work.on(chunk);
            // What was read and chosen counts, also where it was left alone.
            pace.did(chunk.count());
            so = new Progress(
                    so.searched() + chunk.searched(),
                    so.about(),
                    so.isMore(),
                    so.chosen() + chunk.count(),
                    so.done() + done,
                    so.unreadable() + chunk.unreadable(),
                    search.cursor());
            progress.accept(so);
        }
        return so;
    }

    private long once(Action action, String queue, String target, Conditions conditions, int most) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("queue", queue);
        values.put("target", target);
        values.put("jms_message_id", conditions.jmsMessageId());
        values.put("correlation_id", conditions.correlationId());
        values.put("type", conditions.type());
        values.put("property", conditions.property());
        values.put("property_value", conditions.propertyValue());
        values.put("sent_before", time(procedures.product(), conditions.sentBefore()));
        values.put("sent_after", time(procedures.product(), conditions.sentAfter()));
        values.put("minimum_deliveries", conditions.minimumDeliveries());
        values.put("origin", conditions.origin());
        values.put("state", conditions.state());
        values.put("most", most);
        values.put("claimed_user", claimedUser);
        return procedures.execute(name(action), values);
    }

    /** As statements take it: SQL Server in UTC without saying so, to the millisecond. */
    static String time(Product product, Instant moment) {
        return moment == null
                ? null
                : product == Product.SQL_SERVER ? UTC.format(moment) : Row.written(product, moment);
    }
}
