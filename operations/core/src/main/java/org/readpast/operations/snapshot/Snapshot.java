package org.readpast.operations.snapshot;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.database.Product;
import org.readpast.operations.server.DatabaseSession;
import org.readpast.operations.server.DeadRows;
import org.readpast.operations.server.Lock;
import org.readpast.operations.server.LogSpace;
import org.readpast.operations.server.Pin;
import org.readpast.operations.server.SchemaScript;
import org.readpast.operations.server.Setting;

/**
 * What a database says of its messages, taken within a second or so, each part by a statement of its own.
 *
 * @param product the database
 * @param takenAt by the database's clock
 * @param login who looked
 * @param clockAhead how far this JVM's clock is ahead of the database's; negative where it is behind
 * @param scripts of the schema
 * @param queues and topics and subscriptions
 * @param paused queues
 * @param moved queues that go to another database or come from one
 * @param delayed what waits for its time
 * @param clients JVMs
 * @param consumers JVMs by destination
 * @param subscriptions of topics
 * @param leases claims without a transaction
 * @param groups of messages
 * @param deadLetters by queue and origin
 * @param failing messages that come back
 * @param locks claims by transaction
 * @param deleting sessions with exclusive locks on messages, and how many; only where a look does not see what they have deleted
 * @param sessions those that wait or have a transaction open
 * @param outcomes of the last hour
 * @param histories that are kept for some days
 * @param orphaned messages of destinations that have no row
 * @param deadRows of the tables
 * @param pins what keeps them
 * @param priorities that wait, by queue
 * @param earlySenders whose clocks are ahead
 * @param largestId of a destination
 * @param logSpace of a SQL Server database
 * @param settings of the database and its tables that harm
 */
public record Snapshot(
        Product product,
        Instant takenAt,
        String login,
        Duration clockAhead,
        Answer<SchemaScript> scripts,
        Answer<Queue> queues,
        Answer<Paused> paused,
        Answer<Moved> moved,
        Answer<Delayed> delayed,
        Answer<Client> clients,
        Answer<Consumer> consumers,
        Answer<Subscription> subscriptions,
        Answer<Lease> leases,
        Answer<Group> groups,
        Answer<DeadLetters> deadLetters,
        Answer<Failing> failing,
        Answer<Lock> locks,
        Answer<Long> deleting,
        Answer<DatabaseSession> sessions,
        Answer<Outcome> outcomes,
        Answer<HistoryAge> histories,
        Answer<Orphaned> orphaned,
        Answer<DeadRows> deadRows,
        Answer<Pin> pins,
        Answer<Priority> priorities,
        Answer<EarlySender> earlySenders,
        Answer<Integer> largestId,
        Answer<LogSpace> logSpace,
        Answer<Setting> settings) {

    private static final String NO_SCHEMA = "42P01";

    private record Clock(Instant now, String login) {}

    /**
     * Looks at everything.
     *
     * @throws SQLException if the database is gone, or has no schema of this name
     */
    public static Snapshot take(Look look) throws SQLException {
        Instant before = Instant.now();
        Clock clock = one(look.ask("clock", row -> new Clock(row.time("now"), row.text("login"))));
        Instant here = before.plus(Duration.between(before, Instant.now()).dividedBy(2));
        Answer<SchemaScript> scripts = Facts.scripts(look);
        if (scripts instanceof Answer.Unknown<SchemaScript> unknown && unknown.isMissing()) {
            throw new SQLException("The schema " + look.schema() + " cannot be read: " + unknown.why(), NO_SCHEMA);
        }
        Answer<Long> deleting = Facts.deleting(look);
        return new Snapshot(
                look.product(),
                clock.now(),
                clock.login(),
                Duration.between(clock.now(), here),
                scripts,
                Facts.queues(look, deleting),
                Facts.paused(look),
                Facts.moved(look),
                Facts.delayed(look),
                Facts.clients(look),
                Facts.consumers(look),
                Facts.subscriptions(look),
                Facts.leases(look),
                Facts.groups(look),
                Facts.deadLetters(look),
                Facts.failing(look),
                Facts.locks(look, deleting),
                deleting,
                Facts.sessions(look),
                Facts.outcomes(look),
                Facts.histories(look),
                Facts.orphaned(look),
                Facts.deadRows(look),
                Facts.pins(look),
                Facts.priorities(look),
                Facts.earlySenders(look),
                Facts.largestId(look),
                Facts.logSpace(look),
                Facts.settings(look));
    }

    private static <T> T one(Answer<T> answer) throws SQLException {
        if (answer instanceof Answer.Unknown<T> unknown) {
            throw new SQLException("The database does not tell the time: " + unknown.why());
        }
        return answer.rows().get(0);
    }

    /** The JVMs that are not missed. */
    public List<Client> connected() {
        return clients.rows().stream()
                .filter(client -> client.lostSince(takenAt) == null)
                .toList();
    }

    /** What they consume from. */
    public List<Consumer> consuming() {
        return consumers.rows().stream()
                .filter(consumer -> !isLost(consumer.client()))
                .toList();
    }

    /** Whether a JVM is missed. */
    public boolean isLost(Client client) {
        return client.missingSince() != null
                || clients.rows().stream()
                        .anyMatch(known ->
                                known.instance().equals(client.instance()) && known.lostSince(takenAt) != null);
    }

    /** The session of a number, among those that are seen. */
    public Stream<DatabaseSession> session(int id) {
        return sessions.rows().stream().filter(session -> session.id() == id);
    }
}
