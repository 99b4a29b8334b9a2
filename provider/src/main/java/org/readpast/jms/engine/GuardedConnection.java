package org.readpast.jms.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The SQL connection of a session's transaction as the application gets it: everything works but ending the transaction, which
 * is the session's to do, and changing its settings, which would outlast it. Closing it does nothing. When the transaction has ended
 * it is of no use any more, nor are statements that were made with it: the connection may be another session's by then.
 */
final class GuardedConnection implements InvocationHandler {

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

    /** What leads back to the connection, most special first. */
    private static final List<Class<?>> PARTS =
            List.of(CallableStatement.class, PreparedStatement.class, Statement.class, DatabaseMetaData.class);

    private final Connection connection;
    private final BooleanSupplier alive;

    private GuardedConnection(Connection connection, BooleanSupplier alive) {
        this.connection = connection;
        this.alive = alive;
    }

    /** @param alive whether the transaction goes on */
    static Connection guard(Connection connection, BooleanSupplier alive) {
        return proxy(Connection.class, new GuardedConnection(connection, alive));
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
        return guarded((Connection) proxy, call(connection, method, arguments));
    }

    /** What was made with the connection, so that it ends with it and does not lead behind it. */
    private Object guarded(Connection proxy, Object made) {
        for (Class<?> part : PARTS) {
            if (part.isInstance(made)) {
                return proxy(part, (self, method, arguments) -> switch (method.getName()) {
                    case "getConnection" -> proxy;
                    case "close" -> passOn(made, method, arguments);
                    default -> call(made, method, arguments);
                });
            }
        }
        return made;
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        boolean asksTheServer = method.getDeclaringClass() != Object.class;
        if (asksTheServer && !alive.getAsBoolean()) {
            throw new SQLException("The transaction of the JMS session that this SQL connection came from has ended: "
                    + "ask the session for its sqlConnection again");
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
