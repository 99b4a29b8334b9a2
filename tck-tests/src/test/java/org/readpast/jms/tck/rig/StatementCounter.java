package org.readpast.jms.tck.rig;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ConnectionIdManager;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.proxy.DefaultConnectionIdManager;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** Stands between a client and its DataSource, and notes which thread executes what. Thread-safe. */
public final class StatementCounter {

    private final ConnectionIdManager connections = new SynchronizedIds();
    private final DataSource source;

    /** Guarded by itself. */
    private final List<Executed> executed = new ArrayList<>();

    /** The threads that asked for them. */
    private final List<String> commits = new CopyOnWriteArrayList<>();

    /** The library's own copies its ids while other threads change them. */
    private static final class SynchronizedIds extends DefaultConnectionIdManager {

        @Override
        public synchronized String getId(Connection connection) {
            return super.getId(connection);
        }

        @Override
        public synchronized void addClosedId(String closedId) {
            super.addClosedId(closedId);
        }

        @Override
        public synchronized Set<String> getOpenConnectionIds() {
            return super.getOpenConnectionIds();
        }
    }

    /** One statement, as one thread executed it. */
    public record Executed(String thread, String text, String parameters) {}

    public StatementCounter(DataSource counted) {
        source = ProxyDataSourceBuilder.create(counted)
                .connectionIdManager(connections)
                .listener(new QueryExecutionListener() {
                    @Override
                    public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {
                        String thread = Thread.currentThread().getName();
                        synchronized (executed) {
                            for (QueryInfo query : queries) {
                                executed.add(new Executed(thread, query.getQuery(), parameters(query)));
                            }
                        }
                    }

                    @Override
                    public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
                        // What began was noted already.
                    }
                })
                .methodListener(new MethodExecutionListener() {
                    @Override
                    public void beforeMethod(MethodExecutionContext execution) {
                        if (execution.getMethod().getName().equals("commit")) {
                            commits.add(Thread.currentThread().getName());
                        }
                    }

                    @Override
                    public void afterMethod(MethodExecutionContext execution) {
                        // What began was noted already.
                    }
                })
                .build();
    }

    private static String parameters(QueryInfo query) {
        return query.getParametersList().stream()
                .flatMap(List::stream)
                .map(parameter -> Arrays.deepToString(parameter.getArgs()))
                .collect(Collectors.joining());
    }

    /** The DataSource to be used. */
    public DataSource source() {
        return source;
    }

    /** Forgets what was executed until now. */
    public void reset() {
        synchronized (executed) {
            executed.clear();
        }
        commits.clear();
    }

    /** What was executed since the last reset. */
    public List<Executed> executed() {
        synchronized (executed) {
            return List.copyOf(executed);
        }
    }

    /** What threads whose name begins so have executed since the last reset. */
    public List<Executed> executedBy(String threadPrefix) {
        return executed().stream()
                .filter(one -> one.thread().startsWith(threadPrefix))
                .toList();
    }

    /** How many commits a thread asked of the driver since the last reset; those within statements are not among them. */
    public int commitsBy(String thread) {
        return Collections.frequency(commits, thread);
    }

    /** How many SQL connections are out now. */
    public int openConnections() {
        return connections.getOpenConnectionIds().size();
    }
}
