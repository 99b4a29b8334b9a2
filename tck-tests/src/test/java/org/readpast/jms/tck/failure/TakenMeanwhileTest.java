package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.FaultyDriver.Fault;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * The connection of a {@code receive} breaks at each of its steps, and before it hears of that another consumer has received what became free,
 * or has it in its transaction.
 * Where the database can tell what became of the acknowledgement, each message has been returned once.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakenMeanwhileTest {

    private static final List<String> SENT = List.of("1", "2", "3");

    /** More than three receives have. */
    private static final int MOST_STEPS = 50;

    /** PostgreSQL tells by itself, the others where it is wanted. */
    static Stream<Arguments> databases() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of("", "verifyCommit=true")
                        .filter(option -> !option.isEmpty() || database == TestDatabase.POSTGRESQL)
                        .flatMap(option -> Stream.of(Fault.CUT_BEFORE, Fault.CUT_BEHIND)
                                .flatMap(fault -> Stream.of(Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED)
                                        .map(mode -> Arguments.of(database, option, fault, mode)))));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void message_that_another_consumer_has_got_meanwhile_is_not_returned(
            TestDatabase database, String option, Fault fault, int mode) throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                ReadpastConnectionFactory faulty = factory(driver.url(), option);
                ReadpastConnectionFactory sound = factory(database.jdbcUrl(), option);
                Connection breaking = faulty.createConnection();
                Connection other = sound.createConnection()) {
            breaking.start();
            other.start();
            int step = 0;
            do {
                step++;
                assertThat(step).isLessThan(MOST_STEPS);
            } while (eachIsReceivedOnce(driver, fault, step, breaking, () -> other.createSession(mode)));
            assertThat(step).as("the steps of three receives").isGreaterThan(3);
        }
    }

    private static ReadpastConnectionFactory factory(String url, String option) {
        return new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                url,
                Stream.of("idleCloseMillis=0", option)
                        .filter(one -> !one.isEmpty())
                        .toArray(String[]::new)));
    }

    /** Makes a session. */
    @FunctionalInterface
    private interface Sessions {
        Session create() throws JMSException;
    }

    private static void commit(Session session) throws JMSException {
        if (session.getTransacted()) {
            session.commit();
        }
    }

    /** Returns whether there was such a step. */
    private static boolean eachIsReceivedOnce(
            FaultyDriver driver, Fault fault, int step, Connection breaking, Sessions others) throws JMSException {
        List<String> received = new ArrayList<>();
        try (Session session = breaking.createSession(Session.AUTO_ACKNOWLEDGE);
                Session elsewhere = others.create()) {
            Queue queue = session.createQueue("meanwhile." + UUID.randomUUID());
            MessageProducer producer = elsewhere.createProducer(queue);
            for (String text : SENT) {
                producer.send(elsewhere.createTextMessage(text));
            }
            commit(elsewhere);
            MessageConsumer consumer = session.createConsumer(queue);
            MessageConsumer taking = elsewhere.createConsumer(queue);
            driver.behindFailure(() -> add(received, taking.receiveNoWait()));
            driver.failStep(step, fault, FaultyDriver.caller());
            for (int i = 0; i < SENT.size(); i++) {
                try {
                    add(received, consumer.receiveNoWait());
                } catch (JMSException e) {
                    assertThat(e).hasMessageContaining("call receive again");
                }
            }
            boolean failed = driver.stop();
            Message left = taking.receiveNoWait();
            while (left != null) {
                add(received, left);
                left = taking.receiveNoWait();
            }
            commit(elsewhere);
            add(received, consumer.receiveNoWait());
            assertThat(received).as("step %s: %s", step, driver.failed()).containsExactlyInAnyOrderElementsOf(SENT);
            return failed;
        }
    }

    private static void add(List<String> received, Message message) throws JMSException {
        if (message != null) {
            received.add(message.getBody(String.class));
        }
    }
}
