package org.readpast.jms.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.store.jdbc.TestDatabase;

/** The files under {@code sql/}, against each other. */
public class SqlFilesTest {

    /**
     * Statements that one database needs and another does not, or needs in another shape: H2 takes one key where the servers
     * take a set and locks the rows that show who lives, PostgreSQL has a bell and tells who writes, SQL Server commits in the statement that inserts.
     */
    private static final Map<TestDatabase, Set<String>> OWN = Map.of(
            TestDatabase.H2,
            Set.of(
                    "candidates",
                    "tell_transaction",
                    "check_savepoint",
                    "expired",
                    "lock_message",
                    "lock_delayed",
                    "drop_delayed",
                    "lock_group",
                    "list_groups",
                    "release_group",
                    "forget_group",
                    "claim_by_key",
                    "acknowledge",
                    "hold_presence",
                    "move_expired",
                    "note_duplicates",
                    "stale_duplicates",
                    "unused_bodies",
                    "forget_duplicates",
                    "remove_unused_bodies",
                    "acknowledge_with_history",
                    "move_expired_with_history",
                    "purge_expired_with_history",
                    "history_limits",
                    "stale_history",
                    "purge_history",
                    "lease_message",
                    "complete_lease",
                    "complete_lease_with_history",
                    "return_lease"),
            TestDatabase.POSTGRESQL,
            Set.of(
                    "check_tables",
                    "check_transactions",
                    "check_xa",
                    "insert_message_mark_and_commit",
                    "insert_delayed_mark_and_commit",
                    "insert_non_persistent",
                    "publish_non_persistent",
                    "publish_shared_non_persistent",
                    "commit_non_persistent",
                    "insert_message_batch",
                    "insert_delayed_batch",
                    "transaction_id",
                    "transaction_status",
                    "end_idle_transaction",
                    "server_life",
                    "cluster",
                    "holds_presence",
                    "unlocked_presence",
                    "limit_presence_waits",
                    "unlimit_waits",
                    "claim",
                    "acknowledge_and_claim",
                    "acknowledge_and_commit",
                    "acknowledge_and_look",
                    "claim_by_key",
                    "acknowledge",
                    "lock_messages",
                    "lock_groups",
                    "release_groups",
                    "forget_groups",
                    "drop_messages",
                    "drop_delayed",
                    "move_expired",
                    "purge_expired",
                    "hold_presence",
                    "probe_presence",
                    "release_presence",
                    "tell_paused",
                    "lock_schema",
                    "install_here",
                    "limit_waits",
                    "lock_holders",
                    "lock_presence",
                    "listen",
                    "unlisten",
                    "ring",
                    "unsettled",
                    "note_duplicates",
                    "forget_duplicates",
                    "remove_unused_bodies",
                    "acknowledge_with_history",
                    "move_expired_with_history",
                    "purge_expired_with_history",
                    "purge_history",
                    "lease_messages",
                    "complete_leases",
                    "complete_leases_with_history",
                    "return_leases"),
            TestDatabase.SQL_SERVER,
            Set.of(
                    "parse_json",
                    "refuse_read_only",
                    "compatibility_level",
                    "check_tables",
                    "check_ghosts",
                    "check_xa",
                    "holds_presence",
                    "unlocked_presence",
                    "limit_presence_waits",
                    "check_savepoint",
                    "insert_message_mark_and_commit",
                    "insert_delayed_mark_and_commit",
                    "insert_message_and_commit",
                    "insert_delayed_and_commit",
                    "publish_message_and_commit",
                    "publish_delayed_and_commit",
                    "publish_shared_message_and_commit",
                    "publish_shared_delayed_and_commit",
                    "drop_messages",
                    "drop_delayed",
                    "claim",
                    "acknowledge_and_claim",
                    "acknowledge_and_commit",
                    "acknowledge_and_look",
                    "claim_by_key",
                    "claim_first_by_key",
                    "acknowledge",
                    "lock_messages",
                    "lock_groups",
                    "release_groups",
                    "forget_groups",
                    "move_expired",
                    "purge_expired",
                    "hold_presence",
                    "probe_presence",
                    "release_presence",
                    "tell_paused",
                    "lock_schema",
                    "unlock_schema",
                    "limit_waits",
                    "unlimit_waits",
                    "lock_holders",
                    "note_duplicates",
                    "forget_duplicates",
                    "remove_unused_bodies",
                    "acknowledge_with_history",
                    "move_expired_with_history",
                    "purge_expired_with_history",
                    "purge_history",
                    "lease_messages",
                    "complete_leases",
                    "complete_leases_with_history",
                    "return_leases"));

    /** The names of a database's statements: its own, and those that several databases have in common. */
    public static List<String> statements(TestDatabase database) {
        return Stream.of(folder(database), folder("common"))
                .flatMap(folder -> scripts(folder).stream())
                .map(name -> name.substring(0, name.length() - 4))
                .distinct()
                .sorted()
                .toList();
    }

    /** What a database is sent: statements with all that they include, and schema scripts, by the names of their files. */
    public static Map<String, String> texts(TestDatabase database) {
        SqlFiles files = new SqlFiles(database.folder(), "readpast");
        Map<String, String> texts = new TreeMap<>();
        statements(database).forEach(name -> texts.put(name + ".sql", files.source(name)));
        scripts(folder(database).resolve("schema"))
                .forEach(script -> texts.put("schema/" + script, files.schemaScript(script)));
        return texts;
    }

    private static List<String> scripts(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".sql"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Path folder(TestDatabase database) {
        return folder(database.folder());
    }

    private static Path folder(String name) {
        try {
            return Path.of(
                    SqlFiles.class.getResource("/org/readpast/jms/sql/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Set<String>> parameters(TestDatabase database) {
        SqlFiles files = new SqlFiles(database.folder(), "readpast");
        Map<String, Set<String>> parameters = new TreeMap<>();
        for (String name : statements(database)) {
            if (!OWN.get(database).contains(name)) {
                parameters.put(name, new TreeSet<>(files.statement(name).parameters()));
            }
        }
        return parameters;
    }

    @ParameterizedTest
    @EnumSource
    void each_database_has_the_same_statements_with_the_same_parameters(TestDatabase database) {
        assertThat(parameters(database)).isEqualTo(parameters(TestDatabase.H2));
        assertThat(statements(database)).containsAll(OWN.get(database));
    }

    @ParameterizedTest
    @EnumSource
    void each_file_says_what_it_does_and_names_its_parameters(TestDatabase database) {
        SqlFiles files = new SqlFiles(database.folder(), "readpast");
        for (String name : statements(database)) {
            String text = files.source(name);
            assertThat(text)
                    .as(name)
                    .startsWith("-- ")
                    .contains("\n-- Parameters: ")
                    .contains("\n-- Index: ")
                    .contains("\n-- Locks: ");
            String documented = documented(files, name);
            for (String parameter : files.statement(name).parameters()) {
                assertThat(documented.contains(":" + parameter) || documented.contains("the headers"))
                        .as(name + " documents " + parameter)
                        .isTrue();
            }
        }
    }

    /** What a header says of parameters, with what it says to be as of other statements. */
    private static String documented(SqlFiles files, String name) {
        String text = files.source(name);
        String header = text.substring(text.indexOf("\n-- Parameters: "), text.indexOf("\n-- Index: "));
        return Pattern.compile("those of (\\w+)")
                .matcher(header)
                .replaceAll(of -> Matcher.quoteReplacement(documented(files, of.group(1))));
    }

    private static Map<String, String> fragments(TestDatabase database) throws IOException {
        Map<String, String> fragments = new TreeMap<>();
        for (String folder : List.of("common", database.folder())) {
            for (String name : scripts(folder("fragments/" + folder))) {
                fragments.put(
                        name.replace(".sql", ""),
                        Files.readString(folder("fragments/" + folder).resolve(name)));
            }
        }
        return fragments;
    }

    @ParameterizedTest
    @EnumSource
    void each_fragment_says_what_it_is_and_has_no_statements_name(TestDatabase database) throws IOException {
        assertThat(fragments(database))
                .doesNotContainKeys(statements(database).toArray(String[]::new))
                .allSatisfy((name, text) -> assertThat(text).as(name).startsWith("-- "));
    }

    @Test
    void each_fragment_is_included() throws IOException {
        Set<String> fragments = new TreeSet<>();
        StringBuilder sources = new StringBuilder();
        for (TestDatabase database : TestDatabase.values()) {
            fragments.addAll(fragments(database).keySet());
        }
        Path root = folder("common").getParent();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sources.append(Files.readString(file));
            }
        }
        assertThat(fragments).allSatisfy(name -> assertThat(sources).contains("/* include " + name + " */"));
    }

    /** What is run, for who wants to read it or to check it: {@code target/sql}, a file for each statement. */
    @ParameterizedTest
    @EnumSource
    void statements_are_written_with_all_that_they_include(TestDatabase database) throws IOException {
        for (Map.Entry<String, String> text : texts(database).entrySet()) {
            assertThat(text.getValue()).as(text.getKey()).doesNotContain("/* include");
            Path file = Path.of("target", "sql", database.folder(), text.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, text.getValue());
        }
    }

    private static String run(String database, String name) {
        return new SqlFiles(database, "orders").statement(name).text().replaceAll("\\s+", " ");
    }

    @Test
    void fragment_stands_where_it_is_included() {
        assertThat(run("h2", "acknowledge_with_history"))
                .isEqualTo(
                        "INSERT INTO orders.message_history ( completed_at, claimed_at , destination_id, message_id, "
                                + "priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties, "
                                + "body_kind, body_format, body_length, body, delivery_count, enqueued_at, consumer, outcome) "
                                + "SELECT GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis, "
                                + "TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')), CASE WHEN CAST(? AS INT) IS NOT NULL "
                                + "THEN GREATEST(enqueued_at, DATEADD('MILLISECOND', c.now_millis - CAST(? AS INT), "
                                + "TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')) END , destination_id, message_id, "
                                + "priority_order, jms_message_id, correlation_id, jms_type, reply_to, group_id, properties, "
                                + "body_kind, body_format, body_length, body, delivery_count % 2147483647 + 1, enqueued_at, ?, "
                                + "'completed' FROM (SELECT orders.clock_millis() AS now_millis) AS c CROSS JOIN OLD TABLE ( "
                                + "DELETE FROM orders.message WHERE destination_id = ? AND priority_order = ? "
                                + "AND message_id = ?)");
    }

    @Test
    void common_statement_has_each_databases_own_words() {
        assertThat(run("h2", "mark_missing"))
                .isEqualTo("UPDATE orders.presence SET missing_since = DATEADD('MILLISECOND', orders.clock_millis(), "
                        + "TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00') WHERE instance = ? "
                        + "AND missing_since IS NULL");
        assertThat(run("postgresql", "mark_missing"))
                .isEqualTo("UPDATE orders.presence SET missing_since = statement_timestamp() WHERE instance = ? "
                        + "AND missing_since IS NULL");
        assertThat(run("sqlserver", "mark_missing"))
                .isEqualTo("UPDATE [orders].presence SET missing_since = SYSUTCDATETIME() WHERE instance = ? "
                        + "AND missing_since IS NULL");
    }

    @Test
    void statement_includes_another_with_what_that_one_includes() {
        String claim =
                "SELECT m.destination_id , m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, m.reply_to, "
                        + "m.correlation_id, m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration, "
                        + "m.jms_delivery_time, m.group_id , CASE WHEN DATALENGTH(m.properties) <= 16384 THEN m.properties "
                        + "ELSE CAST(DATALENGTH(m.properties) / 2 AS nvarchar(20)) END AS properties, m.body_kind, "
                        + "m.body_format, m.body_length, m.delivery_count , CASE WHEN m.body_id IS NULL THEN "
                        + "CASE WHEN DATALENGTH(m.body) <= ? THEN m.body END WHEN m.body_length <= ? THEN ( "
                        + "SELECT b.body FROM [orders].shared_body AS b WITH (READCOMMITTED, FORCESEEK) "
                        + "WHERE b.body_id = m.body_id AND DATALENGTH(b.body) <= ?) END AS body, CASE WHEN EXISTS ( SELECT 1 FROM [orders].suspect_mark AS s "
                        + "WHERE s.destination_id = m.destination_id AND s.up_to >= m.message_id) THEN 1 ELSE 0 END AS suspect "
                        + "FROM ( SELECT TOP (%s) m.destination_id , m.priority_order, m.message_id, m.jms_message_id, m.jms_destination, "
                        + "m.reply_to, m.correlation_id, m.jms_type, m.delivery_mode, m.jms_timestamp, m.jms_expiration, "
                        + "m.jms_delivery_time, m.group_id, m.properties, m.body_kind, m.body_format, m.body_length, m.body, "
                        + "m.body_id, m.delivery_count FROM [orders].message AS m WITH (UPDLOCK, READPAST, ROWLOCK, "
                        + "FORCESEEK (message_key (destination_id, priority_order))) WHERE m.destination_id = ? AND %s "
                        + "AND (m.expires_at IS NULL OR m.expires_at > SYSUTCDATETIME()) "
                        + "ORDER BY m.destination_id, m.priority_order, m.message_id) AS m "
                        + "ORDER BY m.destination_id, m.priority_order, m.message_id OPTION (KEEPFIXED PLAN, MAXDOP 1)";

        assertThat(run("sqlserver", "acknowledge_and_claim"))
                .isEqualTo("DELETE m FROM OPENJSON(?) WITH (d int '$.d', p smallint '$.p', i bigint '$.i') AS k "
                        + "INNER LOOP JOIN [orders].message AS m WITH (ROWLOCK, "
                        + "FORCESEEK (message_key (destination_id, priority_order, message_id))) "
                        + "ON m.destination_id = k.d AND m.priority_order = k.p AND m.message_id = k.i OPTION (KEEPFIXED PLAN); "
                        + "IF @@ROWCOUNT <> ? THROW 50001, N'Claimed messages are not there any more', 1; "
                        + "COMMIT TRANSACTION; SELECT 1 AS committed; "
                        + claim.formatted("?", "m.priority_order = ? AND m.message_id > ?") + "; "
                        + claim.formatted("? - @@ROWCOUNT", "m.priority_order > ?"));
    }

    @Test
    void fragment_that_is_not_there_is_named_with_who_includes_it() {
        assertThatThrownBy(() -> new SqlFiles("mysql", "orders").statement("mark_missing"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mark_missing")
                .hasMessageContaining("includes now")
                .hasMessageContaining("fragments/mysql, fragments/common, mysql, common");
    }

    /** H2 reads the list anew for each row that it compares with it: three thousand ids took it four seconds, and a join two milliseconds. */
    @Test
    void no_statement_on_h2_compares_with_a_list_that_is_a_parameter() {
        int lists = 0;
        for (Map.Entry<String, String> file : texts(TestDatabase.H2).entrySet()) {
            lists += file.getValue().contains("UNNEST(") ? 1 : 0;
            assertThat(file.getValue().replaceAll("\\s+", " "))
                    .as(file.getKey())
                    .doesNotContainPattern("IN \\(SELECT [\\w.]+ FROM UNNEST");
        }
        assertThat(lists).isGreaterThan(2);
    }

    /** As in the documentation of table hints: SQL Server refuses two of a group for one table, and the stand-in does not. */
    @Test
    void no_table_has_hints_that_exclude_each_other() {
        List<Set<String>> groups = List.of(
                Set.of("PAGLOCK", "NOLOCK", "READCOMMITTEDLOCK", "ROWLOCK", "TABLOCK", "TABLOCKX"),
                Set.of("HOLDLOCK", "NOLOCK", "READCOMMITTED", "REPEATABLEREAD", "SERIALIZABLE"));
        int lists = 0;
        for (Map.Entry<String, String> file : texts(TestDatabase.SQL_SERVER).entrySet()) {
            Matcher hints = Pattern.compile("WITH \\(([A-Z, ]+)").matcher(file.getValue());
            while (hints.find()) {
                lists++;
                List<String> given = List.of(hints.group(1).split("[, ]+"));
                assertThat(groups)
                        .as(file.getKey() + ": " + given)
                        .allMatch(
                                group -> given.stream().filter(group::contains).count() <= 1);
            }
        }
        assertThat(lists).isGreaterThan(50);
    }

    /** Which rows they are would be the plan's to choose; for a claim it would be the order of delivery. */
    @Test
    void each_select_on_sql_server_that_limits_its_rows_says_which_come_first() {
        SqlFiles files = new SqlFiles("sqlserver", "readpast");
        int limits = 0;
        for (String name : statements(TestDatabase.SQL_SERVER)) {
            for (String statement : files.statement(name).text().split(";", -1)) {
                if (statement.contains("SELECT TOP (") && !statement.contains("SELECT TOP (1) 1")) {
                    limits++;
                    assertThat(statement).as(name).contains("ORDER BY");
                }
            }
        }
        assertThat(limits).isGreaterThan(10);
    }

    /**
     * SQL Server uses an index with WHERE only for a statement that demands the same, and fails (8622) where it is named and the statement
     * does not.
     */
    @Test
    void each_statement_on_sql_server_that_uses_a_filtered_index_demands_what_the_index_does() {
        SqlFiles files = new SqlFiles("sqlserver", "readpast");
        Matcher index = Pattern.compile(
                        "CREATE (?:UNIQUE )?INDEX (\\w+)\\s+ON [^;]+?\\)\\s+WHERE (\\w+) (IS NOT NULL|= \\d)",
                        Pattern.DOTALL)
                .matcher(files.schemaScript("001-tables.sql").replaceAll("(?m)^GO$", ";"));
        int uses = 0;
        while (index.find()) {
            Pattern named = Pattern.compile("\\b" + index.group(1) + "\\b");
            Pattern demanded = Pattern.compile("\\b" + index.group(2) + " " + index.group(3));
            for (String name : statements(TestDatabase.SQL_SERVER)) {
                String text = files.source(name);
                if (named.matcher(text).find()) {
                    uses++;
                    assertThat(files.statement(name).text()).as(name).containsPattern(demanded);
                }
                for (String statement : files.statement(name).text().split(";", -1)) {
                    if (named.matcher(statement).find()) {
                        assertThat(statement).as(name).containsPattern(demanded);
                    }
                }
            }
        }
        assertThat(uses).isGreaterThan(10);
    }

    @Test
    void parameters_are_found_outside_of_comments_and_quotes_only() {
        SqlScript script = SqlScript.parse(
                "test", "-- :not this\nSELECT ':nor this', \":nor this\", x::int, :one -- :nor this\n, :two_2, :one");

        assertThat(script.text()).isEqualTo("SELECT ':nor this', \":nor this\", x::int, ? \n, ?, ?");
        assertThat(script.positions()).isEqualTo(Map.of("one", List.of(1, 3), "two_2", List.of(2)));
    }

    @Test
    void schema_name_replaces_the_word_readpast_and_nothing_else() {
        SqlFiles files = new SqlFiles("postgresql", "orders");

        assertThat(files.statement("ring").text()).isEqualTo("SELECT pg_notify('orders', ?)");
        assertThat(files.schemaScript("roles.sql")).contains("readpast_send").doesNotContain("readpast.");
    }

    /** A client that creates the schema takes {@code readpast:orders:schema}. */
    @ParameterizedTest
    @ValueSource(strings = {"sqlserver", "postgresql"})
    void installation_takes_the_lock_of_clients_in_a_schema_of_another_name_too(String database) {
        assertThat(new SqlFiles(database, "orders").schemaScript("install.sql"))
                .containsIgnoringCase("LOWER(")
                .contains(":orders:schema'")
                .doesNotContain("orders:orders");
    }
}
