package org.readpast.jms.engine.support;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;

/**
 * An application's DataSource, asked on a thread that has no transaction. Asked on the caller's own, a DataSource that takes part
 * in transactions would hand out the connection of whatever transaction runs there, and a commit of ours would end it.
 * Thread-safe.
 */
public final class DetachedDataSource implements DataSource {

    private static final org.slf4j.Logger LOG = Loggers.of(DetachedDataSource.class);

    private static final ThreadPoolExecutor ASKING = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), Threads.shared("connections"));

    private final FoundDataSource found;

    public DetachedDataSource(FoundDataSource found) {
        this.found = found;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return ask(() -> found.connect(source -> fixed(source.getConnection())));
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return ask(() -> found.connect(source -> fixed(source.getConnection(user, password))));
    }

    /**
     * Some DataSources hand out a shell that looks for its connection at the first use, such as Spring's
     * TransactionAwareDataSourceProxy and LazyConnectionDataSourceProxy, which knows autocommit by itself: it has to look here, not on
     * the thread of whoever asked, where another transaction or another database may be chosen.
     */
    private static Connection fixed(Connection connection) throws SQLException {
        try {
            connection.getMetaData();
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection ask(Callable<Connection> question) throws SQLException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Future<Connection> answer = ASKING.submit(() -> withLoader(loader, question));
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException problem) {
                throw problem;
            }
            throw new SQLException("The DataSource gave no connection: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            closeWhenItComes(answer);
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while waiting for a connection", e);
        }
    }

    /** Containers may tell by it whose connection is asked for. */
    private static Connection withLoader(ClassLoader loader, Callable<Connection> question) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return question.call();
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    /** Nobody waits for it any more, so whoever it belongs to gets it back. */
    private static void closeWhenItComes(Future<Connection> answer) {
        ASKING.execute(() -> {
            try (Connection unwanted = answer.get()) {
                unwanted.clearWarnings();
            } catch (ExecutionException | SQLException e) {
                LOG.debug("A connection that nobody waited for did not come or did not close", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return found.source().getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        found.source().setLogWriter(out);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return found.source().getLoginTimeout();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        found.source().setLoginTimeout(seconds);
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return found.source().getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : found.source().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || found.source().isWrapperFor(type);
    }
}
