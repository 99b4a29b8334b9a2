package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.presence.JdbcPresence;

/** Nodes of a distributed database: they show the same tables, and each has advisory locks and a cluster's number of its own. */
class PostgresNodesTest extends StoreFixture {

    /** Whether connections of the other store lead to the other node. */
    private final AtomicBoolean apart = new AtomicBoolean(true);

    private JdbcMessageStore elsewhere;

    PostgresNodesTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @BeforeEach
    void openElsewhere() throws StoreException {
        apart.set(true);
        elsewhere = new JdbcMessageStore(
                Connections.ofDataSource(new FailingSource(this::connectElsewhere).dataSource()), options);
        elsewhere.open();
    }

    @AfterEach
    void closeElsewhere() throws SQLException {
        elsewhere.close();
        sql("DELETE FROM readpast.client_id");
        sql("DELETE FROM readpast.presence");
    }

    private Connection connectElsewhere() throws SQLException {
        Connection connection = database.connect();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (apart.get() && arguments != null && arguments[0] instanceof String text) {
                        arguments[0] = text.replaceAll("(hashtextextended\\([^,]+), 0\\)", "$1, 1)")
                                .replace("system_identifier", "system_identifier + 1");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Does what keeps an instance, as its JVM does every two seconds, until the work is done. */
    private static void whileItLives(Presence living, Work work) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> life = CompletableFuture.runAsync(() -> {
            try {
                while (!done.get()) {
                    living.refresh();
                }
            } catch (StoreException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            work.run();
        } finally {
            done.set(true);
            life.get();
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    @Test
    void instance_is_refused_beside_one_that_lives_on_another_node() throws Exception {
        try (Presence here = store.register()) {
            here.takeClientId("c");

            whileItLives(
                    here,
                    () -> assertThatThrownBy(elsewhere::register)
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining("different nodes")
                            .hasMessageContaining(here.instance()));

            assertThat(sql("SELECT instance FROM readpast.presence")).containsExactly(here.instance());
            assertThat(sql("SELECT client_id FROM readpast.client_id")).containsExactly("c");
        }
    }

    @Test
    void two_that_start_at_once_on_different_nodes_do_not_both_get_in() throws Exception {
        CompletableFuture<Presence> here = register(store);
        CompletableFuture<Presence> there = register(elsewhere);

        boolean isHereFirst = await(CompletableFuture.anyOf(here, there), here);
        CompletableFuture<Presence> first = isHereFirst ? here : there;
        CompletableFuture<Presence> second = isHereFirst ? there : here;
        if (isRefused(first)) {
            closeIfIn(second);
            return;
        }
        try (Presence in = first.join()) {
            whileItLives(in, () -> assertThat(isRefused(second)).isTrue());
        }
    }

    /** Whether it is this one that is over when one of them is. */
    private static boolean await(CompletableFuture<Object> any, CompletableFuture<Presence> one) {
        any.handle((in, refused) -> in).join();
        return one.isDone();
    }

    private static void closeIfIn(CompletableFuture<Presence> starting) throws InterruptedException {
        if (!isRefused(starting)) {
            starting.join().close();
        }
    }

    private static CompletableFuture<Presence> register(MessageStore at) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return at.register();
            } catch (StoreException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static boolean isRefused(CompletableFuture<Presence> starting) throws InterruptedException {
        try {
            starting.get();
            return false;
        } catch (ExecutionException e) {
            assertThat(e).hasMessageContaining("different nodes");
            return true;
        }
    }

    @Test
    void instance_that_died_on_a_node_before_a_failover_refuses_nobody() throws Exception {
        JdbcPresence dead = (JdbcPresence) elsewhere.register();
        dead.breakConnection();

        try (Presence here = store.register()) {
            assertThat(here.instance()).isNotEqualTo(dead.instance());
        }
    }

    @Test
    void instance_that_came_here_in_a_failover_refuses_nobody_and_keeps_what_is_its_own() throws Exception {
        try (JdbcPresence moved = (JdbcPresence) elsewhere.register()) {
            moved.takeClientId("c");
            apart.set(false);
            moved.breakConnection();
            moved.refresh();

            try (Presence here = store.register()) {
                assertThat(here.takeClientId("c")).isFalse();
                assertThat(here.reapDead()).isZero();
            }
        }
    }

    @Test
    void client_id_of_one_that_lives_on_another_node_is_not_taken() throws Exception {
        try (Presence there = elsewhere.register();
                Presence here = store.register()) {
            there.takeClientId("c");
            there.refresh();

            assertThat(here.takeClientId("c")).isFalse();
            there.refresh();
            assertThat(here.reapDead()).isZero();
        }
    }
}
