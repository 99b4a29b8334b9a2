package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** That each role can do its work by JMS and by procedures, and not that of the next. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlRolesTest {

    private static final long PATIENCE = 20_000;

    private final TestDatabase database;
    private final String schema = "roles_" + Long.toString(System.nanoTime(), 36);
    private final RoleUsers users;
    private boolean chainsOwnership = true;

    SqlRolesTest(TestDatabase database) {
        this.database = database;
        this.users = new RoleUsers(database, schema);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void installWithUsers() throws Exception {
        users.install();
        try (Connection sql = database.connect()) {
            chainsOwnership = !new SqlQueue(database).isOnBabelfish(sql);
        }
    }

    @AfterEach
    void uninstall() throws Exception {
        // Lest dropping its tables be a deadlock with a JMS client that ends.
        await().atMost(Duration.ofSeconds(60)).until(() -> count("presence") == 0);
        users.uninstall();
    }

    private String mayComplete(String role) throws SQLException {
        try (Connection sql = users.connect(role);
                Statement query = sql.createStatement();
                ResultSet row = query.executeQuery(
                        users.isTransactSql()
                                ? "SELECT HAS_PERMS_BY_NAME('" + schema + ".complete', 'OBJECT', 'EXECUTE')"
                                : "SELECT CAST(has_function_privilege('" + schema
                                        + ".complete(uuid)', 'EXECUTE') AS int)")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Those of the roles, and those that somebody has given to others. */
    @Test
    void rights_on_procedures_stay_when_their_script_is_run_again() throws Exception {
        try (Connection sql = database.connect();
                Statement grant = sql.createStatement()) {
            assertThat(mayComplete("receive")).isEqualTo("1");
            assertThat(mayComplete("observe")).isEqualTo("0");
            grant.execute("GRANT EXECUTE ON " + (users.isTransactSql() ? "" : "FUNCTION ") + schema
                    + ".complete TO readpast_observe");
        }
        InstallScriptsTest.run(
                database, schema, users.isTransactSql() ? "003-procedures.sql" : "004-procedures.sql", "no");
        assertThat(mayComplete("receive")).isEqualTo("1");
        assertThat(mayComplete("observe")).isEqualTo("1");
    }

    private JMSContext jms(String role) {
        return jms(role, JMSContext.AUTO_ACKNOWLEDGE);
    }

    private JMSContext jms(String role, int mode) {
        String url = TestDatabase.readpastUrlOf(
                        users.jdbcUrl(role), "schema=" + schema, "redelivery.maximumDeliveries=1", "idleCloseMillis=0")
                .replace("createSchema=true", "createSchema=false");
        return new ReadpastConnectionFactory(url).createContext(mode);
    }

    private void as(String role, String statement) throws SQLException {
        try (Connection sql = users.connect(role);
                Statement execution = sql.createStatement()) {
            execution.execute(statement);
        }
    }

    private void asOwner(String statement) throws SQLException {
        try (Connection sql = database.connect();
                Statement execution = sql.createStatement()) {
            execution.execute(statement);
        }
    }

    private int count(String rows) throws SQLException {
        return Integer.parseInt(text("SELECT COUNT(*) FROM " + schema + "." + rows));
    }

    private String text(String select) throws SQLException {
        try (Connection sql = database.connect();
                Statement query = sql.createStatement();
                ResultSet row = query.executeQuery(select)) {
            row.next();
            return row.getString(1);
        }
    }

    private void assertRefused(String role, String statement) {
        assertThatThrownBy(() -> as(role, statement))
                .as("%s: %s", role, statement)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("denied");
    }

    private String call(String procedure, String arguments) {
        return users.isTransactSql()
                ? "EXECUTE " + schema + "." + procedure + " " + arguments
                : "SELECT " + schema + "." + procedure + "(" + arguments + ")";
    }

    @Test
    void sender_sends_by_jms_and_does_not_receive() {
        try (JMSContext sender = jms("send", JMSContext.SESSION_TRANSACTED)) {
            Queue queue = sender.createQueue("new");
            Topic topic = sender.createTopic("news");
            sender.createProducer().setProperty("_AMQ_DUPL_ID", "once").send(queue, "a");
            sender.createProducer().setProperty("_AMQ_DUPL_ID", "once").send(queue, "again");
            sender.createProducer().setDeliveryDelay(60_000).send(queue, "later");
            sender.createProducer().send(topic, "unheard");
            sender.commit();
            assertThatThrownBy(() -> sender.createConsumer(queue).receiveNoWait())
                    .isInstanceOf(JMSSecurityRuntimeException.class);
            assertThatThrownBy(() -> sender.createSharedDurableConsumer(topic, "s"))
                    .isInstanceOf(JMSSecurityRuntimeException.class);
        }
        try (JMSContext receiver = jms("receive");
                JMSConsumer consumer = receiver.createConsumer(receiver.createQueue("new"))) {
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("a");
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void receiver_does_by_jms_all_that_a_consumer_needs() throws Exception {
        try (JMSContext receiver = jms("receive", JMSContext.SESSION_TRANSACTED)) {
            Topic topic = receiver.createTopic("news");
            Queue replies = receiver.createTemporaryQueue();
            try (JMSConsumer subscriber = receiver.createSharedDurableConsumer(topic, "s");
                    JMSConsumer answers = receiver.createConsumer(replies)) {
                receiver.createProducer().setProperty("JMSXGroupID", "g").send(topic, "x".repeat(100_000));
                receiver.createProducer().setTimeToLive(1).send(topic, "short");
                receiver.createProducer().send(replies, "reply");
                receiver.commit();
                assertThat(subscriber.receive(PATIENCE)).isNotNull();
                assertThat(answers.receiveBody(String.class, PATIENCE)).isEqualTo("reply");
                receiver.rollback();
                // A rolled back message is a dead letter here: its deliveries are used up.
                assertThat(subscriber.receiveNoWait()).isNull();
            }
            receiver.unsubscribe("s");
            try (JMSConsumer dead = receiver.createConsumer(receiver.createQueue("DLQ"))) {
                assertThat(dead.receive(PATIENCE)).isNotNull();
                receiver.commit();
            }
        }
        assertRefused("receive", "SELECT COUNT(*) FROM " + schema + ".message_text");
    }

    @Test
    void temporary_destinations_of_a_role_are_gone_once_they_are_closed() throws Exception {
        for (String role : List.of("receive", "manage")) {
            try (JMSContext context = jms(role)) {
                TemporaryQueue queue = context.createTemporaryQueue();
                TemporaryTopic topic = context.createTemporaryTopic();
                context.createProducer().send(queue, "a").send(topic, "b");
                queue.delete();
                topic.delete();
                context.createTemporaryQueue();
                context.createTemporaryTopic();
            }
            assertThat(count("destination WHERE owner IS NOT NULL")).as(role).isZero();
        }
    }

    /** It could neither receive from one nor remove it. */
    @Test
    void sender_makes_no_temporary_destination() throws Exception {
        try (JMSContext sender = jms("send")) {
            assertThatThrownBy(sender::createTemporaryQueue).isInstanceOf(JMSSecurityRuntimeException.class);
            assertThatThrownBy(sender::createTemporaryTopic).isInstanceOf(JMSSecurityRuntimeException.class);
            sender.createProducer().send(sender.createQueue("orders"), "a");
        }
        assertThat(count("destination WHERE name = 'orders' AND owner IS NULL")).isOne();
        assertRefused(
                "send",
                "INSERT INTO " + inserted("destination", "owned_destination")
                        + " (kind, name, owner) VALUES ('TQ', 'x', 'x')");
    }

    /** The table on PostgreSQL, the view for it on SQL Server. */
    private String inserted(String table, String view) {
        return schema + "." + (users.isTransactSql() ? "new_" + view : table);
    }

    @Test
    void client_of_each_role_leaves_nothing_of_itself_behind() throws Exception {
        for (String role : List.of("send", "receive", "manage")) {
            try (JMSContext context = jms(role)) {
                context.setClientID("client of " + role);
                context.createProducer().send(context.createQueue("orders"), "a");
                assertThat(count("presence")).isOne();
                assertThat(count("client_id")).isOne();
            }
            await(role).atMost(Duration.ofMillis(PATIENCE)).until(() -> count("presence") == 0);
            assertThat(count("client_id")).as(role).isZero();
            assertThat(count("consumed_destination")).as(role).isZero();
        }
    }

    @Test
    void sender_removes_nothing_of_a_client_that_lives_and_no_marker_that_is_new() throws Exception {
        try (JMSContext receiver = jms("receive");
                JMSConsumer consumer = receiver.createConsumer(receiver.createQueue("orders"))) {
            assertThat(consumer.receiveNoWait()).isNull();
            as(
                    "manage",
                    "INSERT INTO " + schema + ".commit_marker (token, refused) VALUES ('" + UUID.randomUUID() + "', "
                            + (users.isTransactSql() ? "0" : "false") + ")");
            String instance = text("SELECT instance FROM " + schema + ".presence");
            for (String table : List.of("presence", "consumed_destination", "commit_marker")) {
                assertRefused("send", "DELETE FROM " + schema + "." + table);
            }
            if (users.isTransactSql()) {
                as("send", "DELETE FROM " + schema + ".removable_presence");
                as("send", "DELETE FROM " + schema + ".removable_consumed_destination");
                as("send", "DELETE FROM " + schema + ".removable_commit_marker");
            } else {
                assertRefused("send", "BEGIN; LOCK TABLE " + schema + ".presence IN ACCESS EXCLUSIVE MODE");
                assertRefused("send", "BEGIN; LOCK TABLE " + schema + ".client_id IN ACCESS EXCLUSIVE MODE");
                for (String function : List.of("remove_presence", "forget_consumed", "mark_suspects")) {
                    as("send", call(function, "'" + instance + "'"));
                }
                as("send", call("forget_markers", "0, 100"));
            }
            for (String table : List.of("presence", "consumed_destination", "commit_marker")) {
                assertThat(count(table)).as(table).isOne();
            }
            assertThat(count("suspect_mark")).isZero();
        }
    }

    @Test
    void sender_does_not_pass_a_worker_off_as_a_dead_jvm() {
        assertThatThrownBy(() ->
                        as("send", "INSERT INTO " + schema + ".presence (instance, host) VALUES ('nightly', 'any')"))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void observer_sees_numbers_and_no_message() throws Exception {
        for (String view : List.of("queue_overview", "claimed_message", "held_message", "schema_version")) {
            as("observe", "SELECT COUNT(*) FROM " + schema + "." + view);
        }
        for (String view : List.of("message_text", "message", "delayed_message", "shared_body")) {
            assertRefused("observe", "SELECT COUNT(*) FROM " + schema + "." + view);
        }
    }

    @Test
    void nobody_calls_what_is_for_the_next_role() {
        assertRefused("observe", call("send", "'q'"));
        assertRefused("send", call("receive_batch", "'q'"));
        assertRefused("send", call("claim", "'q'"));
        for (String procedure : List.of("create_queue", "retry", "expire", "purge", "hold", "release")) {
            assertRefused("receive", call(procedure, "'q'"));
        }
        assertRefused("receive", call("move", "'q', 'r'"));
        assertRefused("receive", call("copy", "'q', 'r'"));
        assertRefused("manage", "DELETE FROM " + schema + ".schema_version");
    }

    /** Whoever repairs cannot take his name out of it, nor put another's in. */
    @Test
    void what_a_manager_did_is_noted_and_no_role_changes_it() throws Exception {
        for (String call : List.of(call("create_queue", "'q'"), call("send", "'q', 'a'"), call("purge", "'q'"))) {
            if (chainsOwnership) {
                as("manage", call);
            } else {
                // On this server a procedure has the rights of its caller.
                asOwner(call);
            }
        }
        assertThat(text("SELECT login FROM " + schema + ".audit"))
                .isEqualTo(chainsOwnership ? schema + "_manage" : text("SELECT ORIGINAL_LOGIN()"));
        for (String role : RoleUsers.ROLES) {
            assertRefused(role, "INSERT INTO " + schema + ".audit (action, messages) VALUES ('purge', 1)");
            assertRefused(role, "UPDATE " + schema + ".audit SET messages = 0");
            assertRefused(role, "DELETE FROM " + schema + ".audit");
        }
        for (String role : List.of("manage", "observe")) {
            as(role, "SELECT action, messages FROM " + schema + ".audit");
        }
        for (String role : List.of("send", "receive")) {
            assertRefused(role, "SELECT action, messages FROM " + schema + ".audit");
        }
        assertThat(count("audit WHERE action = 'purge' AND messages = 1")).isOne();
    }

    @Test
    void each_role_calls_its_procedures() throws Exception {
        assumeFalse(!chainsOwnership, "on this server a procedure has the rights of its caller");
        as("manage", call("create_queue", "'q'"));
        as("manage", call("create_queue", "'r'"));
        as("send", call("send", "'q', 'a'"));
        as("send", call("send", "'q', 'b'"));
        as("receive", call("receive_batch", "'q'"));
        as("receive", call("claim", "'q'"));
        as("manage", call("retry", "'q'"));
        as("manage", call("hold", "'q'"));
        as("manage", call("release", "'q'"));
        as("manage", call("copy", "'q', 'r'"));
        as("manage", call("move", "'q', 'r'"));
        as("manage", call("expire", "'r'"));
        as("manage", call("purge", "'r'"));
        as("manage", "SELECT COUNT(*) FROM " + schema + ".message_text");
    }
}
