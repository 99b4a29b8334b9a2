package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.destination.TopicPattern;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/**
 * The subscriptions of the topics that this JVM publishes to, as they were when they were last read. The publish itself finds out
 * whether that is still so. Thread-safe.
 */
public final class Audiences {

    private static final int REMEMBERED = 1_000;

    private final Statements statements;

    /** Guarded by itself; the least recently used goes first, since temporary topics come and go. */
    private final Map<Integer, Audience> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Audience> eldest) {
            return size() > REMEMBERED;
        }
    };

    public Audiences(Statements statements) {
        this.statements = statements;
    }

    /** The audience of a topic as it was when it was last read; null where it has to be read. */
    Audience known(int topicId) {
        synchronized (known) {
            return known.get(topicId);
        }
    }

    /** The audience of a topic, read on this connection where it is not known. */
    public Audience of(Connection connection, int topicId) throws SQLException {
        Audience remembered = known(topicId);
        if (remembered != null) {
            return remembered;
        }
        Audience read = read(connection, topicId);
        if (read.topic().isThere()) {
            synchronized (known) {
                known.merge(
                        topicId,
                        read,
                        (older, newer) ->
                                older.topic().version() > newer.topic().version() ? older : newer);
            }
        }
        return read;
    }

    /** The version first: if the subscriptions change in between, it is too old, and the publish notices. */
    private Audience read(Connection connection, int topicId) throws SQLException {
        Audience.Topic topic = topic(connection, topicId);
        List<Audience.Subscriber> subscribers = new ArrayList<>();
        if (topic.isThere()) {
            try (Query list = statements.query(connection, "topic_subscriptions");
                    ResultSet rows = list.set("topic_id", topicId).rows()) {
                while (rows.next()) {
                    if (isOf(rows.getString("name"), rows.getString("pattern"))) {
                        int id = rows.getInt("destination_id");
                        subscribers.add(new Audience.Subscriber(
                                id, rows.getString("origin"), selector(id, rows.getString("selector"))));
                    }
                }
            }
        }
        return new Audience(topic, List.copyOf(subscribers));
    }

    /** Whether a subscription, which has a pattern or none, is one of this topic. */
    private static boolean isOf(String topicName, String pattern) {
        return pattern == null
                || TopicPattern.of(pattern)
                        .filter(topics -> topics.matches(topicName))
                        .isPresent();
    }

    private static Selector selector(int subscriptionId, String text) throws SQLException {
        try {
            return Selector.parse(text);
        } catch (SelectorSyntaxException e) {
            throw new SQLDataException(
                    "Subscription " + subscriptionId + " has a selector that this release cannot read: "
                            + e.getMessage(),
                    Failures.OWN,
                    e);
        }
    }

    /** A topic as it is now, with its version, to which all subscriptions with wildcards contribute. */
    public Audience.Topic topic(Connection connection, int topicId) throws SQLException {
        try (Query version = statements.query(connection, "topic_version");
                ResultSet row = version.set("topic_id", topicId).rows()) {
            return row.next() ? new Audience.Topic(row.getLong("version"), row.getString("name")) : Audience.Topic.NONE;
        }
    }

    /** Has all audiences read anew. */
    public void forget() {
        synchronized (known) {
            known.clear();
        }
    }

    /** Has a topic's audience read anew, unless that was done since this version. */
    void outdated(int topicId, long version) {
        synchronized (known) {
            Audience remembered = known.get(topicId);
            if (remembered != null && remembered.topic().version() <= version) {
                known.remove(topicId);
            }
        }
    }
}
