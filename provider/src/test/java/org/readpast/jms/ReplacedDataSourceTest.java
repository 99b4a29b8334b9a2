package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Hashtable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Logger;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.spi.InitialContextFactory;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server replaces a DataSource that is in use, as when somebody disables and enables it. */
class ReplacedDataSourceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static volatile DataSource inJndi;

    private String before;

    /** The server's JNDI. */
    public static final class Names implements InitialContextFactory {

        public Names() {}

        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) {
            return (Context) Proxy.newProxyInstance(
                    Names.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                        if (inJndi == null) {
                            throw new NameNotFoundException("there is no " + arguments[0]);
                        }
                        return inJndi;
                    });
        }
    }

    /** One that can be shut down. */
    private static final class Pool implements DataSource {

        private final JdbcDataSource source = new JdbcDataSource();
        private final Queue<java.sql.Connection> open = new ConcurrentLinkedQueue<>();
        private volatile boolean shutDown;

        Pool() {
            source.setURL("jdbc:h2:mem:replaced;DB_CLOSE_DELAY=-1");
            source.setUser("sa");
        }

        void shutDown() throws SQLException {
            shutDown = true;
            for (java.sql.Connection connection : open) {
                connection.close();
            }
        }

        @Override
        public java.sql.Connection getConnection() throws SQLException {
            if (shutDown) {
                throw new SQLException("The pool has been shut down");
            }
            java.sql.Connection connection = source.getConnection();
            open.add(connection);
            return connection;
        }

        @Override
        public java.sql.Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(PrintWriter out) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public Logger getParentLogger() {
            return null;
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("Nothing is wrapped");
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }

    @BeforeEach
    void enterServer() {
        before = System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Names.class.getName());
    }

    @AfterEach
    void leaveServer() {
        if (before == null) {
            System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        } else {
            System.setProperty(Context.INITIAL_CONTEXT_FACTORY, before);
        }
    }

    private static void send(Session session) throws JMSException {
        try (MessageProducer producer = session.createProducer(session.createQueue("orders"))) {
            producer.send(session.createTextMessage("coffee"));
        }
    }

    /** Without Spring, AUTO asks the DataSource itself whether there is a transaction. */
    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "NEVER"})
    void session_goes_on_with_what_has_taken_its_place(String join) throws Exception {
        Pool first = new Pool();
        inJndi = first;
        try (ReadpastConnectionFactory factory =
                        new ReadpastConnectionFactory("readpast:java:/Shop#createSchema=true&join=" + join);
                Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            send(session);
            first.shutDown();
            inJndi = null;
            assertThatThrownBy(() -> send(session)).hasStackTraceContaining("The pool has been shut down");
            inJndi = new Pool();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThatCode(() -> send(session)).doesNotThrowAnyException());
            assertThat(((Pool) inJndi).open).isNotEmpty();
        }
    }

    /** A thread of ours is of no component, and in another one the name may lead to another database. */
    @Test
    void name_of_a_component_leads_to_no_other_database() throws Exception {
        Pool first = new Pool();
        inJndi = first;
        try (ReadpastConnectionFactory factory =
                        new ReadpastConnectionFactory("readpast:java:comp/env/Shop#createSchema=true&join=NEVER");
                Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            send(session);
            Pool others = new Pool();
            inJndi = others;
            first.shutDown();
            assertThatThrownBy(() -> send(session)).hasStackTraceContaining("The pool has been shut down");
            assertThatThrownBy(() -> send(session)).hasStackTraceContaining("The pool has been shut down");
            assertThat(others.open).isEmpty();
        }
    }
}
