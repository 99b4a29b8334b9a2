package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

    private static final String APPLICATION = "read past;&=+{7}@host%";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:mem:a | jdbc:h2:mem:a;DB_CLOSE_DELAY=-1",
                "jdbc:h2:mem:a;db_close_delay=5 | jdbc:h2:mem:a;db_close_delay=5",
                "jdbc:h2:./data/a;CIPHER=AES | jdbc:h2:./data/a;CIPHER=AES;WRITE_DELAY=0",
                "jdbc:h2:file:/data/a | jdbc:h2:file:/data/a;WRITE_DELAY=0",
                "jdbc:h2:~/a;WRITE_DELAY=500 | jdbc:h2:~/a;WRITE_DELAY=500",
                "jdbc:h2:tcp://host/a | jdbc:h2:tcp://host/a",
                "jdbc:postgresql://h/a | jdbc:postgresql://h/a?ApplicationName=read%20past",
                "jdbc:postgresql://h/a?ssl=true | jdbc:postgresql://h/a?ssl=true&ApplicationName=read%20past",
                "jdbc:postgresql:a?ApplicationName=me | jdbc:postgresql:a?ApplicationName=me",
                "jdbc:sqlserver://h;databaseName=a; | jdbc:sqlserver://h;databaseName=a;disableStatementPooling=false;statementPoolingCacheSize=256;applicationName={read past}",
                "jdbc:sqlserver://h;StatementPoolingCacheSize=9;disablestatementpooling=true;applicationName=me | jdbc:sqlserver://h;StatementPoolingCacheSize=9;disablestatementpooling=true;applicationName=me",
                "jdbc:p6spy:h2:mem:a | jdbc:p6spy:h2:mem:a"
            })
    void drivers_get_what_a_queue_needs_unless_told_otherwise(String url, String completed) {
        assertThat(JdbcUrl.parse(url).withDefaults("read past")).isEqualTo(completed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:mem:a;USER=sa;PASSWORD=p\\;1;MODE=MSSQLServer | sa | p;1 | jdbc:h2:mem:a;MODE=MSSQLServer",
                "jdbc:postgresql://h/a?user=u%40x&password=p%26+1&ssl=true | u@x | p& 1 | jdbc:postgresql://h/a?ssl=true",
                "jdbc:sqlserver://h;userName=u;Password={p;}}1};encrypt=true | u | p;}1 | jdbc:sqlserver://h;encrypt=true",
                "jdbc:sqlserver://h;encrypt=true;user=u | u | | jdbc:sqlserver://h;encrypt=true"
            })
    void user_and_password_are_taken_out(String url, String user, String password, String rest) {
        JdbcUrl parsed = JdbcUrl.parse(url);

        assertThat(parsed.user()).isEqualTo(user);
        assertThat(parsed.password()).isEqualTo(password);
        assertThat(parsed.text()).isEqualTo(rest);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:h2:mem:a;PASSWORD=tiger;INIT=create user x password 'tiger' | jdbc:h2:mem:a",
                "jdbc:postgresql://h:5432,[::1]:5433/a?sslpassword=tiger | jdbc:postgresql://h:5432,[::1]:5433/a",
                "jdbc:h2:tcp://h:9092/~/a;PASSWORD=tiger | jdbc:h2:tcp://h:9092/~/a",
                "jdbc:h2:file:C:/mail@home/a | jdbc:h2:file:C:/mail@home/a",
                "jdbc:sqlserver://h\\i:1;databaseName=a;accessToken=tiger | jdbc:sqlserver://h\\i:1;databaseName=a",
                "jdbc:sqlserver://;serverName=h;portNumber=1;keyStoreSecret=tiger | jdbc:sqlserver://;serverName=h;portNumber=1",
                "jdbc:sqlserver://h;password=tiger | jdbc:sqlserver://h",
                "jdbc:oracle:thin:scott/tiger@h | jdbc:oracle:..."
            })
    void text_form_shows_the_place_and_no_secret(String url, String shown) {
        assertThat(JdbcUrl.parse(url)).hasToString(shown);
    }

    /** No driver knows this form; whoever writes it would see the password in a log. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://scott:tiger@h:5432/a",
                "jdbc:postgresql://scott:ti/tiger@h/a",
                "jdbc:postgresql://scott:tiger?x@h/a",
                "jdbc:postgresql://h,scott:tiger@i/a",
                "jdbc:sqlserver://sa:tiger@h;databaseName=a",
                "jdbc:sqlserver://sa:tiger;x@h;databaseName=a",
                "jdbc:sqlserver://tiger@h",
                "jdbc:h2:tcp://sa:tiger@h/a",
                "jdbc:h2:tcp://sa:tiger;x@h/a"
            })
    void user_and_password_before_the_host_are_refused_without_showing_them(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcUrl.parse(url))
                .withMessageNotContaining("tiger")
                .withMessageNotContaining("scott");
    }

    @Test
    void unnamed_h2_memory_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcUrl.parse("jdbc:h2:mem:;MODE=Oracle"))
                .withMessageContaining("jdbc:h2:mem:orders");
    }

    @Test
    void h2_in_memory_outlives_its_last_connection() throws SQLException {
        String url = JdbcUrl.parse("jdbc:h2:mem:JdbcUrlTest").withDefaults("read past");
        try (Connection first = DriverManager.getConnection(url);
                Statement statement = first.createStatement()) {
            statement.execute("create table kept (id int)");
        }
        try (Connection second = DriverManager.getConnection(url);
                Statement statement = second.createStatement()) {
            assertThat(statement.executeUpdate("insert into kept values (1)")).isEqualTo(1);
            statement.execute("shutdown");
        }
    }

    @Test
    void h2_file_writes_its_log_at_once(@TempDir Path folder) throws SQLException {
        String url = JdbcUrl.parse("jdbc:h2:" + folder.resolve("a")).withDefaults("read past");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet delay = statement.executeQuery(
                        "select setting_value from information_schema.settings where setting_name = 'WRITE_DELAY'")) {
            assertThat(delay.next()).isTrue();
            assertThat(delay.getString(1)).isEqualTo("0");
        }
    }

    @Test
    void sql_server_driver_reads_what_we_wrote() throws SQLException {
        Map<String, String> read =
                read("jdbc:sqlserver://h;databaseName={a;b};password=x;trustStorePassword={p;}}q};lockTimeout=5");

        assertThat(read)
                .containsEntry("databaseName", "a;b")
                .containsEntry("trustStorePassword", "p;}q")
                .containsEntry("lockTimeout", "5")
                .containsEntry("disableStatementPooling", "false")
                .containsEntry("statementPoolingCacheSize", "256")
                .containsEntry("applicationName", APPLICATION);
        assertThat(read.get("password")).isNullOrEmpty();
    }

    @Test
    void postgresql_driver_reads_what_we_wrote() throws SQLException {
        assertThat(read("jdbc:postgresql://h/a?user=x&currentSchema=b%20c"))
                .containsEntry("currentSchema", "b c")
                .containsEntry("ApplicationName", APPLICATION);
    }

    private static Map<String, String> read(String url) throws SQLException {
        String completed = JdbcUrl.parse(url).withDefaults(APPLICATION);
        DriverPropertyInfo[] infos = DriverManager.getDriver(completed).getPropertyInfo(completed, new Properties());
        return Arrays.stream(infos)
                .filter(info -> info.value != null)
                .collect(Collectors.toMap(info -> info.name, info -> info.value));
    }
}
