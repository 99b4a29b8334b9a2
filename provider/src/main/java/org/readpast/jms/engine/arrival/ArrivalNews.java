package org.readpast.jms.engine.arrival;

/** Tells consumers of this JVM, and other JVMs through the database's notifications, that messages have become available. */
public interface ArrivalNews {

    /** This many messages were committed to a queue by this JVM. */
    void arrived(int destinationId, int count);

    /** Some messages came into a queue that had been elsewhere. */
    void available(int destinationId);
}
