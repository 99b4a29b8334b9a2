package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/** A database that can be read and not written, as it is while its disk is full: a trigger raises the error of that. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullDatabaseTest {

    private static final PostgresServer SERVER = SharedPostgres.get();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String schema = "full_" + Long.toString(System.nanoTime(), 36);

    @Test
    void sends_fail_and_a_listener_goes_on_by_itself_when_there_is_room() throws Exception {
        ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl("schema=" + schema));
        try (Connection connection = factory.createConnection();
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session listening = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = sending.createQueue("orders");
            MessageProducer producer = sending.createProducer(queue);
            producer.send(sending.createTextMessage("before"));
            SERVER.execute(
                    "CREATE FUNCTION " + schema + ".is_full() RETURNS trigger LANGUAGE plpgsql AS"
                            + " 'BEGIN RAISE EXCEPTION USING ERRCODE = ''disk_full''; END'",
                    "CREATE TRIGGER is_full BEFORE INSERT OR UPDATE OR DELETE ON " + schema
                            + ".message EXECUTE FUNCTION " + schema + ".is_full()");

            assertThat(catchThrowableOfType(
                            ResourceAllocationException.class,
                            () -> producer.send(sending.createTextMessage("while full"))))
                    .extracting(ResourceAllocationException::getErrorCode)
                    .isEqualTo("53100");
            AtomicInteger deliveries = new AtomicInteger();
            listening.createConsumer(queue).setMessageListener(message -> deliveries.incrementAndGet());
            connection.start();
            await().atMost(PATIENCE).until(() -> deliveries.get() >= 2);

            SERVER.execute("DROP TRIGGER is_full ON " + schema + ".message");
            await().atMost(PATIENCE).until(() -> SERVER.number("SELECT count(*) FROM " + schema + ".message") == 0);
            int before = deliveries.get();
            producer.send(sending.createTextMessage("after"));
            await().atMost(PATIENCE).until(() -> deliveries.get() == before + 1);
        } finally {
            factory.close();
            SERVER.execute("DROP SCHEMA " + schema + " CASCADE");
        }
    }
}
