package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands about the schema, before an upgrade and after a restore or a copy. */
class SchemaCommandsTest extends Commands {

    @Test
    void schema_check_names_who_is_too_old() throws Exception {
        onH2();
        Outcome nothing = readpast("schema", "check");
        done(nothing);
        assertThat(nothing.out()).contains("this release has none that is newer");
        run("DELETE FROM readpast.schema_version WHERE version = (SELECT MAX(version) FROM readpast.schema_version)");
        Outcome nobody = readpast("schema", "check");
        done(nobody);
        assertThat(nobody.out()).contains("Nobody who is connected is too old");
        run("INSERT INTO readpast.presence (instance, host, process, provider_version, schema_version)"
                + " VALUES ('00000000-0000-0000-0000-000000000007', 'old.example', 'pid 7', '0.0.9', 1)");
        Outcome found = readpast("schema", "check");
        assertThat(found.code()).isEqualTo(1);
        assertThat(found.out()).contains("These are too old").contains("old.example  pid 7    0.0.9         1");
        Outcome json = readpast("schema", "check", "--json");
        assertThat(json.code()).isEqualTo(1);
        assertThat(json.json().get("too old").get(0).get("release").asText()).isEqualTo("0.0.9");
        run("UPDATE readpast.presence SET schema_version = NULL");
        assertThat(readpast("schema", "check").out())
                .contains("These are too old")
                .contains("old.example");
        assertThat(readpast("schema", "check", "--schema", "elsewhere").code()).isEqualTo(5);
    }

    /** Somebody restores the database to before a queue was made, and makes another, while a JVM is connected and remembers the first. */
    @Test
    void jvm_that_lives_through_a_restore_sends_to_its_own_queue() throws Exception {
        onPostgres();
        String live = url.replaceAll(".*/(cli_[a-z0-9]+).*", "$1");
        done(readpast("create", "early"));
        readpast(Map.of("READPAST_URL", url), "kept", "send", "early");
        onServer("CREATE DATABASE " + live + "_backup TEMPLATE " + live);
        try (JMSContext context = factory().createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("mine"));
            context.createProducer().send(context.createQueue("mine"), "lost with the restore");
            onServer("DROP DATABASE " + live + " WITH (FORCE)");
            onServer("CREATE DATABASE " + live + " TEMPLATE " + live + "_backup");

            Outcome restored = readpast("schema", "restored", "--yes");
            assertThat(restored.out()).as(restored.err()).isEqualTo("held: 1 message\n");
            done(readpast("create", "another"));

            List<String> ledger = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String text = "m" + i;
                await().atMost(1, TimeUnit.MINUTES).until(() -> isSent(context, text));
                ledger.add(text);
            }
            List<String> received = new ArrayList<>();
            await().atMost(1, TimeUnit.MINUTES).until(() -> {
                String text = consumer.receiveBody(String.class, 100);
                if (text != null) {
                    received.add(text);
                }
                return received.size() >= ledger.size();
            });
            assertThat(received).containsExactlyElementsOf(ledger);
            assertThat(consumer.receiveNoWait()).isNull();
        }
        assertThat(readpast("browse", "another", "--json").json()).isEmpty();
        assertThat(readpast("browse", "early", "--json").json()).isEmpty();
        assertThat(readpast("release", "early").out()).isEqualTo("release: 1 message of early\n");
        assertThat(readpast("browse", "early", "--json").json()).hasSize(1);
    }

    /** A JVM may remember what was made behind the first restore, and live through the second one. */
    @Test
    void two_restores_of_one_backup_give_out_no_id_twice() throws Exception {
        onPostgres();
        String live = url.replaceAll(".*/(cli_[a-z0-9]+).*", "$1");
        onServer("CREATE DATABASE " + live + "_backup TEMPLATE " + live);
        restore(live);
        int first = create("mine");
        restore(live);
        assertThat(create("another")).isGreaterThan(first);
    }

    private static void restore(String live) throws Exception {
        onServer("DROP DATABASE IF EXISTS " + live + " WITH (FORCE)");
        onServer("CREATE DATABASE " + live + " TEMPLATE " + live + "_backup");
    }

    /** Returns its id. */
    private int create(String queue) throws Exception {
        done(readpast("schema", "restored", "--yes"));
        done(readpast("create", queue));
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT destination_id FROM readpast.destination WHERE name = '" + queue + "'")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Not where the connection is gone or the id is another's, which is told before anything is stored. */
    private static boolean isSent(JMSContext context, String text) {
        try {
            context.createProducer().send(context.createQueue("mine"), text);
            return true;
        } catch (JMSRuntimeException e) {
            return false;
        }
    }

    /** Its presence, client id, lease, subscription and delayed message are nobody's in the copy. */
    @Test
    void copy_of_a_database_is_held_and_the_original_goes_on() throws Exception {
        onPostgres();
        String original = url;
        String name = original.replaceAll(".*/(cli_[a-z0-9]+).*", "$1");
        try (JMSContext context = factory().createContext();
                JMSContext worker = context.createContext(JMSContext.SESSION_TRANSACTED)) {
            context.setClientID("billing");
            JMSConsumer news = context.createDurableConsumer(context.createTopic("news"), "all");
            context.createProducer().send(context.createTopic("news"), "published");
            context.createProducer().send(context.createQueue("orders"), "leased");
            JMSConsumer leasing = worker.createConsumer(worker.createQueue("orders?consumer.leaseSeconds=600"));
            assertThat(leasing.receiveBody(String.class, 30_000)).isEqualTo("leased");
            context.createProducer().send(context.createQueue("orders"), "now");
            context.createProducer().setDeliveryDelay(1_000).send(context.createQueue("orders"), "later");

            copy(name, name + "_copy");
            url = TestServer.get().getJdbcUrl("postgres", name + "_copy");
            assertThat(readpast("schema", "restored").code()).isEqualTo(6);
            assertThat(readpast("schema", "restored", "--yes", "--json")
                            .json()
                            .get("messages")
                            .asInt())
                    .isEqualTo(4);
            assertThat(readpast("browse", "orders", "--json").json()).isEmpty();
            useCopy();

            worker.commit();
            try (JMSContext another = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
                JMSConsumer consumer = another.createConsumer(another.createQueue("orders"));
                assertThat(consumer.receiveBody(String.class, 30_000)).isEqualTo("now");
                assertThat(consumer.receiveBody(String.class, 30_000)).isEqualTo("later");
                assertThat(consumer.receiveNoWait()).isNull();
            }
            assertThat(news.receiveBody(String.class, 30_000)).isEqualTo("published");
        }
        onH2();
        assertThat(readpast("schema", "restored", "--yes").code()).isEqualTo(2);
    }

    /** While clients live, as a backup does: who is connected loses his connections. */
    private static void copy(String database, String copy) throws Exception {
        onServer("ALTER DATABASE " + database + " ALLOW_CONNECTIONS false");
        onServer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database + "'");
        onServer("CREATE DATABASE " + copy + " TEMPLATE " + database);
        onServer("ALTER DATABASE " + database + " ALLOW_CONNECTIONS true");
        onServer("ALTER DATABASE " + copy + " ALLOW_CONNECTIONS true");
    }

    /** As the first client there, with the client id of one that is connected to the original. */
    private void useCopy() throws Exception {
        try (JMSContext context = await().atMost(1, TimeUnit.MINUTES)
                .ignoreException(InvalidClientIDRuntimeException.class)
                .until(this::billing, Objects::nonNull)) {
            JMSConsumer news = context.createDurableConsumer(context.createTopic("news"), "all");
            JMSConsumer orders = context.createConsumer(context.createQueue("orders"));
            assertThat(news.receiveNoWait()).isNull();
            assertThat(orders.receiveNoWait()).isNull();
            assertThat(readpast("release", "orders").out()).isEqualTo("release: 3 messages of orders\n");
            assertThat(Stream.generate(() -> orders.receiveBody(String.class, 30_000))
                            .limit(3))
                    .containsExactlyInAnyOrder("leased", "now", "later");
            context.createProducer().send(context.createTopic("news"), "of the test");
            assertThat(news.receiveBody(String.class, 30_000)).isEqualTo("of the test");
        }
    }

    private JMSContext billing() throws Exception {
        JMSContext context = factory().createContext();
        try {
            context.setClientID("billing");
            return context;
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private static void onServer(String sql) throws Exception {
        await().atMost(30, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            TestServer.execute(sql);
            return true;
        });
    }
}
