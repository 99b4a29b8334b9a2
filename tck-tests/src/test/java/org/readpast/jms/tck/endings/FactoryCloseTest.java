package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;

/** A factory that is closed leaves nothing of its own behind, and nothing of others' closed. */
class FactoryCloseTest {

    /** What classes before this one have left open is closed half a minute behind their last connection, and may start threads until then. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Nothing ends by itself while a test runs. */
    private static ReadpastConnectionFactory factory(TestDatabase database) {
        return new ReadpastConnectionFactory(database.readpastUrl("idleCloseMillis=3600000"));
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void what_it_has_made_is_closed_and_its_threads_end(TestDatabase database) throws Exception {
        Set<Thread> before = new HashSet<>(Threads.named("readpast-"));
        ReadpastConnectionFactory factory = factory(database);
        Connection connection = factory.createConnection();
        Session session = connection.createSession();
        Queue queue = session.createQueue("closed." + UUID.randomUUID());
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(message -> {});
        JMSContext context = factory.createContext();
        context.createProducer().send(queue, "one");
        connection.start();

        factory.close();

        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> context.createBrowser(queue)).isInstanceOf(IllegalStateRuntimeException.class);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Threads.named("readpast-")).isSubsetOf(before));
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(factory::createContext).isInstanceOf(IllegalStateRuntimeException.class);
        factory.close();
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void what_another_one_has_made_stays_open(TestDatabase database) throws Exception {
        try (ReadpastConnectionFactory other = factory(database);
                JMSContext context = other.createContext()) {
            Queue queue = context.createQueue("others." + UUID.randomUUID());
            ReadpastConnectionFactory factory = factory(database);
            factory.createContext().createProducer().send(queue, "one");

            factory.close();

            assertThat(context.createConsumer(queue).receiveBody(String.class, 30_000))
                    .isEqualTo("one");
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void one_that_was_never_used_can_be_closed(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = factory(database);
        factory.close();
        assertThatThrownBy(factory::createConnection).isInstanceOf(IllegalStateException.class);
    }
}
