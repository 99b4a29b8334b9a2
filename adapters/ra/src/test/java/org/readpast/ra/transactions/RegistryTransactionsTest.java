package org.readpast.ra.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** Servers keep what is registered until the transaction has ended, and may have to go through all of it. */
    @Test
    void one_synchronization_does_what_comes_after_a_commit() {
        Map<Object, Object> resources = new HashMap<>();
        List<Synchronization> registered = new ArrayList<>();
        TransactionSynchronizationRegistry registry = (TransactionSynchronizationRegistry) Proxy.newProxyInstance(
                RegistryTransactionsTest.class.getClassLoader(),
                new Class<?>[] {TransactionSynchronizationRegistry.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getTransactionStatus" -> Status.STATUS_ACTIVE;
                    case "getResource" -> resources.get(arguments[0]);
                    case "putResource" -> resources.put(arguments[0], arguments[1]);
                    case "registerInterposedSynchronization" -> registered.add((Synchronization) arguments[0]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        RegistryTransactions transactions = new RegistryTransactions(null, null, registry, false);
        List<Integer> done = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            assertThat(transactions.afterCommit(() -> done.add(number))).isTrue();
        }
        assertThat(registered).hasSize(1);
        registered.get(0).afterCompletion(Status.STATUS_ROLLEDBACK);
        assertThat(done).isEmpty();
        registered.get(0).afterCompletion(Status.STATUS_COMMITTED);
        assertThat(done).containsExactly(0, 1, 2);
    }

    /** As the thread of a bean that goes on has it in WildFly: what it sends is no transaction of its own. */
    @Test
    void transaction_that_was_rolled_back_when_it_timed_out_goes_on_for_its_thread() {
        assertThat(isActive(Status.STATUS_ROLLEDBACK)).isTrue();
    }
}
