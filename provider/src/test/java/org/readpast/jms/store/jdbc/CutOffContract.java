package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.engine.source.ClientIds;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.jdbc.connect.CommitCheck;
import org.readpast.jms.store.jdbc.connect.Connections;

/** What a store makes of errors that a driver raises around a commit, which the database may have carried out. */
abstract class CutOffContract extends StoreFixture {

    /** Fits no column. */
    private static final int NO_MODE = 40_000;

    /** As SQL Server's driver raises it: a class of Java's own, made from its own exception. */
    private static SQLException queryTimedOut() {
        return new SQLTimeoutException("The query has timed out.", "HY008", 0);
    }

    /** Of severity 24, after which SQL Server's driver closes the connection; elsewhere any number will do. */
    static SQLException diskError() {
        return new SQLException("SQL Server detected a logical consistency-based I/O error", "S0002", 823);
    }

    FailingSource source;
    private JdbcMessageStore asking;
    JdbcMessageStore silent;

    CutOffContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void openStores() throws StoreException {
        source = new FailingSource(database::connect);
        asking = open(CommitCheck.MARKER);
        silent = open(CommitCheck.NONE);
    }

    private JdbcMessageStore open(CommitCheck check) throws StoreException {
        JdbcMessageStore opened =
                new JdbcMessageStore(Connections.ofDataSource(source.dataSource()), options.withCommitCheck(check));
        opened.open();
        return opened;
    }

    @AfterEach
    void closeStores() {
        asking.close();
        silent.close();
    }

    /** A word of the step that commits a transaction with a marker. */
    abstract String commitWithMarker();

    /** A word of the step that commits a transaction without one. */
    abstract String commit();

    /** A word of the step that inserts one message for a queue and commits it. */
    abstract String send();

    /** A word of the step that inserts messages. */
    String insert() {
        return "INSERT INTO " + table("message");
    }

    private void closed(String word, boolean carriedOut) {
        source.fail(new FailingSource.Failing(word, carriedOut, CutOffContract::diskError, Connection::close));
    }

    @Test
    void query_that_timed_out_while_it_committed_is_asked_for() throws Exception {
        source.failAfter(commitWithMarker(), CutOffContract::queryTimedOut);

        asking.insert(List.of(to(message("one"))));

        assertThat(source.raised()).isOne();
        assertThat(texts(drain())).containsExactly("one");
    }

    @Test
    void query_that_timed_out_while_it_committed_is_in_doubt_where_nobody_asks() throws Exception {
        source.failAfter(send(), CutOffContract::queryTimedOut);

        assertInDoubt(() -> silent.insert(List.of(to(message("one")))));

        assertThat(texts(drain())).containsExactly("one");
    }

    @Test
    void whether_a_database_is_reachable_is_asked_of_it() {
        closed("SELECT", false);

        assertThatThrownBy(() -> silent.checkReachable(queue)).isInstanceOf(StoreException.class);
    }

    @Test
    void transaction_whose_commit_timed_out_is_asked_for() throws Exception {
        try (StoreTransaction transaction = asking.transaction("test")) {
            transaction.insert(List.of(to(message("early"))));
            source.failAfter(commitWithMarker(), CutOffContract::queryTimedOut);
            transaction.commitVerified(sending(to(message("late"))));
        }

        assertThat(source.raised()).isOne();
        assertThat(texts(drain())).containsExactly("early", "late");
    }

    @Test
    void error_that_closed_the_connection_during_a_commit_is_asked_for() throws Exception {
        closed(commitWithMarker(), true);
        asking.insert(List.of(to(message("done"))));
        closed(commitWithMarker(), false);
        assertThatThrownBy(() -> asking.insert(List.of(to(message("undone")))))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CONNECTION_LOST));

        assertThat(source.raised()).isEqualTo(2);
        assertThat(texts(drain())).containsExactly("done");
    }

    @Test
    void error_that_closed_the_connection_during_a_commit_is_in_doubt_where_nobody_asks() throws Exception {
        closed(commit(), true);
        try (StoreTransaction transaction = silent.transaction("test")) {
            assertInDoubt(() -> transaction.commitVerified(sending(to(message("one")), to(message("two")))));
        }

        assertThat(texts(drain())).containsExactly("one", "two");
    }

    @Test
    void error_that_closed_the_connection_before_a_commit_is_a_lost_connection() throws Exception {
        try (StoreTransaction transaction = silent.transaction("test")) {
            transaction.insert(List.of(to(message("one"))));
            closed(insert(), false);
            assertThatThrownBy(() -> transaction.insert(List.of(to(message("two")))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CONNECTION_LOST));
        }

        assertThat(drain()).isEmpty();
    }

    /** Where the number of the error in a batch is lost, all that is known is that it is not known. */
    @Test
    void batch_that_timed_out_is_a_timed_out_statement() throws Exception {
        try (StoreTransaction transaction = silent.transaction("test")) {
            source.failAfter(
                    insert(), () -> new BatchUpdateException("The query has timed out.", "HY008", 0, new int[2]));
            assertThatThrownBy(() -> transaction.insert(List.of(to(message("one")), to(message("two")))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.LOCK_TIMEOUT));
        }

        assertThat(source.raised()).isOne();
        assertThat(drain()).isEmpty();
    }

    /** What is at the other end may be alive, and another server. */
    @Test
    void connection_that_leads_to_the_wrong_server_is_not_lent_again() throws Exception {
        source.failAfter(insert(), () -> new SQLException("moved", "08006", 0));

        assertThatThrownBy(() -> silent.insert(List.of(to(message("one")), to(message("two")))))
                .isInstanceOf(StoreException.class);

        assertThat(source.raised()).isOne();
        assertThat(source.aborted()).isOne();
        assertThat(drain()).isEmpty();
    }

    /** The database would let the application commit the first of two messages. */
    @Test
    void joined_send_that_failed_leaves_nothing_that_could_be_committed() throws Exception {
        EncodedMessage good = message("good");
        EncodedMessage bad = new EncodedMessage(
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
        try (Connection applications = database.connect()) {
            applications.setAutoCommit(false);
            try (StoreTransaction joined = store.join(source(applications), "test")) {
                assertThatThrownBy(() -> joined.insert(List.of(to(good), to(bad))))
                        .isInstanceOf(StoreException.class);
            }
            try {
                applications.commit();
            } catch (SQLException refused) {
                assertThat(database).isEqualTo(TestDatabase.POSTGRESQL);
            }
        }

        assertThat(drain()).isEmpty();
    }

    /** Nobody here has it then, and nobody elsewhere can. */
    @Test
    void client_id_whose_taking_is_in_doubt_is_given_up() throws Exception {
        Housekeeping housekeeping = housekeeping();
        try (Presence here = silent.register();
                Presence there = store.register()) {
            ClientIds ids = new ClientIds(here, housekeeping);
            closed("commit()", true);
            assertThatThrownBy(() -> ids.take("c")).isInstanceOf(StoreException.class);
            assertThat(source.raised()).isOne();

            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(there.takeClientId("c")).isTrue());
        } finally {
            housekeeping.close();
        }
    }

    @Test
    void client_id_that_another_connection_has_is_not_given_up_where_it_is_in_doubt_whether_it_was_taken_again()
            throws Exception {
        Housekeeping housekeeping = housekeeping();
        try (Presence here = silent.register();
                Presence there = store.register()) {
            ClientIds ids = new ClientIds(here, housekeeping);
            assertThat(ids.take("c")).isTrue();
            closed("commit()", true);
            assertThatThrownBy(() -> ids.take("c")).isInstanceOf(StoreException.class);
            // What is given up afterwards shows that it would be by now.
            closed("commit()", true);
            assertThatThrownBy(() -> ids.take("d")).isInstanceOf(StoreException.class);
            assertThat(source.raised()).isEqualTo(2);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(there.takeClientId("d")).isTrue());

            assertThat(there.takeClientId("c")).isFalse();
            ids.release("c");
            assertThat(there.takeClientId("c")).isTrue();
        } finally {
            housekeeping.close();
        }
    }

    /** To SQL Server both are the same, and giving up the first later would take the row of the second. */
    @Test
    void client_id_whose_taking_is_in_doubt_is_given_up_before_another_is_taken_that_differs_in_trailing_blanks()
            throws Exception {
        Housekeeping closed = housekeeping();
        closed.close();
        try (Presence here = silent.register()) {
            ClientIds ids = new ClientIds(here, closed);
            closed("commit()", true);
            assertThatThrownBy(() -> ids.take("c ")).isInstanceOf(StoreException.class);

            assertThat(ids.take("c")).isTrue();
            assertThat(tables.clientIds()).containsExactly("c");
        }
    }

    /** A closed consumer gives up what it may have, and nobody else would. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void consumer_may_have_the_group_whose_taking_is_in_doubt(boolean exclusive) throws Exception {
        store.insert(List.of(to(grouped("a", "a1"))));
        try (Presence here = silent.register();
                Presence there = store.register()) {
            GroupHolder ann = new GroupHolder(here.instance(), exclusive);
            GroupHolder bob = new GroupHolder(there.instance(), exclusive);
            closed("commit()", true);
            try (StoreTransaction transaction = silent.transaction("test")) {
                assertThat(transaction.claim(head(1).by(ann))).isEmpty();
            }
            assertThat(source.raised()).isOne();
            assertThat(tables.groups(ann.consumer())).hasSize(1);
            assertThat(texts(transaction().claim(head(1).by(bob)))).isEmpty();
            nothingIsLeftBehind();

            assertThat(ann.mayHaveGroups()).isTrue();
            assertThat(here.releaseGroups(ann)).isTrue();
            assertThat(texts(transaction().claim(head(1).by(bob)))).containsExactly("a1");
            nothingIsLeftBehind();
            assertThat(there.releaseGroups(bob)).isTrue();
        }
    }

    Housekeeping housekeeping() {
        Settings settings = Settings.of(Map.of());
        return new Housekeeping(silent, null, settings, null, OtherJvms.NONE, new Outages(settings), "test");
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws StoreException;
    }

    private void assertInDoubt(Attempt attempt) {
        assertThatThrownBy(attempt::run)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.IN_DOUBT));
        assertThat(source.raised()).isOne();
    }
}
