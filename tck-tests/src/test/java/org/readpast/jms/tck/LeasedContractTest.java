package org.readpast.jms.tck;

import org.junit.jupiter.api.Nested;
import org.readpast.jms.tck.harness.ReadpastOptions;

/** What JMS asks of acknowledgement, recovery, transactions and closing, where every consumer claims by lease. */
class LeasedContractTest {

    private static final String BY_LEASE = "consumer.leaseSeconds=600";

    @Nested
    @ReadpastOptions(BY_LEASE)
    class Acknowledgement extends Ch06AcknowledgeTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class Transactions extends Ch06TransactionTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class Order extends Ch06MessageOrderTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class StartAndStop extends Ch06ConnectionStartStopTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class ClosedSessions extends Ch06SessionCloseTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class ClosedConnections extends Ch06ConnectionCloseTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class Listeners extends Ch08MessageListenerTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class Consumers extends Ch08ConsumerTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class SimplifiedConsumers extends Ch08JmsConsumerTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class Subscriptions extends Ch08SubscriptionTest {}

    @Nested
    @ReadpastOptions(BY_LEASE)
    class Unsubscribing extends Ch08UnsubscribeTest {}
}
