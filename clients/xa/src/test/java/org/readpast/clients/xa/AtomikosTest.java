package org.readpast.clients.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.xa.PGXADataSource;
import org.readpast.jms.ReadpastXAConnectionFactory;

/** XA sessions in transactions of Atomikos', with a second database in them. */
class AtomikosTest {

    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir
    private static Path log;

    private EmbeddedPostgres server;
    private TwoDatabases databases;
    private ReadpastXAConnectionFactory factory;
    private XAConnection connection;
    private XASession session;
    private javax.sql.XAConnection rows;
    private List<XAResource> resources;
    private Atomikos atomikos;

    @BeforeEach
    void start() throws Exception {
        server = TwoDatabases.startServer();
        databases = TwoDatabases.emptyOn(server);
        factory = new ReadpastXAConnectionFactory(databases.factoryUrl());
        connection = factory.createXAConnection();
        connection.start();
        session = connection.createXASession();
        PGXADataSource source = new PGXADataSource();
        source.setUrl(databases.rows());
        rows = source.getXAConnection();
        resources = List.of(session.getXAResource(), rows.getXAResource());
        atomikos = Atomikos.start(log, "shop", resources, Duration.ofMinutes(2));
    }

    @AfterEach
    void stop() throws Exception {
        atomikos.stop();
        assertThat(databases.inDoubt()).isZero();
        rows.close();
        factory.close();
        server.close();
    }

    private void move() throws Exception {
        atomikos.manager().begin();
        for (XAResource resource : resources) {
            atomikos.manager().getTransaction().enlistResource(resource);
        }
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
                Statement statement = rows.getConnection().createStatement()) {
            session.createProducer(session.createQueue("out")).send(consumer.receive(PATIENCE_MILLIS));
            statement.executeUpdate("INSERT INTO shop_order VALUES ('coffee')");
        }
    }

    private Message received(String queue, long millis) throws JMSException {
        try (Session own = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = own.createConsumer(own.createQueue(queue))) {
            return consumer.receive(millis);
        }
    }

    private void send() throws JMSException {
        try (Session own = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            own.createProducer(own.createQueue("in")).send(own.createTextMessage("coffee"));
        }
    }

    @Test
    void messages_and_row_in_another_database_are_committed_together() throws Exception {
        send();
        move();
        assertThat(received("out", 1)).as("seen before the commit").isNull();
        atomikos.manager().commit();
        assertThat(received("out", PATIENCE_MILLIS)).isNotNull();
        assertThat(received("in", 1)).isNull();
        assertThat(databases.orders()).isEqualTo(1);
    }

    @Test
    void messages_and_row_in_another_database_are_rolled_back_together() throws Exception {
        send();
        move();
        atomikos.manager().rollback();
        assertThat(received("in", PATIENCE_MILLIS)).isNotNull();
        assertThat(received("out", 1)).isNull();
        assertThat(databases.orders()).isZero();
    }

    /** As after a restart of the database, with sessions that are kept. */
    @Test
    void session_whose_connection_broke_while_nobody_used_it_has_another_in_its_next_transaction() throws Exception {
        send();
        move();
        long backend = databases.number(
                databases.messages(),
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL"
                        + " AND state LIKE 'idle in transaction%'");
        atomikos.manager().commit();
        long since = System.nanoTime();
        assertThat(databases.number(databases.messages(), "SELECT pg_terminate_backend(" + backend + ", 60000)::int"))
                .isOne();
        // Whether one that was used a moment ago still lives is not asked.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> System.nanoTime() - since > Duration.ofSeconds(1).toNanos());

        send();
        move();
        atomikos.manager().commit();
        assertThat(databases.orders()).isEqualTo(2);
    }

    /** Atomikos makes one of the address of its host where none is set, and that may be each host's own. */
    @Test
    void unique_name_that_another_node_may_have_too_is_warned_of() throws Exception {
        atomikos.stop();
        atomikos = Atomikos.start(log, "127.0.1.1.tm", resources, Duration.ofMinutes(2));
        send();
        try (Warnings warnings = new Warnings()) {
            move();
            atomikos.manager().commit();
            assertThat(warnings.texts())
                    .singleElement(STRING)
                    .contains("'127.0.1.1.tm", "com.atomikos.icatch.tm_unique_name");
        }
    }
}
