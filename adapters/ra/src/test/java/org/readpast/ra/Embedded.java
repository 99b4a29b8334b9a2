package org.readpast.ra;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.apache.openejb.testing.ApplicationComposers;
import org.readpast.jms.ReadpastConnectionFactory;

/**
 * TomEE's container within the tests' JVM. It has the adapter, a DataSource {@code shop}, and a connection factory over it, as a server
 * is configured; the application is the test's.
 */
public final class Embedded implements AutoCloseable {

    static final String MAXIMUM = "5";

    private final String jdbcUrl;
    private final ApplicationComposers container;

    private Embedded(String jdbcUrl, Object application) throws Exception {
        this.jdbcUrl = jdbcUrl;
        sql("CREATE TABLE IF NOT EXISTS shop_row (text VARCHAR(100))");
        container = new ApplicationComposers(application.getClass());
        container.before(application);
    }

    public static Embedded start(String database, Object application) throws Exception {
        return new Embedded(jdbcUrl(database), application);
    }

    private static String jdbcUrl(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    /** Where Readpast has connections of its own, with its options. */
    public static String ownUrl(String options) {
        return "readpast:java:openejb/Resource/own#redelivery.maximumDeliveries=" + MAXIMUM + options;
    }

    /** What a server's configuration has. */
    public static Properties configuration(String database, String... queues) {
        Properties all = new Properties();
        dataSource(all, "shop", jdbcUrl(database));
        dataSource(all, "own", jdbcUrl(database));
        all.put("own.JtaManaged", "false");
        all.put("readpast", resource("ResourceAdapter", ReadpastResourceAdapter.class.getName()));
        all.put("readpast.DataSource", "java:openejb/Resource/shop");
        all.put("readpast.Url", ownUrl(""));
        connectionFactory(all, "factory");
        all.put("factory.TransactionSupport", "none");
        all.put("beans", "new://Container?type=MESSAGE");
        all.put("beans.ResourceAdapter", "readpast");
        all.put("beans.MessageListenerInterface", "jakarta.jms.MessageListener");
        all.put("beans.ActivationSpecClass", ReadpastActivationSpec.class.getName());
        for (String queue : queues) {
            all.put(queue, resource("jakarta.jms.Queue", "org.readpast.jms.destination.ReadpastQueue"));
            all.put(queue + ".PhysicalName", queue);
        }
        return all;
    }

    public static void connectionFactory(Properties all, String name) {
        all.put(name, resource("jakarta.jms.ConnectionFactory", ReadpastManagedConnectionFactory.class.getName()));
        all.put(name + ".ResourceAdapter", "readpast");
    }

    private static void dataSource(Properties all, String name, String url) {
        all.put(name, "new://Resource?type=DataSource");
        all.put(name + ".JdbcDriver", "org.h2.Driver");
        all.put(name + ".JdbcUrl", url);
        all.put(name + ".UserName", "sa");
        all.put(name + ".MaxTotal", "50");
    }

    private static String resource(String type, String implementation) {
        return "new://Resource?type=" + type + "&class-name=" + implementation;
    }

    /** What the server has under a name. */
    public static <T> T resource(String name, Class<T> type) throws NamingException {
        return type.cast(new InitialContext().lookup("java:openejb/Resource/" + name));
    }

    /** A factory that knows nothing of the server. */
    public ReadpastConnectionFactory outside(String options) {
        return new ReadpastConnectionFactory("readpast:" + jdbcUrl + "#user=sa" + options);
    }

    public void sql(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl, "sa", "");
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    /** How many rows of the application's have this text. */
    public int rows(String text) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl, "sa", "");
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("SELECT COUNT(*) FROM shop_row WHERE text = '" + text + "'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Override
    public void close() {
        try {
            container.after();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
