package org.readpast.ra.beans;

import org.readpast.jms.threads.Loggers;
import org.readpast.ra.database.MessageDatabase;
import org.slf4j.Logger;

/** Whether Readpast's own pool has a connection for each message that the beans of a database deliver side by side. */
final class PoolCheck {

    private static final Logger LOG = Loggers.of(PoolCheck.class);

    /** For housekeeping, and for counting deliveries of messages that may have killed a JVM. */
    private static final int FOR_THE_PROVIDER = 2;

    private PoolCheck() {}

    /**
     * Warns where it has not. How large a DataSource's pool is, nobody can be asked.
     *
     * @param bean that is deployed, whose deliveries have a connection of the pool each
     */
    static void check(Bean bean) {
        MessageDatabase database = bean.subscription().database();
        if (!database.isByJdbcUrl()) {
            return;
        }
        Host host = bean.host();
        int poolSize = host.factory(database).poolSize();
        int deliveries = host.pooledDeliveries(database);
        if (poolSize < deliveries + FOR_THE_PROVIDER) {
            LOG.warn(
                    "{}: its database's beans without container transactions deliver up to {} messages side by side, each with a"
                            + " connection, and the option 'poolSize' is {}: messages will wait for connections. Set it to {} or more",
                    bean,
                    deliveries,
                    poolSize,
                    deliveries + FOR_THE_PROVIDER);
        }
    }
}
