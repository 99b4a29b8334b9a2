package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;

/** §6.1.2: the client identifier. */
class Ch06ClientIdTest {

    @ContractTest
    void client_id_is_what_was_set(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        connection.setClientID(jms.uniqueName(""));
        assertThat(connection.getClientID()).isEqualTo(jms.uniqueName(""));
    }

    @ContractTest
    void client_id_is_null_until_set(Jms jms) throws Exception {
        assertThat(jms.stoppedConnection().getClientID()).isNull();
    }

    @ContractTest
    void client_id_cannot_be_set_twice(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        connection.setClientID(jms.uniqueName("a"));
        assertThatThrownBy(() -> connection.setClientID(jms.uniqueName("b"))).isInstanceOf(IllegalStateException.class);
        assertThat(connection.getClientID()).isEqualTo(jms.uniqueName("a"));
    }

    @ContractTest
    void client_id_cannot_be_set_after_a_session_was_made(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        connection.createSession();
        assertThatThrownBy(() -> connection.setClientID(jms.uniqueName(""))).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void client_id_cannot_be_set_after_start(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        connection.start();
        assertThatThrownBy(() -> connection.setClientID(jms.uniqueName(""))).isInstanceOf(IllegalStateException.class);
    }

    /** Pools and containers set the listener first; nothing of the connection has been used by that. */
    @ContractTest
    void client_id_can_be_set_after_the_exception_listener(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        connection.setExceptionListener(problem -> {});
        connection.setClientID(jms.uniqueName(""));
        assertThat(connection.getClientID()).isEqualTo(jms.uniqueName(""));
    }

    @ContractTest
    void client_id_in_use_is_refused(Jms jms) throws Exception {
        jms.stoppedConnection().setClientID(jms.uniqueName(""));
        Connection second = jms.stoppedConnection();
        assertThatThrownBy(() -> second.setClientID(jms.uniqueName(""))).isInstanceOf(InvalidClientIDException.class);
    }

    /** After a refusal the connection has no identifier and may be given another. */
    @ContractTest
    void another_client_id_may_follow_a_refused_one(Jms jms) throws Exception {
        jms.stoppedConnection().setClientID(jms.uniqueName("a"));
        Connection second = jms.stoppedConnection();
        assertThatThrownBy(() -> second.setClientID(jms.uniqueName("a"))).isInstanceOf(InvalidClientIDException.class);
        second.setClientID(jms.uniqueName("b"));
        assertThat(second.getClientID()).isEqualTo(jms.uniqueName("b"));
    }

    @ContractTest
    void client_id_is_free_again_after_close(Jms jms) throws Exception {
        Connection first = jms.stoppedConnection();
        first.setClientID(jms.uniqueName(""));
        first.close();
        Connection second = jms.stoppedConnection();
        assertThatCode(() -> second.setClientID(jms.uniqueName(""))).doesNotThrowAnyException();
    }

    @ContractTest
    void configured_client_id_is_the_connections(Jms jms) throws Exception {
        Connection connection = jms.closeAfterwards(
                jms.target().connectionFactoryWithClientId(jms.uniqueName("")).createConnection());
        assertThat(connection.getClientID()).isEqualTo(jms.uniqueName(""));
    }

    @ContractTest
    void configured_client_id_cannot_be_overridden(Jms jms) throws Exception {
        Connection connection = jms.closeAfterwards(
                jms.target().connectionFactoryWithClientId(jms.uniqueName("a")).createConnection());
        assertThatThrownBy(() -> connection.setClientID(jms.uniqueName("b"))).isInstanceOf(IllegalStateException.class);
    }

    @ContractTest
    void configured_client_id_in_use_is_refused(Jms jms) throws Exception {
        var factory = jms.target().connectionFactoryWithClientId(jms.uniqueName(""));
        jms.closeAfterwards(factory.createConnection());
        assertThatThrownBy(() -> jms.closeAfterwards(factory.createConnection()))
                .isInstanceOf(JMSException.class);
    }

    @ContractTest
    void context_has_a_client_id_too(Jms jms) {
        JMSContext context = jms.context();
        context.setClientID(jms.uniqueName(""));
        assertThat(context.getClientID()).isEqualTo(jms.uniqueName(""));
        JMSContext second = jms.context();
        assertThatThrownBy(() -> second.setClientID(jms.uniqueName("")))
                .isInstanceOf(InvalidClientIDRuntimeException.class);
    }

    @ContractTest
    void context_takes_no_client_id_after_use(Jms jms) {
        JMSContext context = jms.context();
        context.createConsumer(jms.queue());
        assertThatThrownBy(() -> context.setClientID(jms.uniqueName("")))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }
}
