package org.readpast.jms.tck.routing;

import static org.awaitility.Awaitility.await;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.PostgresServer;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/** Two databases of one kind, new ones: {@code home}, and {@code west}, where all is whose name begins with {@code west.}. */
record TwoDatabases(String home, String west) {

    private static final String TEMPLATE = "routed_template";

    private static boolean isTemplateMade;

    /** Those that there can be two of at no cost. */
    static Stream<TestDatabase> kinds() {
        return TestDatabase.requested().filter(database -> database != TestDatabase.SQLSERVER);
    }

    static TwoDatabases of(TestDatabase kind) throws SQLException {
        String name = "routed_" + UUID.randomUUID().toString().replace("-", "");
        return new TwoDatabases(make(kind, name + "_home"), make(kind, name + "_west"));
    }

    private static String make(TestDatabase kind, String name) throws SQLException {
        if (kind == TestDatabase.H2) {
            return "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa";
        }
        if (kind == TestDatabase.SQLSERVER) {
            execute(kind.jdbcUrl(), "CREATE DATABASE " + name);
            return kind.jdbcUrl().replaceAll("(?i)databaseName=[^;]*", "databaseName=" + name);
        }
        SharedPostgres.get().execute("CREATE DATABASE " + name + " TEMPLATE " + template());
        return SharedPostgres.get().jdbcUrlOf(name);
    }

    /** A database to copy, with the schema in it: to make one takes longer. */
    private static synchronized String template() throws SQLException {
        if (!isTemplateMade) {
            PostgresServer server = SharedPostgres.get();
            server.execute("CREATE DATABASE " + TEMPLATE);
            ReadpastConnectionFactory installing =
                    new ReadpastConnectionFactory("readpast:" + server.jdbcUrlOf(TEMPLATE));
            installing.setCreateSchema("true");
            installing.setIdleCloseMillis("0");
            installing.createContext().close();
            // What somebody is connected to cannot be copied.
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() ->
                            server.number("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '" + TEMPLATE + "'")
                                    == 0);
            isTemplateMade = true;
        }
        return TEMPLATE;
    }

    /** Databases of a SQL Server stay where they are not dropped. What was connected to them is gone there a little later than here. */
    void drop(TestDatabase kind) {
        if (kind == TestDatabase.SQLSERVER) {
            for (String url : List.of(home, west)) {
                String drop = "DROP DATABASE " + url.replaceAll("(?i).*databaseName=([^;]*).*", "$1");
                await().atMost(1, TimeUnit.MINUTES)
                        .ignoreExceptionsInstanceOf(SQLException.class)
                        .untilAsserted(() -> execute(kind.jdbcUrl(), drop));
            }
        }
    }

    ReadpastConnectionFactory factory() {
        return factory(home, west);
    }

    static ReadpastConnectionFactory factory(String home, String west) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:" + home);
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        factory.setProperty("route.west.url", west);
        factory.setProperty("route.west.destinations", "west.*");
        return factory;
    }

    /** All in one URL. */
    String url() {
        return "readpast:" + home + "#createSchema=true&idleCloseMillis=0&route.west.url="
                + URLEncoder.encode(west, StandardCharsets.UTF_8) + "&route.west.destinations=west.*";
    }

    /** How many messages a destination has in a database. */
    static int count(String jdbcUrl, String destination) throws SQLException {
        String schema = jdbcUrl.startsWith("jdbc:sqlserver:") ? TestDatabase.SQLSERVER.schema() : "readpast";
        try (Connection connection = DriverManager.getConnection(jdbcUrl);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + schema + ".message m JOIN " + schema
                        + ".destination d ON d.destination_id = m.destination_id WHERE d.name = '" + destination
                        + "'")) {
            row.next();
            return row.getInt(1);
        }
    }

    static void execute(String jdbcUrl, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
