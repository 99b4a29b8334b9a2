package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.engine.support.BranchConnection;
import org.readpast.jms.engine.support.NodeIdentifier;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageStore.XaSource;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.send.DuplicateId;

/** The branches of an XA session whose connection breaks, or whose transaction manager rolls back, at the wrong moment. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresBranchesTest extends StoreFixture {

    private static final Set<Thread.State> WAITING = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private XaSource driver;
    private Xid xid;
    private BranchConnection branches;

    PostgresBranchesTest() {
        super(TestDatabase.POSTGRESQL);
    }

    private record Id(String name) implements Xid {

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    @BeforeEach
    void findDriver() throws StoreException {
        driver = store.xaSource();
    }

    @BeforeEach
    void makeXid() {
        xid = new Id(UUID.randomUUID().toString());
    }

    @AfterEach
    void nothingStaysPrepared() throws SQLException {
        branches.close();
        List<String> left = prepared();
        for (String each : left) {
            sql("ROLLBACK PREPARED '" + each + "'");
        }
        assertThat(left).isEmpty();
    }

    private List<String> prepared() throws SQLException {
        return sql("SELECT gid FROM pg_prepared_xacts");
    }

    /** A session's, whose first connections come from these, and others from the driver. */
    private void open(XaSource... first) throws SQLException {
        Iterator<XaSource> openers = List.of(first).iterator();
        branches = new BranchConnection(
                () -> openers.hasNext() ? openers.next().open() : driver.open(), new NodeIdentifier());
        branches.open();
    }

    private static XAConnection refused() throws SQLException {
        throw new SQLException("The database is away");
    }

    @FunctionalInterface
    private interface Around {
        Object call(String method, Callable<Object> real) throws Exception;
    }

    private static <T> T around(Class<T> type, T real, Around around) {
        return type.cast(Proxy.newProxyInstance(
                PostgresBranchesTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> around.call(method.getName(), () -> {
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof Exception cause ? cause : e;
                    }
                })));
    }

    /** @param carriesOut whether the database still gets what the driver asks of it */
    private XAConnection breakingAtPrepare(boolean carriesOut) throws SQLException {
        XAConnection real = driver.open();
        XAResource resource = around(XAResource.class, real.getXAResource(), (method, call) -> {
            if (!method.equals("prepare")) {
                return call.call();
            }
            if (carriesOut) {
                call.call();
            }
            real.close();
            throw new XAException(XAException.XAER_RMFAIL);
        });
        return around(
                XAConnection.class, real, (method, call) -> method.equals("getXAResource") ? resource : call.call());
    }

    /** Sends in a branch, and returns the connection on which that was. */
    private Connection sendInBranch() throws Exception {
        branches.start(xid, XAResource.TMNOFLAGS);
        Connection connection = branches.get();
        branches.giveBack(connection);
        store.join(branches, "test").insert(List.of(to(message("a"))));
        branches.end(xid, XAResource.TMSUCCESS);
        return connection;
    }

    private static void fails(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(code));
    }

    @Test
    void branch_whose_prepare_was_carried_out_and_not_answered_is_rolled_back() throws Exception {
        open(() -> breakingAtPrepare(true));
        sendInBranch();
        fails(XAException.XAER_RMFAIL, () -> branches.prepare(xid));
        assertThat(prepared()).hasSize(1);
        branches.rollback(xid);
        assertThat(prepared()).isEmpty();
        assertThat(drain()).isEmpty();
    }

    @Test
    void branch_whose_prepare_was_not_carried_out_is_rolled_back_too() throws Exception {
        open(() -> breakingAtPrepare(false));
        sendInBranch();
        fails(XAException.XAER_RMFAIL, () -> branches.prepare(xid));
        branches.rollback(xid);
        assertThat(drain()).isEmpty();
    }

    @Test
    void branch_that_ended_with_its_connection_is_known_as_rolled_back_after_an_outage() throws Exception {
        XAConnection breaking = driver.open();
        open(() -> breaking, PostgresBranchesTest::refused);
        sendInBranch();
        breaking.close();
        fails(XAException.XAER_RMFAIL, () -> branches.commit(xid, true));
        fails(XAException.XA_RBCOMMFAIL, () -> branches.commit(xid, true));
    }

    private void commitElsewhere() throws Exception {
        XAConnection other = driver.open();
        other.getXAResource().commit(xid, false);
        other.close();
    }

    @Test
    void connection_of_a_closed_session_is_closed_though_somebody_else_has_ended_its_branch() throws Exception {
        open();
        Connection connection = sendInBranch();
        branches.prepare(xid);
        branches.close();
        assertThat(connection.isClosed()).isFalse();
        commitElsewhere();
        assertThatThrownBy(() -> branches.commit(xid, false)).isInstanceOf(XAException.class);
        assertThat(connection.isClosed()).isTrue();
        assertThat(texts(drain())).containsExactly("a");
    }

    @Test
    void connection_is_closed_with_its_session_though_recovery_has_ended_a_branch_of_the_one_before() throws Exception {
        XAConnection breaking = driver.open();
        open(() -> breaking, PostgresBranchesTest::refused);
        sendInBranch();
        branches.prepare(xid);
        breaking.close();
        fails(XAException.XAER_RMFAIL, () -> branches.commit(xid, false));
        commitElsewhere();
        makeXid();
        Connection connection = sendInBranch();
        branches.commit(xid, true);
        branches.close();
        assertThat(connection.isClosed()).isTrue();
        assertThat(texts(drain())).containsExactly("a", "a");
    }

    /** As where a transaction manager rolls back what has timed out, and the lock is another branch's that it rolls back after this one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rollback_does_not_wait_for_a_statement_that_waits_for_a_lock(boolean endsFirst) throws Exception {
        send("a");
        open();
        branches.start(xid, XAResource.TMNOFLAGS);
        CompletableFuture<Integer> deletion = new CompletableFuture<>();
        CompletableFuture<Void> rollback = new CompletableFuture<>();
        Thread deleting = new Thread(() -> complete(deletion, () -> {
            try (Statement statement = branches.forApplication().createStatement()) {
                return statement.executeUpdate("DELETE FROM " + table("message"));
            }
        }));
        Thread reaper = new Thread(() -> complete(rollback, () -> {
            if (endsFirst) {
                fails(XAException.XA_RBCOMMFAIL, () -> branches.end(xid, XAResource.TMFAIL));
            }
            branches.rollback(xid);
            return null;
        }));
        try (Connection other = database.connect()) {
            other.setAutoCommit(false);
            sql(other, "SELECT message_id FROM " + table("message") + " FOR UPDATE");
            deleting.start();
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            !sql("SELECT pid FROM pg_locks WHERE NOT granted").isEmpty());
            reaper.start();
            assertThat(rollback).succeedsWithin(Duration.ofSeconds(60));
            assertThat(deletion).failsWithin(Duration.ofSeconds(60));
            other.rollback();
        }
        deleting.join();
        reaper.join();
        // The server ends what was broken off as soon as the statement has its lock.
        awaitMessage();
    }

    /** The server holds it until it has ended what had it. */
    private void awaitMessage() {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(texts(drain())).containsExactly("a"));
    }

    private static <T> void complete(CompletableFuture<T> future, Callable<T> call) {
        try {
            future.complete(call.call());
        } catch (Exception | AssertionError e) {
            future.completeExceptionally(e);
        }
    }

    /** What the application changes by SQL is changed back with a new connection, and not before the branch has ended. */
    @Test
    void connection_is_not_replaced_while_it_is_in_a_branch_that_another_session_began() throws Exception {
        XAConnection real = driver.open();
        XAResource joining = around(
                XAResource.class,
                real.getXAResource(),
                (method, call) -> method.equals("start") || method.equals("end") ? null : call.call());
        open(() -> around(
                XAConnection.class, real, (method, call) -> method.equals("getXAResource") ? joining : call.call()));
        branches.start(xid, XAResource.TMJOIN);
        try (Statement statement = branches.forApplication().createStatement()) {
            statement.execute("SET search_path TO public");
        }
        Connection before = branches.get();
        branches.giveBack(before);
        branches.getTransactionTimeout();
        Connection after = branches.get();
        branches.giveBack(after);
        assertThat(after).isSameAs(before);
        branches.end(xid, XAResource.TMSUCCESS);
    }

    /** A connection that has something done before each statement is executed. */
    private static XAConnection before(XAConnection real, Runnable statement) throws SQLException {
        Connection handle = real.getConnection();
        Connection watched = around(Connection.class, handle, (method, call) -> {
            Object result = call.call();
            if (result instanceof PreparedStatement prepared) {
                return around(
                        PreparedStatement.class, prepared, (name, execution) -> watched(name, execution, statement));
            }
            return result instanceof Statement plain
                    ? around(Statement.class, plain, (name, execution) -> watched(name, execution, statement))
                    : result;
        });
        return around(
                XAConnection.class, real, (method, call) -> method.equals("getConnection") ? watched : call.call());
    }

    private static Object watched(String method, Callable<Object> execution, Runnable statement) throws Exception {
        if (method.startsWith("execute")) {
            statement.run();
        }
        return execution.call();
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    /** As a transaction manager does it whose transaction has timed out: it rolls back on a thread of its own, right before a statement. */
    private void rolledBackBefore(int nth, Work preparation, Work work) throws Exception {
        AtomicInteger left = new AtomicInteger();
        Thread reaper = new Thread(() -> {
            try {
                branches.end(xid, XAResource.TMFAIL);
                branches.rollback(xid);
            } catch (XAException e) {
                throw new IllegalStateException(e);
            }
        });
        open(() -> before(driver.open(), () -> {
            if (left.decrementAndGet() == 0) {
                reaper.start();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> !reaper.isAlive() || WAITING.contains(reaper.getState()));
            }
        }));
        branches.start(xid, XAResource.TMNOFLAGS);
        preparation.run();
        left.set(nth);
        work.run();
        reaper.join();
        assertThat(left).as("statements").hasNonPositiveValue();
    }

    /** The first statement notes the id, and the second one is the message. */
    @Test
    void send_of_two_statements_is_rolled_back_whole() throws Exception {
        NewMessage message = to(message("a", 4, null, PropertiesJson.write(Map.of(DuplicateId.PROPERTY, "id"))));
        rolledBackBefore(2, () -> {}, () -> store.join(branches, "test").insert(List.of(message)));
        assertThat(drain()).isEmpty();
    }

    @Test
    void message_is_not_lost_that_is_acknowledged_while_its_branch_is_rolled_back() throws Exception {
        send("a");
        List<Claim> claims = new ArrayList<>();
        rolledBackBefore(
                1,
                () -> claims.addAll(claims(store.join(branches, "test").claim(head(1)))),
                () -> store.join(branches, "test").acknowledge(claims));
        awaitMessage();
    }

    @Test
    void statement_of_the_application_s_is_part_of_the_branch_or_fails() throws Exception {
        send("a");
        rolledBackBefore(1, () -> {}, () -> {
            try (Statement statement = branches.forApplication().createStatement()) {
                statement.executeUpdate("DELETE FROM " + table("message"));
            }
        });
        awaitMessage();
    }
}
