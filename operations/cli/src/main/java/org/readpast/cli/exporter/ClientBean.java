package org.readpast.cli.exporter;

import java.time.Instant;
import java.util.Date;
import org.readpast.operations.snapshot.Client;

/** A JVM as the last look saw it. Thread-safe. */
final class ClientBean implements ClientMXBean {

    private volatile Client last;

    void saw(Client client) {
        last = client;
    }

    private static Date date(Instant time) {
        return time == null ? null : Date.from(time);
    }

    @Override
    public String getHost() {
        return last.host();
    }

    @Override
    public String getProcess() {
        return last.process();
    }

    @Override
    public String getRelease() {
        return last.release();
    }

    @Override
    public Date getConnectedSince() {
        return date(last.startedAt());
    }

    @Override
    public Date getMissingSince() {
        return date(last.missingSince());
    }
}
