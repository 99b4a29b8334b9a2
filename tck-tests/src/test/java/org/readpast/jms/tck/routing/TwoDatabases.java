package org.readpast.jms.tck.routing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Stream;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.SharedPostgres;
import org.readpast.jms.tck.rig.TestDatabase;

/** Two databases of one kind, new ones: {@code home}, and {@code west}, where all is whose name begins with {@code west.}. */
record TwoDatabases(String home, String west) {

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
        SharedPostgres.get().execute("CREATE DATABASE " + name);
        return SharedPostgres.get().jdbcUrlOf(name);
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
        try (Connection connection = DriverManager.getConnection(jdbcUrl);
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT COUNT(*) FROM readpast.message m JOIN readpast.destination d"
                                + " ON d.destination_id = m.destination_id WHERE d.name = '" + destination + "'")) {
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
