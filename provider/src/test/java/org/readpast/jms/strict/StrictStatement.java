package org.readpast.jms.strict;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * A statement that looks at each text before it is run, and at the number of open transactions before and behind a call with
 * parameters. As thread-safe as the driver's.
 */
final class StrictStatement implements InvocationHandler {

    private final Statement raw;
    private final StrictConnection connection;
    private final Object connectionProxy;

    /** What was prepared; null for a plain statement, which runs batches. */
    private final Batch prepared;

    /** The text of what was prepared. */
    private final String text;

    /** Whether a value was set whose type the driver chooses, as tests do; the provider does not. */
    private boolean isDriversChoice;

    /** The error behind the results, until somebody has read those, or the next call. */
    private Refusal behindResults;

    private StrictStatement(Statement raw, String sql, StrictConnection connection, Object connectionProxy) {
        this.raw = raw;
        this.connection = connection;
        this.connectionProxy = connectionProxy;
        this.text = sql;
        this.prepared = sql == null ? null : Batch.of(sql);
    }

    static <T extends Statement> T of(
            Class<T> type, Statement raw, String sql, StrictConnection connection, Object connectionProxy) {
        return type.cast(Proxy.newProxyInstance(
                StrictStatement.class.getClassLoader(),
                new Class<?>[] {type},
                new StrictStatement(raw, sql, connection, connectionProxy)));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class || name.equals("unwrap") || name.equals("isWrapperFor")) {
            return StrictConnection.asWrapper(proxy, raw, method, arguments);
        }
        if (name.equals("getConnection")) {
            return (Connection) connectionProxy;
        }
        if (name.startsWith("execute")) {
            behindResults = null;
        }
        if (name.equals("getMoreResults")) {
            boolean isRows = (Boolean) StrictConnection.call(raw, method, arguments);
            if (!isRows) {
                raiseWithoutCount();
            }
            return isRows;
        }
        if (prepared != null && name.startsWith("execute")) {
            connection.check(prepared);
            boolean counts = prepared.hasTransactionStatements()
                    || prepared.callsProcedures()
                    || raw instanceof CallableStatement;
            try {
                Object result = counts ? counted(method, arguments) : StrictConnection.call(raw, method, arguments);
                checkDeclarations();
                return result;
            } finally {
                connection.undoSettings(prepared);
            }
        }
        if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql && runs(name)) {
            Batch batch = Batch.of(sql);
            connection.check(batch);
            arguments[0] = connection.text(sql);
            // A batch is not judged, but each procedure is.
            boolean counts = batch.callsProcedures()
                    && !batch.hasTransactionStatements()
                    && !batch.isModule()
                    && !name.equals("addBatch");
            Object result = counts ? counted(method, arguments) : StrictConnection.call(raw, method, arguments);
            connection.keepSettings(batch);
            return result;
        }
        isDriversChoice |= name.equals("setObject");
        return StrictConnection.call(raw, method, arguments);
    }

    private void checkDeclarations() throws SQLException {
        Optional<Refusal> refusal = Declarations.ofRun().note(text, raw);
        if (refusal.isPresent() && !isDriversChoice) {
            throw refusal.get().exception();
        }
    }

    private static boolean runs(String name) {
        return name.startsWith("execute") || name.equals("addBatch");
    }

    /** Runs what may end with another number of transactions; nothing else can do more than begin one, which is no error. */
    private Object counted(Method method, Object[] arguments) throws Throwable {
        int before = connection.transactions();
        Object result = StrictConnection.call(raw, method, arguments);
        int after = connection.transactions();
        boolean begunImplicitly = before == 0 && after == 1 && connection.beginsImplicitly();
        if (before != after && !begunImplicitly) {
            behindResults = Refusal.count(before, after);
            raiseWhereTheDriverHasReadAll(method.getName(), result);
        }
        return result;
    }

    /** With results the driver stops at the first, and finds the error when it is asked for more. */
    private void raiseWhereTheDriverHasReadAll(String method, Object result) throws SQLException {
        switch (method) {
            case "executeUpdate", "executeLargeUpdate" -> {
                if (connection.lastCountOnly()) {
                    raise();
                } else {
                    raiseWithoutCount();
                }
            }
            case "execute" -> {
                if (!(Boolean) result) {
                    raiseWithoutCount();
                }
            }
            case "executeBatch" -> {
                SQLException error = taken();
                throw new BatchUpdateException(
                        error.getMessage(), error.getSQLState(), error.getErrorCode(), (int[]) result, error);
            }
            default -> {}
        }
    }

    private void raiseWithoutCount() throws SQLException {
        if (behindResults != null && raw.getUpdateCount() == -1) {
            raise();
        }
    }

    private void raise() throws SQLException {
        throw taken();
    }

    private SQLException taken() {
        SQLException error = behindResults.exception();
        behindResults = null;
        return error;
    }
}
