package org.readpast.jms.engine.support;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * The SQL connection of a session's transaction as the application gets it: everything works but ending the transaction, which
 * is the session's to do, and changing its settings by JDBC, which would outlast it; where that may happen otherwise, by SQL or behind the
 * driver's own classes, somebody is told. Closing it does nothing. When the transaction has ended
 * it is of no use any more, nor are statements that were made with it: the connection may be another session's by then.
 */
public final class GuardedConnection implements InvocationHandler {

    private static final Set<String> REFUSED = Set.of("commit", "rollback", "setAutoCommit", "abort");

    /** What would stay on the connection, and be met by those who get it next: at SERIALIZABLE SQL Server refuses READPAST. */
    private static final Set<String> SETTINGS = Set.of(
            "setTransactionIsolation",
            "setCatalog",
            "setSchema",
            "setReadOnly",
            "setHoldability",
            "setNetworkTimeout",
            "setTypeMap",
            "setClientInfo",
            "setShardingKey",
            "setShardingKeyIfValid");

    private static final Pattern TAKING_SQL = Pattern.compile("prepare|execute|addBatch");

    /** What leads back to the connection, most special first. */
    private static final List<Class<?>> PARTS = List.of(
            CallableStatement.class, PreparedStatement.class, Statement.class, DatabaseMetaData.class, ResultSet.class);

    private final Connection connection;
    private final Lock work;
    private final BooleanSupplier alive;
    private final Runnable onChange;

    private GuardedConnection(Connection connection, Lock work, BooleanSupplier alive, Runnable onChange) {
        this.connection = connection;
        this.work = work;
        this.alive = alive;
        this.onChange = onChange;
    }

    /**
     * @param work held during each call, so that whoever takes it to end the transaction does not come between the question whether that goes on
     *     and what is done then
     * @param alive whether the transaction goes on
     * @param onChange called before something that changes the connection's settings, or may do so unseen
     */
    public static Connection guard(Connection connection, Lock work, BooleanSupplier alive, Runnable onChange) {
        return proxy(Connection.class, new GuardedConnection(connection, work, alive, onChange));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(GuardedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("close")) {
            return null;
        }
        if (method.getName().equals("isClosed") && !alive.getAsBoolean()) {
            return true;
        }
        if (method.getName().equals("getAutoCommit") && alive.getAsBoolean()) {
            // PostgreSQL's driver leaves it on in a branch of a distributed transaction.
            return false;
        }
        boolean toSavepoint = method.getName().equals("rollback") && arguments != null;
        if (REFUSED.contains(method.getName()) && !toSavepoint) {
            throw new SQLException(
                    "This connection belongs to a JMS session: call commit or rollback of the session, not "
                            + method.getName() + " of the connection");
        }
        if (SETTINGS.contains(method.getName())) {
            throw new SQLException(
                    "This connection belongs to a JMS session, whose next transactions would find it changed: "
                            + method.getName() + " is refused; use a connection of the application's own, and join it");
        }
        return guarded((Connection) proxy, null, call(proxy, connection, method, arguments));
    }

    /**
     * What was made with the connection, so that it ends with it and does not lead behind it.
     *
     * @param statement that has this result, or null
     */
    private Object guarded(Connection proxy, Statement statement, Object made) {
        for (Class<?> part : PARTS) {
            if (part.isInstance(made)) {
                return proxy(part, (self, method, arguments) -> switch (method.getName()) {
                    case "getConnection" -> proxy;
                    case "close" -> passOn(made, method, arguments);
                    case "getStatement" ->
                        statement != null ? statement : guarded(proxy, null, call(self, made, method, arguments));
                    default ->
                        guarded(
                                proxy,
                                self instanceof Statement parent ? parent : null,
                                call(self, made, method, arguments));
                });
            }
        }
        return made;
    }

    /** Who cancels a statement does not wait until it is over. */
    private Object call(Object self, Object target, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("cancel")) {
            return checked(self, target, method, arguments);
        }
        work.lock();
        try {
            return checked(self, target, method, arguments);
        } finally {
            work.unlock();
        }
    }

    private Object checked(Object self, Object target, Method method, Object[] arguments) throws Throwable {
        boolean asksTheServer = method.getDeclaringClass() != Object.class;
        if (asksTheServer && !alive.getAsBoolean()) {
            throw new SQLException("The transaction of the JMS session that this SQL connection came from has ended: "
                    + "ask the session for its sqlConnection again");
        }
        if (method.getName().equals("unwrap")) {
            if (((Class<?>) arguments[0]).isInstance(self)) {
                return self;
            }
            onChange.run();
        } else if (TAKING_SQL.matcher(method.getName()).lookingAt()
                && arguments != null
                && arguments[0] instanceof String sql
                && SettingText.changes(sql)) {
            onChange.run();
        }
        return passOn(target, method, arguments);
    }

    private static Object passOn(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
