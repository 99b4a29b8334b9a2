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
 * is the session's to do. Closing it does nothing.
 */
final class GuardedConnection implements InvocationHandler {

    private static final Set<String> REFUSED = Set.of("commit", "rollback", "setAutoCommit", "abort");

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
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
