package org.readpast.benchmarks.broker;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.TransportConnector;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.store.jdbc.JDBCPersistenceAdapter;
import org.apache.activemq.wireformat.WireFormat;

/** ActiveMQ Classic with its JDBC store: its defaults, and a pool of connections as large as the crowds that use it. */
final class ActiveMqBroker implements Broker {

    private static final int CONNECTIONS = 64;

    private final BrokerService broker;
    private final int port;
    private final HikariDataSource pool;

    private ActiveMqBroker(BrokerService broker, int port, HikariDataSource pool) {
        this.broker = broker;
        this.port = port;
        this.pool = pool;
    }

    static Broker onJdbc(String url, Path directory) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        HikariDataSource pool = new HikariDataSource(config);
        WireFormat format = new OpenWireFormat();
        JDBCPersistenceAdapter store = new JDBCPersistenceAdapter(pool, format);
        // Nobody else wants this database.
        store.setUseLock(false);
        BrokerService broker = new BrokerService();
        broker.setBrokerName("benchmark");
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setDataDirectory(directory.toString());
        broker.setPersistenceAdapter(store);
        TransportConnector connector = broker.addConnector("tcp://localhost:0");
        broker.start();
        broker.waitUntilStarted();
        return new ActiveMqBroker(broker, connector.getConnectUri().getPort(), pool);
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String description() {
        return "JDBC store, a pool of " + CONNECTIONS + " connections";
    }

    @Override
    public void close() {
        try {
            broker.stop();
            broker.waitUntilStopped();
        } catch (Exception e) {
            throw new IllegalStateException("ActiveMQ cannot be stopped", e);
        } finally {
            pool.close();
        }
    }
}
