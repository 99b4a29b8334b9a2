package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** A client that is killed (SIGKILL) loses nothing of others', and what was its own is freed. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledClientTest {

    private static final int SENT = 6;
    private static final int TAKEN = 3;
    private static final long PATIENCE = 60_000;
    private static final long GLANCE = 1_000;

    static List<Arguments> modes() {
        return TestDatabase.servers()
                .flatMap(database -> List.of(
                        Arguments.of(database, "AUTO", Session.AUTO_ACKNOWLEDGE),
                        Arguments.of(database, "DUPS_OK", Session.DUPS_OK_ACKNOWLEDGE),
                        Arguments.of(database, "CLIENT", Session.CLIENT_ACKNOWLEDGE),
                        Arguments.of(database, "TRANSACTED", Session.SESSION_TRANSACTED))
                        .stream())
                .toList();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("modes")
    void messages_of_a_killed_consumer_are_available_again(TestDatabase database, String name, int mode)
            throws Exception {
        String url = database.readpastUrl();
        String queue = "killed." + UUID.randomUUID();
        try (ChildJvm consumer =
                        ChildJvm.start(HoldingConsumer.class, ChildJvm.SMALL, url, queue, "" + mode, "" + TAKEN);
                Connection connection = new ReadpastConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int i = 1; i <= SENT; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
            consumer.awaitReport("holding");

            consumer.kill();

            // In any order: until the server has noticed, others step over what the dead client had locked.
            List<String> again =
                    receiveUntil(List.of("m3", "m4", "m5", "m6"), session.createConsumer(session.createQueue(queue)));
            switch (mode) {
                // One at a time: those before the last one that it held were acknowledged.
                case Session.AUTO_ACKNOWLEDGE -> assertThat(again).containsExactlyInAnyOrder("m3", "m4", "m5", "m6");
                // Acknowledged lazily: those before may come again.
                case Session.DUPS_OK_ACKNOWLEDGE -> assertThat(again).doesNotHaveDuplicates();
                default -> assertThat(again).containsExactlyInAnyOrder("m1", "m2", "m3", "m4", "m5", "m6");
            }
        }
    }

    /** What comes until all of these were there, and nothing comes any more. */
    private static List<String> receiveUntil(List<String> awaited, MessageConsumer consumer) throws Exception {
        List<String> texts = new ArrayList<>();
        while (true) {
            boolean complete = texts.containsAll(awaited);
            Message message = complete ? consumer.receive(GLANCE) : consumer.receive(PATIENCE);
            if (message == null) {
                assertThat(texts).containsAll(awaited);
                return texts;
            }
            texts.add(((TextMessage) message).getText());
        }
    }

    static List<TestDatabase> servers() {
        return TestDatabase.servers().toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void client_id_and_temporary_queue_of_a_killed_client_are_freed(TestDatabase database) throws Exception {
        String url = database.readpastUrl();
        String queue = "owner." + UUID.randomUUID();
        String clientId = "client-" + UUID.randomUUID();
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        try (ChildJvm owner = ChildJvm.start(Owner.class, ChildJvm.SMALL, url, queue, clientId);
                JMSContext context = factory.createContext()) {
            owner.awaitReport("owning");
            Message request = context.createConsumer(context.createQueue(queue)).receive(PATIENCE);
            Destination temporary = request.getJMSReplyTo();
            context.createProducer().send(temporary, "an answer");
            assertThatThrownBy(() -> take(factory, clientId)).isInstanceOf(InvalidClientIDException.class);

            owner.kill();

            await("client id to be free")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(InvalidClientIDException.class)
                    .until(() -> take(factory, clientId));
            try (Connection connection = factory.createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                MessageProducer producer = session.createProducer(temporary);
                await("temporary queue to be gone")
                        .atMost(Duration.ofSeconds(60))
                        .untilAsserted(
                                () -> assertThatThrownBy(() -> producer.send(session.createTextMessage("too late")))
                                        .isInstanceOf(InvalidDestinationException.class));
            }
        }
    }

    private static boolean take(ReadpastConnectionFactory factory, String clientId) throws Exception {
        try (Connection connection = factory.createConnection()) {
            connection.setClientID(clientId);
            return true;
        }
    }
}
