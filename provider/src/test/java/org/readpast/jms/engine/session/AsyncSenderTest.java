package org.readpast.jms.engine.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.engine.transaction.SessionLock;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.NoThreads;

/** What becomes of a batch of asynchronous sends that cannot be stored, and of those that come too fast. */
@Timeout(120)
class AsyncSenderTest {

    private static final EncodedMessage EMPTY = new EncodedMessage(
            "ID:1", "queue://a", null, null, null, 2, 4, 1, 0, 1, null, null, BodyKind.TEXT, new Body.Text("empty"));
    private static final int BAD = 7;

    private final Semaphore mayStore = new Semaphore(0);

    /** Of each attempt, how many messages it was. */
    private final List<Integer> attempts = new CopyOnWriteArrayList<>();

    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile Failure failure;
    private volatile boolean onlyTheBadOne;
    private volatile Error unexpected;
    private final AsyncSender sender =
            new AsyncSender(this::store, 1_000_000, new AsyncSender.Session("test", new SessionLock(), problem -> {}));

    private void store(List<NewMessage> messages) throws StoreException {
        mayStore.acquireUninterruptibly();
        attempts.add(messages.size());
        if (unexpected != null) {
            throw unexpected;
        }
        boolean bad = !onlyTheBadOne || messages.stream().anyMatch(message -> message.destinationId() == BAD);
        if (failure != null && bad) {
            throw new StoreException(failure, "refused", null);
        }
    }

    private void send(int number) throws JMSException {
        sender.send(List.of(new NewMessage(number, EMPTY, 0, 0, 0)), new SendCompletion() {
            @Override
            public void completed() {
                told.add(number + " sent after " + attempts.size());
            }

            @Override
            public void failed(JMSException problem) {
                told.add(number + " failed after " + attempts.size());
            }
        });
    }

    /** The first one by itself, the others together behind it. */
    private void sendAll(int count) throws JMSException {
        send(0);
        await().until(mayStore::hasQueuedThreads);
        for (int number = 1; number < count; number++) {
            send(number);
        }
        mayStore.release(10_000);
    }

    @AfterEach
    void close() {
        mayStore.release(10_000);
        sender.close(System.nanoTime() + Duration.ofSeconds(10).toNanos());
    }

    @Test
    void batch_that_the_database_is_not_there_for_fails_at_once() throws Exception {
        failure = Failure.CONNECTION_LOST;
        sendAll(40);
        await().until(() -> told.size() == 40);
        assertThat(attempts).containsExactly(1, 39);
        assertThat(told).startsWith("0 failed after 1", "1 failed after 2").endsWith("39 failed after 2");
    }

    @Test
    void message_that_is_refused_takes_no_other_with_it_and_each_is_told_as_it_is_known() throws Exception {
        failure = Failure.DATA;
        onlyTheBadOne = true;
        sendAll(10);
        await().until(() -> told.size() == 10);
        assertThat(attempts).containsExactly(1, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(told)
                .startsWith("0 sent after 1", "1 sent after 3", "2 sent after 4")
                .contains("7 failed after 9");
    }

    @Test
    void batch_that_may_be_stored_though_something_else_was_thrown_is_not_stored_again() throws Exception {
        unexpected = new InternalError("made to fail");
        sendAll(10);
        await().until(() -> told.size() == 10);
        assertThat(attempts).containsExactly(1, 9);
        assertThat(told).startsWith("0 failed after 1", "1 failed after 2").endsWith("9 failed after 2");
    }

    @Test
    void send_for_which_there_was_no_thread_is_forgotten() throws Exception {
        mayStore.release(10_000);
        try (NoThreads none = NoThreads.of("sender-test")) {
            assertThatThrownBy(() -> send(1)).isInstanceOf(OutOfMemoryError.class);
            assertThat(none.refused()).isOne();
        }
        sender.awaitSent();
        sender.awaitCompleted("commit");
        send(2);
        await().until(() -> told.size() == 1);
        assertThat(told).containsExactly("2 sent after 1");
        assertThat(attempts).containsExactly(1);
    }

    @Test
    void who_sends_faster_than_is_stored_waits() throws Exception {
        send(0);
        await().until(mayStore::hasQueuedThreads);
        List<Integer> sent = new CopyOnWriteArrayList<>();
        Thread sending = new Thread(() -> IntStream.range(1, 5_000).forEach(number -> {
            try {
                send(number);
                sent.add(number);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        }));
        sending.start();
        await().until(() -> sending.getState() == Thread.State.WAITING);
        int before = sent.size();
        assertThat(before).isLessThan(2_000);
        mayStore.release(10_000);
        sending.join();
        await().until(() -> told.size() == 5_000);
        List<Integer> inOrder = new ArrayList<>(sent);
        assertThat(inOrder).isSorted().hasSize(4_999);
    }
}
