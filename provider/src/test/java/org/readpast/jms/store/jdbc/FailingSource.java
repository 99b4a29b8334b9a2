package org.readpast.jms.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * A DataSource on whose connections a step fails the way a driver lets it fail: before the database has heard of it or after it has
 * carried it out, with the connection alive afterwards or closed. Thread-safe.
 */
final class FailingSource {

    /** Makes connections. */
    @FunctionalInterface
    interface Origin {
        Connection connect() throws SQLException;
    }

    /** What is done to the connection on which a step fails, before its error is raised. */
    @FunctionalInterface
    interface Harm {
        void to(Connection connection) throws SQLException;
    }

    /**
     * A step that is to fail, once.
     *
     * @param word in the statement's text, or a method of the connection, such as {@code commit()}
     * @param carriedOut whether the database carries the step out
     * @param harm what happens to the connection besides
     */
    record Failing(String word, boolean carriedOut, Supplier<SQLException> error, Harm harm) {}

    private final Origin origin;
    private final AtomicReference<Failing> next = new AtomicReference<>();
    private final AtomicInteger raised = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();

    FailingSource(Origin origin) {
        this.origin = origin;
    }

    /** The next step that fits fails. */
    void fail(Failing failing) {
        next.set(failing);
    }

    /** The next step that fits is carried out, and its answer is an error. */
    void failAfter(String word, Supplier<SQLException> error) {
        fail(new Failing(word, true, error, connection -> {}));
    }

    /** How many errors were raised. */
    int raised() {
        return raised.get();
    }

    /** How many connections were given up for good. */
    int aborted() {
        return aborted.get();
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (self, method, arguments) -> {
            if (method.getName().equals("getLoginTimeout")) {
                return 0;
            }
            if (!method.getName().equals("getConnection")) {
                throw new UnsupportedOperationException(method.getName());
            }
            Failing failing = taken("getConnection()");
            if (failing != null) {
                throw failing.error().get();
            }
            return wrap(origin.connect());
        });
    }

    /** A connection whose steps may fail. */
    Connection wrap(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("abort")) {
                aborted.incrementAndGet();
            }
            Object result = step(connection, method.getName() + "()", connection, method, arguments);
            String text = arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : "";
            return result instanceof Statement statement ? wrap(connection, statement, text) : result;
        });
    }

    private Statement wrap(Connection connection, Statement statement, String prepared) {
        Class<? extends Statement> type = statement instanceof CallableStatement
                ? CallableStatement.class
                : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        InvocationHandler handler = (self, method, arguments) -> {
            if (!method.getName().startsWith("execute")) {
                return call(statement, method, arguments);
            }
            String text = arguments != null && arguments.length > 0 ? String.valueOf(arguments[0]) : prepared;
            return step(connection, text, statement, method, arguments);
        };
        return proxy(type, handler);
    }

    private Object step(Connection connection, String text, Object target, Method method, Object[] arguments)
            throws Throwable {
        Failing failing = taken(text);
        if (failing == null) {
            return call(target, method, arguments);
        }
        if (failing.carriedOut()) {
            call(target, method, arguments);
        }
        failing.harm().to(connection);
        throw failing.error().get();
    }

    private Failing taken(String text) {
        Failing failing = next.get();
        if (failing == null || !text.contains(failing.word()) || !next.compareAndSet(failing, null)) {
            return null;
        }
        raised.incrementAndGet();
        return failing;
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(FailingSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
