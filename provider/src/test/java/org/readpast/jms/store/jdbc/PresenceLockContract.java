package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.presence.JdbcPresence;

/** The lock that shows that a JVM lives, on a connection of an application's pool, which lives on when it is given back. */
abstract class PresenceLockContract extends StoreFixture {

    private FailingSource source;
    private HikariDataSource applications;
    private JdbcMessageStore pooled;

    PresenceLockContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void openPool() throws StoreException {
        source = new FailingSource(database::connect);
        HikariConfig config = new HikariConfig();
        config.setDataSource(source.dataSource());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        applications = new HikariDataSource(config);
        pooled = new JdbcMessageStore(Connections.ofDataSource(applications), options);
        pooled.open();
    }

    @AfterEach
    void closePool() throws SQLException {
        pooled.close();
        applications.close();
        sql("DELETE FROM readpast.presence");
    }

    private void fail(String word) {
        source.fail(new FailingSource.Failing(word, false, PresenceLockContract::refusal, harmed -> {}));
    }

    private static SQLException refusal() {
        return new SQLException("why", "S0001", 50_100);
    }

    /** The connections are the application's: that they lead to a restored database is known by the one that holds the lock. */
    @Test
    void ids_are_looked_up_again_when_the_lock_was_lost() throws Exception {
        JdbcPresence presence = (JdbcPresence) pooled.register();
        int id = pooled.destination(DestinationKind.QUEUE, queueName);
        send("not mine");
        sql("UPDATE readpast.destination SET name = ? WHERE destination_id = ?", "other " + queueName, id);
        presence.breakConnection();

        assertThat(presence.refresh()).isEqualTo(Presence.Refreshed.TAKEN_AGAIN);

        assertThat(transaction(pooled).claim(ClaimRequest.fromHead(id, 1, null)))
                .isEmpty();
        assertThat(pooled.destination(DestinationKind.QUEUE, queueName)).isNotEqualTo(id);
        presence.close();
        sql("DELETE FROM readpast.message");
    }

    @Test
    void lock_is_free_when_the_instance_could_not_be_removed() throws Exception {
        Presence presence = pooled.register();
        fail(opened().statements().files().statement("remove_presence").text());

        presence.close();

        assertThat(source.raised()).isOne();
        assertThat(sql("SELECT instance FROM readpast.presence")).containsExactly(presence.instance());
        assertFree(presence);
    }

    @Test
    void lock_is_free_when_the_instance_could_not_come_back() throws Exception {
        Presence presence = pooled.register();
        presence.consumes(queue, false);
        source.fail(new FailingSource.Failing(
                table("presence"), false, () -> new SQLException("gone", "08006", 0), broken -> {
                    broken.close();
                    await().atMost(Duration.ofSeconds(60)).until(() -> tables.isFree(presence));
                    fail(table("consumed_destination"));
                }));

        assertThatThrownBy(presence::refresh).isInstanceOf(StoreException.class).hasMessageContaining("why");

        assertThat(source.raised()).isEqualTo(2);
        assertFree(presence);
        assertThat(presence.refresh()).isEqualTo(Presence.Refreshed.TAKEN_AGAIN);
        presence.close();
        assertFree(presence);
    }

    /** The connection that was given up after an error is lent again, and its lock is not taken a second time. */
    @Test
    void lock_is_taken_once_when_a_look_failed() throws Exception {
        Presence presence = pooled.register();
        fail(table("presence"));
        presence.refresh();
        assertThat(source.raised()).isOne();

        presence.close();

        assertFree(presence);
    }

    /** As drivers and pools do on what has ended. */
    @Test
    void lock_is_taken_again_when_a_look_failed_with_an_unchecked_exception() throws Exception {
        Presence presence = pooled.register();
        source.fail(new FailingSource.Failing(table("presence"), false, PresenceLockContract::refusal, broken -> {
            throw new IllegalStateException("made to fail");
        }));

        assertThat(presence.refresh()).isEqualTo(Presence.Refreshed.TAKEN_AGAIN);

        assertThat(source.raised()).isOne();
        presence.close();
        assertFree(presence);
    }

    /** As while somebody holds a lock that only one of them has to wait for. */
    @Test
    void dead_instance_that_is_locked_keeps_no_other_from_being_found() throws Exception {
        Presence presence = pooled.register();
        try (JdbcMessageStore one = another();
                JdbcMessageStore other = another()) {
            List<Presence> dead = List.of(one.register(), other.register());
            for (Presence each : dead) {
                tables.kill(each);
            }
            source.fail(new FailingSource.Failing(
                    opened().statements().files().statement("mark_missing").text(),
                    false,
                    () -> new SQLException("why", "HYT00", 0),
                    locked -> {}));

            assertThatThrownBy(presence::reapDead).isInstanceOf(StoreException.class);

            assertThat(source.raised()).isOne();
            assertThat(presence.missing())
                    .containsExactlyInAnyOrder(
                            dead.get(0).instance(), dead.get(1).instance());
        }
        presence.close();
    }

    private JdbcMessageStore another() throws StoreException {
        FailingSource sound = new FailingSource(database::connect);
        JdbcMessageStore another = new JdbcMessageStore(Connections.ofDataSource(sound.dataSource()), options);
        another.open();
        return another;
    }

    /** For who gives back what it has ended HikariCP has a NullPointerException. */
    @Test
    void pool_that_the_application_closes_meanwhile_stops_no_end() throws Exception {
        FailingSource closing = new FailingSource(applications::getConnection);
        try (JdbcMessageStore other = new JdbcMessageStore(Connections.ofDataSource(closing.dataSource()), options)) {
            other.open();
            Presence presence = other.register();
            closing.fail(new FailingSource.Failing(
                    "setAutoCommit()", true, PresenceLockContract::refusal, lent -> applications.close()));

            presence.close();

            assertThat(closing.raised()).isOne();
        }
    }

    /** Others must find it free while the application's pool still has its connections. */
    private void assertFree(Presence presence) throws SQLException {
        boolean there = !sql("SELECT instance FROM readpast.presence WHERE instance = ?", presence.instance())
                .isEmpty();
        if (there || database != TestDatabase.H2) {
            assertThat(tables.isFree(presence)).isTrue();
        }
    }
}
