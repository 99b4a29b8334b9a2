package org.readpast.jms.tck.topics;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** An application's pool whose connections do not count changed rows, as only SQL Server's can be told to. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UncountedPublishTest {

    private static final long RECEIVE = 20_000;

    private final TestDatabase database;

    UncountedPublishTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers().filter(database -> database == TestDatabase.SQLSERVER);
    }

    @Test
    void several_messages_are_published_in_one_transaction() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setConnectionInitSql("SET NOCOUNT ON");
        try (Connection first = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                HikariDataSource pool = new HikariDataSource(config);
                Connection connection = new ReadpastConnectionFactory(pool).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Session receiving = first.createSession(Session.AUTO_ACKNOWLEDGE)) {
            first.start();
            Topic topic = session.createTopic("uncounted." + UUID.randomUUID());
            MessageConsumer consumer = receiving.createConsumer(topic);
            MessageProducer producer = session.createProducer(topic);
            for (int i = 1; i <= 3; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
            session.commit();
            for (int i = 1; i <= 3; i++) {
                assertThat(((TextMessage) consumer.receive(RECEIVE)).getText()).isEqualTo("m" + i);
            }
        }
    }
}
