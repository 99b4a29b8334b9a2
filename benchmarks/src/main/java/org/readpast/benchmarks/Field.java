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
import org.readpast.benchmarks.machine.PostgresServer;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Contestant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that runs during a run: PostgreSQL, the brokers, and this JVM's connections to them. */
final class Field implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Field.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Contestant> contestants = new ArrayList<>();
    private final Map<String, String> descriptions = new LinkedHashMap<>();
    private final PostgresServer postgres;

    private Field(PostgresServer postgres) {
        this.postgres = postgres;
        open.push(postgres);
    }

    /**
     * Starts everything.
     *
     * @param directory an empty one on a disk, for all data
     */
    static Field start(Collection<SystemKind> kinds, Path directory) throws Exception {
        Field field = new Field(PostgresServer.start(directory.resolve("postgresql")));
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
        int port = kind.isBroker() ? startBroker(kind, directory) : postgres.port();
        Contestant contestant = Contestant.connect(kind, port, postgres);
        open.push(contestant);
        contestants.add(contestant);
    }

    private void createDatabaseOf(SystemKind kind) throws SQLException {
        if (kind.database().isPresent()) {
            postgres.createDatabase(kind.database().get());
        }
    }

    private int startBroker(SystemKind kind, Path directory) throws IOException {
        BrokerProcess broker = BrokerProcess.start(kind, postgres.port(), directory);
        open.push(broker);
        descriptions.put(kind.label(), broker.description());
        return broker.port();
    }

    /** In the order in which they were asked for. */
    List<Contestant> contestants() {
        return List.copyOf(contestants);
    }

    /** What PostgreSQL and the brokers say about how they run, in words, by name. */
    Map<String, String> descriptions() {
        Map<String, String> all = new LinkedHashMap<>();
        postgres.settings().forEach((name, value) -> all.put("PostgreSQL " + name, value));
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
