package org.readpast.jms.engine.routing;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.config.Routes;
import org.readpast.jms.config.Settings;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastTopic;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** Which database a destination is in that lasts. What would be in two is refused. Thread-safe. */
public final class Placement {

    private static final Logger LOG = Loggers.of(Placement.class);

    /** How many pairs of databases are told of. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    private final Databases databases;

    public Placement(Databases databases) {
        this.databases = databases;
    }

    /** Says where a queue is that the routes put into a database: in another one, if it was moved there. */
    @FunctionalInterface
    interface Moves {
        String follow(String database, ReadpastDestination queue) throws JMSException;
    }

    /**
     * The database of a destination that is not temporary.
     *
     * @throws InvalidDestinationException if it, or its dead letters or expired messages, may be in several, or in one that the connection
     *     is not to
     * @throws JMSException if that of a queue cannot be asked whether it was moved
     */
    String of(ReadpastDestination destination, Moves moves) throws JMSException {
        Set<String> found = new TreeSet<>();
        for (ReadpastDestination member : destination.members()) {
            for (String routed : places(member)) {
                boolean mayBeMoved =
                        !(member instanceof ReadpastTopic) && databases.names().contains(routed);
                found.add(mayBeMoved ? moves.follow(routed, member) : routed);
            }
        }
        checkOne(destination, found);
        String database = found.iterator().next();
        check(destination, database);
        return database;
    }

    private static void checkOne(ReadpastDestination destination, Set<String> found)
            throws InvalidDestinationException {
        if (found.size() > 1) {
            throw new InvalidDestinationException(
                    destination.isComposite()
                            ? destination + " has members in the databases " + both(found)
                                    + ", and is sent to in one transaction: send to the members one by one, or route them to one database"
                            : destination + " may match topics in the databases " + both(found)
                                    + ", and a subscription is in one: subscribe to a pattern for each, or route the topics to one database");
        }
    }

    /**
     * Looks whether a destination may be in a database.
     *
     * @throws InvalidDestinationException if the connection is not to that, or if its dead letters or expired messages are in another one
     */
    void check(ReadpastDestination destination, String database) throws InvalidDestinationException {
        if (!databases.names().contains(database)) {
            throw new InvalidDestinationException(destination + " is in database '" + database
                    + "', and this connection is to database '"
                    + databases.names().get(0)
                    + "' alone: take one of the connection factory with the routes, or of its database(\""
                    + database + "\")");
        }
        for (ReadpastDestination member : destination.members()) {
            checkLeftovers(member, database);
        }
    }

    private Set<String> places(ReadpastDestination destination) {
        return destination instanceof ReadpastTopic topic && topic.isPattern()
                ? databases.routes().databasesOf(topic.getName())
                : Set.of(databases.routes().databaseOf(destination.getName()));
    }

    /** What becomes a dead letter, or expires, is moved in one transaction. */
    private void checkLeftovers(ReadpastDestination destination, String database) throws InvalidDestinationException {
        Settings settings = databases.settings(database);
        String name = destination.getName();
        check(
                destination,
                database,
                "Dead letters",
                "redelivery.deadLetterDestination",
                settings.redelivery(name).deadLetterDestination());
        String expired = settings.expiryDestination(name);
        if (expired != null) {
            check(destination, database, "Expired messages", "expiry.destination", expired);
        }
    }

    private void check(ReadpastDestination from, String database, String what, String option, String to)
            throws InvalidDestinationException {
        String there = databases.routes().databaseOf(to);
        if (!there.equals(database)) {
            String written = database.equals(Routes.HOME) ? option : "route." + database + "." + option;
            throw new InvalidDestinationException(what + " of " + from + " go to '" + Shown.inOneLine(to)
                    + "', which is in database '" + there + "', and it is in '" + database
                    + "': a message is moved in one transaction. Set the option '" + written
                    + "' to a queue in '" + database + "', or add '" + Shown.inOneLine(to)
                    + "' to the destinations of route '"
                    + database + "'");
        }
    }

    /** Says once for two databases that replies may never come: those who know no routes reply where the request was. */
    void tellOfReplies(ReadpastDestination request, String database, ReadpastDestination replyTo) {
        for (ReadpastDestination member : replyTo.members()) {
            String there = databases.routes().databaseOf(member.getName());
            if (!there.equals(database) && told.add(database + " " + there)) {
                LOG.warn(
                        "{} is in database '{}', and the JMSReplyTo of a message to it, {}, is in '{}': who replies by a connection"
                                + " factory with these routes replies there, and not in the transaction of the request; who replies by"
                                + " another one does so in '{}', where nobody looks. Route both to one database. Said once for two databases.",
                        request,
                        database,
                        member,
                        there,
                        database);
            }
        }
    }

    private static String both(Set<String> names) {
        Iterator<String> all = names.iterator();
        StringBuilder text = new StringBuilder("'" + all.next() + "'");
        while (all.hasNext()) {
            String next = all.next();
            text.append(all.hasNext() ? ", '" : " and '").append(next).append("'");
        }
        return text.toString();
    }
}
