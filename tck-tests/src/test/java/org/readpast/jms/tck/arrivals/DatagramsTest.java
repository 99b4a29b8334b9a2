package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * JVMs wake each other by datagrams. Nobody here looks for messages by himself, and the database tells nobody: what arrives was rung for.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatagramsTest {

    private static final String NEVER = "3600000";
    private static final int SOME = 5;

    static List<TestDatabase> databases() {
        return TestDatabase.servers().toList();
    }

    private static String url(TestDatabase database, String... more) {
        String[] options = new String[more.length + 4];
        options[0] = "pollFloorMillis=" + NEVER;
        options[1] = "pollCeilingMillis=" + NEVER;
        options[2] = "idleCloseMillis=0";
        options[3] = "notification=false";
        System.arraycopy(more, 0, options, 4, more.length);
        return database.readpastUrl(options);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void consumer_of_another_jvm_is_woken(TestDatabase database) throws Exception {
        String url = url(database);
        String queue = "rung." + UUID.randomUUID();
        try (ChildJvm consumer = ChildJvm.start(WaitingConsumer.class, ChildJvm.SMALL, url, queue, "" + SOME)) {
            consumer.awaitReport("resting");
            try (Connection connection = new ReadpastConnectionFactory(url).createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageProducer producer = session.createProducer(session.createQueue(queue));
                for (int i = 1; i <= SOME; i++) {
                    consumer.awaitReport("resting", i);
                    producer.send(session.createTextMessage("m" + i));
                    consumer.awaitReport("received m" + i);
                }
            }
            assertThat(consumer.awaitEnd()).isZero();
        }
    }
}
