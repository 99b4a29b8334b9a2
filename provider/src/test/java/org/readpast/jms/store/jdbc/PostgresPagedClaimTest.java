package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;

/** Claims that read page after page, each of which sees what was committed meanwhile, keep each sender's order (§6.2.9). */
class PostgresPagedClaimTest extends StoreFixture {

    private static final String WANTED = "{\"n\":1}";
    private static final String OF_A_GROUP = "{\"n\":1,\"JMSXGroupID\":\"g\"}";

    PostgresPagedClaimTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Test
    void claim_by_a_selector_takes_what_was_committed_between_two_pages_first() throws Exception {
        assertOrder(matching("n = 1", 1), WANTED);
    }

    @Test
    void claim_of_many_by_a_selector_takes_all_in_order() throws Exception {
        assertOrder(matching("n = 1", 10), WANTED);
    }

    @Test
    void claim_by_groups_takes_what_was_committed_between_two_pages_first() throws Exception {
        try (Presence presence = store.register()) {
            GroupHolder holder = new GroupHolder(presence.instance(), false);
            sql("SELECT readpast.send(?, 'taken', ?::json)", queueName, OF_A_GROUP);
            try (Connection claiming = database.connect()) {
                claiming.setAutoCommit(false);
                assertThat(claim(claiming, head(1).by(holder))).containsExactly("taken");
                claiming.rollback();
            }
            sql("DELETE FROM readpast.message WHERE destination_id = ?", queue);
            assertOrder(matching("n = 1", 1).by(holder), OF_A_GROUP);
            assertOrder(matching("n = 1", 10).by(holder), OF_A_GROUP);
            sql("DELETE FROM readpast.message_group");
        }
    }

    private void assertOrder(ClaimRequest request, String properties) throws Exception {
        try (Connection sender = database.connect();
                Connection claiming = database.connect()) {
            sender.setAutoCommit(false);
            claiming.setAutoCommit(false);
            sql(sender, "SELECT readpast.send(?, 'first', ?::json)", queueName, properties);
            sendTogether(
                    IntStream.range(0, 70).mapToObj(i -> message("other" + i)).toArray(EncodedMessage[]::new));
            Connection paged = beforeSecondPage(claiming, () -> {
                sender.commit();
                sql(sender, "SELECT readpast.send(?, 'second', ?::json)", queueName, properties);
                sender.commit();
                return null;
            });

            assertThat(claim(paged, request)).startsWith("first");
            claiming.rollback();
        }
        sql("DELETE FROM readpast.message WHERE destination_id = ?", queue);
    }

    private List<String> claim(Connection connection, ClaimRequest request) throws Exception {
        return texts(opened().claims().claim(connection, request, new PlainCommit()));
    }

    /** A connection on which something happens before the second statement that reads the queue. */
    private static Connection beforeSecondPage(Connection connection, Callable<Void> work) {
        int[] pages = {0};
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && arguments[0].toString().contains("browse")
                            && ++pages[0] == 2) {
                        work.call();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
