package org.readpast.jms.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.NoThreads;

/** Which messages share a statement, and what becomes of those whose statement fails. */
@Timeout(120)
class CombinedSendsTest {

    /** So many go alone. */
    private static final int FEW = 12;

    /** So many are under way, each by itself, before those behind them wait: two of them on threads that carry several. */
    private static final int BUSY = FEW + 2;

    private static final int BAD = 77;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private record Statement(List<Integer> messages, Thread thread) {}

    private final Semaphore mayStore = new Semaphore(0);

    /** For those who go together. The same one unless these are to be told apart. */
    private Semaphore mayStoreTogether = mayStore;

    private final List<Statement> statements = new CopyOnWriteArrayList<>();

    /** Of statements with the bad message. */
    private volatile StoreException failure;

    private volatile IllegalStateException unexpected;
    private CombinedSends sends = new CombinedSends(this::store, "test", Duration.ofMinutes(1));
    private final List<CompletableFuture<Void>> sent = new ArrayList<>();
    private final List<Thread> senders = new CopyOnWriteArrayList<>();

    private void store(List<NewMessage> messages) throws StoreException {
        List<Integer> numbers = messages.stream().map(NewMessage::destinationId).toList();
        statements.add(new Statement(numbers, Thread.currentThread()));
        (isTogether(Thread.currentThread()) ? mayStoreTogether : mayStore).acquireUninterruptibly();
        if (numbers.contains(BAD) && unexpected != null) {
            throw unexpected;
        }
        if (numbers.contains(BAD) && failure != null) {
            throw failure;
        }
    }

    private static boolean isTogether(Thread thread) {
        return thread.getName().startsWith("readpast-sends-test");
    }

    private void sendUntilBusy() {
        sendEach(0, FEW);
        for (int number = FEW; number < BUSY; number++) {
            sendAndAwait(number);
        }
    }

    /** Sends one message after the other on threads of their own: each is under way, or waits, before the next one is sent. */
    private void sendEach(int from, int to) {
        for (int number = from; number < to; number++) {
            send(number, 1);
        }
    }

    private void send(int number, int length) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                sends.send(message(number, length));
                ended.complete(null);
            } catch (StoreException | RuntimeException | Error e) {
                ended.completeExceptionally(e);
            }
        });
        senders.add(thread);
        sent.add(ended);
        thread.start();
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> ended.isDone()
                        || thread.getState() == Thread.State.WAITING
                        || thread.getState() == Thread.State.TIMED_WAITING);
    }

    /** Three behind those that are under way, one of which is bad; those end, so that the three go together. */
    private void sendThreeTogether() {
        sendUntilBusy();
        sendEach(BAD - 1, BAD + 2);
        mayStore.release(BUSY);
        await().atMost(PATIENCE).until(() -> statements.size() > BUSY);
    }

    private static Throwable problem(CompletableFuture<Void> ended) throws Exception {
        try {
            ended.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private List<List<Integer>> stored() {
        return statements.stream().map(Statement::messages).toList();
    }

    @AfterEach
    void close() throws Exception {
        mayStore.release(10_000);
        mayStoreTogether.release(10_000);
        for (Thread sender : senders) {
            sender.join();
        }
        sends.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(CombinedSendsTest::isTogether));
    }

    @Test
    void few_go_alone_on_their_own_threads() {
        sendEach(0, FEW);

        assertThat(stored())
                .containsExactlyElementsOf(
                        IntStream.range(0, FEW).mapToObj(List::of).toList());
        assertThat(statements).extracting(Statement::thread).containsExactlyElementsOf(senders);
    }

    @Test
    void what_comes_meanwhile_goes_together_in_the_order_of_its_sends() throws Exception {
        sendThreeTogether();
        mayStore.release(1);
        for (CompletableFuture<Void> each : sent) {
            each.get();
        }

        assertThat(stored().get(BUSY)).containsExactly(BAD - 1, BAD, BAD + 1);
        assertThat(statements).hasSize(BUSY + 1);
        assertThat(senders).doesNotContain(statements.get(BUSY).thread());
    }

    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"DATA", "LOCK_TIMEOUT", "DEADLOCK"})
    void refused_message_fails_for_its_own_sender_alone(Failure kind) throws Exception {
        failure = new StoreException(kind, "refused", new SQLException("too long, or it has to wait for too long"));
        sendThreeTogether();
        mayStore.release(100);

        assertThat(problem(sent.get(BUSY))).isNull();
        assertThat(problem(sent.get(BUSY + 1))).isSameAs(failure);
        assertThat(problem(sent.get(BUSY + 2))).isNull();
        assertThat(stored().subList(BUSY + 1, BUSY + 4))
                .containsExactlyInAnyOrder(List.of(BAD - 1), List.of(BAD), List.of(BAD + 1));
    }

    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"DATA", "LOCK_TIMEOUT"})
    void refused_message_that_had_a_statement_to_itself_is_not_stored_again(Failure kind) throws Exception {
        failure = new StoreException(kind, "refused", new SQLException("too long, or it has to wait for too long"));
        sendEach(0, FEW);
        send(BAD, 1);
        mayStore.release(100);

        assertThat(problem(sent.get(FEW)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(kind));
        assertThat(statements).hasSize(FEW + 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"CONNECTION_LOST", "IN_DOUBT"})
    void failure_of_the_whole_is_told_to_each_and_nothing_is_stored_again(Failure kind) throws Exception {
        failure = new StoreException(kind, "broken", new SQLException("broken", "08006", 7));
        sendThreeTogether();
        mayStore.release(100);

        for (CompletableFuture<Void> each : sent.subList(BUSY, BUSY + 3)) {
            assertThat(problem(each))
                    .isInstanceOf(StoreException.class)
                    .isNotSameAs(failure)
                    .hasMessage("broken")
                    .hasCause(failure.getCause());
            assertThat(((StoreException) problem(each)).failure()).isEqualTo(kind);
        }
        assertThat(statements).hasSize(BUSY + 1);
    }

    @Test
    void interrupted_sender_waits_for_its_message_and_is_interrupted_afterwards() throws Exception {
        sendEach(0, FEW);
        boolean[] interrupted = new boolean[1];
        Thread thread = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                sends.send(message(FEW, 1));
            } catch (StoreException e) {
                throw new IllegalStateException(e);
            }
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        thread.start();
        mayStore.release(FEW + 1);
        thread.join();

        assertThat(interrupted[0]).isTrue();
        assertThat(stored()).contains(List.of(FEW)).hasSize(FEW + 1);
    }

    @Test
    void message_that_no_statement_takes_along_in_time_goes_alone() {
        sends.close();
        sends = new CombinedSends(this::store, "test", Duration.ofMillis(1));
        sendEach(0, FEW);
        int number = FEW;
        while (statements.stream().filter(each -> isTogether(each.thread())).count() < BUSY - FEW) {
            sendAndAwait(number);
            number++;
        }
        sendAndAwait(number);
        assertThat(statements.get(number)).isEqualTo(new Statement(List.of(number), senders.get(number)));
    }

    private void sendAndAwait(int number) {
        send(number, 1);
        await().atMost(PATIENCE).until(() -> statements.size() == number + 1);
    }

    @Test
    void message_goes_alone_where_there_is_no_thread_to_carry_it() throws Exception {
        sendEach(0, FEW);
        try (NoThreads none = NoThreads.of("sends-test")) {
            send(FEW, 1);
            await().until(() -> statements.size() == FEW + 1);
            assertThat(none.refused()).isOne();
        }
        mayStore.release(FEW + 1);
        assertThat(problem(sent.get(FEW))).isNull();
        assertThat(statements.get(FEW)).isEqualTo(new Statement(List.of(FEW), senders.get(FEW)));
        assertThat(statements).hasSize(FEW + 1);
    }

    @Test
    void threads_that_somebody_has_ended_are_replaced() throws Exception {
        sendThreeTogether();
        mayStore.release(100);
        for (CompletableFuture<Void> each : sent) {
            each.get();
        }
        mayStore.drainPermits();
        statements.clear();

        Thread.getAllStackTraces().keySet().stream()
                .filter(CombinedSendsTest::isTogether)
                .forEach(Thread::interrupt);
        await().until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(CombinedSendsTest::isTogether));

        sendUntilBusy();
        assertThat(statements.subList(FEW, BUSY)).allMatch(each -> isTogether(each.thread()));
    }

    /** Each of them may take longer than a message waits for the others. */
    @Test
    void messages_share_statements_while_those_that_went_alone_are_under_way() {
        mayStoreTogether = new Semaphore(0);
        sendUntilBusy();
        sendEach(BUSY, BUSY + 3);
        mayStoreTogether.release();
        await().atMost(PATIENCE).until(() -> statements.size() > BUSY);
        assertThat(stored().get(BUSY)).containsExactly(BUSY, BUSY + 1, BUSY + 2);
    }

    @Test
    void statement_carries_a_megabyte_and_the_next_one_the_rest() {
        sendUntilBusy();
        for (int i = 0; i < 12; i++) {
            send(BUSY + i, 50_000);
        }
        mayStore.release(BUSY);
        await().atMost(PATIENCE).until(() -> statements.size() >= BUSY + 2);

        assertThat(stored().subList(BUSY, BUSY + 2)).extracting(List::size).containsExactlyInAnyOrder(11, 1);
    }

    @Test
    void failure_that_may_come_after_the_commit_is_thrown_and_nothing_is_stored_again() throws Exception {
        unexpected = new IllegalStateException("after the commit");
        sendThreeTogether();
        mayStore.release(100);

        for (CompletableFuture<Void> each : sent.subList(BUSY, BUSY + 3)) {
            assertThat(problem(each)).hasRootCause(unexpected);
        }
        assertThat(statements).hasSize(BUSY + 1);
    }

    private static NewMessage message(int number, int length) {
        EncodedMessage content = new EncodedMessage(
                "ID:1",
                "queue://a",
                null,
                null,
                null,
                2,
                4,
                1,
                0,
                1,
                null,
                null,
                BodyKind.TEXT,
                new Body.Text("x".repeat(length)));
        return new NewMessage(number, content, 0, 0, 0);
    }
}
