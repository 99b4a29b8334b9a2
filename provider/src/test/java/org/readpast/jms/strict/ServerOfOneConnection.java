package org.readpast.jms.strict;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * A server that raises no error at all, for tests of what is raised in front of it. It is told what the next call leaves behind,
 * and notes what it is asked to run.
 */
final class ServerOfOneConnection {

    /** What it ran as batches, but for questions for the number of transactions. */
    final List<String> batches = new ArrayList<>();

    private final String url;
    private boolean autoCommit;
    private int transactions;
    private int left;
    private List<Integer> counts = List.of();

    ServerOfOneConnection(String url) {
        this.url = url;
    }

    /** The next call begins in this many transactions, leaves that many open, and has these counts of changed rows. */
    void next(int open, int leaves, Integer... results) {
        transactions = open;
        left = leaves;
        counts = Arrays.asList(results);
    }

    Connection connection() {
        return proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "createStatement" -> statement(Statement.class);
            case "prepareStatement" -> statement(PreparedStatement.class);
            case "prepareCall" -> statement(CallableStatement.class);
            case "getMetaData" -> proxy(DatabaseMetaData.class, (p, m, a) -> url);
            case "getAutoCommit" -> autoCommit;
            case "isClosed" -> false;
            case "setAutoCommit" -> {
                autoCommit = (Boolean) arguments[0];
                yield null;
            }
            default -> null;
        });
    }

    private <T extends Statement> T statement(Class<T> type) {
        List<Integer> current = new ArrayList<>(List.of(-1));
        List<Iterator<Integer>> rest = new ArrayList<>();
        return proxy(type, (proxy, method, arguments) -> switch (method.getName()) {
            case "execute", "executeUpdate" -> {
                transactions = left;
                rest.clear();
                rest.add(counts.iterator());
                current.set(0, rest.get(0).hasNext() ? rest.get(0).next() : -1);
                if (arguments != null) {
                    batches.add((String) arguments[0]);
                }
                yield method.getReturnType() == int.class ? (Object) current.get(0) : (Object) false;
            }
            case "executeBatch" -> {
                transactions = left;
                yield new int[] {1};
            }
            case "executeQuery" ->
                proxy(ResultSet.class, (p, m, a) -> m.getName().equals("getInt") ? transactions : true);
            case "getUpdateCount" -> current.get(0);
            case "getMoreResults" -> {
                current.set(0, rest.get(0).hasNext() ? rest.get(0).next() : -1);
                yield false;
            }
            default -> null;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(
                ServerOfOneConnection.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer = answers.invoke(proxy, method, arguments);
                    return method.getReturnType() == void.class ? null : answer;
                }));
    }
}
