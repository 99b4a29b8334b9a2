package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.readpast.jms.jms.Domain;
import org.readpast.jms.races.Replaced;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;

class ConnectorTest {

    private final CountDownLatch answers = new CountDownLatch(1);
    private final MemoryFactories factories = new MemoryFactories(this::withoutXa);

    private MessageStore withoutXa(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, arguments) -> {
            if (method.getName().equals("obstaclesToDistributedTransactions")) {
                return List.of("There is none.");
            }
            Object answer = Replaced.call(store, method, arguments);
            return answer instanceof Presence presence ? silent(presence) : answer;
        });
    }

    private Presence silent(Presence presence) {
        return Replaced.by(Presence.class, (method, arguments) -> {
            if (method.getName().equals("releaseClientId")) {
                assertThat(answers.await(60, TimeUnit.SECONDS)).isTrue();
            }
            return Replaced.call(presence, method, arguments);
        });
    }

    @Test
    void why_there_is_no_connection_is_told_though_closing_what_was_begun_takes_too_long() throws JMSException {
        ReadpastConnectionFactory factory = factories.factory("idleCloseMillis=0&clientId=c&closeTimeoutMillis=1");
        try {
            assertThatThrownBy(() -> factory.connector().connectXa(factory.request(Domain.GENERIC, null, null, null)))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("There is none.")
                    .satisfies(refused -> assertThat(refused.getSuppressed())
                            .singleElement(THROWABLE)
                            .hasMessageContaining("closeTimeoutMillis"));
        } finally {
            answers.countDown();
        }
    }
}
