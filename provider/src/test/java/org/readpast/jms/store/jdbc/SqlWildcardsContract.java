package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.contract.WildcardsContract;
import org.readpast.jms.store.jdbc.send.Audience;
import org.readpast.jms.store.jdbc.send.Audiences;
import org.readpast.jms.store.jdbc.send.Duplicates;
import org.readpast.jms.store.jdbc.send.Sends;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** What SQL sees of subscriptions with wildcards. */
abstract class SqlWildcardsContract extends WildcardsContract {

    final SqlTables tables;

    SqlWildcardsContract(TestDatabase database) {
        this(new SqlTables(database));
    }

    private SqlWildcardsContract(SqlTables tables) {
        super(tables);
        this.tables = tables;
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    @Test
    void publisher_that_read_the_subscriptions_before_one_was_made_reads_them_again() throws Exception {
        int topic = topic(store, "a");
        Audiences audiences = new Audiences(SqlTables.opened(store).statements());
        Sends sends = new Sends(
                SqlTables.opened(store).dialect().parts().inserts(),
                audiences,
                new Duplicates(SqlTables.opened(store).dialect().parts().inserts(), 0));
        NewMessage late = message(topic, "late");
        ShortTransactions transactions = SqlTables.opened(store).shortTransactions();
        Audience before = transactions.run("test", "look-up", connection -> audiences.of(connection, topic));
        int one = subscribe(there, unshared("*"));
        transactions.run("test", "publish", connection -> {
            assertThat(audiences.of(connection, topic)).isSameAs(before);
            sends.insert(connection, List.of(late));
            return null;
        });

        assertThat(late.publication().reached()).containsExactly(one);
        assertThat(texts(drain(one))).containsExactly("late");
    }

    @Test
    void version_counts_changes_of_both_kinds() throws Exception {
        int topic = topic(store, "a");
        long before = version(topic);
        SubscriptionRequest matching = unshared("*");
        int one = subscribe(there, matching);
        long between = version(topic);
        subscribe(there, new SubscriptionRequest(topic, null, null, null, false, false, null, null, consumer()));
        long after = version(topic);
        there.endConsumer(one, matching.consumer());

        assertThat(List.of(before, between, after, version(topic))).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void overview_shows_the_wildcards_and_not_the_row_that_stands_for_them() throws Exception {
        int one = subscribe(here, unshared("*"));

        assertThat(sql("SELECT topic FROM readpast.queue_overview WHERE destination_id = ?", one))
                .containsExactly(own + ".*");
        assertThat(sql("SELECT name FROM readpast.queue_overview WHERE destination_id = 0"))
                .isEmpty();
    }

    private long version(int topic) throws StoreException {
        return SqlTables.opened(store)
                .shortTransactions()
                .run(
                        "test",
                        "version",
                        connection -> new Audiences(SqlTables.opened(store).statements())
                                .topic(connection, topic)
                                .version());
    }
}
