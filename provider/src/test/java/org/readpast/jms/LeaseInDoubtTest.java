package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.races.Replaced;

/** The answer of a claim by lease is lost, and the database is away for a while: nobody knows that the message is leased. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseInDoubtTest {

    private static final long PATIENCE = 60_000;

    private final JdbcDataSource h2 = new JdbcDataSource();
    private volatile boolean away;

    /** Whose claim is to lose its answer; null for nobody's. */
    private volatile Thread losing;

    LeaseInDoubtTest() {
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @Test
    void message_comes_back_when_the_database_does() throws JMSException {
        DataSource source = Replaced.by(DataSource.class, (method, arguments) -> {
            if (away && method.getName().equals("getConnection")) {
                throw new SQLException("the database is away", "08001");
            }
            Object answer = Replaced.call(h2, method, arguments);
            return answer instanceof Connection connection ? withFault(connection) : answer;
        });
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(source)) {
            factory.setProperty("idleCloseMillis", "0");
            try (jakarta.jms.Connection connection = factory.createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                connection.start();
                session.createProducer(session.createQueue("a")).send(session.createMessage());
                MessageConsumer consumer = session.createConsumer(session.createQueue("a?consumer.leaseSeconds=3600"));
                losing = Thread.currentThread();
                assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(JMSException.class);
                assertThat(losing).isNull();
                away = false;
                Message message = consumer.receive(PATIENCE);
                assertThat(message).isNotNull();
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            }
        }
    }

    private Connection withFault(Connection connection) {
        AtomicBoolean leases = new AtomicBoolean();
        return Replaced.by(Connection.class, (method, arguments) -> {
            boolean prepares = method.getName().equals("prepareStatement");
            if (away && !method.getName().equals("close") && !method.getName().equals("isClosed")) {
                throw new SQLException("the database is away", "08006");
            }
            if (prepares && ((String) arguments[0]).contains("claim_token")) {
                leases.set(true);
            }
            Object answer = Replaced.call(connection, method, arguments);
            if (method.getName().equals("commit") && leases.getAndSet(false) && losing == Thread.currentThread()) {
                losing = null;
                away = true;
                connection.close();
                throw new SQLException("the connection was lost", "08006");
            }
            return answer;
        });
    }
}
