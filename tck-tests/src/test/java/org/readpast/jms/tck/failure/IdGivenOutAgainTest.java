package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
 * The connection of a consumer breaks at each of its steps, and before it hears of that another message has the id of its message: as after
 * a failover to a standby that lacks the last transactions, whose sequence goes on where it knows of. That message is received, and as one
 * that was not delivered before.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdGivenOutAgainTest {

    /** More than a receive and a rollback have. */
    private static final int MOST_STEPS = 50;

    static Stream<Arguments> cases() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(Fault.CUT_BEFORE, Fault.CUT_BEHIND)
                        .flatMap(fault -> Stream.of(
                                        Session.AUTO_ACKNOWLEDGE,
                                        Session.CLIENT_ACKNOWLEDGE,
                                        Session.SESSION_TRANSACTED)
                                .map(mode -> Arguments.of(database, fault, mode))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void message_that_has_the_id_of_a_lost_one_is_not_taken_for_it(TestDatabase database, Fault fault, int mode)
            throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                ReadpastConnectionFactory faulty =
                        new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(driver.url(), "idleCloseMillis=0"));
                ReadpastConnectionFactory sound = new ReadpastConnectionFactory(database.readpastUrl());
                Connection breaking = faulty.createConnection();
                Connection other = sound.createConnection()) {
            breaking.start();
            other.start();
            int step = 0;
            do {
                step++;
                assertThat(step).isLessThan(MOST_STEPS);
            } while (laterOneIsReceived(database, driver, fault, step, breaking, mode, other));
            assertThat(step).as("the steps").isGreaterThan(2);
        }
    }

    /** Returns whether there was such a step. */
    private static boolean laterOneIsReceived(
            TestDatabase database,
            FaultyDriver driver,
            Fault fault,
            int step,
            Connection breaking,
            int mode,
            Connection other)
            throws JMSException {
        try (Session sound = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = sound.createQueue("again." + UUID.randomUUID());
            Message lost = sound.createTextMessage("lost");
            sound.createProducer(queue).send(lost);
            long id = idOf(database, lost);
            List<String> delivered = new ArrayList<>();
            boolean failed;
            try (Session session = breaking.createSession(mode);
                    MessageConsumer consumer = session.createConsumer(queue)) {
                driver.behindFailure(() -> replace(database, sound, lost, id));
                driver.failStep(step, fault, FaultyDriver.caller());
                try {
                    Message message = consumer.receiveNoWait();
                    if (message != null) {
                        delivered.add(message.getBody(String.class));
                        end(session, message);
                    }
                } catch (JMSException e) {
                    // Whether it was received is not known.
                }
                failed = driver.stop();
            }
            String where = "step " + step + ": " + driver.failed();
            Message left = sound.createConsumer(queue).receiveNoWait();
            if (failed && !delivered.contains("later")) {
                assertThat(left).as(where).isNotNull();
                assertThat(left.getBody(String.class)).as(where).isEqualTo("later");
                assertThat(left.getIntProperty("JMSXDeliveryCount")).as(where).isEqualTo(1);
            }
            return failed;
        }
    }

    private static void end(Session session, Message message) throws JMSException {
        if (session.getTransacted()) {
            session.rollback();
        } else {
            message.acknowledge();
        }
    }

    private static long idOf(TestDatabase database, Message message) throws JMSException {
        try (java.sql.Connection connection = database.connect();
                PreparedStatement look = connection.prepareStatement(
                        "SELECT message_id FROM " + database.schema() + ".message WHERE jms_message_id = ?")) {
            look.setString(1, message.getJMSMessageID());
            try (ResultSet row = look.executeQuery()) {
                assertThat(row.next()).isTrue();
                return row.getLong(1);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void replace(TestDatabase database, Session session, Message lost, long id) throws JMSException {
        Message later = session.createTextMessage("later");
        try (java.sql.Connection connection = database.connect();
                PreparedStatement undo = connection.prepareStatement(
                        "DELETE FROM " + database.schema() + ".message WHERE jms_message_id = ?");
                PreparedStatement give = connection.prepareStatement(
                        "UPDATE " + database.schema() + ".message SET message_id = ? WHERE jms_message_id = ?")) {
            undo.setString(1, lost.getJMSMessageID());
            undo.executeUpdate();
            session.createProducer(lost.getJMSDestination()).send(later);
            give.setLong(1, id);
            give.setString(2, later.getJMSMessageID());
            assertThat(give.executeUpdate()).isEqualTo(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
