package org.readpast.jms.engine.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.memory.MemoryDatabase;
import org.readpast.jms.store.memory.MemoryStore;
import org.readpast.jms.threads.Patience;

/** What becomes of messages of which it is not known whether they were acknowledged. */
@Timeout(60)
class SettledDoubtTest {

    private final MemoryStore store = new MemoryStore(new MemoryDatabase(5_000), new SizeLimits(10_000, 10_000, 1_000));

    private List<StoredMessage> claim(StoreTransaction transaction, int queue, int count) throws Exception {
        return transaction.claim(ClaimRequest.fromHead(queue, count, null));
    }

    /** He would get them one after the other, and handle them again. */
    @Test
    void messages_are_acknowledged_though_somebody_has_got_one_of_them() throws Exception {
        ProviderRuntime runtime = ProviderRuntime.open(store, Settings.of(Map.of()));
        try (StoreTransaction broken = store.transaction("broken");
                StoreTransaction other = store.transaction("other");
                StoreTransaction again = store.transaction("again")) {
            int queue = queueOfThree();
            List<StoredMessage> doubtful = claim(broken, queue, 3);
            broken.rollback();
            List<StoredMessage> taken = claim(other, queue, 1);

            acknowledger(runtime, again).settleDoubt(doubtful, new Patience(1));

            assertThat(claim(broken, queue, 3)).isEmpty();
            other.rollback();
            assertThat(claim(broken, queue, 3))
                    .extracting(StoredMessage::key)
                    .containsExactly(taken.get(0).key());
        } finally {
            runtime.close();
        }
    }

    /** They are acknowledged together, or not, as whoever acknowledges them is told. */
    @Test
    void acknowledgement_that_is_known_to_be_undone_is_carried_out_whole() throws Exception {
        ProviderRuntime runtime = ProviderRuntime.open(store, Settings.of(Map.of()));
        try (StoreTransaction broken = store.transaction("broken");
                StoreTransaction other = store.transaction("other");
                StoreTransaction again = store.transaction("again")) {
            int queue = queueOfThree();
            List<Unacknowledged> undone =
                    claim(broken, queue, 3).stream().map(Unacknowledged::of).toList();
            broken.rollback();
            List<StoredMessage> taken = claim(other, queue, 1);
            Acknowledger acknowledger = acknowledger(runtime, again);

            assertThat(acknowledger.acknowledgeAgain(undone, Failure.UNDONE, new Patience(1)))
                    .isFalse();
            assertThat(claim(broken, queue, 3)).hasSize(undone.size() - taken.size());
            broken.rollback();
            other.rollback();
            assertThat(acknowledger.acknowledgeAgain(undone, Failure.UNDONE, new Patience(1)))
                    .isTrue();
            assertThat(claim(broken, queue, 3)).isEmpty();
        } finally {
            runtime.close();
        }
    }

    private static Acknowledger acknowledger(ProviderRuntime runtime, StoreTransaction store) {
        ClaimedMessages messages = new ClaimedMessages(store);
        Redeliverer redeliverer = new Redeliverer(runtime, "session", store, () -> false);
        SessionTransaction transaction = new SessionTransaction(runtime, "session", store, messages, redeliverer);
        return new Acknowledger(runtime, "session", store, messages, redeliverer, transaction);
    }

    private int queueOfThree() throws Exception {
        int queue = store.destination(DestinationKind.QUEUE, "a");
        for (int i = 0; i < 3; i++) {
            EncodedMessage message = new EncodedMessage(
                    "ID:" + i,
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
                    new Body.Text("text"));
            store.insert(List.of(new NewMessage(queue, message, 0, 0, 0)));
        }
        return queue;
    }
}
