package org.readpast.jms.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.runtime.CombinedDeliveries.Kind;
import org.readpast.jms.engine.runtime.CombinedDeliveries.Next;
import org.readpast.jms.engine.runtime.SharedDelivery.Ending;
import org.readpast.jms.engine.source.Groups;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.races.Replaced;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.memory.MemoryDatabase;
import org.readpast.jms.store.memory.MemoryStore;
import org.readpast.jms.threads.NoThreads;

/** Which listener gets which message. */
@Timeout(90)
class CombinedDeliveriesTest {

    /** So many listeners take turns together. */
    private static final int MANY = 9;

    private static final long GRACE_MILLIS = 5_000;

    /** What is longer does not come with a claim. */
    private static final int INLINE_BYTES = 10_000;

    private static final Body SHORT = new Body.Text("short");

    private static final ArrivalNews NOBODY = new ArrivalNews() {
        @Override
        public void arrived(int destinationId, int count) {}

        @Override
        public void available(int destinationId) {}
    };

    private final MemoryStore store =
            new MemoryStore(new MemoryDatabase(GRACE_MILLIS), new SizeLimits(INLINE_BYTES, 2 * INLINE_BYTES, 1_000));

    /** Where a commit waits; null where it does not. */
    private volatile CountDownLatch mayCommit;

    private final Semaphore committing = new Semaphore(0);

    /** What a driver throws when a commit has been carried out; null where all is well. */
    private volatile RuntimeException thrownBehind;

    /** Whether the next commit is in doubt, and under way for as long as nobody carries it out. */
    private volatile boolean isInDoubt;

    /** A transaction whose commit is under way. */
    private volatile StoreTransaction underWay;

    private volatile Settlement settlement;

    /** The same store. */
    private final MessageStore replaced = Replaced.by(MessageStore.class, (method, args) -> {
        Object result = Replaced.call(store, method, args);
        return result instanceof StoreTransaction made
                ? Replaced.by(StoreTransaction.class, (step, with) -> step(made, step, with))
                : result;
    });

    private final Settings settings = Settings.of(Map.of());
    private final Housekeeping housekeeping =
            new Housekeeping(replaced, null, settings, NOBODY, null, new Outages(settings), "test");
    private final CombinedDeliveries deliveries = new CombinedDeliveries(
            replaced,
            new RedeliveryPlanner(null, null),
            new Groups(null, null, NOBODY),
            NOBODY,
            housekeeping,
            "this",
            GRACE_MILLIS,
            "test");
    private int queue;

    @BeforeEach
    void open() throws Exception {
        store.open();
        use("a");
    }

    private void use(String name) throws Exception {
        queue = store.destination(DestinationKind.QUEUE, name);
        IntStream.range(0, MANY).forEach(listener -> deliveries.enter(queue));
    }

    @AfterEach
    void close() {
        deliveries.close();
        housekeeping.close();
        store.close();
    }

    private Object step(StoreTransaction transaction, Method step, Object[] args) throws Throwable {
        CountDownLatch gate = mayCommit;
        if (step.getName().equals("commitVerified") && gate != null) {
            committing.release();
            gate.await();
        }
        if (step.getName().equals("commitVerified") && isInDoubt) {
            isInDoubt = false;
            underWay = transaction;
            settlement = (Settlement) args[0];
            throw new StoreException(Failure.IN_DOUBT, "the connection broke", null);
        }
        if (transaction == underWay) {
            return null;
        }
        Object result = Replaced.call(transaction, step, args);
        if (step.getName().equals("commitVerified") && thrownBehind != null) {
            throw thrownBehind;
        }
        return result;
    }

    private void send(Body body, String... ids) throws Exception {
        for (String id : ids) {
            EncodedMessage message = new EncodedMessage(
                    id, "queue://a", null, null, null, 2, 4, 1, 0, 1, null, null, BodyKind.TEXT, body);
            store.insert(List.of(new NewMessage(queue, message, 0, 0, 0)));
        }
    }

    /** What a listener asks for on a thread of its own; it asks, or has been answered, when this returns. */
    private static <T> FutureTask<T> aside(Callable<T> asks) {
        FutureTask<T> answer = new FutureTask<>(asks);
        Thread thread = new Thread(answer);
        thread.start();
        await().pollInterval(Duration.ofMillis(1)).until(() -> answer.isDone() || waits(thread));
        return answer;
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    /** What two get that ask while somebody's message is being acknowledged; they are served together, unless one of them has waited for too long. */
    private List<Next> together() throws Exception {
        Next before = served();
        mayCommit = new CountDownLatch(1);
        FutureTask<Ending> ending = aside(() -> before.delivery().end(false));
        committing.acquire();
        FutureTask<Next> one = aside(() -> next(false));
        FutureTask<Next> other = aside(() -> next(false));
        mayCommit.countDown();
        mayCommit = null;
        ending.get(60, TimeUnit.SECONDS);
        return List.of(one.get(60, TimeUnit.SECONDS), other.get(60, TimeUnit.SECONDS));
    }

    private Next next(boolean isKept) {
        return deliveries.next(queue, isKept, (message, patience) -> {});
    }

    /** As {@link #next}, once more where nobody served it for so long that it was to go alone, as where the machine is busy. */
    private Next served() {
        return await().until(() -> next(false), next -> next.kind() != Kind.ALONE);
    }

    private static String id(StoredMessage message) {
        return message.message().messageId();
    }

    @Test
    void listener_goes_alone_where_there_is_no_thread_to_serve_it() throws Exception {
        send(SHORT, "1");
        try (NoThreads none = NoThreads.of("listeners-test")) {
            assertThatNoException()
                    .isThrownBy(() -> assertThat(next(false).kind()).isEqualTo(Kind.ALONE));
            assertThat(none.refused()).isOne();
        }
        assertThat(deliveries.isUnderWay(queue)).isFalse();
        Next later = served();
        assertThat(later.kind()).isEqualTo(Kind.DELIVERED);
        later.delivery().end(false);
    }

    /** It may have handled a later one on its own meanwhile. */
    @Test
    void message_that_is_kept_for_a_listener_is_for_no_other() throws Exception {
        send(SHORT, "1", "2", "3", "4");
        Next first = served();
        assertThat(first.delivery().end(true)).isEqualTo(Ending.NEXT_IS_READY);
        try (StoreTransaction alone = store.transaction("alone")) {
            List<StoredMessage> claimed = alone.claim(ClaimRequest.fromHead(queue, 1, null));
            assertThat(claimed).extracting(CombinedDeliveriesTest::id).containsExactly("3");
            alone.commitVerified(
                    Settlement.acknowledgement(List.of(claimed.get(0).claim())));
        }
        FutureTask<Next> other = aside(() -> next(false));
        Next kept = next(true);
        assertThat(kept.kind()).isEqualTo(Kind.DELIVERED);
        assertThat(id(kept.delivery().message())).isEqualTo("2");
        kept.delivery().end(false);
        // Unless it has waited for so long that it is to go alone.
        if (other.get().kind() == Kind.DELIVERED) {
            assertThat(id(other.get().delivery().message())).isEqualTo("4");
            other.get().delivery().end(false);
        }
    }

    private List<String> free() throws Exception {
        try (StoreTransaction alone = store.transaction("alone")) {
            return alone.claim(ClaimRequest.fromHead(queue, MANY, null)).stream()
                    .map(CombinedDeliveriesTest::id)
                    .toList();
        }
    }

    @Test
    void message_that_nobody_knows_to_be_leased_is_given_back_whatever_a_driver_throws() throws Exception {
        send(SHORT, "1");
        Next first = served();
        thrownBehind = new IllegalStateException("as a driver does");
        assertThat(first.delivery().keep()).isEqualTo(Ending.LOST);
        assertThat(free()).containsExactly("1");
    }

    private static boolean areDelivered(List<Next> nexts) {
        return nexts.stream().allMatch(next -> next.kind() == Kind.DELIVERED);
    }

    /** Each of eight leases and one more has to be made good by a hundred messages. */
    @Test
    void nobody_takes_turns_any_more_after_too_many_leases() throws Exception {
        List<Next> last = List.of();
        for (int i = 0; last.isEmpty() || !areDelivered(last); i++) {
            use("leases " + i);
            for (int leases = 0; leases < 8; leases++) {
                send(SHORT, "leased");
                assertThat(served().delivery().keep()).isEqualTo(Ending.LEASED);
            }
            send(SHORT, "before", "done", "leased", "left");
            last = together();
        }
        assertThat(last.get(0).delivery().end(true)).isEqualTo(Ending.ACKNOWLEDGED);
        assertThat(last.get(1).delivery().end(true)).isEqualTo(Ending.LEASED);
        assertThat(deliveries.isNext(queue)).isFalse();
    }

    /** A claim that does not begin at the head finds less than there is. */
    @Test
    void nobody_is_told_that_there_is_nothing_by_a_claim_that_has_found_something() throws Exception {
        List<Next> asked;
        int i = 0;
        do {
            use("few " + i++);
            send(SHORT, "before", "only");
            asked = together();
            asked.stream()
                    .filter(next -> next.kind() == Kind.DELIVERED)
                    .forEach(next -> next.delivery().end(false));
        } while (asked.stream().noneMatch(next -> next.kind() == Kind.DELIVERED));
        assertThat(asked).extracting(Next::kind).containsExactlyInAnyOrder(Kind.DELIVERED, Kind.ALONE);
    }

    /** As on a server that waits for its standby. */
    @Test
    void message_whose_lease_is_still_being_committed_is_given_back_when_it_is() throws Exception {
        send(SHORT, "1");
        Next first = served();
        isInDoubt = true;
        assertThat(first.delivery().keep()).isEqualTo(Ending.LOST);
        assertThat(free()).isEmpty();
        underWay.commitVerified(settlement);
        await().atMost(Duration.ofSeconds(60)).until(() -> !free().isEmpty());
    }

    /** It would come back behind what others have got meanwhile. These are longer than what is moved to a lease without need. */
    @ParameterizedTest
    @ValueSource(ints = {5_000, INLINE_BYTES + 1})
    void long_message_that_is_claimed_is_handed_out_and_then_each_listens_for_himself(int length) throws Exception {
        Body body = new Body.Text("x".repeat(length));
        send(body, "1", "2");
        Next first = served();
        assertThat(first.kind()).isEqualTo(Kind.DELIVERED);
        assertThat(id(first.delivery().message())).isEqualTo("1");
        assertThat(first.delivery().message().message().body()).isEqualTo(body);
        assertThat(first.delivery().end(true)).isEqualTo(Ending.ACKNOWLEDGED);
        assertThat(deliveries.isNext(queue)).isFalse();
    }
}
