package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;

/** A move of some queue seems likely, and the database cannot tell it: somebody changes the settings of a queue and has not committed it. */
@Timeout(120)
class UncommittedMoveTest {

    private final MemoryFactories factories = new MemoryFactories(this::changed);
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean changing;
    private Connection connection;

    private MessageStore changed(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, args) -> {
            if (changing && method.getName().equals("isMoveLikely")) {
                return true;
            }
            if (changing && method.getName().equals("refreshQueueSettings")) {
                looks.incrementAndGet();
                throw new StoreException(Failure.LOCK_TIMEOUT, "made to fail", null);
            }
            return Replaced.call(store, method, args);
        });
    }

    @BeforeEach
    void connect() throws Exception {
        connection = factories.factory("idleCloseMillis=0").createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws Exception {
        changing = false;
        connection.close();
    }

    @Test
    void send_goes_by_what_is_known() throws Exception {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        Queue queue = session.createQueue("a");
        changing = true;
        session.createProducer(queue).send(session.createMessage());
        assertThat(looks).hasPositiveValue();
        assertThat(session.createConsumer(queue).receive(60_000)).isNotNull();
    }
}
