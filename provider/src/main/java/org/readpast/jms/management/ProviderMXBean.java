package org.readpast.jms.management;

import java.util.List;

/**
 * What one JVM does with one database, as one user of it: {@code org.readpast.jms:type=Provider,instance=...}. It is there from the first
 * connection until a while after the last one was closed. No value asks the database, and none can be changed. Counters begin at 0
 * with the bean. Thread-safe.
 */
public interface ProviderMXBean {

    /** The database and schema, without credentials. */
    String getDatabase();

    /** This JVM's id in the column {@code instance} of the table {@code presence}. */
    String getInstance();

    /** How many SQL connections of Readpast's own pool are open; -1 where it has a DataSource instead. */
    int getSqlConnections();

    /** How many of them are in use; -1 where it has a DataSource instead. */
    int getSqlConnectionsInUse();

    /** How many threads wait for one of them; -1 where it has a DataSource instead. */
    int getThreadsWaitingForSqlConnection();

    /** Where this JVM hears datagrams; null if it hears none. */
    String getDatagramAddress();

    /** The hosts of the other JVMs that are registered, one for each JVM. */
    List<String> getOtherJvms();

    /** The hosts of those among them that do not answer datagrams of this one, one for each JVM. */
    List<String> getUnreachedJvms();

    /** How many datagrams this JVM has sent that told of messages. */
    long getRingsSent();

    /** How many datagrams have come that told of messages. */
    long getRingsReceived();

    /** After how many of them a consumer looked and found none. */
    long getRingsInVain();

    /** How many statements looked for messages for consumers that wait. */
    long getLooks();

    /** Whether this JVM looks for messages for the others too. */
    boolean isLookingForOthers();

    /** Whether another JVM looks for messages for this one. */
    boolean isLookedFor();
}
