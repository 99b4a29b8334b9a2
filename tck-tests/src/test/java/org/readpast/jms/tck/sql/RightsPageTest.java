package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.tck.rig.TestDatabase;

/** That each role may do to each table what the tables of docs/security.md say, and nothing else: every kind of statement is run. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RightsPageTest {

    private static final Path PAGE = Path.of("../docs/security.md");

    private final TestDatabase database;
    private final String schema = "rights_" + Long.toString(System.nanoTime(), 36);
    private final RoleUsers users;

    RightsPageTest(TestDatabase database) {
        this.database = database;
        this.users = new RoleUsers(database, schema);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    @BeforeEach
    void install() throws Exception {
        users.install();
    }

    @AfterEach
    void uninstall() throws Exception {
        users.uninstall();
    }

    @Test
    void page_says_what_each_role_may_do_to_each_table() throws Exception {
        Map<String, List<String>> tables = tables();
        List<String> found = new ArrayList<>();
        Set<String> ofReceivers = new HashSet<>();
        for (String role : RoleUsers.ROLES) {
            try (Connection connection = users.connect(role);
                    Statement statement = connection.createStatement()) {
                for (String table : tables.keySet()) {
                    String rights = rights(statement, schema + "." + table, tables.get(table));
                    boolean known = role.equals("manage") && ofReceivers.contains(table + rights);
                    if (!rights.equals("| | | | |") && !known) {
                        found.add("| " + role + " | `" + table + "` " + rights);
                    }
                    if (role.equals("receive")) {
                        ofReceivers.add(table + rights);
                    }
                }
            }
        }
        assertThat(String.join("\n", found)).isEqualTo(String.join("\n", page()));
    }

    /** The rows of this database's table. */
    private List<String> page() throws IOException {
        String heading = "### Rights on " + (database == TestDatabase.POSTGRESQL ? "PostgreSQL" : "SQL Server");
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("#"))
                .filter(line -> RoleUsers.ROLES.stream().anyMatch(role -> line.startsWith("| " + role + " ")))
                .toList();
    }

    private Map<String, List<String>> tables() throws SQLException {
        Map<String, List<String>> tables = new TreeMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT c.table_name, c.column_name FROM information_schema.columns c"
                                + " JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name"
                                + " WHERE t.table_type = 'BASE TABLE' AND t.table_schema = '" + schema + "'"
                                + " AND c.column_name <> 'name_bytes' ORDER BY c.ordinal_position")) {
            while (rows.next()) {
                tables.computeIfAbsent(rows.getString(1).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(rows.getString(2).toLowerCase(Locale.ROOT));
            }
        }
        return tables;
    }

    /** What may be read, inserted, changed, and whether rows may be deleted. */
    private static String rights(Statement statement, String table, List<String> columns) {
        String read = allowed(
                statement, columns, some -> "SELECT " + String.join(", ", some) + " FROM " + table + " WHERE 1 = 0");
        String insert = allowed(
                statement,
                columns,
                some -> "INSERT INTO " + table + " (" + String.join(", ", some) + ") SELECT "
                        + some.stream().map(column -> "NULL").collect(Collectors.joining(", ")) + " WHERE 1 = 0");
        String change = allowed(
                statement,
                columns,
                some -> "UPDATE " + table + " SET "
                        + some.stream().map(column -> column + " = NULL").collect(Collectors.joining(", "))
                        + " WHERE 1 = 0");
        String delete = may(statement, "DELETE FROM " + table + " WHERE 1 = 0") ? "yes " : "";
        return "| " + read + "| " + insert + "| " + change + "| " + delete + "|";
    }

    private static String allowed(Statement statement, List<String> columns, Function<List<String>, String> onColumns) {
        List<String> allowed = may(statement, onColumns.apply(columns))
                ? columns
                : columns.stream()
                        .filter(column -> may(statement, onColumns.apply(List.of(column))))
                        .toList();
        if (allowed.isEmpty()) {
            return "";
        }
        List<String> refused =
                columns.stream().filter(column -> !allowed.contains(column)).toList();
        return refused.isEmpty()
                ? "all "
                : allowed.size() <= refused.size() ? names("", allowed) : names("all but ", refused);
    }

    private static String names(String before, List<String> columns) {
        return columns.stream().map(column -> "`" + column + "`").collect(Collectors.joining(", ", before, " "));
    }

    private static boolean may(Statement statement, String sql) {
        try {
            statement.execute(sql);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
