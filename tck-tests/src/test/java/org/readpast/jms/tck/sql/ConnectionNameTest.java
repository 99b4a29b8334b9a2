package org.readpast.jms.tck.sql;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** What the database's own views call the connections of a client. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionNameTest {

    private final TestDatabase database;
    private final String client = UUID.randomUUID().toString().substring(0, 8);
    private final String process = "" + ProcessHandle.current().pid();

    ConnectionNameTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.servers();
    }

    private boolean isTransactSql() {
        return database == TestDatabase.SQLSERVER;
    }

    /** The first column of what a connection of our own is answered. */
    private List<String> ask(String query) throws SQLException {
        List<String> answers = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                answers.add(rows.getString(1));
            }
        }
        return answers;
    }

    @Test
    void connections_have_client_id_process_and_host_in_their_name() throws Exception {
        String name = "readpast " + client + " " + process + "@"
                + InetAddress.getLocalHost().getHostName();
        try (JMSContext context = new ReadpastConnectionFactory(database.readpastUrl("clientId=" + client))
                .createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("names." + client), "kept until the commit");
            context.commit();

            List<String> names = ask(
                    isTransactSql()
                            ? "SELECT program_name FROM sys.dm_exec_sessions WHERE program_name LIKE '%" + client + "%'"
                            : "SELECT application_name FROM pg_stat_activity WHERE application_name LIKE '%" + client
                                    + "%'");

            // That of the presence, and those of the pool.
            assertThat(names).hasSizeGreaterThan(1).containsOnly(name);
            if (isTransactSql()) {
                assertThat(ask(
                                "SELECT host_name + '/' + CAST(host_process_id AS nvarchar(20)) FROM sys.dm_exec_sessions"
                                        + " WHERE program_name LIKE '%" + client + "%'"))
                        .containsOnly(InetAddress.getLocalHost().getHostName() + "/" + process);
            }
        }
    }

    @Test
    void name_that_the_url_gives_is_kept() throws Exception {
        String own = "mine-" + client;
        String url = database.jdbcUrl() + (isTransactSql() ? ";applicationName=" : "&ApplicationName=") + own;
        try (JMSContext context = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(url)).createContext()) {
            context.createProducer().send(context.createQueue("names." + client), "text");

            assertThat(ask(
                            isTransactSql()
                                    ? "SELECT program_name FROM sys.dm_exec_sessions WHERE program_name = '" + own + "'"
                                    : "SELECT application_name FROM pg_stat_activity WHERE application_name = '" + own
                                            + "'"))
                    .hasSizeGreaterThan(1);
        }
    }
}
