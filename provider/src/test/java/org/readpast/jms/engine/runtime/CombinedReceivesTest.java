package org.readpast.jms.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.runtime.CombinedReceives.Outcome;
import org.readpast.jms.engine.source.Groups;
import org.readpast.jms.races.Replaced;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.memory.MemoryDatabase;
import org.readpast.jms.store.memory.MemoryStore;
import org.readpast.jms.threads.Patience;

/** What becomes of receives that were combined and whose commit is in doubt. */
@Timeout(90)
class CombinedReceivesTest {

    /** So many receive together. */
    private static final int MANY = 9;

    private static final long GRACE_MILLIS = 5_000;

    /** What is longer does not come with a claim. */
    private static final int INLINE_BYTES = 10_000;

    /** For how long a doubt is looked into. */
    private static final long DOUBT_MILLIS = 50;

    private static final ArrivalNews NOBODY = new ArrivalNews() {
        @Override
        public void arrived(int destinationId, int count) {}

        @Override
        public void available(int destinationId) {}
    };

    private final MemoryStore store =
            new MemoryStore(new MemoryDatabase(GRACE_MILLIS), new SizeLimits(INLINE_BYTES, 2 * INLINE_BYTES, 1_000));

    private final List<Thread> receivers = new CopyOnWriteArrayList<>();
    private final AtomicInteger commits = new AtomicInteger();

    /** How many messages a commit in doubt was to acknowledge. */
    private volatile int inDoubt;

    /** What a driver throws when such a commit has been carried out; null where nobody knows of it. */
    private volatile RuntimeException thrownBehind;

    private Body body = new Body.Text("short");

    /** The last queue. */
    private volatile int queue;

    /** The same store. The first of those who receive keeps the others waiting; their commit is in doubt. */
    private final MessageStore doubtful = Replaced.by(MessageStore.class, (method, args) -> {
        Object result = Replaced.call(store, method, args);
        return result instanceof StoreTransaction made
                ? Replaced.by(StoreTransaction.class, (step, with) -> step(made, step, with))
                : result;
    });

    private final CombinedReceives receives = new CombinedReceives(
            doubtful, new RedeliveryPlanner(null, null), new Groups(null, null, NOBODY), NOBODY, DOUBT_MILLIS, "test");

    @AfterEach
    void close() {
        receives.close();
        store.close();
    }

    private Object step(StoreTransaction transaction, Method step, Object[] args) throws Throwable {
        if (step.getName().equals("claim")) {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> receivers.size() == MANY && receivers.stream().allMatch(CombinedReceivesTest::waits));
        }
        if (step.getName().equals("commitVerified") && commits.incrementAndGet() > 1) {
            inDoubt = ((Settlement) args[0]).acknowledged().size();
            if (thrownBehind != null) {
                Replaced.call(transaction, step, args);
                throw thrownBehind;
            }
            throw new StoreException(Failure.IN_DOUBT, "the connection broke", null);
        }
        return Replaced.call(transaction, step, args);
    }

    /** Or has been answered. */
    private static boolean waits(Thread receiver) {
        return switch (receiver.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            case NEW, RUNNABLE, BLOCKED -> false;
        };
    }

    /** So many receive at the same time until at least two of them are served together. */
    private List<Outcome> receiveTogether(BiConsumer<List<StoredMessage>, Patience> settling) throws Exception {
        store.open();
        List<Outcome> outcomes = List.of();
        for (int i = 0; inDoubt < 2; i++) {
            receivers.clear();
            commits.set(0);
            queue = store.destination(DestinationKind.QUEUE, "queue " + i);
            outcomes = receive(queue, settling);
        }
        return outcomes;
    }

    private List<Outcome> receive(int queue, BiConsumer<List<StoredMessage>, Patience> settling) throws Exception {
        List<NewMessage> sent = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String id = "ID:" + UUID.randomUUID();
            EncodedMessage message = new EncodedMessage(
                    id, "queue://a", null, null, null, 2, 4, 1, 0, 1, null, null, BodyKind.TEXT, body);
            sent.add(new NewMessage(queue, message, 0, 0, 0));
            receives.enter(queue);
        }
        store.insert(sent);
        List<FutureTask<Outcome>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            FutureTask<Outcome> receive = new FutureTask<>(() -> receives.receive(queue, receiver(settling)));
            asked.add(receive);
            receivers.add(new Thread(receive));
        }
        receivers.forEach(Thread::start);
        List<Outcome> outcomes = new ArrayList<>();
        for (FutureTask<Outcome> receive : asked) {
            outcomes.add(receive.get(60, TimeUnit.SECONDS));
        }
        return outcomes;
    }

    private static CombinedReceives.Receiver receiver(BiConsumer<List<StoredMessage>, Patience> settling) {
        return new CombinedReceives.Receiver() {
            @Override
            public Object read(StoredMessage message) {
                return message;
            }

            @Override
            public void settleDoubt(List<StoredMessage> messages, Patience patience) {
                settling.accept(messages, patience);
            }
        };
    }

    /** Each would wait for a database that is away for as long as one that receives for itself; and others may claim the last ones meanwhile. */
    @Test
    void doubts_are_looked_into_together_and_not_one_after_the_other() throws Exception {
        List<Integer> settled = new CopyOnWriteArrayList<>();
        List<Outcome> outcomes = receiveTogether((messages, patience) -> {
            settled.add(messages.size());
            boolean goesOn = true;
            while (goesOn) {
                goesOn = patience.pause();
            }
        });
        assertThat(settled).endsWith(inDoubt);
        assertThat(outcomes)
                .as("rather twice than never")
                .filteredOn(outcome -> outcome.kind() == CombinedReceives.Kind.RECEIVED)
                .hasSizeGreaterThan(inDoubt);
    }

    /** It would come back behind what others have got meanwhile. */
    @Test
    void long_message_that_is_claimed_is_returned_and_then_each_receives_for_himself() throws Exception {
        store.open();
        body = new Body.Text("x".repeat(INLINE_BYTES + 1));
        queue = store.destination(DestinationKind.QUEUE, "long");
        assertThat(receive(queue, (message, patience) -> {}))
                .filteredOn(outcome -> outcome.kind() == CombinedReceives.Kind.RECEIVED)
                .isNotEmpty()
                .extracting(
                        outcome -> ((StoredMessage) outcome.value()).message().body())
                .containsOnly(body);
        assertThat(receives.isNext(queue)).isFalse();
    }

    /** Who might get what is in doubt. */
    @Test
    void nobody_receives_for_himself_while_a_doubt_is_looked_into() throws Exception {
        List<Boolean> answers = new CopyOnWriteArrayList<>();
        receiveTogether((messages, patience) -> {
            CombinedReceives.Receiving late = new CombinedReceives.Receiving(receiver((others, time) -> {}));
            answers.add(receives.line(queue).takes(late));
            answers.add(receives.line(queue).takeBack(late));
        });
        // Also where it is served then, and that is in doubt as well.
        assertThat(answers).startsWith(true, false);
    }

    /** What is in doubt may be held by somebody else by then, for as long as he likes. */
    @Test
    void doubt_that_is_looked_into_for_long_keeps_nobody_from_receiving_for_himself() throws Exception {
        receiveTogether((messages, patience) -> {
            CombinedReceives.Receiving late = new CombinedReceives.Receiving(receiver((others, time) -> {}));
            if (receives.line(queue).takes(late)) {
                await().atMost(1, TimeUnit.MINUTES)
                        .until(() -> receives.line(queue).takeBack(late));
            }
        });
    }

    @Test
    void what_is_acknowledged_is_returned_whatever_a_driver_throws_then() throws Exception {
        thrownBehind = new IllegalStateException("as a driver does");
        List<Outcome> outcomes = receiveTogether((messages, patience) -> {});
        List<MessageKey> returned = outcomes.stream()
                .filter(outcome -> outcome.kind() == CombinedReceives.Kind.RECEIVED)
                .map(outcome -> ((StoredMessage) outcome.value()).key())
                .toList();
        try (StoreTransaction left = store.transaction("left")) {
            List<MessageKey> there = left.claim(ClaimRequest.fromHead(queue, MANY, null)).stream()
                    .map(StoredMessage::key)
                    .toList();
            assertThat(there).doesNotContainAnyElementsOf(returned).hasSize(MANY - returned.size());
        }
        assertThat(returned).doesNotHaveDuplicates();
    }

    @Test
    void nobody_waits_for_ever_where_a_doubt_cannot_be_looked_into() throws Exception {
        assertThat(receiveTogether((messages, patience) -> {
                    throw new IllegalStateException("as a driver does");
                }))
                .hasSize(MANY);
    }
}
