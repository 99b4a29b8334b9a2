package org.readpast.jms.tck.queues;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;
import org.readpast.jms.tck.rig.Aside;

/**
 * §6.2.9 with several consumers of a queue, which commit and roll back batches of random size and close their sessions: of what comes to
 * a consumer for the first time the messages of each sender are in the order of sending, and each message is consumed once. Where
 * messages are claimed ahead of a consumer, those that it does not get to come to others later, as with every broker that prefetches;
 * so here none are.
 */
@ReadpastOptions("claimAhead=1")
class SeveralConsumersOrderTest {

    private static final int CONSUMERS = 3;

    private static final int MESSAGES_PER_SENDER = 1_000;

    /** So a message is rolled back less often than it is delivered at most. */
    private static final int MOST_ROLLED_BACK = 3;

    private record Sent(int sender, int number) {}

    @ContractTest
    void each_consumer_gets_messages_of_each_sender_in_the_order_of_sending(Jms jms) throws Exception {
        long seed = new Random().nextLong();
        List<RandomSender> senders = new ArrayList<>();
        for (int sender = 0; sender < 2; sender++) {
            senders.add(new RandomSender(jms, sender, MESSAGES_PER_SENDER, new Random(seed + sender)));
        }
        Set<Sent> consumed = ConcurrentHashMap.newKeySet();
        // What one that has failed holds would be waited for by the others, and hide why.
        AtomicBoolean failed = new AtomicBoolean();
        List<Aside<Void>> consumers = new ArrayList<>();
        for (int consumer = 0; consumer < CONSUMERS; consumer++) {
            Connection connection = jms.connection();
            Random random = new Random(seed - 1 - consumer);
            consumers.add(Aside.call(() -> {
                try {
                    consume(jms, connection, random, consumed, failed);
                } catch (JMSException | RuntimeException | Error e) {
                    failed.set(true);
                    throw e;
                }
                return null;
            }));
        }
        try {
            for (Aside<Void> consumer : consumers) {
                consumer.result();
            }
        } catch (AssertionError e) {
            throw new AssertionError("with the seed " + seed + ": " + e.getMessage(), e);
        }
        for (RandomSender sender : senders) {
            sender.awaitEnd();
        }
        assertThat(consumed).hasSize(2 * MESSAGES_PER_SENDER);
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    void session_claims_no_more_than_it_may_where_others_stand_before_what_it_has(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        MessageConsumer other = jms.transacted().createConsumer(jms.queue());
        jms.send(jms.queue(), "usual");
        assertThat(jms.receiveText(consumer)).isEqualTo("usual");
        try (JMSContext context = jms.context()) {
            JMSProducer urgent = context.createProducer().setPriority(9);
            urgent.send(jms.queue(), "urgent").send(jms.queue(), "urgent too");
        }

        assertThat(jms.receiveText(consumer)).isEqualTo("urgent");
        assertThat(jms.receiveText(other)).isEqualTo("urgent too");
    }

    private static void consume(Jms jms, Connection connection, Random random, Set<Sent> consumed, AtomicBoolean failed)
            throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        int[] last = {-1, -1};
        while (consumed.size() < 2 * MESSAGES_PER_SENDER && !failed.get()) {
            Set<Sent> batch = new HashSet<>();
            boolean mayRollBack = true;
            for (int i = 1 + random.nextInt(12); i > 0; i--) {
                Message message = consumer.receive(100);
                if (message == null) {
                    break;
                }
                int sender = message.getIntProperty("sender");
                int number = message.getIntProperty("number");
                if (!message.getJMSRedelivered()) {
                    assertThat(number)
                            .as("number of a message of sender %d that comes for the first time", sender)
                            .isGreaterThan(last[sender]);
                    last[sender] = number;
                }
                mayRollBack &= message.getIntProperty("JMSXDeliveryCount") <= MOST_ROLLED_BACK;
                assertThat(batch.add(new Sent(sender, number)))
                        .as("new within its batch")
                        .isTrue();
            }
            if (mayRollBack && random.nextInt(10) < 2) {
                session.rollback();
            } else {
                session.commit();
                for (Sent message : batch) {
                    assertThat(consumed.add(message))
                            .as("%s is consumed once", message)
                            .isTrue();
                }
            }
            if (random.nextInt(20) == 0) {
                session.close();
                session = connection.createSession(Session.SESSION_TRANSACTED);
                consumer = session.createConsumer(jms.queue());
            }
        }
    }
}
