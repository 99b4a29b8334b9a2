package org.readpast.jms.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * The SQL connection of a session's transaction as the application gets it: everything works but ending the transaction, which
 * is the session's to do, and changing its settings, which would outlast it. Closing it does nothing.
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

    private final Connection connection;

    private GuardedConnection(Connection connection) {
        this.connection = connection;
    }

    static Connection guard(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new GuardedConnection(connection));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("close")) {
            return null;
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
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
