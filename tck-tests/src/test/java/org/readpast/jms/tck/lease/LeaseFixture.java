package org.readpast.jms.tck.lease;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** A queue, two connections that are started, and a look at who has claimed what. */
abstract class LeaseFixture {

    static final long PATIENCE = 60_000;
    static final int LONG = 600;

    final TestDatabase database;
    final String queue = "lease." + UUID.randomUUID();

    Connection connection;
    Connection other;

    LeaseFixture(TestDatabase database) {
        this.database = database;
    }

    ReadpastConnectionFactory factory(String... options) {
        return new ReadpastConnectionFactory(database.readpastUrl(options));
    }

    @BeforeEach
    void connect() throws JMSException {
        connection = factory().createConnection();
        connection.start();
        other = factory().createConnection();
        other.start();
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
        other.close();
    }

    void send(String... texts) throws JMSException {
        try (Session session = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            for (String text : texts) {
                session.createProducer(session.createQueue(queue)).send(session.createTextMessage(text));
            }
        }
    }

    MessageConsumer leasing(Session session, int seconds) throws JMSException {
        return session.createConsumer(session.createQueue(queue + "?consumer.leaseSeconds=" + seconds));
    }

    static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE);
        assertThat(message).as("message").isNotNull();
        return message;
    }

    static void assertDelivery(Message message, String text, int count) throws JMSException {
        assertThat(((TextMessage) message).getText()).isEqualTo(text);
        assertThat(message.getIntProperty("JMSXDeliveryCount")).as(text).isEqualTo(count);
        assertThat(message.getJMSRedelivered()).as(text).isEqualTo(count > 1);
    }

    /** Takes what is in a queue, from a session of its own, by lock. */
    void assertHolds(String from, String... texts) throws JMSException {
        try (Session session = other.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(from))) {
            for (String text : texts) {
                assertThat(((TextMessage) receive(consumer)).getText()).isEqualTo(text);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    /** A column of what is claimed by lease from this queue, as an administrator sees it, in the order of sending. */
    List<String> claimed(String column) throws SQLException {
        return ofQueue("SELECT " + column + " FROM readpast.claimed_message WHERE name = ? ORDER BY message_id");
    }

    /** The JVMs that have said that they consume from this queue by lock. */
    List<String> consumers() throws SQLException {
        return ofQueue(
                "SELECT c.instance FROM readpast.consumed_destination c"
                        + " JOIN readpast.destination d ON d.destination_id = c.destination_id WHERE c.by_lease = 0 AND d.name = ?");
    }

    private List<String> ofQueue(String select) throws SQLException {
        List<String> values = new ArrayList<>();
        String text = database == TestDatabase.SQLSERVER ? select.replace("readpast.", "[readpast].") : select;
        try (java.sql.Connection sql = database.connect();
                PreparedStatement look = sql.prepareStatement(text)) {
            look.setString(1, queue);
            try (ResultSet rows = look.executeQuery()) {
                while (rows.next()) {
                    values.add(rows.getString(1));
                }
            }
        }
        return values;
    }
}
