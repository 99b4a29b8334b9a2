package org.readpast.jms.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.threads.NoThreads;

/** What becomes of a connection consumer for which there is no thread. */
@Timeout(60)
class EngineConnectionConsumerTest {

    private static final ServerSessionPool EMPTY = () -> {
        throw new IllegalStateException("Nothing is to be delivered");
    };

    @Test
    void connection_consumer_that_got_no_thread_leaves_its_subscription() throws Exception {
        try (Connection connection =
                new MemoryFactories().factory("idleCloseMillis=0&clientId=c").createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            Topic topic = session.createTopic("a");
            try (NoThreads none = NoThreads.of("dispatcher-")) {
                assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "s", null, EMPTY, 1))
                        .isInstanceOf(OutOfMemoryError.class);
                assertThat(none.refused()).isOne();
            }
            connection
                    .createDurableConnectionConsumer(topic, "s", null, EMPTY, 1)
                    .close();
            session.unsubscribe("s");
        }
    }
}
