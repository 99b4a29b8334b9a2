package org.readpast.jms.errors;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

class JmsErrorsTest {

    @ParameterizedTest
    @EnumSource(Failure.class)
    void every_failure_becomes_an_exception_of_its_kind(Failure failure) {
        JMSException error = JmsErrors.jms("Queue 'orders': claim failed", new StoreException(failure, "why", null));
        Class<?> expected = switch (failure) {
            case AUTHENTICATION, PERMISSION -> JMSSecurityException.class;
            case DESTINATION_GONE -> InvalidDestinationException.class;
            case POOL_EXHAUSTED, OUT_OF_SPACE -> ResourceAllocationException.class;
            default -> JMSException.class;
        };
        assertThat(error).isExactlyInstanceOf(expected).hasMessage("Queue 'orders': claim failed: why");
        assertThat(error.getErrorCode()).isEqualTo(failure.name());
    }

    @Test
    void the_databases_own_error_is_linked_and_its_number_is_the_error_code() {
        SQLException database = new SQLException("victim", "40001", 1205);
        StoreException store = new StoreException(Failure.DEADLOCK, "deadlock victim", database);
        for (JMSException error : List.of(JmsErrors.jms("commit", store), JmsErrors.rolledBack("commit", store))) {
            assertThat(error.getErrorCode()).isEqualTo("1205");
            assertThat(error).hasCause(store);
            assertThat(error.getLinkedException()).isSameAs(database);
        }
    }

    @Test
    void a_rollback_needs_no_cause() {
        TransactionRolledBackException error = JmsErrors.rolledBack("Session 'a': commit failed", null);
        assertThat(error).hasMessage("Session 'a': commit failed").hasNoCause();
        assertThat(error.getErrorCode()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IllegalState",
                "InvalidClientID",
                "InvalidDestination",
                "InvalidSelector",
                "JMSSecurity",
                "MessageFormat",
                "MessageNotWriteable",
                "ResourceAllocation",
                "TransactionInProgress",
                "TransactionRolledBack",
                "JMS"
            })
    void checked_exceptions_map_one_to_one(String name) throws ReflectiveOperationException {
        JMSException checked = Class.forName("jakarta.jms." + name + "Exception")
                .asSubclass(JMSException.class)
                .getConstructor(String.class, String.class)
                .newInstance("reason", "code");
        JMSRuntimeException unchecked = JmsErrors.unchecked(checked);
        assertThat(unchecked)
                .isExactlyInstanceOf(Class.forName("jakarta.jms." + name + "RuntimeException"))
                .hasMessage("reason")
                .hasCause(checked);
        assertThat(unchecked.getErrorCode()).isEqualTo("code");
    }

    @Test
    void those_without_a_partner_become_the_general_one() {
        assertThat(JmsErrors.unchecked(new MessageEOFException("end"))).isExactlyInstanceOf(JMSRuntimeException.class);
        assertThat(JmsErrors.unchecked(new MessageNotReadableException("write-only")))
                .isExactlyInstanceOf(JMSRuntimeException.class);
    }

    @Test
    void a_subclass_maps_as_what_it_extends() {
        class Closed extends IllegalStateException {
            private static final long serialVersionUID = 1L;

            Closed() {
                super("closed");
            }
        }
        assertThat(JmsErrors.unchecked(new Closed()))
                .isExactlyInstanceOf(jakarta.jms.IllegalStateRuntimeException.class);
    }
}
