package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.readpast.jms.races.Replaced;

/** A connection breaks right behind the statement that has committed a message: the message is sent. */
class BrokenBehindSendTest {

    private final JdbcDataSource h2 = new JdbcDataSource();
    private final AtomicInteger broken = new AtomicInteger();
    private volatile boolean breaks;

    BrokenBehindSendTest() {
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @Test
    void message_is_sent_where_its_connection_broke_behind_the_commit() throws JMSException {
        DataSource source = Replaced.by(DataSource.class, (method, arguments) -> {
            Object answer = Replaced.call(h2, method, arguments);
            return answer instanceof Connection connection ? breaking(connection) : answer;
        });
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(source)) {
            factory.setProperty("idleCloseMillis", "0");
            try (JMSContext context = factory.createContext()) {
                var subscriber = context.createConsumer(context.createTopic("b"));
                // It is sent and committed in one statement only where the topic's subscriptions are known,
                // and they are read anew behind a broken connection.
                context.createProducer().send(context.createTopic("b"), "first");
                breaks = true;
                context.createProducer().send(context.createTopic("b"), "second");
                assertThat(broken.getAndSet(0)).isPositive();
                context.createProducer().send(context.createQueue("a"), "one");
                assertThat(broken).hasPositiveValue();
                breaks = false;
                context.createProducer().send(context.createQueue("a"), "two");

                assertThat(subscriber.receiveBodyNoWait(String.class)).isEqualTo("first");
                assertThat(subscriber.receiveBodyNoWait(String.class)).isEqualTo("second");
                assertThat(subscriber.receiveBodyNoWait(String.class)).isNull();
                var consumer = context.createConsumer(context.createQueue("a"));
                assertThat(consumer.receiveBodyNoWait(String.class)).isEqualTo("one");
                assertThat(consumer.receiveBodyNoWait(String.class)).isEqualTo("two");
                assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
            }
        }
    }

    private Connection breaking(Connection connection) {
        return Replaced.by(Connection.class, (method, arguments) -> {
            Object answer = Replaced.call(connection, method, arguments);
            if (answer instanceof PreparedStatement statement && ((String) arguments[0]).contains("INSERT INTO")) {
                return Replaced.by(PreparedStatement.class, (executed, with) -> {
                    if (breaks && executed.getName().equals("close") && connection.getAutoCommit()) {
                        broken.incrementAndGet();
                        connection.close();
                    }
                    return Replaced.call(statement, executed, with);
                });
            }
            return answer;
        });
    }
}
