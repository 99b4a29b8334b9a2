package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** A program that ends right after it has closed its connection is not taken for one that died. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndedClientTest {

    static List<Arguments> endings() {
        return TestDatabase.servers()
                .flatMap(database -> Stream.of(
                        // What it has opened would be kept for long after its last connection.
                        Arguments.of(database, "main", 600_000),
                        Arguments.of(database, "hook", 600_000),
                        // It is being closed as the program ends.
                        Arguments.of(database, "main", 0)))
                .toList();
    }

    @ParameterizedTest(name = "{0}, closed by {1}, kept for {2} ms")
    @MethodSource("endings")
    void nothing_is_left_of_it(TestDatabase database, String closing, int idleCloseMillis) throws Exception {
        String queue = "brief." + UUID.randomUUID();
        String url = database.readpastUrl("idleCloseMillis=" + idleCloseMillis);
        // This JVM is present for as long as it is asked who is.
        try (JMSContext context = new ReadpastConnectionFactory(database.readpastUrl()).createContext();
                ChildJvm consumer = start(context, url, queue, closing)) {
            assertThat(consumer.awaitEnd()).isZero();

            assertThat(consumer.reports()).hasSize(1);
            assertThat(present(database))
                    .isNotEmpty()
                    .doesNotContain(consumer.reports().get(0));
        }
    }

    private static ChildJvm start(JMSContext context, String url, String queue, String closing) {
        context.createProducer().send(context.createQueue(queue), "one").send(context.createQueue(queue), "two");
        return ChildJvm.start(BriefConsumer.class, ChildJvm.SMALL, url, queue, closing);
    }

    private static List<String> present(TestDatabase database) throws Exception {
        List<String> processes = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT process FROM " + database.schema() + ".presence")) {
            while (rows.next()) {
                processes.add(rows.getString(1));
            }
        }
        return processes;
    }
}
