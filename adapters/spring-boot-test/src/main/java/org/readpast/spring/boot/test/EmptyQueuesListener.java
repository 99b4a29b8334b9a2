package org.readpast.spring.boot.test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.boot.MessageDatabase;
import org.springframework.context.ApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.MessageListenerContainer;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Empties the queues after each test method of a {@link ReadpastTest}, while no listener works. */
final class EmptyQueuesListener extends AbstractTestExecutionListener {

    private static final int PATIENCE_SECONDS = 30;

    /** What comes before another is called after it: the transaction of the test, at 4000, has ended then. */
    private static final int BEFORE_TRANSACTIONS = 3900;

    private static final List<String> TABLES = List.of("message", "delayed_message", "duplicate_id", "message_history");

    @Override
    public int getOrder() {
        return BEFORE_TRANSACTIONS;
    }

    @Override
    public void afterTestMethod(TestContext test) throws Exception {
        if (!TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), ReadpastTest.class)
                || !test.hasApplicationContext()) {
            return;
        }
        ApplicationContext context = test.getApplicationContext();
        ReadpastConnectionFactory factory =
                context.getBeanProvider(ReadpastConnectionFactory.class).getIfUnique();
        MessageDatabase database =
                context.getBeanProvider(MessageDatabase.class).getIfUnique();
        if (factory == null || database == null || database.dataSource() == null) {
            return;
        }
        List<MessageListenerContainer> running = context.getBeanProvider(JmsListenerEndpointRegistry.class).stream()
                .flatMap(registry -> registry.getListenerContainers().stream())
                .filter(Lifecycle::isRunning)
                .toList();
        try {
            stop(running);
            empty(database.dataSource(), factory.schema());
        } finally {
            running.forEach(Lifecycle::start);
        }
    }

    /** Waits for those that work. */
    private static void stop(List<MessageListenerContainer> running) throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(running.size());
        running.forEach(container -> container.stop(stopped::countDown));
        if (!stopped.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("A listener still works " + PATIENCE_SECONDS
                    + " seconds after its test, so the queues cannot be emptied: let the test wait for it");
        }
    }

    /** In memory only: another database may be shared with those who need its messages. */
    private static void empty(DataSource dataSource, String schema) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (!connection.getMetaData().getURL().startsWith(TestDatabaseFactory.IN_MEMORY)
                    || !isThere(connection, schema)) {
                return;
            }
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                for (String table : TABLES) {
                    statement.executeUpdate("DELETE FROM " + schema + "." + table);
                }
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    /** The tables are made at the first use. */
    private static boolean isThere(Connection connection, String schema) throws SQLException {
        try (ResultSet tables =
                connection.getMetaData().getTables(null, null, "MESSAGE_HISTORY", new String[] {"BASE TABLE"})) {
            while (tables.next()) {
                if (tables.getString("TABLE_SCHEM").equalsIgnoreCase(schema)) {
                    return true;
                }
            }
            return false;
        }
    }
}
