package org.readpast.jms.engine.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.threads.NoThreads;

/** What becomes of a listener for which there is no thread. */
@Timeout(120)
class ConsumerListenersTest {

    private final MemoryFactories factories = new MemoryFactories();

    @Test
    void listener_that_got_no_thread_is_not_set_and_can_be_set_again() throws Exception {
        Queue<Message> heard = new ConcurrentLinkedQueue<>();
        try (Connection connection = factories.factory("idleCloseMillis=0").createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue("a"));
            connection.start();
            try (NoThreads none = NoThreads.of("session-")) {
                assertThatThrownBy(() -> consumer.setMessageListener(heard::add))
                        .isInstanceOf(OutOfMemoryError.class);
                assertThat(none.refused()).isOne();
            }
            assertThat(consumer.receiveNoWait()).isNull();
            consumer.setMessageListener(heard::add);
            session.createProducer(session.createQueue("a")).send(session.createMessage());
            await().atMost(Duration.ofSeconds(60)).until(() -> heard.size() == 1);
        }
    }
}
