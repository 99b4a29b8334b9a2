package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Topic;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** What applications do all day long and nobody should be woken for: some of it, again and again, on one thread. */
final class Habits {

    private static final long MILLIS = 60_000;
    private static final long PAUSE_MILLIS = 50;

    /** One thing that an application does. */
    private interface Habit {
        void again() throws Exception;
    }

    private final Scene scene;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final List<Habit> chosen = new ArrayList<>();
    private final ScheduledFuture<?> done;
    private long longestNanos;

    /** When that began which is under way; null for nothing. */
    private Long beganNanos;

    Habits(Scene scene) throws Exception {
        this.scene = scene;
        List<Habit> all = new ArrayList<>(List.of(
                sendsAndReceives(), answers(), publishes(), worksOnGroups(), fails(), delays(), browses(), reads()));
        Collections.shuffle(all, scene.random());
        chosen.addAll(all.subList(0, 1 + scene.random().nextInt(all.size())));
        done = thread.scheduleWithFixedDelay(this::all, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void all() {
        for (Habit each : chosen) {
            begin();
            try {
                each.again();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            over();
        }
    }

    private synchronized void begin() {
        beganNanos = System.nanoTime();
    }

    private synchronized void over() {
        longestNanos = longest();
        beganNanos = null;
    }

    private long longest() {
        return beganNanos == null ? longestNanos : Math.max(longestNanos, System.nanoTime() - beganNanos);
    }

    /** How long the slowest has taken, or takes by now: nothing of this has waited for longer. */
    synchronized Duration slowest() {
        return Duration.ofNanos(longest());
    }

    private Habit sendsAndReceives() {
        JMSContext context = scene.client(JMSContext.SESSION_TRANSACTED);
        Queue queue = context.createQueue("habit.work");
        JMSConsumer consumer = context.createConsumer(queue);
        return () -> {
            context.createProducer().send(queue, "work");
            context.commit();
            assertThat(consumer.receive(MILLIS)).isNotNull();
            context.commit();
        };
    }

    private Habit answers() {
        JMSContext context = scene.client(JMSContext.AUTO_ACKNOWLEDGE);
        Queue queue = context.createQueue("habit.questions");
        JMSConsumer service = context.createConsumer(queue);
        return () -> {
            var replies = context.createTemporaryQueue();
            try (JMSConsumer consumer = context.createConsumer(replies)) {
                context.createProducer().setJMSReplyTo(replies).send(queue, "question");
                Message question = service.receive(MILLIS);
                context.createProducer().send(question.getJMSReplyTo(), "answer");
                assertThat(consumer.receive(MILLIS)).isNotNull();
            }
            replies.delete();
        };
    }

    private Habit publishes() {
        JMSContext context = scene.client(JMSContext.AUTO_ACKNOWLEDGE);
        Topic topic = context.createTopic("habit.prices");
        JMSConsumer durable = context.createSharedDurableConsumer(topic, "habit");
        JMSConsumer other = context.createConsumer(topic);
        return () -> {
            context.createProducer().send(topic, "price");
            assertThat(durable.receive(MILLIS)).isNotNull();
            assertThat(other.receive(MILLIS)).isNotNull();
        };
    }

    private Habit worksOnGroups() {
        JMSContext context = scene.client(JMSContext.AUTO_ACKNOWLEDGE);
        Queue queue = context.createQueue("habit.groups");
        JMSConsumer consumer = context.createConsumer(queue);
        return () -> {
            context.createProducer().setProperty("JMSXGroupID", "g").send(queue, "of a group");
            assertThat(consumer.receive(MILLIS)).isNotNull();
        };
    }

    /** At the first attempt. */
    private Habit fails() {
        JMSContext context = scene.client(JMSContext.SESSION_TRANSACTED);
        Queue queue = context.createQueue("habit.failing");
        JMSConsumer consumer = context.createConsumer(queue);
        return () -> {
            context.createProducer().send(queue, "work");
            context.commit();
            assertThat(consumer.receive(MILLIS)).isNotNull();
            context.rollback();
            assertThat(consumer.receive(MILLIS)).isNotNull();
            context.commit();
        };
    }

    private Habit delays() {
        JMSContext context = scene.client(JMSContext.AUTO_ACKNOWLEDGE);
        Queue queue = context.createQueue("habit.delayed");
        JMSConsumer consumer = context.createConsumer(queue);
        return () -> {
            context.createProducer().setDeliveryDelay(3_600_000).send(queue, "in an hour");
            context.createProducer().setDeliveryDelay(20).send(queue, "soon");
            assertThat(consumer.receiveBody(String.class, MILLIS)).isEqualTo("soon");
        };
    }

    private Habit browses() {
        JMSContext context = scene.client(JMSContext.AUTO_ACKNOWLEDGE);
        Queue queue = context.createQueue("habit.work");
        return () -> {
            try (QueueBrowser browser = context.createBrowser(queue)) {
                Enumeration<?> messages = browser.getEnumeration();
                while (messages.hasMoreElements()) {
                    messages.nextElement();
                }
            }
        };
    }

    /** A program in SQL. */
    private Habit reads() throws Exception {
        Connection connection = scene.program("habit");
        connection.setAutoCommit(false);
        return () -> {
            try (var statement = connection.createStatement()) {
                statement.execute(scene.named("SELECT COUNT(*) FROM readpast.message"));
            }
            connection.commit();
        };
    }

    /** Ends it; fails if anything of it has. */
    void end() throws Exception {
        thread.shutdown();
        if (!thread.awaitTermination(2 * MILLIS, TimeUnit.MILLISECONDS)) {
            throw new JMSRuntimeException("What goes on all day long does not end");
        }
        if (done.isDone() && !done.isCancelled()) {
            done.get();
        }
    }
}
