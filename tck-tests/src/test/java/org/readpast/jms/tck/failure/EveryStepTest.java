package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Every operation is done again and again, and each time another step of it fails, in every way in which a step can: no outcome that
 * is told may be untrue, nothing may be lost or come twice, and the session goes on. On SQL Server, where its hundreds of new connections
 * may take many minutes, it runs with {@code -Dreadpast.test.everyStep=true} only.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class EveryStepTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RECEIVE = 20_000;

    /** After so long the server notices that a connection is lost. */
    private static final long UNNOTICED_MILLIS = 5;

    /** More than any operation has. */
    private static final int MOST_STEPS = 200;

    static Stream<Arguments> operations() {
        return TestDatabase.requested()
                .filter(database -> database != TestDatabase.SQLSERVER || Boolean.getBoolean("readpast.test.everyStep"))
                .flatMap(database -> Stream.of("", "verifyCommit=true")
                        .flatMap(verify -> Stream.of(Operation.values())
                                .filter(operation -> verify.isEmpty() || operation.isVerified())
                                .map(operation -> Arguments.of(database, operation, verify))));
    }

    /** What the caller was told. */
    private enum Told {
        DONE,
        NOT_DONE,
        NOT_KNOWN;

        static Told of(Attempt attempt) {
            try {
                attempt.run();
                return DONE;
            } catch (JMSException e) {
                return FailoverClients.isDoubt(e) ? NOT_KNOWN : NOT_DONE;
            }
        }
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws JMSException;
    }

    private enum Operation {
        SEND(Session.AUTO_ACKNOWLEDGE) {
            @Override
            void play(Scene scene) throws JMSException {
                MessageProducer producer = scene.producer();
                Message message = scene.text("sent");
                scene.fails();
                Told told = Told.of(() -> producer.send(scene.queue(), message));
                scene.stands();
                scene.assertSent(told, scene.left, "sent");
            }
        },

        PUBLISH(Session.AUTO_ACKNOWLEDGE) {
            @Override
            void play(Scene scene) throws JMSException {
                publish(scene, scene.topic());
            }
        },

        COMPOSITE(Session.AUTO_ACKNOWLEDGE) {
            @Override
            void play(Scene scene) throws JMSException {
                publish(scene, scene.composite());
            }
        },

        COMMIT(Session.SESSION_TRANSACTED) {
            @Override
            void play(Scene scene) throws JMSException {
                scene.sent("1", "2", "3");
                MessageConsumer consumer = scene.consumer();
                scene.fails();
                List<String> received = new ArrayList<>();
                boolean failed = false;
                Told told = Told.NOT_DONE;
                try {
                    received.add(text(consumer.receive(RECEIVE)));
                    received.add(text(consumer.receive(RECEIVE)));
                    scene.producer().send(scene.answers(), scene.text("answer 1"));
                    scene.producer().send(scene.answers(), scene.text("answer 2"));
                } catch (JMSException e) {
                    failed = true;
                }
                if (failed) {
                    scene.session().rollback();
                } else {
                    told = Told.of(() -> scene.session().commit());
                }
                scene.stands();
                boolean consumed = scene.assertSent(told, scene.answered, "answer 1", "answer 2");
                consumer.close();
                scene.assertLeft(consumed ? rest(received, "1", "2", "3") : List.of("1", "2", "3"));
            }
        },

        ROLLBACK(Session.SESSION_TRANSACTED) {
            @Override
            void play(Scene scene) throws JMSException {
                scene.sent("1", "2");
                MessageConsumer consumer = scene.consumer();
                assertThat(text(consumer.receive(RECEIVE))).isEqualTo("1");
                scene.producer().send(scene.answers(), scene.text("never"));
                scene.fails();
                scene.session().rollback();
                scene.stands();
                scene.assertSent(Told.NOT_DONE, scene.answered, "never");
                consumer.close();
                scene.assertLeft(List.of("1", "2"));
            }
        },

        RECEIVE_AUTO(Session.AUTO_ACKNOWLEDGE) {
            @Override
            void play(Scene scene) throws JMSException {
                List<String> received = receive(scene);
                scene.assertLeft(rest(received, "1", "2", "3", "4"));
            }
        },

        RECEIVE_DUPS_OK(Session.DUPS_OK_ACKNOWLEDGE) {
            @Override
            void play(Scene scene) throws JMSException {
                List<String> received = receive(scene);
                received.addAll(scene.left());
                assertThat(received).as("received or left").contains("1", "2", "3", "4");
            }
        },

        LISTEN(Session.AUTO_ACKNOWLEDGE) {
            @Override
            void play(Scene scene) throws JMSException {
                scene.sent("1", "2");
                List<String> heard = new CopyOnWriteArrayList<>();
                MessageConsumer consumer = scene.consumer();
                scene.failsOfListener();
                consumer.setMessageListener(message -> {
                    try {
                        heard.add(text(message));
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                });
                await("all messages")
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(PATIENCE)
                        .until(() -> heard.containsAll(List.of("1", "2")));
                consumer.close();
                scene.stands();
                List<String> left = scene.left();
                assertThat(heard).as("heard, of which is left: " + left).containsAll(left);
                // What the listener was called for and could not be acknowledged comes again; nothing else does.
                assertThat(left).hasSizeLessThanOrEqualTo(1);
            }
        },

        ACKNOWLEDGE(Session.CLIENT_ACKNOWLEDGE) {
            @Override
            void play(Scene scene) throws JMSException {
                scene.sent("1", "2", "3");
                MessageConsumer consumer = scene.consumer();
                assertThat(text(consumer.receive(RECEIVE))).isEqualTo("1");
                Message second = consumer.receive(RECEIVE);
                scene.fails();
                Told told = Told.of(second::acknowledge);
                scene.stands();
                consumer.close();
                List<String> left = scene.left();
                List<String> done = List.of("3");
                List<String> notDone = List.of("1", "2", "3");
                switch (told) {
                    case DONE -> assertThat(left).as("told: done").isEqualTo(done);
                    case NOT_DONE -> assertThat(left).as("told: not done").isEqualTo(notDone);
                    case NOT_KNOWN -> assertThat(left).isIn(done, notDone);
                }
            }
        };

        private final int mode;

        Operation(int mode) {
            this.mode = mode;
        }

        abstract void play(Scene scene) throws JMSException;

        /** Whether its commits can be found out. */
        boolean isVerified() {
            return this == SEND || this == PUBLISH || this == COMPOSITE || this == COMMIT;
        }

        private static void publish(Scene scene, Destination destination) throws JMSException {
            MessageProducer producer = scene.producer();
            Message message = scene.text("sent");
            scene.fails();
            Told told = Told.of(() -> producer.send(destination, message));
            scene.stands();
            boolean published = scene.assertSent(told, scene.subscriber, "sent");
            assertThat(drained(scene.otherSubscriber)).isEqualTo(published ? List.of("sent") : List.of());
            assertThat(scene.left())
                    .isEqualTo(published && destination == scene.composite() ? List.of("sent") : List.of());
        }

        private static List<String> receive(Scene scene) throws JMSException {
            scene.sent("1", "2", "3", "4");
            MessageConsumer consumer = scene.consumer();
            List<String> received = new ArrayList<>();
            scene.fails();
            while (received.size() < 3) {
                try {
                    received.add(text(consumer.receive(RECEIVE)));
                } catch (JMSException refused) {
                    assertThat(FailoverClients.isDoubt(refused)).isFalse();
                }
            }
            scene.stands();
            consumer.close();
            return received;
        }

        private static List<String> rest(List<String> received, String... sent) {
            List<String> rest = new ArrayList<>(List.of(sent));
            received.forEach(text ->
                    assertThat(rest.remove(text)).as(text + " of " + received).isTrue());
            return rest;
        }
    }

    /** Destinations and sessions for the plays of an operation, and who sees from aside what came of each. */
    private static final class Scene {
        private final FaultyDriver driver;
        private final Session session;
        private final MessageProducer producer;
        private final Session aside;
        private final MessageProducer sending;
        private final Destination queue;
        private final Destination answers;
        private final Destination topic;
        private final Destination composite;
        private final MessageConsumer left;
        private final MessageConsumer answered;
        private final MessageConsumer subscriber;
        private final MessageConsumer otherSubscriber;
        private final boolean verified;
        private int step;
        private Fault fault;
        private boolean happened;

        Scene(FaultyDriver driver, Connection connection, Connection observer, int mode, boolean verified)
                throws JMSException {
            String name = "step." + UUID.randomUUID();
            this.driver = driver;
            this.verified = verified;
            session = connection.createSession(mode);
            producer = session.createProducer(null);
            aside = observer.createSession(Session.AUTO_ACKNOWLEDGE);
            queue = session.createQueue(name);
            answers = session.createQueue(name + ".answers");
            topic = session.createTopic(name);
            composite = session.createQueue(name + ",topic://" + name);
            sending = aside.createProducer(queue);
            left = aside.createConsumer(queue);
            answered = aside.createConsumer(answers);
            subscriber = aside.createConsumer(topic);
            otherSubscriber = aside.createConsumer(topic);
        }

        /** The next play is of this step; returns whether there was one. */
        boolean play(Operation operation, int number, Fault kind) throws JMSException {
            step = number;
            fault = kind;
            operation.play(this);
            resume();
            return happened;
        }

        Session session() {
            return session;
        }

        MessageProducer producer() {
            return producer;
        }

        Destination queue() {
            return queue;
        }

        Destination answers() {
            return answers;
        }

        Destination topic() {
            return topic;
        }

        Destination composite() {
            return composite;
        }

        Message text(String text) throws JMSException {
            return session.createTextMessage(text);
        }

        MessageConsumer consumer() throws JMSException {
            return session.createConsumer(queue);
        }

        void sent(String... texts) throws JMSException {
            for (String text : texts) {
                sending.send(aside.createTextMessage(text));
            }
        }

        /** From now on steps of the caller are counted. */
        void fails() {
            driver.failStep(step, fault, FaultyDriver.caller());
        }

        void failsOfListener() {
            driver.failStep(step, fault, thread -> thread.getName().startsWith("readpast-session-"));
        }

        /** Nothing fails any more, and the server has noticed all that was lost. */
        void stands() {
            happened = driver.stop();
            driver.noticeLost();
        }

        /** Returns whether they were sent. */
        boolean assertSent(Told told, MessageConsumer consumer, String... texts) throws JMSException {
            List<String> found = drained(consumer);
            if (verified) {
                assertThat(told).isNotEqualTo(Told.NOT_KNOWN);
            }
            switch (told) {
                case DONE -> assertThat(found).as("told: done").containsExactly(texts);
                case NOT_DONE -> assertThat(found).as("told: not done").isEmpty();
                case NOT_KNOWN -> assertThat(found).isIn(List.of(), List.of(texts));
            }
            return !found.isEmpty();
        }

        List<String> left() throws JMSException {
            return drained(left);
        }

        void assertLeft(List<String> expected) throws JMSException {
            assertThat(left()).as("left").isEqualTo(expected);
        }

        /** The session sends and receives as if nothing had been. */
        private void resume() throws JMSException {
            producer.send(answers, text("afterwards"));
            if (session.getTransacted()) {
                session.commit();
            }
            try (MessageConsumer consumer = session.createConsumer(answers)) {
                Message message = consumer.receive(RECEIVE);
                assertThat(EveryStepTest.text(message)).isEqualTo("afterwards");
                message.acknowledge();
            }
            if (session.getTransacted()) {
                session.commit();
            }
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}", allowZeroInvocations = true)
    @MethodSource("operations")
    void what_is_told_is_true_whichever_step_fails(TestDatabase database, Operation operation, String verify)
            throws Exception {
        int played = 0;
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                Connection connection = connect(
                        driver.url(),
                        "poolTimeoutMillis=5000",
                        "recoveryDelayMillis=1",
                        "redelivery.maximumDeliveries=0",
                        verify.isEmpty() ? "receiveAheadMillis=60000" : verify);
                Connection observer = connect(database.jdbcUrl())) {
            driver.noticeLostAfter(UNNOTICED_MILLIS);
            Scene scene = new Scene(driver, connection, observer, operation.mode, !verify.isEmpty());
            for (Fault fault : Fault.values()) {
                boolean happened = true;
                for (int step = 1; happened; step++) {
                    assertThat(step).isLessThan(MOST_STEPS);
                    try {
                        happened = scene.play(operation, step, fault);
                    } catch (AssertionError | JMSException e) {
                        throw new AssertionError("Step " + step + " " + fault + ": " + driver.failed(), e);
                    }
                    played++;
                }
            }
        }
        System.out.println("Every step of " + operation + " on " + database + " " + verify + ": " + played);
    }

    private static Connection connect(String jdbcUrl, String... options) throws JMSException {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("idleCloseMillis=0", "pollFloorMillis=10", "pollCeilingMillis=20"));
        Connection connection = new ReadpastConnectionFactory(
                        TestDatabase.readpastUrlOf(jdbcUrl, all.toArray(String[]::new)))
                .createConnection();
        connection.start();
        return connection;
    }

    private static List<String> drained(MessageConsumer consumer) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
            texts.add(text(message));
        }
        return Collections.unmodifiableList(texts);
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }
}
