package org.readpast.cli.exporter;

import java.util.Date;

/**
 * A JVM that the last look of {@code readpast exporter --jmx} saw connected or missed: {@code org.readpast:type=Client,instance="..."}, with
 * {@code database="..."} besides where there are several databases. No value asks the database. Thread-safe.
 */
public interface ClientMXBean {

    /** Its host; null where it did not say. */
    String getHost();

    /** Its process, as {@code pid 4711}. */
    String getProcess();

    /** The release of its Readpast. */
    String getRelease();

    /** When it connected first, by the database's clock. */
    Date getConnectedSince();

    /** Since when others miss the lock that shows that it lives, or it has told nothing of itself; null if it is not missed. */
    Date getMissingSince();
}
