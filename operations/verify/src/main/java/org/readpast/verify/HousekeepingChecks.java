package org.readpast.verify;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** That transactions which last hold up neither housekeeping nor administrators. */
final class HousekeepingChecks {

    private final Server server;
    private final LockChecks locks;

    HousekeepingChecks(Server server, LockChecks locks) {
        this.server = server;
        this.locks = locks;
    }

    void run() {
        locks.check(
                "a queue's settings that are being changed hold up no housekeeping and no new connection",
                this::changedQueue);
        locks.check("a send in a transaction at REPEATABLE READ holds up no pause", this::sendAndPause);
        locks.check("a publish in a transaction at REPEATABLE READ holds up no subscriber", this::publishAndSubscribe);
        locks.check(
                "a queue, a subscription and a marker that are not committed hold up none of others",
                this::besideUncommitted);
        locks.check("the sweep of notes of dead letters waits for nobody who holds one", this::sweepBesideHolder);
    }

    private String changedQueue(Connection one, Connection other) throws Exception {
        int queue = locks.queue("verify settings", 1);
        server.rows(one, "UPDATE [readpast].message SET expires_at = '2000-01-01' WHERE destination_id = " + queue);
        one.commit();
        String waits = "";
        for (String change : List.of(
                "create_queue @maximum_attempts = 3,",
                "keep_history @days = 1,",
                "pause",
                "mark_moved @moved = N'here', @database = N'verify',",
                "resume",
                "drop_history")) {
            server.rows(one, "EXECUTE [readpast]." + change + " @queue = N'verify settings'");
            Set<Integer> named = new HashSet<>();
            locks.run(
                    other, "name_destinations", Map.of("destination_ids", "[" + queue + "]"), rows -> ids(rows, named));
            LockChecks.require(named.contains(queue), "behind " + change + " the queue is not there");
            named.clear();
            locks.run(other, "expired_queues", Map.of(), rows -> ids(rows, named));
            LockChecks.require(named.contains(queue), "behind " + change + " the queue has no name");
            long from = System.nanoTime();
            try {
                locks.run(other, "queue_settings", Map.of(), rows -> ids(rows, named));
            } catch (SQLException e) {
                LockChecks.require(
                        e.getErrorCode() == LockChecks.LOCK_TIMEOUT, "behind " + change + ": " + Errors.text(e));
                LockChecks.require(
                        System.nanoTime() - from < TimeUnit.SECONDS.toNanos(2),
                        "behind " + change + ": it waited, in spite of NOWAIT");
                other.rollback();
                waits = "without row versions: JMS clients keep to what they know";
            }
            one.commit();
        }
        server.rows(one, "EXECUTE [readpast].mark_moved @queue = N'verify settings'");
        one.commit();
        return waits;
    }

    private String sendAndPause(Connection one, Connection other) throws Exception {
        int queue = locks.queue("verify settings", 0);
        one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        locks.run(
                one,
                "insert_message",
                Map.of("destination_id", queue, "priority_order", 0, "jms_destination", "queue://verify settings"),
                rows -> {});
        server.rows(other, "EXECUTE [readpast].pause @queue = N'verify settings'");
        return "";
    }

    private int subscription(int topic) throws SQLException {
        server.run(
                "INSERT INTO [readpast].destination (kind, name) SELECT N'S', N'verify subscription' WHERE NOT EXISTS ("
                        + "SELECT 1 FROM [readpast].destination WHERE kind = N'S' AND name = N'verify subscription')");
        int subscription = Integer.parseInt(
                server.value(
                        "SELECT destination_id FROM [readpast].destination WHERE kind = N'S' AND name = N'verify subscription'"));
        server.run("DELETE FROM [readpast].subscription WHERE destination_id = " + subscription);
        server.run("INSERT INTO [readpast].subscription (destination_id, topic_id, durable, shared) VALUES ("
                + subscription + ", " + topic + ", 1, 0)");
        return subscription;
    }

    private String publishAndSubscribe(Connection one, Connection other) throws Exception {
        int topic = locks.topic();
        int subscription = subscription(topic);
        one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        long[] version = new long[1];
        locks.run(
                one,
                "topic_version",
                Map.of("topic_id", topic),
                rows -> version[0] = rows.next() ? rows.getLong(1) : 0);
        locks.run(one, "topic_subscriptions", Map.of("topic_id", topic), rows -> {});
        locks.run(
                one,
                "publish_message",
                Map.of(
                        "topic_id",
                        topic,
                        "version",
                        version[0],
                        "destination_ids",
                        "[" + subscription + "]",
                        "priority_order",
                        0,
                        "jms_destination",
                        "topic://verify topic"),
                rows -> {});
        String copies = "SELECT COUNT(*) FROM [readpast].message WHERE destination_id = " + subscription;
        LockChecks.require(server.value(one, copies).equals("1"), "the subscription did not get its copy");
        for (int id : List.of(topic, 0, subscription)) {
            locks.run(other, "raise_version", Map.of("destination_id", id), rows -> {});
        }
        locks.run(other, "drop_subscription", Map.of("destination_id", subscription), rows -> {});
        return "";
    }

    /** The tables are small here, and a plan that scans them meets the rows of others. */
    private String besideUncommitted(Connection one, Connection other) throws Exception {
        int topic = locks.topic();
        int subscription = subscription(topic);
        server.rows(one, "INSERT INTO [readpast].destination (kind, name) VALUES (N'Q', N'verify uncommitted')");
        server.rows(
                one,
                "INSERT INTO [readpast].subscription (destination_id, topic_id, durable, shared) VALUES (-2, -1, 1, 0)");
        server.rows(one, "INSERT INTO [readpast].commit_marker (token, refused) VALUES (NEWID(), 0)");
        locks.run(other, "lock_subscription", Map.of("name", "verify subscription"), rows -> {});
        Set<Integer> found = new HashSet<>();
        locks.run(other, "topic_subscriptions", Map.of("topic_id", topic), rows -> ids(rows, found));
        LockChecks.require(found.equals(Set.of(subscription)), "of one subscription these were found: " + found);
        locks.run(other, "read_marker", Map.of(), rows -> {});
        return "";
    }

    private String sweepBesideHolder(Connection one, Connection other) throws Exception {
        int queue = locks.queue("verify settings", 1);
        server.run("INSERT INTO [readpast].unreadable_message"
                + " (destination_id, priority_order, message_id, origin_id, reason, deliveries)"
                + " SELECT destination_id, priority_order, message_id, destination_id, N'verify', 1"
                + " FROM [readpast].message WHERE destination_id = " + queue);
        server.rows(one, "DELETE FROM [readpast].message WHERE destination_id = " + queue);
        long from = System.nanoTime();
        int[] removed = new int[1];
        locks.run(other, "sweep_unreadable", Map.of(), rows -> removed[0] = rows.next() ? rows.getInt(1) : 0);
        LockChecks.require(System.nanoTime() - from < TimeUnit.SECONDS.toNanos(2), "it waited, in spite of NOWAIT");
        LockChecks.require(removed[0] == 0, "what is noted of a message that may come back was removed");
        return "";
    }

    private static void ids(ResultSet rows, Set<Integer> into) throws SQLException {
        while (rows.next()) {
            into.add(rows.getInt("destination_id"));
        }
    }
}
