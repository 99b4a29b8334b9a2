package org.readpast.jms.tck.lease;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TcpProxy;
import org.readpast.jms.tck.rig.TestDatabase;

/** All SQL connections break while a message that is held by lease is worked on. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CutLeaseTest {

    private static final long PATIENCE = 60_000;

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested().filter(database -> database == TestDatabase.POSTGRESQL);
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("databases")
    void lease_outlives_the_connections_and_is_acknowledged_by_new_ones(TestDatabase database) throws Exception {
        String queue = "cut." + UUID.randomUUID();
        try (TcpProxy proxy = TcpProxy.to(SharedPostgres.get().port());
                Connection connection = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                                PostgresServer.urlThrough(proxy.port()), "idleCloseMillis=0"))
                        .createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("long work"));
            session.commit();
            MessageConsumer consumer =
                    session.createConsumer(session.createQueue(queue + "?consumer.leaseSeconds=600"));
            Message message = consumer.receive(PATIENCE);
            assertThat(((TextMessage) message).getText()).isEqualTo("long work");
            session.createProducer(session.createQueue(queue + ".answers")).send(session.createTextMessage("done"));

            proxy.cut();
            session.commit();

            assertThat(consumer.receiveNoWait()).isNull();
            Message answer = session.createConsumer(session.createQueue(queue + ".answers"))
                    .receive(PATIENCE);
            assertThat(((TextMessage) answer).getText()).isEqualTo("done");
            session.commit();
        }
    }
}
