package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Elsewhere;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** §11.2: message-driven beans, driven by nothing but the facilities of chapter 11. */
class Ch11ResourceAdapterTest {

    private static final String OPTIONAL = "the facility is optional: creating a ConnectionConsumer returns null";

    private static GenericAdapter activated(Jms jms, int maximum, GenericAdapter.Bean bean) throws Exception {
        GenericAdapter adapter = new GenericAdapter(jms.factory(), jms.queue(), maximum, bean);
        AutoCloseable deactivation = adapter::deactivate;
        jms.closeAfterwards(deactivation);
        return adapter;
    }

    /** Sends an answer in the transaction of the message. */
    private static void answer(Jms jms, Message order, Session session) throws Exception {
        session.createProducer(jms.queue("answers")).send(session.createTextMessage("shipped " + Jms.text(order)));
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2", why = OPTIONAL)
    void every_order_is_answered_once_though_some_beans_fail(Jms jms) throws Exception {
        String[] orders = IntStream.range(0, 60).mapToObj(i -> "order " + i).toArray(String[]::new);
        Set<String> failed = ConcurrentHashMap.newKeySet();
        GenericAdapter adapter = activated(jms, 4, (order, session) -> {
            answer(jms, order, session);
            if (Jms.text(order).endsWith("7") && failed.add(Jms.text(order))) {
                throw new IllegalArgumentException("the bean fails on purpose");
            }
        });
        jms.send(jms.queue(), orders);

        MessageConsumer answers = jms.session().createConsumer(jms.queue("answers"));
        Set<String> expected = new TreeSet<>();
        for (String order : orders) {
            expected.add("shipped " + order);
        }
        assertThat(new TreeSet<>(jms.receiveTexts(answers, 60))).isEqualTo(expected);
        jms.assertNothingArrives(answers);
        assertThat(failed).hasSize(6);
        adapter.deactivate();
        jms.assertEmpty(jms.queue());
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2", why = OPTIONAL)
    void beans_work_at_the_same_time_up_to_the_maximum(Jms jms) throws Exception {
        CountDownLatch threeAtWork = new CountDownLatch(3);
        CountDownLatch released = new CountDownLatch(1);
        ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
        GenericAdapter adapter = activated(jms, 3, (order, session) -> {
            threeAtWork.countDown();
            assertThat(released.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            handled.add(Jms.text(order));
        });
        jms.send(jms.queue(), "1", "2", "3", "4", "5", "6");
        assertThat(threeAtWork.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(adapter.made()).isEqualTo(3);
        released.countDown();
        await().atMost(Jms.PATIENCE).until(() -> handled.size() == 6);
        assertThat(handled).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2", why = OPTIONAL)
    void deactivation_waits_for_the_beans_and_leaves_the_rest(Jms jms) throws Exception {
        CountDownLatch atWork = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        GenericAdapter adapter = activated(jms, 1, (order, session) -> {
            answer(jms, order, session);
            atWork.countDown();
            assertThat(released.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        });
        jms.send(jms.queue(), "one", "two");
        assertThat(atWork.await(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Elsewhere<?> deactivating = jms.elsewhere(() -> {
            adapter.deactivate();
            return true;
        });
        deactivating.awaitInside("deactivate");
        deactivating.assertKeepsRunning();
        released.countDown();
        deactivating.result();
        jms.assertHolds(jms.queue("answers"), "shipped one");
        jms.assertHolds(jms.queue(), "two");
    }
}
