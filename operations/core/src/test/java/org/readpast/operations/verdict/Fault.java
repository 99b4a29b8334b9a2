package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;

/** Something that goes wrong, made to happen on PostgreSQL, and what the verdict has to call it. */
enum Fault {
    NO_CONSUMER(Cause.NO_CONSUMER) {
        @Override
        void begin(Scene scene, String queue) {
            scene.send(queue, 1 + scene.random().nextInt(5));
        }
    },

    /** Its consumer waits for a row that a program has changed and not committed. */
    BLOCKED(Cause.BLOCKED, Cause.DEAD_ROWS_PINNED) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            scene.run("CREATE TABLE readpast.invoice (id int PRIMARY KEY, paid int)");
            scene.run("INSERT INTO readpast.invoice VALUES (4711, 0)");
            String update = scene.named("UPDATE readpast.invoice SET paid = 1 WHERE id = 4711");
            scene.send(queue, 1 + scene.random().nextInt(5));
            Connection reports = scene.program("reports");
            reports.setAutoCommit(false);
            try (Statement holder = reports.createStatement()) {
                holder.execute(update);
            }
            jakarta.jms.Connection connection = scene.keep(scene.factory().createConnection());
            connection.start();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            assertThat(session.createConsumer(session.createQueue(queue)).receive(MILLIS))
                    .isNotNull();
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
                try (Statement statement =
                        ((SqlSession) session).sqlConnection().createStatement()) {
                    statement.execute(update);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            scene.keep(() -> {
                reports.rollback();
                work.get(MILLIS, TimeUnit.MILLISECONDS);
                session.commit();
            });
        }
    },

    HELD_TOO_LONG(Cause.HELD_TOO_LONG) {
        @Override
        void begin(Scene scene, String queue) {
            scene.send(queue, 1 + scene.random().nextInt(5));
            JMSContext context = scene.client(JMSContext.SESSION_TRANSACTED);
            assertThat(context.createConsumer(context.createQueue(queue)).receive(MILLIS))
                    .isNotNull();
        }
    },

    GROUP_STUCK(Cause.GROUP_STUCK) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            JMSContext context = scene.client(JMSContext.CLIENT_ACKNOWLEDGE);
            var consumer = context.createConsumer(context.createQueue(queue));
            sendGrouped(scene, queue);
            Message first = consumer.receive(MILLIS);
            first.acknowledge();
            sendGrouped(scene, queue);
        }

        private static void sendGrouped(Scene scene, String queue) {
            try (JMSContext context = scene.factory().createContext()) {
                context.createProducer()
                        .setProperty("JMSXGroupID", "customer-7")
                        .send(context.createQueue(queue), "of the group");
            }
        }
    },

    /** It is there, and takes nothing. */
    STANDS_STILL(Cause.STANDS_STILL) {
        @Override
        void begin(Scene scene, String queue) {
            JMSContext context = scene.client(JMSContext.AUTO_ACKNOWLEDGE);
            switch (scene.random().nextInt(3)) {
                case 0 ->
                    context.createConsumer(context.createQueue(queue), "region = 'north'")
                            .receiveNoWait();
                case 1 -> {
                    context.stop();
                    context.createConsumer(context.createQueue(queue));
                }
                default -> context.createConsumer(context.createQueue(queue)).close();
            }
            scene.send(queue, 1 + scene.random().nextInt(5));
        }

        /** Which of them it is the JVM tells within ten seconds. */
        @Override
        boolean isNamedBy(Finding finding, String queue) {
            return finding.subject().contains(queue)
                    && Set.of(Cause.STANDS_STILL, Cause.NO_SELECTOR_MATCHES, Cause.NOT_STARTED, Cause.NO_CONSUMER)
                            .contains(finding.cause());
        }
    },

    SUBSCRIPTION_UNREAD(Cause.SUBSCRIPTION_UNREAD) {
        @Override
        void begin(Scene scene, String queue) {
            try (JMSContext context = scene.factory().createContext()) {
                Topic topic = context.createTopic(queue);
                context.createSharedDurableConsumer(topic, queue).close();
                context.createProducer().send(topic, "one");
            }
        }
    },

    /** Nobody is connected who would move it. */
    DELAYED_OVERDUE(Cause.DELAYED_OVERDUE) {
        @Override
        void begin(Scene scene, String queue) {
            try (JMSContext context = scene.factory().createContext()) {
                context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue(queue), "later");
            }
        }

        @Override
        void strike(Scene scene, String queue) throws Exception {
            makeDueEarlier(scene, queue, 120);
        }

        @Override
        boolean needsNobody() {
            return true;
        }
    },

    LEASES_OVERDUE(Cause.LEASES_OVERDUE) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            scene.send(queue, 1);
            lease(scene, queue);
        }

        @Override
        void strike(Scene scene, String queue) throws Exception {
            makeDueEarlier(scene, queue, 120);
        }

        @Override
        boolean needsNobody() {
            return true;
        }
    },

    LEASES_TOO_SHORT(Cause.LEASES_TOO_SHORT) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            scene.send(queue, 1);
            lease(scene, queue);
            makeDueEarlier(scene, queue, 60);
            lease(scene, queue);
        }
    },

    POISON(Cause.POISON) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            ReadpastConnectionFactory factory = scene.factory();
            factory.setProperty("redelivery.delayMillis", "600000");
            factory.setProperty("redelivery.multiplier", "1");
            scene.send(queue, 1);
            for (int i = 0; i < 3; i++) {
                scene.rollBackOne(factory, queue);
                makeDueEarlier(scene, queue, i < 2 ? 10 : 0);
            }
        }
    },

    DEAD_LETTERS(Cause.DEAD_LETTERS) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            ReadpastConnectionFactory factory = scene.factory();
            factory.setProperty("redelivery.maximumDeliveries", "1");
            scene.send(queue, 1);
            scene.rollBackOne(factory, queue);
        }

        @Override
        String subject(String queue) {
            return "DLQ";
        }
    },

    EXPIRING(Cause.EXPIRING) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            try (JMSContext context = scene.factory().createContext()) {
                context.createConsumer(context.createQueue(queue)).close();
            }
            scene.run("UPDATE readpast.destination SET history = 1 WHERE name = '" + queue + "'");
            try (JMSContext context = scene.factory().createContext()) {
                context.createProducer().setTimeToLive(1).send(context.createQueue(queue), "late");
                await().atMost(Duration.ofMillis(MILLIS))
                        .until(() -> !scene.look().outcomes().rows().isEmpty());
            }
        }
    },

    /** It is not among those that are there, which would remove what it left. */
    PRESENCE_LOST(Cause.PRESENCE_LOST) {
        @Override
        void begin(Scene scene, String queue) {}

        @Override
        void strike(Scene scene, String queue) throws Exception {
            scene.run("INSERT INTO readpast.presence (instance, host, process, missing_since) VALUES"
                    + " ('00000000-0000-0000-0000-000000000000', 'app-3', 'pid 4711', CURRENT_TIMESTAMP)"
                    + " ON CONFLICT DO NOTHING");
        }

        @Override
        boolean needsNobody() {
            return true;
        }

        @Override
        String subject(String queue) {
            return "app-3";
        }
    },

    FORGOTTEN_TRANSACTION(Cause.DEAD_ROWS_PINNED) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            Connection forgotten = scene.program("console");
            // Which keeps its snapshot to its end.
            forgotten.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            forgotten.setAutoCommit(false);
            try (Statement statement = forgotten.createStatement()) {
                statement.execute(scene.named("SELECT COUNT(*) FROM readpast.message"));
            }
        }

        @Override
        String subject(String queue) {
            return "console";
        }
    },

    PREPARED_TRANSACTION(Cause.DEAD_ROWS_PINNED) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            Connection manager = scene.program("manager");
            manager.setAutoCommit(false);
            try (Statement statement = manager.createStatement()) {
                statement.execute("SELECT pg_current_xact_id()");
                statement.execute("PREPARE TRANSACTION '" + queue + "'");
            }
            manager.setAutoCommit(true);
            scene.keep(() -> {
                try (Statement statement = manager.createStatement()) {
                    statement.execute("ROLLBACK PREPARED '" + queue + "'");
                }
            });
        }
    },

    AUTOVACUUM_OFF(Cause.VACUUM_BEHIND) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            scene.run("ALTER TABLE readpast.message SET (autovacuum_enabled = false)");
        }

        @Override
        String subject(String queue) {
            return "message";
        }
    },

    SENDERS_CLOCK_AHEAD(Cause.CLOCK_SKEW) {
        @Override
        void begin(Scene scene, String queue) {
            scene.send(queue, 1);
        }

        /** As one that has just come. */
        @Override
        void strike(Scene scene, String queue) throws Exception {
            scene.run(
                    "UPDATE readpast.message SET enqueued_at = statement_timestamp(), jms_timestamp = jms_timestamp + 600000"
                            + " WHERE destination_id = " + idOf(queue));
        }
    },

    IDS_NEAR_END(Cause.IDS_NEAR_END) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            scene.run("ALTER TABLE readpast.destination ALTER COLUMN destination_id RESTART WITH 2000000000");
            try (JMSContext context = scene.factory().createContext()) {
                context.createConsumer(context.createQueue(queue)).close();
            }
        }

        @Override
        String subject(String queue) {
            return "destination";
        }
    },

    PAUSED(Cause.PAUSED) {
        @Override
        void begin(Scene scene, String queue) throws Exception {
            scene.send(queue, 1 + scene.random().nextInt(5));
            scene.run("SELECT * FROM readpast.pause(queue => '" + queue + "', what => 'receive')");
        }
    };

    private static final long MILLIS = 60_000;

    private final Cause cause;

    /** What the same fault is besides, and may be told of behind it; or null. */
    private final Cause also;

    Fault(Cause cause) {
        this(cause, null);
    }

    Fault(Cause cause, Cause also) {
        this.cause = cause;
        this.also = also;
    }

    abstract void begin(Scene scene, String queue) throws Exception;

    /** What has to come last, right before the look. */
    void strike(Scene scene, String queue) throws Exception {}

    /** Whether a JMS client that is connected would mend it. */
    boolean needsNobody() {
        return false;
    }

    /** Whether a client is connected while it lasts. */
    boolean keepsClient() {
        return this == BLOCKED || this == HELD_TOO_LONG || this == GROUP_STUCK || this == STANDS_STILL;
    }

    /** What the subject of its finding contains. */
    String subject(String queue) {
        return queue;
    }

    boolean isNamedBy(Finding finding, String queue) {
        return finding.cause() == cause && finding.subject().contains(subject(queue));
    }

    boolean explains(Finding finding, String queue) {
        return isNamedBy(finding, queue) || finding.cause() == also;
    }

    /** A message that a JMS client is moving back into its queue at that moment is stepped over: claimed again. */
    private static void lease(Scene scene, String queue) throws SQLException {
        String claim = scene.named("SELECT * FROM readpast.claim('" + queue + "', 1, 600, 'night batch')");
        try (Connection connection = scene.connect();
                Statement statement = connection.createStatement()) {
            await().atMost(Duration.ofMillis(MILLIS))
                    .until(() -> statement.executeQuery(claim).next());
        }
    }

    /** What is delayed, put off or leased. */
    private static void makeDueEarlier(Scene scene, String queue, int minutes) throws SQLException {
        scene.run("UPDATE readpast.delayed_message SET due_at = due_at - INTERVAL '" + minutes
                + " minutes' WHERE destination_id = " + idOf(queue));
    }

    private static String idOf(String queue) {
        return "(SELECT destination_id FROM readpast.destination WHERE kind = 'Q' AND name = '" + queue + "')";
    }
}
