package org.readpast.jms.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.engine.transaction.AcknowledgeMode;

class SessionModeTest {

    @ParameterizedTest
    @EnumSource(AcknowledgeMode.class)
    void each_mode_has_its_number(AcknowledgeMode mode) throws Exception {
        assertThat(SessionMode.of(SessionMode.number(mode))).isEqualTo(mode);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4, 1000})
    void a_mode_that_does_not_exist_is_refused(int mode) {
        assertThatThrownBy(() -> SessionMode.of(mode)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> SessionMode.of(false, mode)).isInstanceOf(JMSException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 100, 101})
    void mode_of_another_provider_is_refused_with_what_to_use_instead(int mode) {
        assertThatThrownBy(() -> SessionMode.of(mode))
                .hasMessageContaining(mode == 100 ? "PRE_ACKNOWLEDGE" : "INDIVIDUAL_ACKNOWLEDGE")
                .hasMessageContaining(mode == 100 ? "use DUPS_OK_ACKNOWLEDGE" : "use CLIENT_ACKNOWLEDGE");
    }

    @Test
    void a_transacted_session_ignores_the_acknowledge_mode() throws Exception {
        assertThat(SessionMode.of(true, -1)).isEqualTo(AcknowledgeMode.TRANSACTED);
    }

    @Test
    void a_session_that_is_not_transacted_needs_an_acknowledge_mode() {
        assertThatThrownBy(() -> SessionMode.of(false, Session.SESSION_TRANSACTED))
                .isInstanceOf(JMSException.class);
    }
}
