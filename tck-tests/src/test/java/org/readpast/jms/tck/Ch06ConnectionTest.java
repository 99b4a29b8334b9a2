package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;
import static org.readpast.jms.tck.harness.TargetId.MEMORY;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Session;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;

/** §6.1: what a connection is made with and what it tells of itself. */
class Ch06ConnectionTest {

    /** These tests run with the API of javax.jms as well, after their packages were renamed. */
    private static final String API_VERSION = ConnectionMetaData.class.getName().startsWith("jakarta") ? "3.1" : "2.0";

    /** §6.1.1 */
    @ContractTest
    void right_credentials_are_accepted(Jms jms) throws Exception {
        Connection connection = jms.closeAfterwards(
                jms.factory().createConnection(jms.target().user(), jms.target().password()));
        assertThatCode(() -> connection.createSession().createQueue(jms.uniqueName("")))
                .doesNotThrowAnyException();
    }

    /** §6.1.1, §10.3: a rejected user name or password must be a JMSSecurityException, where it is given. */
    @ContractTest
    @Deviation(target = MEMORY, clause = "§6.1.1", why = "it has no users, and takes whoever comes")
    void wrong_credentials_are_refused_by_create_connection(Jms jms) {
        assertThatThrownBy(() -> jms.factory().createConnection("nobody-of-that-name", "wrong"))
                .isInstanceOf(JMSSecurityException.class);
    }

    /** §6.1.1, §10.3 */
    @ContractTest
    @Deviation(target = MEMORY, clause = "§6.1.1", why = "it has no users, and takes whoever comes")
    void wrong_credentials_are_refused_by_create_context(Jms jms) {
        assertThatThrownBy(() -> jms.factory().createContext("nobody-of-that-name", "wrong"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    /** §10.3 */
    @ContractTest
    @Deviation(target = MEMORY, clause = "§6.1.1", why = "it has no users, and takes whoever comes")
    void wrong_credentials_are_refused_by_create_queue_connection(Jms jms) {
        assertThatThrownBy(() -> jms.queueFactory().createQueueConnection("nobody-of-that-name", "wrong"))
                .isInstanceOf(JMSSecurityException.class);
    }

    /** §6.1.1: a refused pair of credentials does not harm those that are right. */
    @ContractTest
    @Deviation(target = MEMORY, clause = "§6.1.1", why = "it has no users, and takes whoever comes")
    void right_credentials_are_accepted_after_wrong_ones(Jms jms) throws Exception {
        assertThatThrownBy(() -> jms.factory().createConnection("nobody-of-that-name", "wrong"))
                .isInstanceOf(JMSSecurityException.class);
        jms.closeAfterwards(
                jms.factory().createConnection(jms.target().user(), jms.target().password()));
        jms.send(jms.queue(), "sent");
        jms.assertHolds(jms.queue(), "sent");
    }

    /** §6.1.6 */
    @ContractTest
    void meta_data_names_version_and_provider(Jms jms) throws Exception {
        ConnectionMetaData meta = jms.stoppedConnection().getMetaData();
        assertThat(meta.getJMSVersion()).isEqualTo(API_VERSION);
        assertThat(meta.getJMSMajorVersion() + "." + meta.getJMSMinorVersion()).isEqualTo(API_VERSION);
        assertThat(meta.getJMSProviderName()).isNotBlank();
        assertThat(meta.getProviderVersion()).isNotBlank();
    }

    /** §6.1.6 */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§6.1.6", why = "says 1 and 0, whatever its version")
    void major_and_minor_version_are_those_of_the_version(Jms jms) throws Exception {
        ConnectionMetaData meta = jms.stoppedConnection().getMetaData();
        assertThat(meta.getProviderVersion())
                .startsWith(meta.getProviderMajorVersion() + "." + meta.getProviderMinorVersion());
    }

    /** §6.1.6, §3.5.9: JMSXDeliveryCount is the one JMSX property that every provider must set. */
    @ContractTest
    void meta_data_names_the_jmsx_properties(Jms jms) throws Exception {
        ConnectionMetaData meta = jms.stoppedConnection().getMetaData();
        Enumeration<?> names = meta.getJMSXPropertyNames();
        assertThat(Collections.list(names)).map(Object::toString).contains("JMSXDeliveryCount", "JMSXGroupID");
    }

    /** §6.1.6: a context represents a connection too. */
    @ContractTest
    void context_has_meta_data(Jms jms) throws Exception {
        assertThat(jms.context().getMetaData().getJMSVersion()).isEqualTo(API_VERSION);
    }

    /** §6.1.7 */
    @ContractTest
    void exception_listener_is_null_until_set(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        assertThat(connection.getExceptionListener()).isNull();
        ExceptionListener listener = problem -> {};
        connection.setExceptionListener(listener);
        assertThat(connection.getExceptionListener()).isSameAs(listener);
        connection.setExceptionListener(null);
        assertThat(connection.getExceptionListener()).isNull();
    }

    /** §6.1.7: the exception listener is told of problems of the connection; what a caller is told is none. */
    @ContractTest
    void exception_listener_does_not_hear_what_a_caller_is_told(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        AtomicInteger heard = new AtomicInteger();
        connection.setExceptionListener(problem -> heard.incrementAndGet());
        Session session = connection.createSession();
        assertThatThrownBy(session::commit).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createConsumer(null)).isInstanceOf(JMSException.class);
        assertThat(heard).hasValue(0);
    }

    /** §6.2 */
    @ContractTest
    void create_session_without_arguments_acknowledges_automatically(Jms jms) throws Exception {
        Session session = jms.stoppedConnection().createSession();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.AUTO_ACKNOWLEDGE);
        assertThat(session.getTransacted()).isFalse();
    }

    /** §6.2: createSession(int) */
    @ContractTest
    void create_session_knows_every_mode(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        for (int mode : new int[] {
            Session.AUTO_ACKNOWLEDGE,
            Session.CLIENT_ACKNOWLEDGE,
            Session.DUPS_OK_ACKNOWLEDGE,
            Session.SESSION_TRANSACTED
        }) {
            Session session = connection.createSession(mode);
            assertThat(session.getAcknowledgeMode()).isEqualTo(mode);
            assertThat(session.getTransacted()).isEqualTo(mode == Session.SESSION_TRANSACTED);
        }
    }

    /** §6.2: of createSession(true, mode) the mode is ignored. */
    @ContractTest
    void create_session_ignores_the_mode_when_transacted(Jms jms) throws Exception {
        Session session = jms.stoppedConnection().createSession(true, Session.CLIENT_ACKNOWLEDGE);
        assertThat(session.getTransacted()).isTrue();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
    }

    /** §6.2 */
    @ContractTest
    void create_session_with_two_arguments_knows_every_mode(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        assertThat(connection.createSession(false, Session.CLIENT_ACKNOWLEDGE).getAcknowledgeMode())
                .isEqualTo(Session.CLIENT_ACKNOWLEDGE);
        assertThat(connection.createSession(false, Session.DUPS_OK_ACKNOWLEDGE).getAcknowledgeMode())
                .isEqualTo(Session.DUPS_OK_ACKNOWLEDGE);
        assertThat(connection.createSession(false, Session.AUTO_ACKNOWLEDGE).getTransacted())
                .isFalse();
    }

    /** §6.2, Connection.createSession: a mode that is not one of the four is a JMSException. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§6.2", why = "throws a JMSRuntimeException, which is not checked")
    void create_session_refuses_a_mode_that_does_not_exist(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        assertThatThrownBy(() -> connection.createSession(42)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createSession(-1)).isInstanceOf(JMSException.class);
    }

    /** §2.14, §6.1: connections support concurrent use. */
    @ContractTest
    void connection_makes_sessions_for_several_threads_at_once(Jms jms) throws Exception {
        Connection connection = jms.connection();
        var senders = IntStream.range(0, 4)
                .mapToObj(i -> jms.elsewhere(() -> {
                    try (Session session = connection.createSession()) {
                        session.createProducer(jms.queue()).send(session.createTextMessage("from " + i));
                    }
                    return null;
                }))
                .toList();
        for (var sender : senders) {
            sender.result();
        }
        Session session = connection.createSession();
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 4))
                .containsExactlyInAnyOrder("from 0", "from 1", "from 2", "from 3");
    }
}
