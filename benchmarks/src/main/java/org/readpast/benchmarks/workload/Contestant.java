package org.readpast.benchmarks.workload;

import java.io.IOException;
import java.sql.SQLException;
import java.util.OptionalDouble;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.machine.PostgresServer;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.system.SystemUnderTest;

/**
 * A system that runs and that this JVM is connected to.
 *
 * @param port where clients connect
 */
public record Contestant(SystemKind kind, int port, SystemUnderTest system, PostgresServer postgres)
        implements AutoCloseable {

    public static Contestant connect(SystemKind kind, int port, PostgresServer postgres) throws Exception {
        return new Contestant(kind, port, kind.connect(port), postgres);
    }

    /** Clears away what former measurements left in its database, if it has one. */
    public void settle() throws SQLException {
        if (kind.database().isPresent()) {
            postgres.settle(kind.database().get());
        }
    }

    /** Starts a program with clients of this system in another JVM, and returns when it is ready. */
    ChildJvm elsewhere(Elsewhere.Role role, String queue, int count) throws IOException {
        ChildJvm child = ChildJvm.start(
                Elsewhere.class,
                Elsewhere.OPTIONS,
                kind.name(),
                String.valueOf(port),
                role.name(),
                queue,
                String.valueOf(count));
        child.awaitLine();
        return child;
    }

    /** Processor time of its database, in seconds; empty if it has none, or the machine does not tell. */
    OptionalDouble databaseSeconds() {
        return kind.database().isPresent() ? postgres.processorSeconds() : OptionalDouble.empty();
    }

    /** How many transactions its database has ended; 0 if it has none. */
    long transactions() throws SQLException {
        return kind.database().isPresent()
                ? postgres.transactions(kind.database().get())
                : 0;
    }

    @Override
    public void close() {
        system.close();
    }
}
