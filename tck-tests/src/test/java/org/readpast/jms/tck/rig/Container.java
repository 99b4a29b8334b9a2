package org.readpast.jms.tck.rig;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.readpast.jms.session.ContainerTransactions;

/** A container of one thread, with one SQL connection for its transaction. */
public final class Container implements ContainerTransactions, AutoCloseable {

    private final Connection connection;
    private final Map<String, Callable<?>> answers = new HashMap<>();

    /** How often each method of the connection was called. */
    private final Map<String, Integer> calls = new HashMap<>();

    private Object origin;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private boolean active;
    private boolean rollbackOnly;

    public Container(Connection connection) {
        this.connection = connection;
        answers.put("rollback", () -> {
            throw new SQLException("The container ends its transactions");
        });
    }

    /** One whose connections say what the application has set of their autocommit, which means nothing in a transaction. */
    public static Container likeOpenLiberty(Connection connection) {
        Container container = new Container(connection);
        container.answers.put("getAutoCommit", () -> true);
        return container;
    }

    /** The same, of which a DataSource tells. */
    public static Container likeOpenLiberty(Connection connection, Object origin) {
        Container container = likeOpenLiberty(connection);
        container.origin = origin;
        return container;
    }

    /** How many statements the provider has prepared. */
    public int statements() {
        return calls.getOrDefault("prepareStatement", 0);
    }

    /** @param joins whether the connection takes part, as that of a container's DataSource does */
    public void begin(boolean joins) throws SQLException {
        connection.setAutoCommit(!joins);
        active = true;
        rollbackOnly = false;
        afterCommit.clear();
    }

    public void end(boolean commits) throws SQLException {
        active = false;
        if (commits && !rollbackOnly) {
            connection.commit();
            afterCommit.forEach(Runnable::run);
        } else {
            connection.rollback();
        }
    }

    public boolean isRollbackOnly() {
        return rollbackOnly;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public Connection getConnection() {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    calls.merge(method.getName(), 1, Integer::sum);
                    Callable<?> answer = answers.get(method.getName());
                    try {
                        return answer == null ? method.invoke(connection, arguments) : answer.call();
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public void giveBack(Connection borrowed) {}

    @Override
    public void setRollbackOnly() {
        rollbackOnly = true;
    }

    @Override
    public boolean afterCommit(Runnable task) {
        return afterCommit.add(task);
    }

    @Override
    public Object origin() {
        return origin;
    }

    @Override
    public boolean countsDeliveries() {
        return true;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
