package org.readpast.cli.exporter;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.readpast.cli.looks.Looks;
import org.readpast.operations.snapshot.Client;
import org.readpast.operations.snapshot.Queue;
import org.readpast.operations.snapshot.Snapshot;

/**
 * What the last look at a database saw, as MBeans: one for each destination but temporary ones, which come and go, and one for each
 * connected JVM. There is none while the database does not answer. Used by one thread at a time.
 */
final class DatabaseBeans {

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final String database;
    private final Map<ObjectName, DestinationBean> destinations = new HashMap<>();
    private final Map<ObjectName, ClientBean> clients = new HashMap<>();

    /** @param database its name, which all of its beans have; null where it is the only one */
    DatabaseBeans(String database) {
        this.database = database;
    }

    /**
     * Shows what a look saw, and nothing else. What it could not see stays as it was, without its numbers.
     *
     * @param seen null where the database has not answered: then there is nothing to show
     */
    void show(Snapshot seen) {
        if (seen == null) {
            removeAllBut(Set.of(), destinations.keySet());
            removeAllBut(Set.of(), clients.keySet());
            return;
        }
        if (seen.queues().isKnown()) {
            showDestinations(seen);
        } else {
            destinations.values().forEach(bean -> bean.missed(seen));
        }
        if (seen.clients().isKnown()) {
            showClients(seen);
        }
    }

    private void showDestinations(Snapshot seen) {
        Set<ObjectName> there = new HashSet<>();
        for (Queue queue : seen.queues().rows()) {
            if (!queue.kind().equals("TQ") && !queue.kind().equals("TT")) {
                ObjectName name = name("Destination,kind=" + Looks.kind(queue.kind()) + ",name=", queue.name());
                there.add(name);
                DestinationBean bean = destinations.computeIfAbsent(name, first -> new DestinationBean());
                bean.saw(queue, seen);
                register(bean, name);
            }
        }
        removeAllBut(there, destinations.keySet());
    }

    private void showClients(Snapshot seen) {
        Set<ObjectName> there = new HashSet<>();
        for (Client client : seen.clients().rows()) {
            ObjectName name = name("Client,instance=", client.instance());
            there.add(name);
            ClientBean bean = clients.computeIfAbsent(name, first -> new ClientBean());
            bean.saw(client, seen.takenAt());
            register(bean, name);
        }
        removeAllBut(there, clients.keySet());
    }

    private ObjectName name(String type, String name) {
        String more = database == null ? "" : ",database=" + ObjectName.quote(database);
        try {
            return new ObjectName("org.readpast:type=" + type + ObjectName.quote(name) + more);
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Unless it is. */
    private void register(Object bean, ObjectName name) {
        try {
            if (!server.isRegistered(name)) {
                server.registerMBean(bean, name);
            }
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private void removeAllBut(Set<ObjectName> there, Set<ObjectName> shown) {
        try {
            for (ObjectName name : Set.copyOf(shown)) {
                if (!there.contains(name)) {
                    shown.remove(name);
                    // Unless somebody else has.
                    if (server.isRegistered(name)) {
                        server.unregisterMBean(name);
                    }
                }
            }
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }
}
