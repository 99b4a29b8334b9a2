package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.jdbc.connect.CommitCheck;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.send.Inserts;
import org.readpast.jms.store.jdbc.transaction.CommitVerification;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.MarkerVerifier;
import org.readpast.jms.store.jdbc.transaction.Outcome;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** How a store finds out by a marker what came of a commit. */
abstract class CommitVerificationContract extends StoreFixture {

    /** Fits no column. */
    private static final int NO_MODE = 40_000;

    CommitVerificationContract(TestDatabase database) {
        super(database);
    }

    private void insertAndCommit(MarkerVerifier verifier, Connection connection, NewMessage message)
            throws SQLException {
        verifier.begin();
        inserts().insertMarkAndCommit(connection, message, verifier.token());
    }

    private MarkerVerifier marker(long keptMillis) {
        OpenStore open = opened();
        return new MarkerVerifier(open.statements(), open.failures(), inserts()::markAndCommit, keptMillis);
    }

    private Inserts inserts() {
        return opened().dialect().parts().inserts();
    }

    /** Of a marker that is not removed during the test. */
    private MarkerVerifier verifier() {
        return marker(3_600_000);
    }

    /** Within a pool's connection, which is given back. */
    @FunctionalInterface
    private interface Work<T> {
        T on(Connection connection) throws Exception;
    }

    private <T> T pooled(Work<T> work) throws Exception {
        ConnectionPool pool = opened().pool();
        Connection connection = pool.borrow();
        try {
            return work.on(connection);
        } finally {
            ShortTransactions.rollBack(pool, connection);
        }
    }

    private Outcome ask(CommitVerifier verifier) throws Exception {
        return pooled(verifier::ask);
    }

    @Test
    void marker_of_a_commit_says_that_it_was_carried_out() throws Exception {
        MarkerVerifier verifier = verifier();
        pooled(connection -> {
            inserts().insert(connection, List.of(to(message("one"))), new PlainCommit());
            verifier.commit(connection);
            return null;
        });

        assertThat(ask(verifier)).isEqualTo(Outcome.COMMITTED);
        assertThat(ask(verifier)).isEqualTo(Outcome.COMMITTED);
        assertThat(texts(drain())).containsExactly("one");
    }

    @Test
    void commit_that_was_asked_for_before_it_came_is_refused_for_ever() throws Exception {
        MarkerVerifier verifier = verifier();

        assertThat(ask(verifier)).isEqualTo(Outcome.ROLLED_BACK);
        // Whoever asks again, since the answer was lost, must not take the refusal for the commit.
        assertThat(ask(verifier)).isEqualTo(Outcome.ROLLED_BACK);

        pooled(connection -> {
            inserts().insert(connection, List.of(to(message("late"))), new PlainCommit());
            assertThatThrownBy(() -> verifier.commit(connection))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(failures().classify(e)).isEqualTo(Failure.DUPLICATE_KEY));
            return null;
        });
        pooled(connection -> {
            assertThatThrownBy(() -> insertAndCommit(verifier, connection, to(message("later"))))
                    .isInstanceOf(SQLException.class);
            return null;
        });
        assertThat(ask(verifier)).isEqualTo(Outcome.ROLLED_BACK);
        assertThat(drain()).isEmpty();
    }

    /** As after a network that kept silent for long, or in a virtual machine that was put to sleep. */
    @Test
    void marker_that_may_have_been_forgotten_says_nothing_by_its_absence() throws Exception {
        MarkerVerifier late = marker(0);
        pooled(connection -> {
            late.commit(connection);
            return null;
        });
        assertThat(ask(late)).isEqualTo(Outcome.COMMITTED);
        sql("DELETE FROM readpast.commit_marker");

        assertThat(ask(late)).isEqualTo(Outcome.UNKNOWN);
        // The refusal that the question left behind is not taken for more than it was.
        assertThat(ask(late)).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void question_waits_for_a_commit_that_is_under_way() throws Exception {
        assertThat(outcomeOfOneUnderWay(Connection::commit)).isEqualTo(Outcome.COMMITTED);
        assertThat(outcomeOfOneUnderWay(Connection::rollback)).isEqualTo(Outcome.ROLLED_BACK);
    }

    @FunctionalInterface
    private interface End {
        void of(Connection connection) throws SQLException;
    }

    private Outcome outcomeOfOneUnderWay(End end) throws Exception {
        MarkerVerifier verifier = verifier();
        return pooled(connection -> {
            markOnly(connection, verifier);
            CompletableFuture<Outcome> answer = new CompletableFuture<>();
            Thread asking = new Thread(() -> {
                try {
                    answer.complete(ask(verifier));
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
            });
            asking.start();
            await("the question to be asked").until(() -> tables.transactionsAtWork(store) == 2);
            end.of(connection);
            return answer.get(60, TimeUnit.SECONDS);
        });
    }

    /** The first half of {@code mark_and_commit}: as when the server is still at work. */
    private void markOnly(Connection connection, MarkerVerifier verifier) throws SQLException {
        String type = database == TestDatabase.SQL_SERVER ? "uniqueidentifier" : "uuid";
        String no = database == TestDatabase.SQL_SERVER ? "0" : "FALSE";
        sql(
                connection,
                "INSERT INTO readpast.commit_marker (token, refused) VALUES (CAST(? AS " + type + "), " + no + ")",
                verifier.token());
    }

    @Test
    void send_with_a_marker_stores_both_or_nothing() throws Exception {
        MarkerVerifier good = verifier();
        MarkerVerifier delayed = verifier();
        MarkerVerifier bad = verifier();
        pooled(connection -> {
            insertAndCommit(good, connection, to(message("good")));
            insertAndCommit(delayed, connection, to(message("delayed"), 0, 60_000));
            assertThatThrownBy(() -> insertAndCommit(bad, connection, to(refused())))
                    .isInstanceOf(SQLException.class);
            return null;
        });

        assertThat(ask(good)).isEqualTo(Outcome.COMMITTED);
        assertThat(ask(delayed)).isEqualTo(Outcome.COMMITTED);
        assertThat(ask(bad)).isEqualTo(Outcome.ROLLED_BACK);
        assertThat(texts(drain())).containsExactly("good");
    }

    private EncodedMessage refused() {
        return new EncodedMessage(
                "ID:bad",
                "queue://" + queueName,
                null,
                null,
                null,
                NO_MODE,
                4,
                1_000,
                0,
                1_000,
                null,
                null,
                BodyKind.TEXT,
                new Body.Text("bad"));
    }

    @Test
    void store_leaves_a_marker_for_each_send_and_each_commit_that_asks_for_one() throws Exception {
        StoreOptions marking = options.withCommitCheck(CommitCheck.MARKER);
        try (JdbcMessageStore verifying = new JdbcMessageStore(database.connections(), marking)) {
            verifying.open();
            sql("DELETE FROM readpast.commit_marker");
            verifying.insert(List.of(to(message("one"))));
            verifying.insert(List.of(to(message("two")), to(message("three"))));
            try (StoreTransaction transaction = verifying.transaction("test")) {
                var claimed = transaction.claim(head(1));
                transaction.commitVerified(acknowledging(claimed));
                transaction.commitVerified(sending(to(message("four"))));
                claimed = transaction.claim(head(1));
                transaction.commit(acknowledging(claimed), null);
            }
            assertThat(sql("SELECT count(*) FROM readpast.commit_marker")).containsExactly("4");
        }
        assertThat(texts(drain())).containsExactly("three", "four");
    }

    @Test
    void old_markers_are_forgotten_and_refusals_kept_for_a_day() throws Exception {
        sql("DELETE FROM readpast.commit_marker");
        boolean server = database == TestDatabase.SQL_SERVER;
        String insert = "INSERT INTO readpast.commit_marker (token, refused, committed_at) VALUES ('" + "%s', "
                + (server ? "%d" : "%d = 1") + ", " + (server ? "DATEADD(hour, -%d, SYSUTCDATETIME())" : "%s") + ")";
        for (int hours : new int[] {0, 2, 30}) {
            for (int refused : new int[] {0, 1}) {
                Object age = server ? (Object) hours : "CURRENT_TIMESTAMP - INTERVAL '" + hours + "' HOUR";
                sql(insert.formatted(UUID.randomUUID(), refused, age));
            }
        }
        StoreOptions marking = options.withCommitCheck(CommitCheck.MARKER);
        try (JdbcMessageStore verifying = new JdbcMessageStore(database.connections(), marking)) {
            verifying.open();

            assertThat(verifying.forgetMarkers(2)).isEqualTo(2);
            assertThat(verifying.forgetMarkers(2)).isEqualTo(1);
            assertThat(verifying.forgetMarkers(2)).isZero();
        }
        assertThat(sql("SELECT count(*) FROM readpast.commit_marker")).containsExactly("3");
    }

    /** There is no use in waiting for connections where nobody could say anything. */
    @Test
    void doubt_about_a_commit_without_a_witness_stays_and_asks_nobody() throws Exception {
        AtomicInteger borrowed = new AtomicInteger();
        DataSource counted = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    borrowed.incrementAndGet();
                    return database.connect();
                });
        StoreOptions marking = options.withCommitCheck(CommitCheck.MARKER);
        try (JdbcMessageStore verifying = new JdbcMessageStore(Connections.ofDataSource(counted), marking)) {
            verifying.open();
            CommitVerification commits = verifying.opened().commits();
            StoreException doubt = new StoreException(Failure.IN_DOUBT, "cut off", null);
            CommitVerifier none = new PlainCommit();
            none.begin();
            borrowed.set(0);

            assertThatThrownBy(() -> commits.settle(none, doubt, queueName, "commit"))
                    .isSameAs(doubt);
            assertThat(borrowed).hasValue(0);
        }
    }

    /** As of a driver. */
    @Test
    void question_that_fails_in_whatever_way_leaves_the_doubt_and_gives_its_connection_up() throws Exception {
        StoreOptions marking = options.withCommitCheck(CommitCheck.MARKER);
        try (JdbcMessageStore verifying = new JdbcMessageStore(database.connections(), marking)) {
            verifying.open();
            OpenStore open = verifying.opened();
            CommitVerification commits = new CommitVerification(
                    open.statements(), inserts()::markAndCommit, open.pool(), CommitCheck.MARKER, 1);
            StoreException doubt = new StoreException(Failure.IN_DOUBT, "cut off", null);
            // Without statements it throws what it never should.
            CommitVerifier failing = new MarkerVerifier(null, open.failures(), inserts()::markAndCommit, 1);
            failing.begin();

            assertThatThrownBy(() -> commits.settle(failing, doubt, queueName, "commit"))
                    .isSameAs(doubt);
            assertThat(open.pool().use().used()).isZero();
        }
    }

    @Test
    void failure_before_the_commit_is_no_doubt() throws StoreException {
        try (StoreTransaction transaction = store.transaction("test")) {
            assertThatThrownBy(() -> transaction.commitVerified(sending(to(refused()))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.DATA));
        }
    }
}
