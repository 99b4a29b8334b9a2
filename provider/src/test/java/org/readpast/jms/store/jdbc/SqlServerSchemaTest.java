package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.sql.LiteralBatch;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.SqlScript;
import org.readpast.jms.strict.Mode;
import org.readpast.jms.strict.StrictDriver;

/** Schema and failures on SQL Server, where one is given. */
@OnSqlServer
class SqlServerSchemaTest extends SchemaContract {

    /** What releases a lock fails without one. */
    private static final Map<String, String> LOCKS_TO_RELEASE =
            Map.of("release_presence", "hold_presence", "unlock_schema", "lock_schema");

    /** What ends the transaction it is entered in is sent as text. */
    private static final Set<String> LITERAL =
            Set.of("acknowledge_and_commit", "acknowledge_and_look", "mark_and_commit");

    SqlServerSchemaTest() {
        super(TestDatabase.SQL_SERVER);
    }

    /** The stand-in does not say who has locks. */
    @Test
    void script_that_is_held_up_says_by_whom_and_goes_on() throws Exception {
        assertScriptThatIsHeldUpSaysByWhomAndGoesOn(isBabelfish() ? "cannot be seen" : "(session ");
    }

    @Test
    void script_that_another_tool_runs_can_refuse_older_clients() throws Exception {
        assertOlderClientsAreRefusedBy("EXECUTE [readpast].refuse_older_clients 1");
    }

    @Test
    void messages_are_moved_while_an_upgrade_waits_for_who_has_one_and_after_it() throws Exception {
        assertMessagesAreMovedWhileAnUpgradeWaitsAndAfterIt();
    }

    @Override
    List<String> statements(String script) {
        return List.of(script.split("(?m)^GO$"));
    }

    /** Each makes the whole schema, which takes seconds on some servers. */
    @Override
    int mostCuts() {
        return Integer.getInteger(CUTS_PROPERTY, 6);
    }

    /** The driver prepares when it executes, so here each is executed with values that match nothing, and rolled back. */
    @Override
    void prepare(Connection connection, SqlScript script) throws SQLException {
        if (script.text().contains("sys.dm_") && isBabelfish()) {
            return;
        }
        connection.setAutoCommit(false);
        String before = LOCKS_TO_RELEASE.get(script.name());
        if (before != null) {
            prepare(connection, opened().statements().files().statement(before));
        }
        if (script.name().equals("roll_back_to_savepoint")) {
            opened().dialect().savepoint().set(connection);
        }
        if (LITERAL.contains(script.name())) {
            runAsBatch(connection, script);
            return;
        }
        try (Query query = new Query(connection, script, true)) {
            boolean sends = script.name().startsWith("insert_");
            for (String parameter : new HashSet<>(script.parameters())) {
                switch (parameter) {
                    case "jms_destination" -> query.set(parameter, "queue://" + queueName);
                    case "keys", "destination_ids", "groups", "ids", "tokens" -> query.set(parameter, "[]");
                    case "max", "length", "from", "deliveries", "delivered", "held_millis" -> query.set(parameter, 1);
                    case "expected" -> query.set(parameter, 0);
                    case "body", "shared_body" -> query.set(parameter, new byte[1]);
                    case "destination_id" -> query.set(parameter, sends ? queue : -1);
                    case "message_id", "after_id", "after_priority", "max_inline_body" -> query.set(parameter, -1);
                    case "delay_millis",
                            "grace_millis",
                            "age_millis",
                            "window_millis",
                            "lease_millis",
                            "version",
                            "behind" -> query.set(parameter, 1L);
                    // Some statements commit, and what they insert must not expire before others look for expired
                    // messages.
                    case "ttl_millis" -> query.set(parameter, 3_600_000L);
                    case "token", "instance" ->
                        query.set(parameter, UUID.randomUUID().toString());
                    case "kind" -> query.set(parameter, "Q");
                    case "claim_token" -> query.set(parameter, new UUID(0, 1).toString());
                    default -> setAny(query, parameter);
                }
            }
            query.eachResult((rows, number) -> rows.next());
        } finally {
            connection.rollback();
        }
    }

    private static void runAsBatch(Connection connection, SqlScript script) throws SQLException {
        LiteralBatch batch = new LiteralBatch(script);
        for (String parameter : script.parameters()) {
            switch (parameter) {
                case "keys" -> batch.set(parameter, List.of());
                case "token" -> batch.set(parameter, UUID.randomUUID());
                default -> batch.set(parameter, 0);
            }
        }
        batch.eachResult(connection, (rows, number) -> rows.next());
    }

    /** It has none of the dynamic management views. */
    private boolean isBabelfish() throws SQLException {
        return sql("SELECT @@VERSION").get(0).contains("Babelfish");
    }

    private static void setAny(Query query, String parameter) throws SQLException {
        boolean isNumber = parameter.endsWith("_order")
                || parameter.matches("earliest|latest|by_lease")
                || parameter.startsWith("body_")
                || parameter.matches(
                        "target_id|topic_id|origin_id|durable|shared|keep_properties|deliveries|port|schema_version")
                || parameter.matches("pool_.+|.+_seconds|.+_consumers")
                || parameter.equals("delivery_mode");
        if (parameter.matches("jms_(timestamp|expiration|delivery_time)|body_length|body_id|clock_millis")) {
            query.set(parameter, 1L);
        } else if (isNumber) {
            query.set(parameter, 1);
        } else {
            query.set(parameter, "any");
        }
    }

    /** Names of locks are told apart by case on any server: clients with two spellings would take each other for dead. */
    @Test
    void schema_that_is_spelled_otherwise_is_refused() {
        StoreOptions otherwise =
                options.withSchema(options.schema().toUpperCase(Locale.ROOT)).withCreateSchema(true);

        try (JdbcMessageStore other = new JdbcMessageStore(database.connections(), otherwise)) {
            assertThatThrownBy(other::open)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("set the option 'schema' to " + options.schema());
        }
    }

    /** So that whoever has made it can be dropped. */
    @Test
    void schema_belongs_to_nobody_who_may_leave() throws SQLException {
        assertThat(sql("SELECT USER_NAME(principal_id) FROM sys.schemas WHERE name = '" + schema + "'"))
                .containsExactly("dbo");
    }

    @Test
    void roles_script_can_be_run_and_run_again() throws SQLException {
        try (Connection connection = database.connect()) {
            Dialect dialect = opened().dialect();
            dialect.parts()
                    .schemaScripts()
                    .run(connection, dialect.statements().files().schemaScript("roles.sql"));
            dialect.parts()
                    .schemaScripts()
                    .run(connection, dialect.statements().files().schemaScript("roles.sql"));
        }
        assertThat(sql("SELECT name FROM sys.database_principals WHERE name LIKE 'readpast[_]%'"
                        .replace("readpast", "read' + 'past")))
                .contains("readpast_send", "readpast_receive", "readpast_manage", "readpast_observe");
    }

    @Test
    void procedures_script_can_be_run_again() throws SQLException {
        List<String> before = procedures();
        try (Connection connection = database.connect()) {
            Dialect dialect = opened().dialect();
            dialect.parts()
                    .schemaScripts()
                    .run(connection, dialect.statements().files().schemaScript("003-procedures.sql"));
        }
        assertThat(procedures()).isEqualTo(before).contains("send", "receive_batch", "claim", "complete");
    }

    /** Nobody who calls a procedure changes at the moment at which the schema does. */
    @Test
    void procedure_with_a_new_parameter_is_called_as_before_and_keeps_its_grants() throws Exception {
        String granted = "SELECT COUNT(*) FROM sys.database_permissions WHERE major_id = OBJECT_ID(N'" + schema
                + ".send') AND type = 'EX'";
        String script = opened().statements().files().schemaScript("003-procedures.sql");
        String procedure = script.substring(script.indexOf("ALTER PROCEDURE [" + schema + "].send\n"));
        procedure = procedure.substring(0, procedure.indexOf("\nGO\n"));
        int end = procedure.indexOf("\nAS\n");
        sql("GRANT EXECUTE ON [" + schema + "].send TO public");
        List<String> before = sql(granted);
        try {
            execute(procedure.substring(0, end) + "\n    , @note nvarchar(100) = NULL" + procedure.substring(end));
            String send = "EXECUTE [" + schema + "].send N'" + queueName + "'";
            execute(send);
            execute(send + ", N'text'");
            execute(send + ", @body = N'text', @priority = 7");
            execute(send + ", @body = N'text', @note = N'new'");
            assertThat(sql(granted)).isEqualTo(before);
            assertThat(drain()).hasSize(4);
        } finally {
            execute(procedure);
            sql("REVOKE EXECUTE ON [" + schema + "].send FROM public");
        }
    }

    private void execute(String batch) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(batch);
        }
    }

    private List<String> procedures() throws SQLException {
        return sql("SELECT ROUTINE_NAME FROM INFORMATION_SCHEMA.ROUTINES WHERE ROUTINE_SCHEMA = '" + schema
                + "' ORDER BY ROUTINE_NAME");
    }

    @Test
    void a_database_of_an_old_level_is_refused_with_what_mends_it() {
        DataSource old = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (source, method, arguments) ->
                        StrictDriver.connect(database.url(), Mode.parse("COMPATIBILITY_LEVEL=120")));

        assertThatThrownBy(() -> new JdbcMessageStore(Connections.ofDataSource(old), options).open())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("compatibility level 120")
                .hasMessageContaining("SET COMPATIBILITY_LEVEL = 130");
    }

    @Override
    Connections wrongPassword() {
        return Connections.ofUrl(database.url().replaceAll("(?i)password=[^;]*", "password=wrong"), null, null);
    }

    @Override
    Connections unreachable() {
        return Connections.ofUrl("jdbc:sqlserver://127.0.0.1:1;encrypt=false;loginTimeout=5", "nobody", "wrong");
    }

    @Override
    void killConnectionOf(StoreTransaction transaction) throws Exception {
        Connection session = transaction.connection();
        String id = sql(session, "SELECT @@SPID").get(0);
        sql("KILL " + id);
    }
}
