package org.readpast.jms.tck.lease;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** A process that is stopped by the operating system while it works, and one that is asked to end. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowWorkerTest extends LeaseFixture {

    SlowWorkerTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    private static void signal(String name, ChildJvm to) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, "" + to.pid()).start().waitFor())
                .isZero();
    }

    /** It believes that it holds the message, and may do so for as long as it likes: what it commits is refused. */
    @Test
    void what_was_stopped_beyond_its_lease_and_overtaken_commits_nothing() throws Exception {
        String answers = queue + ".answers";
        send(answers);
        try (BusinessTable business = new BusinessTable(database);
                ChildJvm worker = ChildJvm.start(
                        SlowWorker.class,
                        ChildJvm.SMALL,
                        database.readpastUrl(),
                        queue + "?consumer.leaseSeconds=3",
                        business.insertStatement());
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer second = session.createConsumer(session.createQueue(queue))) {
            // More than one where it had to wait for a processor for longer than its lease.
            int deliveries = Integer.parseInt(worker.awaitReport("working"));
            signal("STOP", worker);

            assertDelivery(receive(second), answers, deliveries + 1);
            business.insert(((SqlSession) session).sqlConnection(), "second");
            session.createProducer(session.createQueue(answers)).send(session.createTextMessage("second"));
            session.commit();
            signal("CONT", worker);
            worker.tell("go on");

            assertThat(worker.awaitReport("ended")).isEqualTo("TransactionRolledBackException");
            assertThat(worker.awaitEnd()).isZero();
            assertThat(business.has("second")).isTrue();
            assertThat(business.has("overtaken")).isFalse();
            assertHolds(answers, "second");
            assertHolds(queue);
        }
    }

    /** Its lease has an hour to go, and the others would have to find it dead, which counts: it comes uncounted. */
    @Test
    void what_is_asked_to_end_gives_back_at_once_what_it_works_on() throws Exception {
        send("slow");
        try (ChildJvm worker = ChildJvm.start(
                        SlowWorker.class,
                        ChildJvm.SMALL,
                        database.readpastUrl(),
                        queue + "?consumer.leaseSeconds=3600");
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer next = session.createConsumer(session.createQueue(queue))) {
            worker.awaitReport("working");
            assertThat(claimed("attempt")).containsExactly("1");

            signal("TERM", worker);
            Message message = receive(next);

            assertDelivery(message, "slow", 1);
            worker.awaitEnd();
            assertThat(worker.reports()).containsExactly("working");
        }
    }
}
