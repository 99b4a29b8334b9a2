package org.readpast.benchmarks.workload;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.readpast.benchmarks.broker.BrokerProcess;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.machine.DatabaseServer;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.system.SystemUnderTest;

/**
 * A system that runs and that this JVM is connected to.
 *
 * @param by where clients connect: its broker or its database server, or a proxy before that
 * @param broker empty if it has none
 */
public record Contestant(
        SystemKind kind,
        InetSocketAddress by,
        SystemUnderTest system,
        DatabaseServer server,
        Optional<BrokerProcess> broker)
        implements AutoCloseable {

    /** One without a broker. */
    public static Contestant of(SystemKind kind, DatabaseServer server) throws Exception {
        return connect(kind, server.address(), server, Optional.empty());
    }

    /** One with a broker. */
    public static Contestant of(SystemKind kind, BrokerProcess broker, DatabaseServer server) throws Exception {
        return connect(kind, broker.address(), server, Optional.of(broker));
    }

    private static Contestant connect(
            SystemKind kind, InetSocketAddress by, DatabaseServer server, Optional<BrokerProcess> broker)
            throws Exception {
        return new Contestant(kind, by, kind.connect(url(kind, by, server)), server, broker);
    }

    private static String url(SystemKind kind, InetSocketAddress by, DatabaseServer server) {
        return kind.isBroker()
                ? String.valueOf(by.getPort())
                : server.url(by, kind.database().orElseThrow());
    }

    /** The same one with other clients, which connect by way of a proxy. */
    Contestant by(InetSocketAddress proxy) throws Exception {
        return connect(kind, proxy, server, broker);
    }

    /** Clears away what former measurements left in its database, if it has one. */
    public void settle() throws SQLException {
        if (kind.database().isPresent()) {
            server.settle(kind.database().get());
        }
    }

    /** Starts a program with clients of this system in another JVM, and returns when it is ready. */
    ChildJvm elsewhere(Elsewhere.Role role, String queue, int count) throws IOException {
        return elsewhere(by, role, queue, count);
    }

    /** The same for clients that connect by way of a proxy. */
    ChildJvm elsewhere(InetSocketAddress proxy, Elsewhere.Role role, String queue, int count) throws IOException {
        ChildJvm child = ChildJvm.start(
                Elsewhere.class,
                role.options(),
                kind.name(),
                url(kind, proxy, server),
                role.name(),
                queue,
                String.valueOf(count));
        child.awaitLine();
        return child;
    }

    /** Processor time of its database, in seconds; empty if it has none, or nobody tells. */
    OptionalDouble databaseSeconds() {
        return kind.database().isPresent() ? server.processorSeconds() : OptionalDouble.empty();
    }

    /** What its database has written to its log so far; empty if it has none, or nobody tells. */
    OptionalLong logBytes() throws SQLException {
        return kind.database().isPresent() ? server.logBytes() : OptionalLong.empty();
    }

    /** Processor time of its broker, in seconds; 0 if it has none. */
    double brokerSeconds() {
        return broker.map(BrokerProcess::processorSeconds).orElse(0.0);
    }

    @Override
    public void close() {
        system.close();
    }
}
