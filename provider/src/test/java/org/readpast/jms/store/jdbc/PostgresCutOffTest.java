package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.readpast.jms.engine.source.ClientIds;
import org.readpast.jms.engine.source.Housekeeping;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/** Errors around a commit on PostgreSQL. */
class PostgresCutOffTest extends CutOffContract {

    PostgresCutOffTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Override
    String commitWithMarker() {
        return "commit_marker";
    }

    @Override
    String commit() {
        return "commit()";
    }

    @Override
    String send() {
        return "INSERT INTO " + table("message");
    }

    /** A deletion would not see the row, nor wait for it. */
    @Test
    void client_id_in_doubt_is_given_up_where_its_commit_is_still_under_way() throws Exception {
        Housekeeping housekeeping = housekeeping();
        try (Presence here = silent.register();
                Presence there = store.register();
                Connection underWay = database.connect()) {
            ClientIds ids = new ClientIds(here, housekeeping);
            underWay.setAutoCommit(false);
            String pid = sql(underWay, "SELECT pg_backend_pid()").get(0);
            // It stands for the lost connection, whose commit the server has yet to carry out.
            source.fail(new FailingSource.Failing("commit()", false, CutOffContract::diskError, lost -> {
                lost.close();
                sql(underWay, "INSERT INTO " + table("client_id") + " VALUES ('c', ?)", here.instance());
            }));
            assertThatThrownBy(() -> ids.take("c")).isInstanceOf(StoreException.class);
            assertThat(source.raised()).isOne();

            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !sql("SELECT 1 FROM pg_stat_activity WHERE " + pid + " = ANY (pg_blocking_pids(pid))")
                            .isEmpty());
            underWay.commit();
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(there.takeClientId("c")).isTrue());
        } finally {
            housekeeping.close();
        }
    }
}
