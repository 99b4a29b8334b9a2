package org.readpast.jms.tck.destinations;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Warnings;

/** Names of queues by which ActiveMQ receives what was sent elsewhere. Here nothing would come, and nobody would know why. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForeignNamesTest {

    private final String schema = "names_" + Long.toString(System.nanoTime(), 36);

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void consumer_of_a_name_that_gathers_messages_with_others_is_warned_of_once(TestDatabase database)
            throws Exception {
        String own = database + "." + schema;
        try (Warnings warnings = new Warnings();
                ReadpastConnectionFactory factory =
                        new ReadpastConnectionFactory(database.readpastUrl("schema=" + schema, "idleCloseMillis=0"));
                JMSContext context = factory.createContext()) {
            for (String name : new String[] {
                "Consumer." + schema + ".VirtualTopic." + own,
                own + ".>",
                own + ".*.new",
                own + ".a*",
                "VirtualTopic." + own
            }) {
                context.createConsumer(context.createQueue(name)).close();
                context.createConsumer(context.createQueue(name)).close();
            }
            assertThat(warnings.with("createSharedDurableConsumer"))
                    .singleElement()
                    .asString()
                    .contains("'Consumer." + schema + ".VirtualTopic." + own + "'");
            assertThat(warnings.with("wildcards")).hasSize(2);
        }
    }
}
