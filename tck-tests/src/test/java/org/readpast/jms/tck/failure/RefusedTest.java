package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/** What the database refuses for good: users, passwords, rights, schemas. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedTest {

    private static final PostgresServer SERVER = SharedPostgres.get();
    private static final AtomicInteger URLS = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OWNER = "refused_owner";
    private static final String STRANGER = "refused_stranger";
    private static final String PASSWORD = "open-sesame";
    private static final String WRONG = "open-barley";

    @BeforeAll
    static void createUsers() throws Exception {
        SERVER.execute(
                "CREATE ROLE " + OWNER + " LOGIN SUPERUSER PASSWORD '" + PASSWORD + "'",
                "CREATE ROLE " + STRANGER + " LOGIN PASSWORD '" + PASSWORD + "'");
        SERVER.requirePasswordOf(OWNER, STRANGER);
        try (Connection connection =
                new ReadpastConnectionFactory(TestDatabase.POSTGRESQL.readpastUrl()).createConnection()) {
            assertThat(connection.getMetaData()).isNotNull();
        }
    }

    @AfterAll
    static void dropUsers() throws Exception {
        SERVER.execute("DROP ROLE " + OWNER, "DROP ROLE " + STRANGER);
    }

    /** A URL that no other case has, so that none finds another's pool still open. */
    private static String url(String user, String password, String... options) {
        String[] all = java.util.Arrays.copyOf(options, options.length + 1);
        all[options.length] = "idleCloseMillis=" + URLS.getAndIncrement();
        return TestDatabase.readpastUrlOf(PostgresServer.urlThrough(SERVER.port(), user, password), all);
    }

    @Test
    void wrong_password_is_refused_by_createConnection() throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url(OWNER, PASSWORD));
        assertThatThrownBy(() -> factory.createConnection(OWNER, WRONG))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageNotContaining(WRONG);
        assertThatThrownBy(() -> factory.createConnection("nobody-of-this-name", WRONG))
                .isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> new ReadpastConnectionFactory(url(OWNER, WRONG)).createConnection())
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageNotContaining(WRONG);
        // A pool that knows the right one is there; the wrong one must not slip in behind it.
        try (Connection connection = factory.createConnection(OWNER, PASSWORD)) {
            assertThat(connection.getMetaData()).isNotNull();
            assertThatThrownBy(() -> factory.createConnection(OWNER, WRONG)).isInstanceOf(JMSSecurityException.class);
        }
    }

    @Test
    void wrong_password_is_refused_by_createContext() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url(OWNER, PASSWORD));
        assertThatThrownBy(() -> factory.createContext(OWNER, WRONG))
                .isInstanceOf(JMSSecurityRuntimeException.class)
                .hasMessageNotContaining(WRONG);
        assertThatThrownBy(() -> factory.createContext(OWNER, WRONG, JMSContext.SESSION_TRANSACTED))
                .isInstanceOf(JMSSecurityRuntimeException.class);
        assertThatThrownBy(() -> new ReadpastConnectionFactory(url(OWNER, WRONG)).createContext())
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    void wrong_password_of_a_DataSource_is_a_JMSSecurityException() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresServer.urlThrough(SERVER.port(), OWNER, WRONG));
        assertThatThrownBy(() -> new ReadpastConnectionFactory(source).createConnection())
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageNotContaining(WRONG);
        source.setPassword(PASSWORD);
        assertThatThrownBy(() -> new ReadpastConnectionFactory(source).createConnection(OWNER, WRONG))
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void user_without_rights_is_refused() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(
                url(STRANGER, PASSWORD).replace("createSchema=true", "createSchema=false"));
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("roles.sql");
        assertThatThrownBy(factory::createContext).isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    void user_who_may_only_send_cannot_receive() throws Exception {
        SERVER.execute(
                "GRANT USAGE ON SCHEMA readpast TO " + STRANGER,
                "GRANT USAGE ON ALL SEQUENCES IN SCHEMA readpast TO " + STRANGER,
                "GRANT SELECT ON readpast.schema_version TO " + STRANGER,
                "GRANT SELECT, INSERT ON readpast.destination TO " + STRANGER,
                "GRANT INSERT ON readpast.message, readpast.delayed_message TO " + STRANGER,
                "GRANT SELECT, INSERT, UPDATE, DELETE ON readpast.presence, readpast.client_id TO " + STRANGER);
        String queue = "refused." + UUID.randomUUID();
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(
                url(STRANGER, PASSWORD).replace("createSchema=true", "createSchema=false"));
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("for others"));
            assertThatThrownBy(() -> session.createConsumer(session.createQueue(queue)))
                    .isInstanceOf(JMSSecurityException.class);
        } finally {
            SERVER.execute("DROP OWNED BY " + STRANGER);
        }
    }

    @Test
    void missing_schema_names_the_script_to_run() {
        String url = TestDatabase.POSTGRESQL
                .readpastUrl("schema=not_here", "idleCloseMillis=0")
                .replace("createSchema=true", "createSchema=false");
        assertThatThrownBy(() -> new ReadpastConnectionFactory(url).createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("not_here")
                .hasMessageContaining("001-tables.sql");
    }

    @Test
    void schema_of_another_version_says_which() throws Exception {
        String schema = "other_version_" + Long.toString(System.nanoTime(), 36);
        String url = url(PostgresServer.USER, "", "schema=" + schema);
        try (Connection connection = new ReadpastConnectionFactory(url).createConnection()) {
            assertThat(connection.getMetaData()).isNotNull();
        }
        try {
            // Lest dropping its tables be a deadlock with the end of the pool.
            await().atMost(PATIENCE).until(() -> SERVER.number("SELECT count(*) FROM " + schema + ".presence") == 0);
            SERVER.execute(
                    "INSERT INTO " + schema + ".schema_version (version, script) VALUES (999, '999-future.sql')");
            String newer = url(PostgresServer.USER, "", "schema=" + schema);
            assertThatThrownBy(() -> new ReadpastConnectionFactory(newer).createConnection())
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("999");
            SERVER.execute("DELETE FROM " + schema + ".schema_version WHERE version > 1");
            String older =
                    url(PostgresServer.USER, "", "schema=" + schema).replace("createSchema=true", "createSchema=false");
            assertThatThrownBy(() -> new ReadpastConnectionFactory(older).createConnection())
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("002-");
        } finally {
            SERVER.execute("DROP SCHEMA " + schema + " CASCADE");
        }
    }
}
