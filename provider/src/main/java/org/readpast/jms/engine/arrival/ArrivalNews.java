package org.readpast.jms.engine.arrival;

/** Who is told that messages have become available: consumers of this JVM, and other JVMs by the database's bell. */
public interface ArrivalNews {

    /** So many messages were committed to a queue by this JVM. */
    void arrived(int destinationId, int count);

    /** Some messages came into a queue that had been elsewhere. */
    void available(int destinationId);
}
