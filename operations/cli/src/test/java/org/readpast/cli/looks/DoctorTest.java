package org.readpast.cli.looks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import picocli.CommandLine;

/** What one look does not show. */
class DoctorTest {

    private static final String URL = "jdbc:h2:mem:doctor;DB_CLOSE_DELAY=-1";
    private static final int MESSAGES = 1_000;

    private static String doctor() {
        StringWriter out = new StringWriter();
        new CommandLine(new DoctorCommand()).setOut(new PrintWriter(out)).execute("--url", URL);
        return out.toString();
    }

    /** It works on what it has acknowledged already, so that nobody has a message in a transaction. */
    @Test
    void consumer_that_works_through_a_backlog_does_not_stand_still() throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);
                JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            JMSProducer producer = context.createProducer();
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(context.createQueue("orders"), "message " + i);
            }
            try (Connection connection = DriverManager.getConnection(URL);
                    Statement statement = connection.createStatement()) {
                statement.execute("UPDATE readpast.message SET enqueued_at = enqueued_at - INTERVAL '10' MINUTE");
            }
            assertThat(doctor()).contains("stands-still: orders: ");
            ScheduledExecutorService work = Executors.newSingleThreadScheduledExecutor();
            Future<?> working =
                    work.scheduleWithFixedDelay(() -> consumer.receive(60_000), 0, 200, TimeUnit.MILLISECONDS);
            try {
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(doctor()).doesNotContain("stands-still"));
                assertThat(working).isNotDone();
            } finally {
                work.shutdown();
                assertThat(work.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            }
            assertThat(consumer.receiveNoWait()).isNotNull();
        }
    }
}
