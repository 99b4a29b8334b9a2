package org.readpast.jms.tck.queues;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;

/**
 * §6.2.9: one consumer after the other gets the messages of each sender in the order of sending, and each once, whatever it does with
 * them: it reads batches of random size and commits, rolls back or recovers them, or closes its session, while two senders keep the
 * queue long. What is undone comes again, in its order and before all that was sent later.
 */
@Tag("lengthened")
class Ch06RandomOrderTest {

    private static final int MESSAGES_PER_SENDER = Integer.getInteger("readpast.test.order.messages", 1_500);

    /** Fewer than a message is delivered at most before it is dead. */
    private static final int MOST_UNDONE_IN_A_ROW = 3;

    /** The acknowledge modes whose batches can be undone. */
    static List<Integer> modes() {
        return List.of(Session.SESSION_TRANSACTED, Session.CLIENT_ACKNOWLEDGE);
    }

    @ContractTest
    @CasesFrom("modes")
    void messages_of_each_sender_come_in_the_order_of_sending(Jms jms, int mode) throws Exception {
        long seed = new Random().nextLong();
        RandomSender one = new RandomSender(jms, 0, MESSAGES_PER_SENDER, new Random(seed + 1));
        RandomSender other = new RandomSender(jms, 1, MESSAGES_PER_SENDER, new Random(seed + 2));
        try {
            read(jms, mode, new Random(seed));
        } catch (AssertionError e) {
            throw new AssertionError("with the seed " + seed + ": " + e.getMessage(), e);
        }
        one.awaitEnd();
        other.awaitEnd();
        jms.assertEmpty(jms.queue());
    }

    private static void read(Jms jms, int mode, Random random) throws JMSException {
        Connection connection = jms.connection();
        Session session = connection.createSession(mode);
        MessageConsumer consumer = session.createConsumer(jms.queue());
        int[] done = new int[2];
        int undone = 0;
        while (done[0] < MESSAGES_PER_SENDER || done[1] < MESSAGES_PER_SENDER) {
            int[] read = done.clone();
            int left = 2 * MESSAGES_PER_SENDER - done[0] - done[1];
            Message last = null;
            for (int i = Math.min(left, 1 + random.nextInt(random.nextBoolean() ? 5 : 60)); i > 0; i--) {
                last = jms.receive(consumer);
                int sender = last.getIntProperty("sender");
                assertThat(last.getIntProperty("number"))
                        .as("number of the next message of sender %d", sender)
                        .isEqualTo(read[sender]++);
            }
            boolean undo = undone < MOST_UNDONE_IN_A_ROW && random.nextInt(10) < 2;
            if (!undo) {
                acknowledge(session, last);
                done = read;
            }
            undone = undo ? undone + 1 : 0;
            if (random.nextInt(20) == 0) {
                session.close();
                session = connection.createSession(mode);
                consumer = session.createConsumer(jms.queue());
            } else if (undo) {
                giveBack(session);
            }
        }
    }

    private static void acknowledge(Session session, Message last) throws JMSException {
        if (session.getTransacted()) {
            session.commit();
        } else {
            last.acknowledge();
        }
    }

    private static void giveBack(Session session) throws JMSException {
        if (session.getTransacted()) {
            session.rollback();
        } else {
            session.recover();
        }
    }
}
