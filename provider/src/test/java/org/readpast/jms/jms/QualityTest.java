package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QualityTest {

    @Test
    void the_defaults_are_those_of_the_specification() {
        assertThat(Quality.DEFAULT).isEqualTo(new Quality(DeliveryMode.PERSISTENT, 4, 0, 0, false, false));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3})
    void there_are_two_delivery_modes(int mode) {
        assertThatThrownBy(() -> Quality.DEFAULT.withDeliveryMode(mode)).isInstanceOf(JMSException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10})
    void there_are_ten_priorities(int priority) {
        assertThatThrownBy(() -> Quality.DEFAULT.withPriority(priority)).isInstanceOf(JMSException.class);
    }

    @Test
    void times_are_not_negative() {
        assertThatThrownBy(() -> Quality.DEFAULT.withTimeToLive(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> Quality.DEFAULT.withDeliveryDelay(-1)).isInstanceOf(JMSException.class);
    }
}
