package org.readpast.jms.tck.appserver;

import org.junit.jupiter.api.Nested;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;

/** Chapter 11, where connection consumers claim by lease. */
class LeasedServerSessionsTest {

    private static final String BY_LEASE = "consumer.leaseSeconds=600";

    @Nested
    @ReadpastOptions(BY_LEASE)
    class ConnectionConsumers extends Ch11ConnectionConsumerTest {

        /** Not a case here: messages of groups are not leased. */
        @Override
        void messages_of_a_group_come_one_after_the_other_whichever_session_gets_them(Jms jms) {}
    }

    @Nested
    @ReadpastOptions(BY_LEASE)
    class ServerSessions extends Ch11ServerSessionTest {}
}
