package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;

/** Messages that were claimed ahead and become free again are told of: nobody has to look for them. */
@ReadpastOptions("notification=false&pollFloorMillis=600000&pollCeilingMillis=600000")
class GivenBackTest {

    private static final int ROUNDS = 5;
    private static final int LEAVING = 16;

    @FunctionalInterface
    private interface Action {
        void end(Session session, MessageConsumer consumer, Message last) throws Exception;
    }

    /** How a session ends what it has claimed. */
    private record Ending(String name, int mode, Action action) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Ending> endings() {
        return List.of(
                new Ending("commit", Session.SESSION_TRANSACTED, (session, consumer, last) -> session.commit()),
                new Ending("rollback", Session.SESSION_TRANSACTED, (session, consumer, last) -> session.rollback()),
                new Ending("acknowledge", Session.CLIENT_ACKNOWLEDGE, (session, consumer, last) -> last.acknowledge()),
                new Ending("recover", Session.CLIENT_ACKNOWLEDGE, (session, consumer, last) -> session.recover()),
                new Ending("close", Session.CLIENT_ACKNOWLEDGE, (session, consumer, last) -> session.close()),
                new Ending("commit without the consumer", Session.SESSION_TRANSACTED, (session, consumer, last) -> {
                    consumer.close();
                    session.commit();
                }));
    }

    @ContractTest
    @CasesFrom("endings")
    void who_waits_gets_what_was_claimed_ahead(Jms jms, Ending ending) throws Exception {
        jms.send(
                jms.queue(),
                IntStream.rangeClosed(1, 16).mapToObj(String::valueOf).toArray(String[]::new));
        Session holder = jms.session(ending.mode());
        MessageConsumer ahead = holder.createConsumer(jms.queue());
        Message last = null;
        for (int i = 0; i < 9; i++) {
            last = jms.receive(ahead);
        }
        MessageConsumer other = jms.session().createConsumer(jms.queue());
        Elsewhere<Message> waiting = jms.elsewhere(other::receive);
        waiting.awaitInside("receive");

        ending.action().end(holder, ahead, last);

        assertThat(Jms.text(waiting.result())).isIn("1", "10");
    }

    /** A rollback of the application's own work gives up the locks of what was claimed after it, before that can be counted. */
    @ContractTest
    void who_waits_gets_what_was_rolled_back_when_that_is_counted(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        MessageConsumer other = jms.session().createConsumer(jms.queue());
        for (int round = 0; round < 2 * LEAVING; round++) {
            jms.send(jms.queue(), "one");
            assertThat(((SqlSession) session).sqlConnection()).isNotNull();
            assertThat(jms.receive(consumer).getIntProperty("JMSXDeliveryCount"))
                    .isEqualTo(1);
            Elsewhere<Message> waiting = jms.elsewhere(other::receive);
            waiting.awaitInside("receive");

            session.rollback();

            assertThat(waiting.result().getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
    }

    /** An arrival wakes the one that has waited for longest, which may be closed before it has looked. */
    @ContractTest
    void who_waits_gets_what_woke_somebody_else_who_left(Jms jms) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<Session> leaving = new ArrayList<>();
            List<Elsewhere<Message>> left = new ArrayList<>();
            for (int i = 0; i < LEAVING; i++) {
                Session session = jms.session();
                MessageConsumer consumer = session.createConsumer(jms.queue());
                leaving.add(session);
                left.add(jms.elsewhere(consumer::receive));
                left.get(i).awaitInside("receive");
            }
            MessageConsumer other = jms.session().createConsumer(jms.queue());
            Elsewhere<Message> waiting = jms.elsewhere(other::receive);
            waiting.awaitInside("receive");

            Elsewhere<Void> closing = jms.elsewhere(() -> {
                for (Session session : leaving) {
                    session.close();
                }
                return null;
            });
            jms.send(jms.queue(), "one");

            closing.result();
            int taken = 0;
            for (Elsewhere<Message> gone : left) {
                taken += gone.result() == null ? 0 : 1;
            }
            for (int i = 0; i < taken; i++) {
                jms.send(jms.queue(), "one");
            }
            assertThat(Jms.text(waiting.result())).isEqualTo("one");
            other.close();
        }
    }
}
