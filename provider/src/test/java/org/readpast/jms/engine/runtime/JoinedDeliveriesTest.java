package org.readpast.jms.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageKey;

/** After a failover that loses commits a database gives ids out again. */
class JoinedDeliveriesTest {

    private final JoinedDeliveries deliveries = new JoinedDeliveries();

    private static Unacknowledged message(String messageId, long timestamp, int count) {
        Claim claim = new Claim(new MessageKey(1, 5, 42), messageId, timestamp, null, System.nanoTime());
        return new Unacknowledged(claim, count, null, null, null);
    }

    @Test
    void message_that_has_the_key_of_a_lost_one_has_not_come_back() {
        deliveries.begin(message("ID:lost", 1_000, 0));

        assertThat(deliveries.cameBack(message("ID:lost", 1_000, 0))).isTrue();
        assertThat(deliveries.cameBack(message("ID:lost", 1_000, 1))).isFalse();
        assertThat(deliveries.cameBack(message("ID:later", 1_000, 0))).isFalse();
        assertThat(deliveries.cameBack(message("ID:lost", 1_001, 0))).isFalse();
    }

    @Test
    void reason_of_a_lost_one_is_not_that_of_a_message_with_its_key() {
        deliveries.failed(message("ID:lost", 1_000, 0).claim(), "out of stock");

        assertThat(deliveries.whyFailed(message("ID:lost", 1_000, 0).claim())).isEqualTo("out of stock");
        assertThat(deliveries.whyFailed(message("ID:later", 1_000, 0).claim())).isNull();
    }
}
