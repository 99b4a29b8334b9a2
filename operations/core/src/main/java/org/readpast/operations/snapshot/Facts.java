package org.readpast.operations.snapshot;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.database.Product;
import org.readpast.operations.database.Row;
import org.readpast.operations.database.StatementFile;
import org.readpast.operations.database.Words;
import org.readpast.operations.server.ClientSession;
import org.readpast.operations.server.DatabaseSession;
import org.readpast.operations.server.DeadRows;
import org.readpast.operations.server.Lock;
import org.readpast.operations.server.LogSpace;
import org.readpast.operations.server.Pin;
import org.readpast.operations.server.SchemaScript;
import org.readpast.operations.server.Setting;

/**
 * What a database says of its messages, fact by fact: each is one statement, and one that the login may not read, or that takes too long,
 * is an answer too. A SQLException says that the database is gone.
 */
public final class Facts {

    private static final Set<String> WEAK =
            Set.of("FSYNC", "SYNCHRONOUS_COMMIT", "DELAYED_DURABILITY", "DELAYED_WRITES");

    private Facts() {}

    /** The database's time: one row. */
    public static Answer<Instant> now(Look look) throws SQLException {
        return look.ask("clock", row -> row.time("now"));
    }

    /** The queues that are paused. */
    public static Answer<Paused> paused(Look look) throws SQLException {
        return look.ask(
                "paused",
                row -> new Paused(
                        row.integer("destination_id"),
                        row.text("name"),
                        Paused.What.of(row.text("paused")),
                        row.time("paused_at")));
    }

    /** The queues that are moved to another database, or come from one. */
    public static Answer<Moved> moved(Look look) throws SQLException {
        return look.ask(
                "moved",
                row -> new Moved(
                        row.text("name"),
                        Moved.Stage.of(row.text("moved")),
                        row.text("moved_database"),
                        row.flag("left_behind")));
    }

    /**
     * JVMs that do not say of themselves that they keep to a pause: for some seconds all, and for longer those that hang, have lost the
     * database, or are of a release that knows no pauses. On H2 nobody says so.
     */
    public static Answer<Client> notKeepingTo(Look look, Paused pause) throws SQLException {
        record Keeping(Client client, String pauses) {}
        Answer<Keeping> all =
                look.ask("kept_pauses", row -> new Keeping(connected(row, null), row.text("paused_queues")));
        return all instanceof Answer.Unknown<Keeping> unknown
                ? unknown.ofOther()
                : new Answer.Known<>(all.rows().stream()
                        .filter(keeping -> keeping.pauses() == null
                                || !List.of(keeping.pauses().split(" ")).contains(pause.mark()))
                        .map(Keeping::client)
                        .toList());
    }

    /** How full the queues are. */
    public static Answer<Queue> queues(Look look) throws SQLException {
        return queues(look, deleting(look));
    }

    /** SQL Server, read without locks, does not show rows that somebody has deleted and not committed: none seen is not none. */
    static Answer<Queue> queues(Look look, Answer<Long> deleting) throws SQLException {
        return look.ask("queues", queue(look, deleting));
    }

    private static Look.Mapper<Queue> queue(Look look, Answer<Long> deleting) {
        boolean isSure = look.product() != Product.SQL_SERVER
                || (deleting.isKnown() && deleting.rows().isEmpty());
        return row -> {
            long depth = row.number("depth");
            return new Queue(
                    row.text("kind"),
                    row.text("name"),
                    row.integer("destination_id"),
                    depth == 0 && !isSure ? null : (Long) depth,
                    row.flag("at_least"),
                    row.time("oldest_enqueued_at"));
        };
    }

    /** How a queue is read, where rows that somebody has deleted and not committed may not be seen. */
    public static Look.Mapper<Queue> queue(Look look) throws SQLException {
        return queue(look, deleting(look));
    }

    static Answer<Long> deleting(Look look) throws SQLException {
        return look.ask("deleting", row -> row.number("messages"));
    }

    /** Whether locks are shown: what is not known on SQL Server if they are not. */
    public static Answer<Long> unseen(Look look) throws SQLException {
        return look.product() == Product.SQL_SERVER ? deleting(look) : new Answer.Known<>(List.of());
    }

    /** Sessions that have messages in their transactions. */
    public static Answer<Lock> locks(Look look) throws SQLException {
        return locks(look, deleting(look));
    }

    /** How long messages took. */
    public static Answer<Timing> timing(Look look) throws SQLException {
        return look.ask(
                "timing",
                row -> new Timing(
                        row.text("name"),
                        row.integer("destination_id"),
                        row.number("messages"),
                        row.count("queue_avg_ms"),
                        row.count("queue_p95_ms"),
                        row.count("queue_p99_ms"),
                        row.count("work_avg_ms"),
                        row.count("work_p95_ms"),
                        row.count("work_p99_ms")));
    }

    /** What became of messages. */
    public static Answer<Outcome> outcomes(Look look) throws SQLException {
        return look.ask(
                "outcomes",
                row -> new Outcome(
                        row.text("kind"),
                        row.text("name"),
                        row.integer("destination_id"),
                        row.number("completed"),
                        row.number("dead_letters"),
                        row.number("expired")));
    }

    /** Settings under which a crash of the server loses what was committed; none where there are none of them. */
    public static Answer<String> weakDurability(Look look) throws SQLException {
        Answer<Setting> settings = settings(look);
        return settings instanceof Answer.Unknown<Setting> unknown
                ? unknown.ofOther()
                : new Answer.Known<>(settings.rows().stream()
                        .filter(setting -> WEAK.contains(setting.finding()))
                        .map(setting -> setting.finding() + " " + setting.found())
                        .toList());
    }

    static Answer<Setting> settings(Look look) throws SQLException {
        return look.ask("check_settings", row -> new Setting(row.text("finding"), row.text("found")));
    }

    /** Which schema scripts were run. */
    public static Answer<SchemaScript> scripts(Look look) throws SQLException {
        return look.ask(
                "schema_versions",
                row -> new SchemaScript(row.integer("version"), row.text("script"), row.time("applied_at")));
    }

    /** What administrators did to messages, the last first. */
    public static Answer<Audit> audit(Look look) throws SQLException {
        return look.ask(
                "audit",
                row -> new Audit(
                        row.time("done_at"),
                        row.text("login"),
                        row.text("claimed_user"),
                        row.text("action"),
                        row.text("queue"),
                        row.text("target"),
                        row.number("messages")));
    }

    /** The sessions that clients have in the database, but for the one that looks. */
    public static Answer<ClientSession> clientSessions(Look look) throws SQLException {
        return look.ask(
                "client_sessions",
                row -> new ClientSession(
                        row.integer("session_id"),
                        row.text("login_key"),
                        row.text("login"),
                        row.text("program"),
                        row.text("host"),
                        row.time("login_at"),
                        row.time("since"),
                        row.text("state")));
    }

    /** The JVMs that are connected. */
    public static Answer<Client> clients(Look look) throws SQLException {
        return look.ask("clients", row -> connected(row, report(row)));
    }

    /** Those that have sent to a queue within transactions of their application's. */
    public static Answer<Client> joinedSenders(Look look, String queue) throws SQLException {
        return look.ask("joined_senders", Map.of("queue", queue), Facts::client);
    }

    private static ClientReport report(Row row) throws SQLException {
        Instant at = row.time("reported_at");
        return at == null
                ? null
                : new ClientReport(
                        at,
                        Duration.between(at, Instant.ofEpochMilli(row.number("clock_millis"))),
                        row.integerOrNull("pool_open"),
                        row.integerOrNull("pool_in_use"),
                        row.integerOrNull("pool_waiting"),
                        Duration.ofSeconds(row.integer("waiting_seconds")),
                        row.integerOrNull("listening_seconds") == null
                                ? null
                                : Duration.ofSeconds(row.integer("listening_seconds")),
                        row.text("listening_to"));
    }

    private static Client connected(Row row, ClientReport report) throws SQLException {
        return new Client(
                row.text("instance"),
                row.text("host"),
                row.text("process"),
                row.time("started_at"),
                row.time("missing_since"),
                row.text("provider_version"),
                row.integerOrNull("schema_version"),
                report);
    }

    /** What waits for its time. */
    public static Answer<Delayed> delayed(Look look) throws SQLException {
        return look.ask(
                "delayed",
                row -> new Delayed(
                        row.text("kind"),
                        row.text("name"),
                        row.integer("destination_id"),
                        row.number("delayed"),
                        row.number("held"),
                        row.number("overdue"),
                        row.time("next_due_at"),
                        row.number("due_read") >= Delayed.COUNTED,
                        row.number("held_read") >= Delayed.COUNTED));
    }

    private static Client client(Row row) throws SQLException {
        return new Client(
                row.text("instance"),
                row.text("host"),
                row.text("process"),
                row.time("started_at"),
                row.time("missing_since"),
                null,
                null,
                null);
    }

    /** Which JVMs consume from what. */
    public static Answer<Consumer> consumers(Look look) throws SQLException {
        return look.ask(
                "consumers",
                row -> new Consumer(
                        row.text("kind"),
                        row.text("name"),
                        row.integer("destination_id"),
                        client(row),
                        row.integerOrNull("open_consumers") == null
                                ? null
                                : new OpenConsumers(
                                        row.integer("open_consumers"),
                                        row.integer("stopped_consumers"),
                                        row.integer("selective_consumers"),
                                        row.text("selector"))));
    }

    /** Subscriptions of topics. */
    public static Answer<Subscription> subscriptions(Look look) throws SQLException {
        return look.ask(
                "subscriptions",
                row -> new Subscription(
                        row.integer("destination_id"),
                        row.text("queue"),
                        row.text("topic"),
                        row.text("client_id"),
                        row.text("name"),
                        row.flag("durable"),
                        row.flag("shared"),
                        row.text("selector"),
                        row.number("consumers"),
                        row.time("created_at")));
    }

    /** Claims without a transaction. */
    public static Answer<Lease> leases(Look look) throws SQLException {
        return look.ask(
                "leases",
                row -> new Lease(
                        row.text("kind"),
                        row.text("name"),
                        row.integer("destination_id"),
                        row.number("message_id"),
                        row.text("jms_message_id"),
                        row.text("worker"),
                        row.text("host"),
                        row.text("process"),
                        row.integer("attempt"),
                        row.time("claimed_at"),
                        row.time("deadline")));
    }

    /** Message groups and their owners. */
    public static Answer<Group> groups(Look look) throws SQLException {
        return look.ask(
                "groups",
                row -> new Group(
                        row.text("kind"),
                        row.text("name"),
                        row.integer("destination_id"),
                        row.text("group_id"),
                        row.text("consumer"),
                        new Client(
                                row.text("instance"),
                                row.text("host"),
                                row.text("process"),
                                null,
                                row.time("missing_since"),
                                null,
                                null,
                                null),
                        row.time("taken_at"),
                        row.number("waiting"),
                        row.time("oldest_enqueued_at")));
    }

    /** Dead letters by queue and origin. */
    public static Answer<DeadLetters> deadLetters(Look look) throws SQLException {
        return look.ask(
                "dead_letters",
                row -> new DeadLetters(
                        row.text("name"),
                        row.integer("destination_id"),
                        row.text("origin"),
                        row.number("messages"),
                        Math.max(row.number("recent"), row.number("recent_last")),
                        row.time("oldest_at"),
                        row.time("newest_at")));
    }

    /** The view is there without rows on a server that does not show locks, which must not pass for nobody. */
    static Answer<Lock> locks(Look look, Answer<Long> deleting) throws SQLException {
        if (look.product() == Product.SQL_SERVER && deleting instanceof Answer.Unknown<Long> unknown) {
            return unknown.ofOther();
        }
        return look.ask(
                "locks",
                row -> new Lock(
                        row.text("kind"),
                        row.text("name"),
                        row.integer("destination_id"),
                        row.integer("session_id"),
                        row.text("holder"),
                        row.text("host"),
                        row.text("process"),
                        row.text("login"),
                        row.number("messages"),
                        row.time("since")));
    }

    /** Who may not see what others do gets rows that say nothing, which must not pass for nobody. */
    static Answer<DatabaseSession> sessions(Look look) throws SQLException {
        if (look.product() != Product.SQL_SERVER) {
            Answer<Boolean> sees = look.ask("sees_sessions", row -> row.flag("sees_all"));
            if (!sees.isKnown() || !sees.rows().equals(List.of(true))) {
                return new Answer.Unknown<>(
                        "the login may not see what other users' sessions do",
                        StatementFile.find(look.product(), look.schema(), "sessions")
                                .map(StatementFile::rights)
                                .orElse(null));
            }
        }
        return look.ask(
                "sessions",
                row -> new DatabaseSession(
                        row.integer("session_id"),
                        row.text("login"),
                        row.text("program"),
                        row.text("host"),
                        row.time("login_at"),
                        row.time("since"),
                        row.time("idle_since"),
                        row.text("state"),
                        Words.statement(row.text("statement")),
                        blockers(row.text("blockers")),
                        row.flag("is_client"),
                        row.flag("keeps_rows")));
    }

    private static List<Integer> blockers(String text) {
        return text == null || text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(","))
                        .map(Integer::valueOf)
                        .distinct()
                        .toList();
    }

    /** Messages that come back. */
    static Answer<Failing> failing(Look look) throws SQLException {
        return look.ask(
                "failing",
                row -> new Failing(
                        row.text("kind"),
                        row.text("name"),
                        row.integer("destination_id"),
                        row.number("messages"),
                        row.integer("attempts"),
                        row.text("jms_message_id")));
    }

    /** The histories that are kept for some days. */
    static Answer<HistoryAge> histories(Look look) throws SQLException {
        return look.ask(
                "history_age",
                row -> new HistoryAge(row.text("name"), row.integer("history_days"), row.time("oldest_completed_at")));
    }

    /** Messages of destinations that have no row. */
    static Answer<Orphaned> orphaned(Look look) throws SQLException {
        return look.ask(
                "orphaned_messages",
                row -> new Orphaned(
                        row.integer("destination_id"),
                        row.text("jms_destination"),
                        row.integer("is_delayed") == 1,
                        row.number("messages"),
                        row.time("oldest_enqueued_at")));
    }

    /** Deleted rows of the tables. */
    static Answer<DeadRows> deadRows(Look look) throws SQLException {
        return look.ask(
                "dead_rows",
                row -> new DeadRows(
                        row.text("table_name"),
                        row.number("live_rows"),
                        row.number("dead_rows"),
                        row.time("last_autovacuum"),
                        row.flag("is_off")));
    }

    /** What keeps these. */
    static Answer<Pin> pins(Look look) throws SQLException {
        return look.ask("pins", row -> new Pin(row.text("kind"), row.text("name"), row.time("since")));
    }

    /** The first message of each priority, by queue. */
    static Answer<Priority> priorities(Look look) throws SQLException {
        return look.ask(
                "priorities",
                row -> new Priority(
                        row.integer("destination_id"),
                        row.integer("priority_order"),
                        row.number("message_id"),
                        row.time("enqueued_at"),
                        row.time("expires_at")));
    }

    /** Senders whose clocks are ahead. */
    static Answer<EarlySender> earlySenders(Look look) throws SQLException {
        return look.ask(
                "early_senders",
                row -> new EarlySender(
                        row.text("kind"),
                        row.text("name"),
                        row.text("jms_message_id"),
                        Duration.between(row.time("enqueued_at"), Instant.ofEpochMilli(row.number("jms_timestamp")))));
    }

    /** The largest id of a destination. */
    static Answer<Integer> largestId(Look look) throws SQLException {
        return look.ask("largest_id", row -> row.integer("largest_id"));
    }

    /** How full the log of a SQL Server database is. */
    static Answer<LogSpace> logSpace(Look look) throws SQLException {
        return look.ask(
                "log_space",
                row -> new LogSpace(row.number("used_bytes"), row.count("most_bytes"), row.text("waits_for")));
    }
}
