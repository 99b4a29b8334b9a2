package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.ProcessName;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.SqlFiles;
import org.readpast.jms.store.jdbc.sql.SqlFilesTest;
import org.readpast.jms.store.jdbc.sql.SqlScript;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.store.jdbc.upkeep.SchemaInstaller;
import org.readpast.jms.store.jdbc.upkeep.SchemaScripts;
import org.slf4j.LoggerFactory;

/** What every database must do about its schema, and how its failures are told. */
abstract class SchemaContract extends StoreFixture {

    /** How many places are tried at which an installation is cut off, chosen by chance; H2 has so few that all are. */
    static final String CUTS_PROPERTY = "readpast.test.cuts";

    /** For how long an upgrade waits for somebody. */
    private static final int UPGRADE_SECONDS = Integer.getInteger("readpast.test.upgrade.seconds", 2);

    SchemaContract(TestDatabase database) {
        super(database);
    }

    private static void assertFailure(Failure expected, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.failure()).as(e.getMessage()).isEqualTo(expected));
    }

    private void open(Connections connections, StoreOptions with) throws StoreException {
        try (JdbcMessageStore other = new JdbcMessageStore(connections, with)) {
            other.open();
        }
    }

    @Test
    void missing_schema_is_told_with_the_scripts_to_run() {
        StoreOptions elsewhere = options.withSchema(database.newSchema()).withCreateSchema(false);

        assertThatThrownBy(() -> open(database.connections(), elsewhere))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.SCHEMA_MISSING))
                .hasMessageContaining("sql/" + database.folder() + "/schema/001-tables.sql")
                .hasMessageContaining(elsewhere.schema());
    }

    @Test
    void newer_schema_that_is_recorded_as_fit_for_this_version_is_used() throws Exception {
        int needed = opened().dialect().parts().schemaScripts().newest();
        newer(needed);
        try {
            open(database.connections(), options);
            newer(needed + 1);
            assertThatThrownBy(() -> open(database.connections(), options))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.SCHEMA_VERSION))
                    .hasMessageContaining("providers of version " + (needed + 1) + " and later");
        } finally {
            sql("DELETE FROM readpast.schema_version WHERE version >= 98");
        }
    }

    /** Two more scripts were run, the second of which lets a client of this version go on. */
    private void newer(int oldestClient) throws Exception {
        sql("DELETE FROM readpast.schema_version WHERE version >= 98");
        for (int version : new int[] {98, 99}) {
            sql("INSERT INTO readpast.schema_version (version, script, oldest_client) VALUES (" + version
                    + ", 'from the future', " + (version == 98 ? 1 : oldestClient) + ")");
        }
    }

    @Test
    void oldest_client_of_each_script_is_what_it_records() throws Exception {
        for (SchemaScripts.Script script :
                opened().dialect().parts().schemaScripts().all()) {
            assertThat(sql("SELECT COALESCE(oldest_client, version) FROM readpast.schema_version WHERE version = "
                            + script.version()))
                    .as(script.name())
                    .containsExactly(Integer.toString(script.oldestClient()));
        }
    }

    /** @param version null of a client of a release that did not write one yet */
    @ParameterizedTest
    @ValueSource(strings = {"1", "NULL"})
    void script_that_older_clients_cannot_use_waits_until_they_are_gone_and_names_them(String version)
            throws Exception {
        int newest = opened().dialect().parts().schemaScripts().newest();
        String recorded = "SELECT COUNT(*) FROM readpast.schema_version WHERE version = " + newest;
        Presence older = store.register(null);
        try {
            tables.kill(older);
            sql("UPDATE readpast.presence SET schema_version = " + version + " WHERE instance = ?", older.instance());
            older.refresh();
            sql("DELETE FROM readpast.schema_version WHERE version = " + newest);

            assertThatThrownBy(() -> open(database.connections(), options))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.SCHEMA_VERSION))
                    .hasMessageContaining("for providers of version " + newest + " and later")
                    .hasMessageContaining(ProcessName.process() + " on " + ProcessName.host() + " (release "
                            + ProcessName.version() + ", version " + version.replace("NULL", "0") + ")");
            assertThat(sql(recorded)).containsExactly("0");

            tables.kill(older);
            open(database.connections(), options);
            assertThat(sql(recorded)).containsExactly("1");
        } finally {
            older.close();
        }
    }

    /**
     * As a script does that is run by another tool than a JMS client.
     *
     * @param call what it begins with
     */
    void assertOlderClientsAreRefusedBy(String call) throws Exception {
        Presence older = store.register(null);
        try {
            sql(call);
            sql("UPDATE readpast.presence SET schema_version = NULL WHERE instance = ?", older.instance());
            assertThatThrownBy(() -> sql(call))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining(ProcessName.process() + " on " + ProcessName.host() + " (release "
                            + ProcessName.version() + ", version 0)");
            tables.kill(older);
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> sql(call));
        } finally {
            older.close();
        }
    }

    @Test
    void client_that_comes_back_to_a_schema_that_is_too_new_for_it_is_refused() throws Exception {
        Presence older = store.register(null);
        try {
            tables.kill(older);
            newer(99);
            assertFailure(Failure.SCHEMA_VERSION, older::refresh);
            assertFailure(Failure.SCHEMA_VERSION, older::refresh);
            assertFailure(Failure.SCHEMA_VERSION, () -> store.insert(List.of(to(message("too old")))));
            assertFailure(Failure.SCHEMA_VERSION, () -> transaction().claim(ClaimRequest.fromHead(queue, 1, null)));
            try (Connection connection = database.connect()) {
                assertFailure(
                        Failure.SCHEMA_VERSION,
                        () -> store.join(source(connection), "test").insert(List.of(to(message("too old")))));
            }
            newer(1);
            older.refresh();
            store.insert(List.of(to(message("fit again"))));
            assertThat(texts(transaction().claim(ClaimRequest.fromHead(queue, 1, null))))
                    .containsExactly("fit again");
        } finally {
            sql("DELETE FROM readpast.schema_version WHERE version >= 98");
            older.close();
        }
    }

    @Test
    void stage_of_a_move_that_is_newer_than_this_release_is_left_alone() throws Exception {
        send("not for this release");
        sql("ALTER TABLE readpast.destination DROP CONSTRAINT destination_moved_what");
        try {
            sql("UPDATE readpast.destination SET moved = 'soon', moved_database = 'x' WHERE destination_id = ?", queue);
            store.refreshQueueSettings();
            assertThat(store.moveOf(queueName)).isNull();
            assertThat(store.isSendPaused(queue)).isTrue();
            assertThat(transaction().claim(head(1))).isEmpty();

            sql("UPDATE readpast.destination SET moved = 'away' WHERE destination_id = ?", queue);
            store.refreshQueueSettings();
            assertThat(store.moveOf(queueName)).isNotNull();
            assertThat(store.isSendPaused(queue)).isFalse();
        } finally {
            sql("UPDATE readpast.destination SET moved = NULL, moved_database = NULL WHERE destination_id = ?", queue);
            sql("ALTER TABLE readpast.destination ADD CONSTRAINT destination_moved_what"
                    + " CHECK (moved IN ('away', 'gone', 'here'))");
            store.refreshQueueSettings();
        }
    }

    @Test
    void schema_of_another_version_is_told() throws Exception {
        sql("INSERT INTO readpast.schema_version (version, script) VALUES (99, 'from the future')");
        try {
            assertFailure(Failure.SCHEMA_VERSION, () -> open(database.connections(), options));
        } finally {
            sql("DELETE FROM readpast.schema_version WHERE version = 99");
        }
        sql("DELETE FROM readpast.schema_version WHERE version >= 2");
        try {
            assertThatThrownBy(() -> open(database.connections(), options.withCreateSchema(false)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.SCHEMA_VERSION))
                    .hasMessageContaining("002-views.sql");
        } finally {
            for (int version = 2;
                    version <= opened().dialect().parts().schemaScripts().newest();
                    version++) {
                sql("INSERT INTO readpast.schema_version (version, script) VALUES (" + version + ", 'put back')");
            }
        }
    }

    @Test
    void several_stores_that_start_at_once_create_the_schema_once() throws Exception {
        StoreOptions fresh = options.withSchema(database.newSchema()).withPool(2, 30_000);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Void> start = () -> {
                open(database.connections(), fresh);
                return null;
            };
            for (Future<Void> started : threads.invokeAll(Collections.nCopies(4, start))) {
                started.get();
            }
        } finally {
            threads.shutdown();
            database.dropSchema(fresh.schema());
        }
    }

    /** What the installer warns of, until it is closed. */
    private static final class Warnings implements AutoCloseable {

        private final Logger logger = (Logger) LoggerFactory.getLogger(SchemaInstaller.class);
        private final Level before = logger.getLevel();
        private final ListAppender<ILoggingEvent> log = new ListAppender<>();

        Warnings() {
            // Read while others log.
            log.list = new CopyOnWriteArrayList<>();
            log.start();
            logger.setLevel(Level.WARN);
            logger.addAppender(log);
        }

        /** @param heldUp what is held up; its own failure comes first */
        void awaitHeldUpBy(String holder, Future<?> heldUp) throws Exception {
            await().atMost(Duration.ofMinutes(2)).until(() -> heldUp.isDone() || isHeldUpBy(holder));
            if (heldUp.isDone()) {
                heldUp.get();
            }
            assertThat(isHeldUpBy(holder)).isTrue();
        }

        private boolean isHeldUpBy(String holder) {
            return log.list.stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .anyMatch(told -> told.contains("held up by") && told.contains(holder));
        }

        @Override
        public void close() {
            logger.detachAppender(log);
            logger.setLevel(before);
        }
    }

    /**
     * Somebody reads a view that the last script replaces, and keeps his transaction open.
     *
     * @param holder what he is told as, in part
     */
    void assertScriptThatIsHeldUpSaysByWhomAndGoesOn(String holder) throws Exception {
        String last = "DELETE FROM " + table("schema_version") + " WHERE version = (SELECT MAX(version) FROM "
                + table("schema_version") + ")";
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Connection reader = database.connect();
                Warnings warnings = new Warnings()) {
            reader.setAutoCommit(false);
            sql(last);
            sql(reader, "SELECT COUNT(*) FROM readpast.throughput");
            Future<?> opened = threads.submit(() -> {
                open(database.connections(), options);
                return null;
            });
            warnings.awaitHeldUpBy(holder, opened);
            sql("SELECT COUNT(*) FROM readpast.queue_depth");
            reader.rollback();
            opened.get(1, TimeUnit.MINUTES);
        } finally {
            threads.shutdown();
        }
        open(database.connections(), options.withCreateSchema(false));
    }

    /** The version behind this one, which is fit for clients of this one, and in which this statement comes first. */
    SchemaInstaller nextVersion(String change) {
        int newest = opened().dialect().parts().schemaScripts().newest();
        String script = (newest + 1) + "-next.sql";
        SqlFiles files = new SqlFiles(database.folder(), schema) {
            @Override
            public String schemaScript(String name) {
                if (name.equals(script)) {
                    return change + ";\n"
                            + "INSERT INTO " + table("schema_version") + " (version, script, oldest_client) VALUES ("
                            + (newest + 1) + ", '" + script + "', " + newest + ");\n";
                }
                String text = super.schemaScript(name);
                return name.equals("scripts.txt") ? text + script + " " + newest + "\n" : text;
            }
        };
        Statements statements = new Statements(files, database == TestDatabase.SQL_SERVER, (query, ids) -> {});
        return new SchemaInstaller(
                statements,
                database == TestDatabase.SQL_SERVER
                        ? new SchemaScripts.InBatches(statements)
                        : new SchemaScripts.InTransaction(statements),
                opened().dialect().parts().presenceLock()::probe,
                opened().pool(),
                "test");
    }

    /** Somebody has a message for long. The script waits for him, others only for as long as it tries. */
    void assertMessagesAreMovedWhileAnUpgradeWaitsAndAfterIt() throws Exception {
        int newest = opened().dialect().parts().schemaScripts().newest();
        ReadpastConnectionFactory factory = clients();
        String name = "upgrade." + schema;
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (JMSContext holder = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            holder.createProducer().send(holder.createQueue(name), "held");
            holder.commit();
            assertThat(holder.createConsumer(holder.createQueue(name)).receiveBody(String.class, 60_000))
                    .isEqualTo("held");
            Traffic traffic = Traffic.start(factory, name);
            try (Warnings warnings = new Warnings()) {
                awaitMoved(traffic, 100);
                Future<?> upgrade = threads.submit(
                        () -> upgrade(nextVersion("ALTER TABLE " + table("message") + " ADD next_version int NULL")));
                warnings.awaitHeldUpBy("", upgrade);
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(UPGRADE_SECONDS);
                while (System.nanoTime() < end) {
                    awaitMoved(traffic, 100);
                }
                assertThat(upgrade).isNotDone();
                holder.commit();
                upgrade.get(1, TimeUnit.MINUTES);
            }
            awaitMoved(traffic, 100);
            System.out.println("Upgrade on " + database + " behind a message that is held: " + traffic);
            try (JMSContext later = clients().createContext()) {
                Queue beside = later.createQueue(name + ".later");
                later.createProducer().send(beside, "new");
                assertThat(later.createConsumer(beside).receiveBody(String.class, 60_000))
                        .isEqualTo("new");
            }
            traffic.stop();
        } finally {
            threads.shutdown();
            if (!sql("SELECT version FROM readpast.schema_version WHERE version > " + newest)
                    .isEmpty()) {
                sql("DELETE FROM readpast.schema_version WHERE version > " + newest);
                sql("ALTER TABLE " + table("message") + " DROP COLUMN next_version");
            }
        }
    }

    private ReadpastConnectionFactory clients() throws JMSException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.url());
        if (database.user() != null) {
            factory.setProperty("user", database.user());
            factory.setProperty("password", database.password());
        }
        factory.setProperty("schema", schema);
        factory.setProperty("createSchema", "false");
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    private static void awaitMoved(Traffic traffic, int more) throws Exception {
        long wanted = traffic.received() + more;
        await().atMost(Duration.ofMinutes(2)).until(() -> traffic.received() >= wanted);
    }

    /** Run again where it was held up for too long, as an operator would. */
    private static Void upgrade(SchemaInstaller installer) throws StoreException {
        while (true) {
            try {
                installer.check(true);
                return null;
            } catch (StoreException e) {
                if (e.failure() != Failure.LOCK_TIMEOUT) {
                    throw e;
                }
            }
        }
    }

    private List<String> scripts() {
        return opened().dialect().parts().schemaScripts().all().stream()
                .map(SchemaScripts.Script::name)
                .toList();
    }

    /** The id of a message that comes before an upgrade. */
    private static final String KEPT = "ID:kept";

    /** Where an installation ends: in which script, behind how many of its statements. */
    private record Cut(String script, int statements) {}

    /**
     * What a script has done by itself stays, where the database does not undo it; and whoever comes next goes on. There is a message as
     * soon as there are tables, so that the scripts behind the first bring a database up to date that is in use.
     */
    @Test
    void installation_and_upgrade_that_are_cut_off_behind_any_statement_are_gone_on_with() throws Exception {
        List<String> names = scripts();
        List<Cut> behind = new ArrayList<>();
        for (String script : names) {
            int statements = statements(opened().statements().files().schemaScript(script))
                    .size();
            for (int done = 0; done <= statements; done++) {
                behind.add(new Cut(script, done));
            }
        }
        Collections.shuffle(behind);
        for (Cut cut : behind.subList(0, Math.min(mostCuts(), behind.size()))) {
            StoreOptions fresh = options.withSchema(database.newSchema()).withPool(2, 30_000);
            try {
                cutOff(fresh, names, cut);
                try (JdbcMessageStore other = new JdbcMessageStore(database.connections(), fresh)) {
                    other.open();
                    int queue = other.destination(DestinationKind.QUEUE, "q");
                    other.insert(List.of(elsewhere(queue, "q", "a")));
                    boolean isUpgrade = !cut.script().equals(names.get(0));
                    List<StoredMessage> claimed =
                            other.transaction("test").claim(ClaimRequest.fromHead(queue, 3, null));
                    assertThat(claimed).as(cut.toString()).hasSize(isUpgrade ? 2 : 1);
                    assertThat(claimed.get(0).message().messageId().equals(KEPT))
                            .as(cut.toString())
                            .isEqualTo(isUpgrade);
                }
            } catch (SQLException | StoreException | AssertionError e) {
                throw new AssertionError("Cut off behind " + cut, e);
            } finally {
                database.dropSchema(fresh.schema());
            }
        }
    }

    /** How many of them are tried. */
    int mostCuts() {
        return Integer.MAX_VALUE;
    }

    /**
     * As the installer does, up to there; and then the connection is gone. It reads the version first, which begins the transaction: on the
     * stand-in for SQL Server CREATE VIEW does not.
     */
    private void cutOff(StoreOptions fresh, List<String> names, Cut cut) throws SQLException {
        try (Connection connection = database.connect()) {
            Dialect dialect = Dialects.of(connection, fresh);
            SchemaScripts scripts = dialect.parts().schemaScripts();
            connection.setAutoCommit(false);
            for (String script : names) {
                String text = dialect.statements().files().schemaScript(script);
                sql(connection, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES");
                if (script.equals(cut.script())) {
                    for (String statement : statements(text).subList(0, cut.statements())) {
                        scripts.run(connection, statement);
                    }
                    connection.abort(Runnable::run);
                    return;
                }
                scripts.run(connection, text);
                if (script.equals(names.get(0))) {
                    insertKept(connection, fresh.schema());
                }
                connection.commit();
            }
        }
    }

    private void insertKept(Connection connection, String in) throws SQLException {
        for (String insert : List.of(
                "INSERT INTO readpast.destination (kind, name) VALUES ('Q', 'q')",
                "INSERT INTO readpast.message (destination_id, priority_order, jms_message_id, jms_destination, delivery_mode,"
                        + " jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length)"
                        + " SELECT destination_id, 5, '" + KEPT
                        + "', 'queue://q', 2, 0, 0, 0, 1, 2, 0 FROM readpast.destination WHERE name = 'q'")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(insert.replace("readpast.", in + "."));
            }
        }
    }

    /** The parts of a script that are sent, or carried out, one by one. */
    List<String> statements(String script) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        boolean quoted = false;
        for (String line : script.lines().filter(line -> !line.startsWith("--")).toList()) {
            statement.append(line).append('\n');
            quoted ^= line.split("\\$\\$", -1).length % 2 == 0;
            if (!quoted && line.endsWith(";")) {
                statements.add(statement.toString());
                statement.setLength(0);
            }
        }
        assertThat(statement.toString()).isBlank();
        return statements;
    }

    @Test
    void every_statement_can_be_prepared() throws SQLException, StoreException {
        List<String> failed = new ArrayList<>();
        try (Connection connection = database.connect()) {
            for (String name : SqlFilesTest.statements(database)) {
                try {
                    prepare(connection, opened().statements().files().statement(name));
                } catch (SQLException e) {
                    failed.add(name + ": " + e.getMessage());
                }
            }
        }
        assertThat(failed).isEmpty();
    }

    /** The pool has one connection, so a second piece of work shows whether it came back. */
    @Test
    void work_that_throws_an_error_gives_its_connection_back() throws StoreException {
        try (JdbcMessageStore other = new JdbcMessageStore(database.connections(), options.withPool(1, 30_000))) {
            other.open();
            ShortTransactions transactions = other.opened().shortTransactions();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> transactions.run("test", "work", connection -> {
                            throw new AssertionError("planted");
                        }))
                        .isInstanceOf(AssertionError.class)
                        .hasMessage("planted");
            }
            assertThat(transactions.<String>run("test", "work", connection -> "done"))
                    .isEqualTo("done");
        }
    }

    @Test
    void schema_scripts_are_those_that_the_installer_runs() throws IOException {
        try (Stream<Path> scripts = Files.list(SqlFilesTest.folder(database).resolve("schema"))) {
            assertThat(scripts.map(file -> file.getFileName().toString())
                            .filter(name -> Character.isDigit(name.charAt(0)))
                            .sorted())
                    .isEqualTo(scripts());
        }
    }

    /** Has the server compile a statement. */
    void prepare(Connection connection, SqlScript script) throws SQLException {
        try (Query query = new Query(connection, script, false)) {
            query.statement().getParameterMetaData().getParameterCount();
            query.statement().getMetaData();
        }
    }

    @Test
    void wrong_password_is_told_when_the_store_is_opened() {
        assertFailure(Failure.AUTHENTICATION, () -> open(wrongPassword(), options));
    }

    /** The same database with credentials that it refuses. */
    abstract Connections wrongPassword();

    @Test
    void unreachable_database_is_told_when_the_store_is_opened() {
        assertFailure(Failure.CONNECTION_LOST, () -> open(unreachable(), options));
    }

    /** An address of this kind of database where there is none. */
    abstract Connections unreachable();

    @Test
    void connections_of_a_data_source_go_back_as_they_came() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(3);
        config.setTransactionIsolation("TRANSACTION_READ_UNCOMMITTED");
        try (HikariDataSource source = new HikariDataSource(config);
                JdbcMessageStore other = new JdbcMessageStore(Connections.ofDataSource(source), options)) {
            other.open();
            other.insert(List.of(to(message("a"))));
            StoreTransaction transaction = transaction(other);
            List<StoredMessage> claimed = transaction.claim(head(1));
            assertThat(transaction.connection().getTransactionIsolation())
                    .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            transaction.commit(acknowledging(claimed), null);

            assertThat(texts(claimed)).containsExactly("a");
            assertThat(source.getHikariPoolMXBean().getActiveConnections()).isZero();
            try (Connection first = source.getConnection();
                    Connection second = source.getConnection();
                    Connection third = source.getConnection()) {
                for (Connection connection : List.of(first, second, third)) {
                    assertThat(connection.getAutoCommit()).isTrue();
                    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_UNCOMMITTED);
                }
            }
        }
    }

    @Test
    void exhausted_pool_is_told() throws StoreException {
        try (JdbcMessageStore small = new JdbcMessageStore(database.connections(), options.withPool(1, 3_000))) {
            small.open();
            StoreTransaction holder = transaction(small);
            send("a");
            holder.claim(head(1));

            assertFailure(
                    Failure.POOL_EXHAUSTED, () -> small.transaction("test").claim(head(1)));
            holder.close();
        }
    }

    @Test
    void killed_connection_is_told_and_the_next_transaction_works() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));
        killConnectionOf(transaction);

        assertFailure(Failure.CONNECTION_LOST, () -> transaction.commit(acknowledging(claimed), null));

        assertThat(transaction.isOpen()).isFalse();
        // The server tells the client that its session ends, and then undoes what it did.
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(texts(drain())).containsExactly("a"));
    }

    /** Ends the database session behind a transaction. */
    abstract void killConnectionOf(StoreTransaction transaction) throws Exception;

    @Test
    void deadlock_victim_is_told() throws Exception {
        int other = store.destination(DestinationKind.QUEUE, "other " + queueName);
        List<Failure> failures = Collections.synchronizedList(new ArrayList<>());
        java.util.concurrent.CyclicBarrier bothHaveOne = new java.util.concurrent.CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Void>> both = List.of(
                    () -> crossUpdate(queue, other, bothHaveOne, failures),
                    () -> crossUpdate(other, queue, bothHaveOne, failures));
            for (Future<Void> done : threads.invokeAll(both)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(failures).containsExactly(Failure.DEADLOCK);
    }

    private Void crossUpdate(int first, int second, java.util.concurrent.CyclicBarrier barrier, List<Failure> failures)
            throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            sql(connection, "UPDATE readpast.destination SET owner = 'x' WHERE destination_id = ?", first);
            barrier.await();
            try {
                sql(connection, "UPDATE readpast.destination SET owner = 'x' WHERE destination_id = ?", second);
            } catch (SQLException e) {
                failures.add(failures().classify(e));
            }
            connection.rollback();
        }
        return null;
    }

    @Test
    void duplicate_key_and_missing_table_are_told() {
        assertThatThrownBy(() -> sql(
                        "INSERT INTO readpast.destination (kind, name) SELECT kind, name FROM readpast.destination"))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(failures().classify(e)).isEqualTo(Failure.DUPLICATE_KEY));
        assertThatThrownBy(() -> sql("SELECT x FROM readpast.no_such_table"))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(failures().classify(e)).isEqualTo(Failure.SCHEMA_MISSING));
    }
}
