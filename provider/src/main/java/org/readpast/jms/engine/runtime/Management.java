package org.readpast.jms.engine.runtime;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToIntFunction;
import javax.management.JMException;
import javax.management.ObjectName;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.Watcher;
import org.readpast.jms.engine.bell.Bell;
import org.readpast.jms.management.ProviderMXBean;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** What JMX shows of a runtime, from its start to its end. Thread-safe. */
final class Management implements ProviderMXBean, AutoCloseable {

    private static final Logger LOG = Loggers.of(Management.class);

    private final MessageStore store;
    private final Presence presence;
    private final Arrivals arrivals;
    private final Watcher watcher;
    private final Bell bell;

    /** Null where it is not registered. Guarded by this. */
    private ObjectName name;

    Management(MessageStore store, Presence presence, Arrivals arrivals, Watcher watcher, Bell bell) {
        this.store = store;
        this.presence = presence;
        this.arrivals = arrivals;
        this.watcher = watcher;
        this.bell = bell;
    }

    /** Shows it, where JMX lets it. */
    synchronized void start() {
        try {
            ObjectName wanted =
                    new ObjectName("org.readpast.jms:type=Provider,instance=" + ObjectName.quote(presence.instance()));
            ManagementFactory.getPlatformMBeanServer().registerMBean(this, wanted);
            name = wanted;
        } catch (JMException | RuntimeException e) {
            LOG.warn("{}: JMX does not show this JVM: {}", store.describe(), e.toString());
        }
    }

    @Override
    public synchronized void close() {
        if (name != null) {
            try {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
            } catch (JMException | RuntimeException e) {
                LOG.debug("{}: somebody else has removed {}", store.describe(), name, e);
            }
            name = null;
        }
    }

    @Override
    public String getDatabase() {
        return store.describe();
    }

    @Override
    public String getInstance() {
        return presence.instance();
    }

    private int ofPool(ToIntFunction<MessageStore.PoolUse> value) {
        MessageStore.PoolUse use = store.poolUse();
        return use == null ? -1 : value.applyAsInt(use);
    }

    @Override
    public int getSqlConnections() {
        return ofPool(MessageStore.PoolUse::open);
    }

    @Override
    public int getSqlConnectionsInUse() {
        return ofPool(MessageStore.PoolUse::used);
    }

    @Override
    public int getThreadsWaitingForSqlConnection() {
        return ofPool(MessageStore.PoolUse::waiting);
    }

    @Override
    public String getDatagramAddress() {
        return bell.address() == null ? null : bell.address().toString();
    }

    @Override
    public List<String> getOtherJvms() {
        return presence.others().stream().map(Presence.Other::host).toList();
    }

    @Override
    public List<String> getUnreachedJvms() {
        return bell.unreachedHosts();
    }

    @Override
    public long getRingsSent() {
        return bell.ringsSent();
    }

    @Override
    public long getRingsReceived() {
        return bell.ringsReceived();
    }

    @Override
    public long getRingsInVain() {
        return arrivals.ringsInVain();
    }

    @Override
    public long getLooks() {
        return watcher.looks();
    }

    @Override
    public boolean isLookingForOthers() {
        return bell.looksForOthers();
    }

    @Override
    public boolean isLookedFor() {
        return bell.lookForThis();
    }
}
