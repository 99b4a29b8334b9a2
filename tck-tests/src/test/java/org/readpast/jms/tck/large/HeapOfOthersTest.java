package org.readpast.jms.tck.large;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * What somebody else puts into a queue does not exhaust the heap of its consumer: one body that is longer than that, and many messages
 * with long properties, which together are longer too.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class HeapOfOthersTest {

    private static final List<String> HEAP = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final int MESSAGES = 60;
    private static final int PROPERTIES = 1_500_000;

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void listener_goes_on(int mode) throws Exception {
        String url = TestDatabase.readpastUrlOf(
                SharedPostgres.get().jdbcUrl(), "maxPropertiesLength=10000000", "redelivery.maximumDeliveries=2");
        String queue = "heap." + UUID.randomUUID();
        try (JMSContext context = new ReadpastConnectionFactory(url).createContext()) {
            TextMessage first = context.createTextMessage("first");
            context.createProducer().send(context.createQueue(queue), first);
            lengthen(first.getJMSMessageID());
            String property = "y".repeat(PROPERTIES);
            for (int i = 0; i < MESSAGES; i++) {
                context.createProducer()
                        .setProperty("p", property)
                        .setProperty("n", i)
                        .send(context.createQueue(queue), "m" + i);
            }
        }
        try (ChildJvm receiver =
                ChildJvm.start(LongPropertiesReceiver.class, HEAP, url, queue, "" + mode, "" + MESSAGES)) {
            for (int heard = 10; heard <= MESSAGES; heard += 10) {
                receiver.awaitReport("heard " + heard);
            }
            assertThat(receiver.awaitReport("received")).isEqualTo(MESSAGES + " in order");
            assertThat(receiver.awaitEnd())
                    .as(() -> receiver + " wrote " + receiver.output())
                    .isZero();
        }
    }

    /** A body of 100 MB, which no sender of ours would send. */
    private static void lengthen(String messageId) throws Exception {
        try (Connection connection = TestDatabase.POSTGRESQL.connect();
                PreparedStatement update = connection.prepareStatement("UPDATE readpast.message"
                        + " SET body = convert_to(repeat('x', 100000000), 'UTF8'), body_length = 100000000"
                        + " WHERE jms_message_id = ?")) {
            update.setString(1, messageId);
            assertThat(update.executeUpdate()).isOne();
        }
    }
}
