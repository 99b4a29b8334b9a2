package org.readpast.jms.store.jdbc.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.security.auth.login.LoginException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.SqlFiles;

/** What errors of the drivers are read as: the rows of docs/sqlserver-errors.md. */
class FailuresTest {

    /** Maven runs the tests of a module in its folder. */
    private static final Path PAGE = Path.of("..", "docs", "sqlserver-errors.md");

    /** A row of the page. */
    record Row(
            Vendor vendor,
            int number,
            String state,
            String where,
            String connection,
            Failure read,
            boolean again,
            String caller) {

        static Row of(Vendor vendor, String line) {
            String[] cells = line.split("\\|", -1);
            return new Row(
                    vendor,
                    Integer.parseInt(cells[1].strip()),
                    cells[2].strip().equals("none") ? null : cells[2].strip(),
                    cells[3].strip(),
                    cells[4].strip(),
                    Failure.valueOf(cells[6].strip()),
                    cells[7].strip().equals("yes"),
                    cells[8].strip());
        }

        SQLException error() {
            boolean batch = where.equals("batch");
            if (vendor == Vendor.POSTGRESQL) {
                return batch ? DriverErrors.postgresBatch(state, "why") : DriverErrors.postgres(state, "why");
            }
            return batch
                    ? DriverErrors.sqlServerBatch(number, state, "why")
                    : DriverErrors.sqlServer(number, state, "why");
        }

        StoreException failure() {
            Failures failures = new Failures(vendor);
            Connection afterwards = FailuresTest.connection(connection.equals("closed"));
            return switch (where) {
                case "first login" ->
                    Failures.ofFirstLogin(
                            "jdbc:" + (vendor == Vendor.SQL_SERVER ? "sqlserver" : "postgresql") + ":",
                            error(),
                            "Database",
                            "connecting");
                case "login" -> failures.ofLogin(error(), "Queue 'a'", "send");
                case "statement", "batch" -> failures.of(error(), afterwards, "Queue 'a'", "send");
                case "commit" -> failures.ofCommit(error(), afterwards, "Queue 'a'", "commit");
                default -> throw new IllegalArgumentException(where);
            };
        }
    }

    static List<Row> rows() throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        return Stream.of(Vendor.SQL_SERVER, Vendor.POSTGRESQL)
                .flatMap(vendor -> lines.stream()
                        .dropWhile(line -> !line.equals("## " + vendor.title()))
                        .dropWhile(line -> !line.startsWith("|---"))
                        .skip(1)
                        .takeWhile(line -> line.startsWith("|"))
                        .map(line -> Row.of(vendor, line)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void error_is_read_as_the_page_says(Row row) {
        StoreException failure = row.failure();

        assertThat(failure.failure()).isEqualTo(row.read());
        assertThat(failure.failure().isTransient()).isEqualTo(row.again());
        JMSException thrown = row.where().equals("commit") && failure.failure() != Failure.IN_DOUBT
                ? JmsErrors.rolledBack("commit", failure)
                : JmsErrors.jms("call", failure);
        assertThat(thrown.getClass().getSimpleName()).isEqualTo(row.caller());
        assertThat(failure)
                .hasMessageContaining(row.vendor().title() + " " + (row.number() == 0 ? row.state() : row.number()));
        assertThat(thrown.getErrorCode())
                .isEqualTo(
                        row.number() != 0
                                ? String.valueOf(row.number())
                                : row.state() != null ? row.state() : row.read().name());
    }

    /** The statements that send look the id up, those that move messages look up the name. */
    @ParameterizedTest
    @CsvSource({
        "SQL_SERVER, 515, S0001, destination_id",
        "SQL_SERVER, 515, S0001, jms_destination",
        "POSTGRESQL, 0, 23502, destination_id",
        "H2, 23502, 23502, DESTINATION_ID"
    })
    void null_of_a_destination_means_that_it_is_gone_and_is_told(
            Vendor vendor, int number, String state, String column) {
        Failures failures = new Failures(vendor);
        AtomicInteger told = new AtomicInteger();
        failures.onDestinationGone(told::incrementAndGet);

        SQLException gone = new SQLException("A null is refused in column " + column, state, number);
        assertThat(failures.of(gone, connection(false), "Queue 'a'", "send").failure())
                .isEqualTo(Failure.DESTINATION_GONE);
        assertThat(told).hasValue(1);
        SQLException other = new SQLException("A null is refused in column customer", state, number);
        assertThat(failures.of(other, connection(false), "Queue 'a'", "send").failure())
                .isEqualTo(Failure.DATA);
        assertThat(told).hasValue(1);
    }

    @Test
    void page_has_rows_of_both_databases_and_of_each_place() throws IOException {
        assertThat(rows().stream().map(Row::vendor).distinct()).containsExactly(Vendor.SQL_SERVER, Vendor.POSTGRESQL);
        assertThat(rows().stream().map(Row::where).distinct())
                .containsExactlyInAnyOrder("first login", "login", "statement", "batch", "commit");
    }

    /** Microsoft's list of what may be tried again, as its driver has it. */
    @Test
    void each_error_that_the_driver_takes_for_transient_is_a_lost_connection() throws ReflectiveOperationException {
        Class<?> type = Class.forName("com.microsoft.sqlserver.jdbc.SQLServerError$TransientError");
        for (Object constant : type.getEnumConstants()) {
            int number = Integer.parseInt(constant.toString().replace("SQLSERVER_ERROR_", ""));
            assertThat(new Failures(Vendor.SQL_SERVER)
                            .ofLogin(DriverErrors.sqlServer(number, "S0001", "later"), "Queue 'a'", "claim")
                            .failure())
                    .as("%d", number)
                    .isEqualTo(Failure.CONNECTION_LOST);
        }
        assertThat(type.getEnumConstants()).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                64, 927, 941, 942, 945, 952, 954, 955, 956, 976, 978, 979, 982, 983, 4060, 4064, 6005, 17142, 17187,
                17188, 17197, 18401, 18451, 18461, 40020, 40166, 40197, 40549, 40550, 40551, 40552, 40553, 40613, 42108,
                42109, 50019
            })
    void number_that_means_that_the_server_is_gone_is_read_so_wherever_it_comes(int number) {
        Failures failures = new Failures(Vendor.SQL_SERVER);
        SQLException error = DriverErrors.sqlServer(number, "S0001", "why");
        SQLException batch = DriverErrors.sqlServerBatch(number, "S0001", "why");

        for (boolean closed : List.of(true, false)) {
            assertThat(failures.of(error, connection(closed), "a", "send").failure())
                    .isEqualTo(Failure.CONNECTION_LOST);
            assertThat(failures.of(batch, connection(closed), "a", "send").failure())
                    .isEqualTo(Failure.CONNECTION_LOST);
            assertThat(failures.ofCommit(error, connection(closed), "a", "commit")
                            .failure())
                    .isEqualTo(Failure.IN_DOUBT);
            assertThat(failures.ofCommit(batch, connection(closed), "a", "commit")
                            .failure())
                    .isEqualTo(Failure.IN_DOUBT);
        }
        assertThat(failures.ofLogin(error, "a", "send").failure()).isEqualTo(Failure.CONNECTION_LOST);
        assertThat(Failures.ofFirstLogin("jdbc:sqlserver:", error, "a", "connecting")
                        .failure())
                .isEqualTo(Failure.CONNECTION_LOST);
    }

    /** What could not be changed was not committed either, wherever the COMMIT stood. */
    @ParameterizedTest
    @CsvSource({"SQL_SERVER, 3906, S0002", "POSTGRESQL, 0, 25006"})
    void change_that_a_read_only_database_refuses_is_never_in_doubt(Vendor vendor, int number, String state) {
        SQLException error = new SQLException("the database is read-only", state, number);
        for (boolean closed : List.of(true, false)) {
            assertThat(new Failures(vendor)
                            .ofCommit(error, connection(closed), "a", "commit")
                            .failure())
                    .isEqualTo(Failure.CONNECTION_LOST);
        }
    }

    /** What Microsoft's driver could not even send has neither number nor state, and is a lost connection. */
    @Test
    void what_the_provider_raises_by_itself_is_no_lost_connection() throws SQLException {
        SQLException raised = uncounted();
        for (Vendor vendor : List.of(Vendor.SQL_SERVER, Vendor.POSTGRESQL, Vendor.H2)) {
            assertThat(new Failures(vendor).of(raised, connection(false), "Queue 'a'", "publish"))
                    .hasMessageContaining("does not tell how many rows")
                    .message()
                    .doesNotContain("connection to the database was lost")
                    .doesNotContain("report");
            assertThat(new Failures(vendor).classify(raised)).isEqualTo(Failure.OTHER);
        }
    }

    /** What comes of a batch whose counts the server keeps to itself. */
    private static SQLException uncounted() throws SQLException {
        PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
                FailuresTest.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (self, method, arguments) ->
                        method.getName().equals("executeBatch") ? new int[] {Statement.SUCCESS_NO_INFO} : null);
        Connection connection = (Connection) Proxy.newProxyInstance(
                FailuresTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> statement);
        try (Query query =
                new Query(connection, new SqlFiles("h2", "readpast", "").statement("insert_message"), false)) {
            return catchThrowableOfType(SQLException.class, query::counts);
        }
    }

    /** HikariCP reports a connection that could not be made as one that was not free, with the reason behind it. */
    @Test
    void reason_behind_a_pools_exception_counts() {
        SQLException reason = DriverErrors.sqlServer(4060, "S0001", "Cannot open database");
        SQLTransientConnectionException pools =
                new SQLTransientConnectionException("not available", reason.getSQLState(), 4060, reason);
        Failures failures = new Failures(Vendor.SQL_SERVER);

        assertThat(failures.ofLogin(pools, "Queue 'a'", "claim").failure()).isEqualTo(Failure.CONNECTION_LOST);
        assertThat(failures.ofLogin(new SQLTransientConnectionException("not available"), "Queue 'a'", "claim"))
                .hasMessage(
                        "Queue 'a': claim failed, no SQL connection became free in time (time-out of the pool): not available;"
                                + " make the pool larger, or end transactions sooner")
                .extracting(StoreException::failure)
                .isEqualTo(Failure.POOL_EXHAUSTED);
    }

    /** What an application raises by itself on SQL Server may have the numbers of another database. */
    @Test
    void numbers_are_those_of_the_database_in_use() {
        SQLException raised = DriverErrors.sqlServer(90_007, "S0001", "out of stock");
        assertThat(new Failures(Vendor.SQL_SERVER).classify(raised)).isEqualTo(Failure.OTHER);
        assertThat(new Failures(Vendor.H2).classify(raised)).isEqualTo(Failure.CONNECTION_LOST);
    }

    @Test
    void error_that_is_not_expected_names_statement_and_server_and_asks_for_a_report() {
        Failures failures = new Failures(Vendor.SQL_SERVER);
        SQLException error = FailedStatement.note(DriverErrors.sqlServer(8622, "S0001", "no plan"), "claim");

        assertThat(failures.of(error, connection(false), "Queue 'a'", "claim"))
                .hasMessageContaining("SQL Server 8622 in statement claim on Microsoft SQL Server 16.00.4105")
                .hasMessageContaining("please report it");
        assertThat(failures.of(DriverErrors.sqlServer(50_100, "S0001", "by a trigger"), connection(false), "a", "send"))
                .message()
                .doesNotContain("report");
        assertThat(failures.of(DriverErrors.sqlServer(1205, "40001", "victim"), connection(false), "a", "send"))
                .message()
                .doesNotContain("report");
    }

    @ParameterizedTest
    @CsvSource({"SQL_SERVER, 9002, S0002", "SQL_SERVER, 1105, S0002", "POSTGRESQL, 0, 53100"})
    void database_without_room_is_told_in_its_own_words_and_is_nothing_to_report(
            Vendor vendor, int number, String state) {
        SQLException error = new SQLException("The log is full due to 'LOG_BACKUP'", state, number);

        assertThat(new Failures(vendor).of(error, connection(false), "Queue 'a'", "send"))
                .hasMessageContaining("no room is left")
                .hasMessageContaining("LOG_BACKUP")
                .hasMessageContaining("nothing was lost")
                .message()
                .doesNotContain("report");
    }

    @Test
    void server_whose_certificate_is_not_trusted_is_told_with_both_ways_out() {
        SSLHandshakeException handshake = new SSLHandshakeException("PKIX path building failed");
        handshake.initCause(new CertPathBuilderException("unable to find valid certification path"));
        for (StoreException failure : List.of(
                Failures.ofFirstLogin(DriverErrors.own(0, "08S01", "PKIX", handshake), "DataSource", "connecting"),
                Failures.ofFirstLogin(
                        "jdbc:sqlserver://db", DriverErrors.own(0, "08S01", "PKIX", handshake), "Url", "connecting"))) {
            assertThat(failure)
                    .hasMessageContaining("trustStore")
                    .hasMessageContaining("trustServerCertificate=true")
                    .hasMessageContaining("gives up knowing who");
            assertThat(failure.failure()).isEqualTo(Failure.CONNECTION_LOST);
        }
    }

    @Test
    void login_that_is_refused_is_told_in_words_for_who_logs_in() {
        assertThat(firstLogin(DriverErrors.own(18456, "08S01", "Cannot login", new LoginException("no ticket"))))
                .hasMessageContaining("Kerberos")
                .hasMessageContaining("MSSQLSvc");
        assertThat(firstLogin(DriverErrors.sqlServer(0, null, "Failed to load MSAL4J Java library")))
                .hasMessageContaining("Entra")
                .hasMessageContaining("msal4j");
        assertThat(firstLogin(DriverErrors.sqlServer(18456, "S0001", "Login failed for user 'a'.")))
                .hasMessageContaining("check user name and password");
        assertThat(firstLogin(DriverErrors.sqlServer(18452, "S0001", "untrusted domain")))
                .hasMessageContaining("Windows login");
        assertThat(firstLogin(DriverErrors.sqlServer(18488, "S0001", "must be changed")))
                .hasMessageContaining("ALTER LOGIN");
        assertThat(firstLogin(DriverErrors.sqlServer(40615, "S0001", "Client with IP address")))
                .hasMessageContaining("firewall");
    }

    private static StoreException firstLogin(SQLException error) {
        StoreException failure =
                Failures.ofFirstLogin("jdbc:sqlserver://db;databaseName=a", error, "Url", "connecting");
        assertThat(failure.failure()).isEqualTo(Failure.AUTHENTICATION);
        return failure;
    }

    /** All that is asked of a connection behind an error. */
    private static Connection connection(boolean closed) {
        DatabaseMetaData database = proxy(DatabaseMetaData.class, "Microsoft SQL Server", "16.00.4105");
        return (Connection) Proxy.newProxyInstance(
                FailuresTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "isClosed" -> closed;
                        case "getMetaData" -> database;
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }

    private static <T> T proxy(Class<T> type, String name, String version) {
        return type.cast(Proxy.newProxyInstance(
                FailuresTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getName().equals("getDatabaseProductName") ? name : version));
    }
}
