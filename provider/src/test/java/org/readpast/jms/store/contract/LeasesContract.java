package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** What claims by lease do, in whichever store. */
public abstract class LeasesContract extends StoreContract {

    private static final int LONG = 600;

    /** Another one for each test: what others have left leased is not its own. */
    protected String worker;

    @BeforeEach
    void anotherWorker() {
        worker = UUID.randomUUID().toString();
    }

    protected LeasesContract(Tables tables) {
        super(tables);
    }

    protected ClaimRequest leased(int max) {
        return leased(max, LONG);
    }

    private ClaimRequest leased(int max, int seconds) {
        return head(max).onLease(new LeaseTerms(worker, seconds));
    }

    private void awaitMoved() {
        await().until(() -> {
            store.moveDue(100);
            return tables().delayed(queue).isEmpty();
        });
    }

    @Test
    void leased_messages_are_out_of_the_queue_and_no_connection_is_held() throws Exception {
        send("a", "b", "c");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(leased(2));

        assertThat(texts(claimed)).containsExactly("a", "b");
        assertThat(claimed).extracting(StoredMessage::deliveryCount).containsOnly(0);
        assertThat(tables().transactionsAtWork(store)).isZero();
        assertThat(texts(drain())).containsExactly("c");
    }

    @Test
    void commit_deletes_what_is_acknowledged_and_gives_back_as_it_was_what_is_returned() throws Exception {
        send("a", "b", "c");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(leased(3));
        assertThat(transaction.isOpen()).isFalse();

        List<Claim> claims = claims(claimed);
        transaction.commit(new Settlement(List.of(), claims.subList(0, 2), claims.subList(2, 3)), null);

        assertThat(tables().delayed(queue)).isEmpty();
        List<StoredMessage> left = drain();
        assertThat(texts(left)).containsExactly("c");
        assertThat(left.get(0).deliveryCount()).isZero();
        assertThat(left.get(0).key()).isEqualTo(claimed.get(2).key());
    }

    @Test
    void locked_messages_are_held_by_lease_from_the_commit_on() throws Exception {
        send("a", "b", "c");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(3));
        List<StoredMessage> leased = transaction.lease(claimed.subList(1, 2), new LeaseTerms(worker, LONG));
        transaction.commitVerified(acknowledging(claimed.subList(0, 1)));

        assertThat(texts(drain())).containsExactly("c");
        transaction.commit(acknowledging(leased), null);
        assertThat(tables().delayed(queue)).isEmpty();
        assertThat(drain()).isEmpty();
    }

    @Test
    void locked_messages_are_held_by_lease_where_nothing_else_is_committed() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> leased = transaction.lease(transaction.claim(head(1)), new LeaseTerms(worker, LONG));
        transaction.commitVerified(Settlement.NOTHING);

        assertThat(drain()).isEmpty();
        transaction.giveBack(claims(leased), List.of());
        assertThat(drain()).extracting(StoredMessage::deliveryCount).containsExactly(0);
    }

    @Test
    void rollback_leaves_messages_in_the_queue_that_were_to_be_leased() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        transaction.lease(transaction.claim(head(1)), new LeaseTerms(worker, LONG));
        transaction.rollback();

        assertThat(tables().delayed(queue)).isEmpty();
        assertThat(drain()).extracting(StoredMessage::deliveryCount).containsExactly(0);
    }

    @Test
    void message_that_is_gone_cannot_be_leased_and_all_is_undone() throws Exception {
        send("a", "b");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(2));
        transaction.acknowledge(claims(claimed.subList(0, 1)));

        assertThatThrownBy(() -> transaction.lease(claimed, new LeaseTerms(worker, LONG)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CLAIM_LOST));
        assertThat(texts(drain())).containsExactly("a", "b");
    }

    @Test
    void commit_claims_the_next_by_lease() throws Exception {
        send("a", "b");
        StoreTransaction transaction = transaction();
        List<StoredMessage> first = transaction.claim(leased(1));

        assertThat(texts(transaction.commit(acknowledging(first), leased(1)))).containsExactly("b");
        assertThat(tables().transactionsAtWork(store)).isZero();
    }

    @Test
    void lease_that_is_over_cannot_be_acknowledged_and_undoes_the_commit() throws Exception {
        send("late");
        String name = "answers " + UUID.randomUUID();
        int answers = store.destination(DestinationKind.QUEUE, name);
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(leased(1, 1));
        awaitMoved();

        Settlement settlement = new Settlement(List.of(elsewhere(answers, name, "answer")), claims(claimed), List.of());
        assertThatThrownBy(() -> transaction.commit(settlement, null))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CLAIM_LOST))
                .hasMessageContaining("the lease of 1 s was over")
                .hasMessageContaining("nothing was committed");

        transaction.rollback();
        assertThat(drain(answers)).isEmpty();
        List<StoredMessage> again = drain();
        assertThat(texts(again)).containsExactly("late");
        assertThat(again.get(0).deliveryCount()).isEqualTo(1);
    }

    @Test
    void lease_that_was_ended_by_somebody_says_so() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(leased(1));
        tables().clearDelayed();

        assertThatThrownBy(() -> transaction.commit(acknowledging(claimed), null))
                .hasMessageContaining("was ended before its time");
    }

    @Test
    void rollback_ends_no_lease() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(leased(1));

        transaction.rollback();

        assertThat(drain()).isEmpty();
        transaction.giveBack(claims(claimed), List.of());
        assertThat(drain()).extracting(StoredMessage::deliveryCount).containsExactly(0);
    }

    @Test
    void what_is_given_back_counts_once_and_goes_where_its_plan_says() throws Exception {
        send("at once", "later", "dead", "undelivered", "kept");
        String name = "dead " + UUID.randomUUID();
        NamedQueue dead = new NamedQueue(store.destination(DestinationKind.QUEUE, name), name);
        StoreTransaction transaction = transaction();
        List<Claim> claimed = claims(transaction.claim(leased(5)));

        List<Redelivery> plan = List.of(
                new Redelivery.AtOnce(claimed.get(0).key()),
                new Redelivery.Delayed(claimed.get(1).key(), 3_600_000),
                new Redelivery.DeadLetter(claimed.get(2).key(), dead, Map.of("why", "not"), null, 1, 0));
        assertThat(transaction.giveBack(claimed.subList(0, 4), plan)).isEqualTo(plan);

        assertThat(texts(drain(dead.id()))).containsExactly("dead");
        List<StoredMessage> available = drain();
        assertThat(texts(available)).containsExactly("at once", "undelivered");
        assertThat(available).extracting(StoredMessage::deliveryCount).containsExactly(1, 0);
        assertThat(tables().delayed(queue)).containsExactly("ID:later", "ID:kept");
        transaction.commit(Settlement.acknowledgement(claimed.subList(4, 5)), null);
        assertThat(tables().delayed(queue)).containsExactly("ID:later");
    }

    @Test
    void message_whose_lease_is_over_is_not_given_back_twice() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        Claim claim = transaction.claim(leased(1, 1)).get(0).claim();
        awaitMoved();

        assertThat(transaction.giveBack(List.of(claim), List.of(new Redelivery.AtOnce(claim.key()))))
                .isEmpty();
        assertThat(drain()).extracting(StoredMessage::deliveryCount).containsExactly(1);
    }

    @Test
    void leases_and_locks_are_acknowledged_together() throws Exception {
        send("leased", "locked");
        StoreTransaction transaction = transaction();
        List<StoredMessage> leased = transaction.claim(leased(1));
        List<StoredMessage> locked = transaction.claim(head(1));

        transaction.commit(
                Settlement.acknowledgement(
                        List.of(leased.get(0).claim(), locked.get(0).claim())),
                null);

        assertThat(drain()).isEmpty();
        assertThat(tables().delayed(queue)).isEmpty();
    }

    @Test
    void broken_sql_transaction_does_not_end_a_lease() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(leased(1));
        MessageKey nobodys = new MessageKey(queue, 5, 1);
        assertThatThrownBy(() -> transaction.acknowledge(locked(List.of(nobodys))))
                .isInstanceOf(StoreException.class);

        transaction.commit(acknowledging(claimed), null);

        assertThat(drain()).isEmpty();
        assertThat(tables().delayed(queue)).isEmpty();
    }

    @Test
    void selector_chooses_what_is_leased() throws Exception {
        sendTogether(
                message("red", 4, null, "{\"colour\":\"red\"}"), message("blue", 4, null, "{\"colour\":\"blue\"}"));
        StoreTransaction transaction = transaction();

        assertThat(texts(transaction.claim(matching("colour = 'blue'", 5).onLease(new LeaseTerms(worker, LONG)))))
                .containsExactly("blue");
        assertThat(texts(drain())).containsExactly("red");
    }

    @Test
    void large_body_of_a_leased_message_is_read() throws Exception {
        String large = "x".repeat(5_000);
        send(large);
        StoreTransaction transaction = transaction();
        StoredMessage claimed = transaction.claim(leased(1)).get(0);

        assertThat(claimed.lacksBody()).isTrue();
        assertThat(transaction.complete(claimed).message().body()).isEqualTo(new Body.Text(large));
        assertThat(tables().transactionsAtWork(store)).isZero();
        transaction.commit(acknowledging(List.of(claimed)), null);
    }

    @Test
    void groups_are_refused() throws Exception {
        send("a");
        GroupHolder holder = new GroupHolder(worker, true);

        assertThatThrownBy(() -> transaction().claim(leased(1).by(holder)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("'consumer.leaseSeconds' to 0");
        assertThat(texts(drain())).containsExactly("a");
    }

    @Test
    void leased_message_of_a_removed_destination_is_acknowledged_or_swept() throws Exception {
        Presence presence = store.register();
        try {
            String name = "temporary " + UUID.randomUUID();
            int temporary = presence.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
            for (String text : List.of("acknowledged", "given back", "waiting")) {
                store.insert(List.of(elsewhere(temporary, name, text)));
            }
            StoreTransaction transaction = transaction();
            List<StoredMessage> claimed =
                    transaction.claim(ClaimRequest.fromHead(temporary, 2, null).onLease(new LeaseTerms(worker, LONG)));

            presence.dropTemporary(temporary);
            List<Claim> claims = claims(claimed);
            transaction.commit(new Settlement(List.of(), claims.subList(0, 1), claims.subList(1, 2)), null);

            store.sweepDropped(500);
            assertThat(tables().messages(temporary)).isEmpty();
            assertThat(tables().delayed(temporary)).isEmpty();
        } finally {
            presence.close();
        }
    }

    @Test
    void expired_message_that_was_leased_in_time_is_acknowledged() throws Exception {
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = claimedAndExpired(transaction, leased(1));
        assertThat(texts(claimed)).containsExactly("brief");
        store.removeExpired(queue, Optional.empty(), 10);

        transaction.commit(acknowledging(claimed), null);
        assertThat(tables().delayed(queue)).isEmpty();
    }
}
