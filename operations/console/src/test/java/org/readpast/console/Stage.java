package org.readpast.console;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSContext;
import jakarta.jms.Session;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Look;
import org.readpast.operations.messages.Messages;
import org.readpast.operations.snapshot.Queue;

/** A database of its own with the message tables in it, logins, and a console on it, for a test. */
public final class Stage implements AutoCloseable {

    public static final String H2 = "H2";
    public static final String POSTGRESQL = "PostgreSQL";
    public static final String OPERATOR = "console_operator";
    static final String READER = "console_reader";
    private static final String TEMPLATE = "console_template";
    public static final String PASSWORD = "what <only> they know";

    static {
        // H2 answers wrong passwords late.
        System.setProperty("h2.delayWrongPasswordMin", "0");
        System.setProperty("h2.delayWrongPasswordMax", "0");
    }

    private static EmbeddedPostgres server;

    /** A clock that a test sets forward. */
    public static final class Hands extends Clock {
        private volatile Instant now = Instant.now();

        public void forward(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    public final Hands clock = new Hands();
    public final String url;
    final Console console;
    private final String owner;
    private final String ownersPassword;

    public Stage(String product) throws Exception {
        String name = "console_" + UUID.randomUUID().toString().substring(0, 8);
        if (product.equals(H2)) {
            url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
            owner = OPERATOR;
            ownersPassword = PASSWORD;
        } else {
            owner = "postgres";
            ownersPassword = "postgres";
            try (Connection admin = postgres().getPostgresDatabase().getConnection();
                    Statement statement = admin.createStatement()) {
                statement.execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
            }
            url = postgres().getJdbcUrl("postgres", name).replaceFirst("[?].*", "");
        }
        if (isH2()) {
            try (ReadpastConnectionFactory installing = factory()) {
                installing.createContext().close();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> connections() == 0);
        }
        console = Console.start(settings(url), clock);
    }

    /** Of a console on this machine alone: 15 minutes idle, eight hours in all, 20 users. */
    static Settings settings(String url) {
        return settings(url, 20, null);
    }

    /** The same for so many users, who sign in at a proxy if there is one. */
    static Settings settings(String url, int users, Proxy proxy) {
        return new Settings(
                url,
                "readpast",
                InetAddress.getLoopbackAddress(),
                0,
                null,
                Set.of(),
                Duration.ofMinutes(15),
                Duration.ofHours(8),
                users,
                null,
                proxy);
    }

    public static Stream<String> products() {
        String targets = System.getProperty("readpast.test.targets", "h2,postgresql");
        return Stream.of(H2, POSTGRESQL).filter(product -> targets.contains(product.toLowerCase(Locale.ROOT)));
    }

    /** Everybody but its owner has to say a password. It has a database to copy, with the message tables and the logins. */
    static synchronized EmbeddedPostgres postgres() throws Exception {
        if (server == null) {
            Path rules = Files.createTempFile("pg_hba", ".conf");
            rules.toFile().deleteOnExit();
            Files.writeString(
                    rules, "host all postgres,trusted 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
            EmbeddedPostgres started = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .setServerConfig("hba_file", rules.toString())
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("fsync", "off")
                    .start();
            try (Connection admin = started.getPostgresDatabase().getConnection();
                    Statement statement = admin.createStatement()) {
                statement.execute("CREATE DATABASE " + TEMPLATE);
                String template = started.getJdbcUrl("postgres", TEMPLATE).replaceFirst("[?].*", "");
                factory(template, "postgres", "postgres").createContext().close();
                try (Connection connection = DriverManager.getConnection(template, "postgres", "postgres");
                        Statement inTemplate = connection.createStatement()) {
                    inTemplate.execute(
                            Files.readString(Path.of("..", "..", "sql", "postgresql", "schema", "roles.sql")));
                    inTemplate.execute(loginSql(OPERATOR, "readpast_manage"));
                    inTemplate.execute(loginSql(READER, "readpast_observe"));
                    inTemplate.execute("GRANT pg_read_all_stats TO " + OPERATOR);
                    inTemplate.execute("GRANT SELECT ON readpast.destination TO " + READER);
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    try (ResultSet rows = statement.executeQuery(
                            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '" + TEMPLATE + "'")) {
                        rows.next();
                        return rows.getLong(1) == 0;
                    }
                });
            }
            server = started;
        }
        return server;
    }

    private static String loginSql(String name, String role) {
        return "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '" + name + "') THEN CREATE ROLE "
                + name
                + " LOGIN; END IF; END $$; ALTER ROLE " + name + " PASSWORD '" + PASSWORD + "'; GRANT " + role + " TO "
                + name;
    }

    boolean isH2() {
        return url.startsWith("jdbc:h2");
    }

    ReadpastConnectionFactory factory() {
        return factory(url, owner, ownersPassword);
    }

    private static ReadpastConnectionFactory factory(String url, String user, String password) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
        factory.setUserName(user);
        factory.setPassword(password);
        factory.setProperty("createSchema", "true");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    /** Works as a JMS client, and leaves. */
    void jms(Consumer<JMSContext> work) {
        try (JMSContext context = factory().createContext()) {
            work.accept(context);
        }
    }

    void send(String queue, int count) {
        try (JMSContext context = factory().createContext(Session.SESSION_TRANSACTED)) {
            for (int message = 0; message < count; message++) {
                context.createProducer()
                        .setProperty("number", message)
                        .send(context.createQueue(queue), "message " + message);
            }
            context.commit();
        }
    }

    /** Until no JMS client is connected any more: what one does last comes behind its close. */
    void awaitNobody() {
        await().atMost(Duration.ofSeconds(60)).until(() -> number("SELECT COUNT(*) FROM readpast.presence") == 0);
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, owner, ownersPassword);
    }

    void run(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** How many messages wait in a queue. */
    long depth(String queue) throws SQLException {
        return number("SELECT COUNT(*) FROM readpast.message m JOIN readpast.destination d"
                + " ON d.destination_id = m.destination_id WHERE d.name = '" + queue + "'");
    }

    /** A new login with a role, which replaces one of the same name. */
    public void login(String name, String role) throws SQLException {
        run(loginSql(name, role));
    }

    /** The id of a queue or subscription. */
    int id(String name) throws Exception {
        try (Connection connection = connect();
                Look look = new Look(connection, "readpast")) {
            return Messages.queues(look, name, null, 100).rows().stream()
                    .filter(queue -> queue.name().equals(name))
                    .mapToInt(Queue::id)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Turns messages of a queue into dead letters of another one, as a consumer does that gives up. */
    void die(String queue, String deadLetters, int count) throws SQLException {
        jms(context -> context.createProducer().send(context.createQueue(deadLetters), "to make the queue"));
        send(queue, count);
        run("UPDATE readpast.message SET origin_id = destination_id, destination_id ="
                + " (SELECT destination_id FROM readpast.destination WHERE kind = 'Q' AND name = '" + deadLetters
                + "'),"
                + " properties = '{\"JMS_READPAST_OriginalDestination\":\"queue://" + queue
                + "\",\"JMS_READPAST_DeadLetterReason\":\"it failed & failed\"}'"
                + " WHERE destination_id = (SELECT destination_id FROM readpast.destination WHERE kind = 'Q' AND name = '"
                + queue + "')");
        run("DELETE FROM readpast.message WHERE origin_id IS NULL AND destination_id ="
                + " (SELECT destination_id FROM readpast.destination WHERE kind = 'Q' AND name = '" + deadLetters
                + "')");
    }

    /** Sessions of the console in the database. */
    long connections() throws SQLException {
        return isH2()
                ? number("SELECT COUNT(*) - 1 FROM INFORMATION_SCHEMA.SESSIONS")
                : number("SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'readpast-console'"
                        + " AND datname = current_database()");
    }

    Caller caller() {
        return new Caller(console.uri());
    }

    Caller signedIn(String login) throws Exception {
        Caller caller = caller();
        caller.signIn(login, PASSWORD);
        return caller;
    }

    @Override
    public void close() throws SQLException {
        console.close();
        await().atMost(Duration.ofSeconds(60)).until(() -> connections() == 0);
        if (isH2()) {
            run("SHUTDOWN");
        }
    }
}
