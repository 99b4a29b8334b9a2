package org.readpast.ra.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What is part of the container's transaction, by what the container says of that. */
class RegistryTransactionsTest {

    private static boolean isActive(int status) {
        Object registry = Proxy.newProxyInstance(
                RegistryTransactionsTest.class.getClassLoader(),
                new Class<?>[] {TransactionSynchronizationRegistry.class},
                (proxy, method, arguments) -> status);
        return RegistryTransactions.isActive((TransactionSynchronizationRegistry) registry);
    }

    @Test
    void there_is_a_transaction_until_it_is_over() {
        assertThat(isActive(Status.STATUS_ACTIVE)).isTrue();
        assertThat(isActive(Status.STATUS_MARKED_ROLLBACK)).isTrue();
        assertThat(isActive(Status.STATUS_NO_TRANSACTION)).isFalse();
        assertThat(isActive(Status.STATUS_COMMITTED)).isFalse();
    }

    /** As the thread of a bean that goes on has it in WildFly: what it sends is no transaction of its own. */
    @Test
    void transaction_that_was_rolled_back_when_it_timed_out_goes_on_for_its_thread() {
        assertThat(isActive(Status.STATUS_ROLLEDBACK)).isTrue();
    }
}
