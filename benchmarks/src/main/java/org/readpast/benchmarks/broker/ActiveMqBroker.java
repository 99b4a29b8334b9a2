package org.readpast.benchmarks.broker;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.openwire.OpenWireFormat;
import org.apache.activemq.store.jdbc.JDBCPersistenceAdapter;
import org.apache.activemq.wireformat.WireFormat;

/** ActiveMQ Classic with its JDBC store: its defaults, and a pool of connections as large as the crowds that use it. */
final class ActiveMqBroker implements Broker {

    private static final int CONNECTIONS = 64;

    private final BrokerService broker;
    private final HikariDataSource pool;

    private ActiveMqBroker(BrokerService broker, HikariDataSource pool) {
        this.broker = broker;
        this.pool = pool;
    }

    static Broker onJdbc(int port, String url, Path directory) throws Exception {
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
        broker.addConnector("tcp://localhost:" + port);
        broker.start();
        broker.waitUntilStarted();
        return new ActiveMqBroker(broker, pool);
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
