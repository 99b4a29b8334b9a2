package org.readpast.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.readpast.benchmarks.broker.BrokerProcess;
import org.readpast.benchmarks.machine.DatabaseServer;
import org.readpast.benchmarks.machine.PostgresServer;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Contestant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that runs during a run: the database server, the brokers, and this JVM's connections to them. */
final class Field implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Field.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Contestant> contestants = new ArrayList<>();
    private final Map<String, String> descriptions = new LinkedHashMap<>();
    private final DatabaseServer server;

    private Field(DatabaseServer server) {
        this.server = server;
        open.push(server);
    }

    /**
     * Starts everything, PostgreSQL included.
     *
     * @param directory an empty one on a disk, for all data
     */
    static Field start(Collection<SystemKind> kinds, Path directory) throws Exception {
        return start(kinds, directory, PostgresServer.start(directory.resolve("postgresql")));
    }

    /** Starts everything around a database server, which is closed at the end. */
    static Field start(Collection<SystemKind> kinds, Path directory, DatabaseServer server) throws Exception {
        Field field = new Field(server);
        try {
            for (SystemKind kind : kinds) {
                field.add(kind, directory.resolve(kind.label()));
            }
            return field;
        } catch (Exception | Error e) {
            field.close();
            throw e;
        }
    }

    private void add(SystemKind kind, Path directory) throws Exception {
        createDatabaseOf(kind);
        Contestant contestant = kind.isBroker()
                ? Contestant.of(kind, startBroker(kind, directory), server)
                : Contestant.of(kind, server);
        open.push(contestant);
        contestants.add(contestant);
    }

    private void createDatabaseOf(SystemKind kind) throws SQLException {
        if (kind.database().isPresent()) {
            server.createDatabase(kind.database().get());
        }
    }

    private BrokerProcess startBroker(SystemKind kind, Path directory) throws IOException {
        String url =
                kind.database().map(name -> server.url(server.address(), name)).orElse("");
        BrokerProcess broker = BrokerProcess.start(kind, url, directory);
        open.push(broker);
        descriptions.put(kind.label(), broker.description());
        return broker;
    }

    /** In the order in which they were asked for. */
    List<Contestant> contestants() {
        return List.copyOf(contestants);
    }

    /** What the database and the brokers say about how they run, in words, by name. */
    Map<String, String> descriptions() {
        Map<String, String> all = new LinkedHashMap<>();
        server.settings().forEach((name, value) -> all.put("database " + name, value));
        all.putAll(descriptions);
        return all;
    }

    /** Stops everything, the last started first. */
    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LOG.warn("Something of the run could not be stopped; the rest is", e);
            }
        }
    }
}
