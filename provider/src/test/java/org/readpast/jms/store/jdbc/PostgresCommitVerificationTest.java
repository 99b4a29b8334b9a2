package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.transaction.Outcome;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;
import org.readpast.jms.store.jdbc.transaction.StatusVerifier;

/** Commits in doubt on PostgreSQL, which also remembers what became of transactions. */
class PostgresCommitVerificationTest extends CommitVerificationContract {

    PostgresCommitVerificationTest() {
        super(TestDatabase.POSTGRESQL);
    }

    private StatusVerifier verifier() throws Exception {
        try (Connection connection = database.connect()) {
            return verifier(StatusVerifier.life(opened().statements(), connection));
        }
    }

    private StatusVerifier verifier(String life) {
        return new StatusVerifier(opened().statements(), new AtomicReference<>(life));
    }

    private Outcome ask(StatusVerifier verifier) throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            return verifier.ask(connection);
        }
    }

    private Connection withWork(String text) throws Exception {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        opened().dialect().parts().inserts().insert(connection, List.of(to(message(text))), new PlainCommit());
        return connection;
    }

    @Test
    void status_of_a_committed_transaction_counts_within_one_life_of_the_server() throws Exception {
        StatusVerifier verifier = verifier();
        StatusVerifier ofAnotherLife = verifier("00000001 before the crash");
        try (Connection connection = withWork("status")) {
            ofAnotherLife.prepare(connection);
            ofAnotherLife.begin();
            verifier.commit(connection);
        }

        assertThat(ask(verifier)).isEqualTo(Outcome.COMMITTED);
        assertThat(ask(ofAnotherLife)).isEqualTo(Outcome.UNKNOWN);
        assertThat(texts(drain())).containsExactly("status");
    }

    /** So that it costs no round trip to know it before the commit. */
    @Test
    void sends_claims_and_acknowledgements_tell_their_transaction_along() throws Exception {
        send("first");
        StatusVerifier ofSends = verifier();
        StatusVerifier ofDelayed = verifier();
        StatusVerifier ofClaims = verifier();
        StatusVerifier ofAcknowledgements = verifier();
        Dialect.Parts parts = opened().dialect().parts();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            parts.inserts().insert(connection, List.of(to(message("second"))), ofSends);
            assertThat(ofSends.isPrepared()).isTrue();
            ofSends.commit(connection);
            parts.inserts().insert(connection, List.of(to(message("third"), 0, 60_000)), ofDelayed);
            assertThat(ofDelayed.isPrepared()).isTrue();
            ofDelayed.begin();
            connection.rollback();
            List<StoredMessage> claimed = parts.table().claim(connection, head(1), ofClaims);
            assertThat(ofClaims.isPrepared()).isTrue();
            ofClaims.begin();
            parts.acknowledgements().acknowledge(connection, keys(claimed), ofAcknowledgements);
            assertThat(ofAcknowledgements.isPrepared()).isTrue();
            ofAcknowledgements.commit(connection);
        }

        assertThat(ask(ofSends)).isEqualTo(Outcome.COMMITTED);
        assertThat(ask(ofDelayed)).isEqualTo(Outcome.ROLLED_BACK);
        assertThat(ask(ofClaims)).isEqualTo(Outcome.COMMITTED);
        assertThat(ask(ofAcknowledgements)).isEqualTo(Outcome.COMMITTED);
        assertThat(texts(drain())).containsExactly("second");
    }

    /** A deadlock's victim is tried again, and may then write nothing that tells. */
    @Test
    void what_was_told_of_an_earlier_attempt_does_not_hold() throws Exception {
        StatusVerifier verifier = verifier();
        verifier.told("1");
        verifier.startAnew();

        assertThat(verifier.canTell()).isFalse();
        assertThat(verifier.isPrepared()).isFalse();
    }

    @Test
    void transaction_that_was_rolled_back_or_never_written_is_told() throws Exception {
        StatusVerifier verifier = verifier();
        StatusVerifier unused = verifier();
        try (Connection connection = withWork("status")) {
            verifier.prepare(connection);
            verifier.begin();
            connection.rollback();
            unused.commit(connection);
        }

        assertThat(ask(verifier)).isEqualTo(Outcome.ROLLED_BACK);
        assertThat(ask(unused)).isEqualTo(Outcome.COMMITTED);
        assertThat(ask(verifier())).isEqualTo(Outcome.ROLLED_BACK);
    }

    /** Its client is gone, and its commit may still be on its way: it is ended, so that it cannot come. */
    @Test
    void transaction_that_nobody_continues_is_ended() throws Exception {
        StatusVerifier verifier = verifier();
        try (Connection connection = withWork("abandoned")) {
            verifier.prepare(connection);
            verifier.begin();

            assertThat(ask(verifier)).isEqualTo(Outcome.UNDER_WAY);
            await().until(() -> ask(verifier) == Outcome.ROLLED_BACK);
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThat(drain()).isEmpty();
    }

    /** As after a promotion of a standby that had not heard of it. */
    @Test
    void id_that_the_server_has_not_given_out_is_that_of_a_lost_transaction() throws Exception {
        try (Connection connection = database.connect()) {
            String future = Long.toString(Long.MAX_VALUE / 4);
            assertThat(StatusVerifier.status(opened().statements(), connection, future))
                    .isEqualTo("aborted");
        }
    }

    /** A single statement that commits by itself leaves no time to ask for its id. */
    @Test
    void send_that_commits_by_itself_is_not_guessed() throws Exception {
        StatusVerifier verifier = verifier();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            opened().committedSends().insertAndCommit(connection, to(message("at once")), verifier);
        }

        assertThat(ask(verifier)).isEqualTo(Outcome.UNKNOWN);
        assertThat(texts(drain())).containsExactly("at once");
    }

    @Test
    void status_that_the_server_has_forgotten_is_not_guessed() {
        assertThat(StatusVerifier.outcome(null, true)).isEqualTo(Outcome.UNKNOWN);
        assertThat(StatusVerifier.outcome(null, false)).isEqualTo(Outcome.UNKNOWN);
        assertThat(StatusVerifier.outcome("aborted", false)).isEqualTo(Outcome.ROLLED_BACK);
    }
}
