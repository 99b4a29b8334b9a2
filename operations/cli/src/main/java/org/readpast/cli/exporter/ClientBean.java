package org.readpast.cli.exporter;

import java.time.Instant;
import java.util.Date;
import org.readpast.operations.snapshot.Client;

/** A JVM as the last look saw it. Thread-safe. */
final class ClientBean implements ClientMXBean {

    private record Sight(Client client, Instant at) {}

    private volatile Sight last;

    /** @param at when it was looked, by the database's clock */
    void saw(Client client, Instant at) {
        last = new Sight(client, at);
    }

    private static Date date(Instant time) {
        return time == null ? null : Date.from(time);
    }

    @Override
    public String getHost() {
        return last.client().host();
    }

    @Override
    public String getProcess() {
        return last.client().process();
    }

    @Override
    public String getRelease() {
        return last.client().release();
    }

    @Override
    public Date getConnectedSince() {
        return date(last.client().startedAt());
    }

    @Override
    public Date getMissingSince() {
        Sight sight = last;
        return date(sight.client().lostSince(sight.at()));
    }
}
