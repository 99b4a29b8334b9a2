package org.readpast.jms.store.jdbc.upkeep;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** The numbered scripts that make the schema, and how one database runs them. Thread-safe. */
public abstract class SchemaScripts {

    /**
     * One of them.
     *
     * @param name of its file
     * @param version what it brings the schema to: the number in its name
     * @param oldestClient the oldest version that a client may need and still use what the script leaves
     */
    public record Script(String name, int version, int oldestClient) {

        private static Script parse(String line) {
            String[] parts = line.split(" ", -1);
            return new Script(
                    parts[0],
                    Integer.parseInt(parts[0].substring(0, parts[0].indexOf('-'))),
                    Integer.parseInt(parts[1]));
        }
    }

    final Statements statements;
    private final List<Script> all;

    private SchemaScripts(Statements statements) {
        this.statements = statements;
        this.all = statements
                .files()
                .schemaScript("scripts.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Script::parse)
                .toList();
    }

    /** In their order. */
    public final List<Script> all() {
        return all;
    }

    /** The version that the last of them brings the schema to. */
    public final int newest() {
        return all.get(all.size() - 1).version();
    }

    /** Whether this database is the server's own, and none for a schema. */
    boolean isServersOwn(String database) {
        return false;
    }

    /** What a script may have to keep from happening: that a client registers until the transaction ends. */
    void keepClientsOut(Connection connection) throws SQLException {}

    /** Waits for the right to run a script; it goes with the transaction, or with {@link #unlock}. */
    abstract void lock(Connection connection) throws SQLException;

    /** Gives that right back after the transaction, where it did not go with it, and takes back {@link #limitWaits}. */
    void unlock(Connection connection) throws SQLException {}

    /** Has the script that follows wait for locks no longer than a second. */
    abstract void limitWaits(Connection connection) throws SQLException;

    /** In words, who has locks in the schema. */
    List<String> holders(Connection connection) throws SQLException {
        try (Query holders = statements.query(connection, "lock_holders")) {
            return holders.values(ResultSet::getString);
        }
    }

    /** Runs the text of a script. */
    public abstract void run(Connection connection, String text) throws SQLException;

    /** SQL Server: the scripts consist of batches. */
    public static final class InBatches extends SchemaScripts {

        private static final Pattern BATCH_END = Pattern.compile("(?im)^\\s*GO\\s*$");

        private static final Set<String> SERVERS_OWN = Set.of("master", "model", "msdb", "tempdb");

        public InBatches(Statements statements) {
            super(statements);
        }

        @Override
        boolean isServersOwn(String database) {
            return SERVERS_OWN.contains(database);
        }

        @Override
        void lock(Connection connection) throws SQLException {
            runLock(connection, "lock_schema");
        }

        @Override
        void unlock(Connection connection) throws SQLException {
            runText(connection, "unlimit_waits");
            runLock(connection, "unlock_schema");
        }

        @Override
        void limitWaits(Connection connection) throws SQLException {
            runText(connection, "limit_waits");
        }

        private void runText(Connection connection, String name) throws SQLException {
            run(connection, statements.files().statement(name).text());
        }

        private void runLock(Connection connection, String statement) throws SQLException {
            try (Query lock = statements.query(connection, statement)) {
                lock.set("resource", statements.resource("schema")).eachResult((row, number) -> row.next());
            }
        }

        @Override
        public void run(Connection connection, String text) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                for (String batch : BATCH_END.split(text, -1)) {
                    if (!batch.isBlank()) {
                        Query.readAll(statement, statement.execute(batch), (rows, number) -> {});
                    }
                }
            }
        }
    }

    /** PostgreSQL: a script is sent as a whole. */
    public static final class InTransaction extends SchemaScripts {

        public InTransaction(Statements statements) {
            super(statements);
        }

        @Override
        void lock(Connection connection) throws SQLException {
            try (Query lock = statements.query(connection, "lock_schema")) {
                lock.set("resource", statements.resource("schema")).rows().close();
            }
        }

        @Override
        void limitWaits(Connection connection) throws SQLException {
            run(connection, statements.files().statement("limit_waits").text());
            run(connection, statements.files().statement("install_here").text());
        }

        @Override
        void keepClientsOut(Connection connection) throws SQLException {
            run(connection, statements.files().statement("lock_presence").text());
        }

        @Override
        public void run(Connection connection, String text) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(text);
            }
        }
    }

    /** H2: each statement commits by itself, and may be run twice. */
    public static final class Repeatable extends SchemaScripts {

        private static final Logger LOG = Loggers.of(SchemaScripts.class);
        private static final Object TURN = new Object();
        private static final int ATTEMPTS = 20;

        public Repeatable(Statements statements) {
            super(statements);
        }

        /** No lock would outlive the first statement. */
        @Override
        void lock(Connection connection) {}

        /** No statement waits longer than the connection's own limit, which is a few seconds. */
        @Override
        void limitWaits(Connection connection) {}

        /** Who has locks is not asked: nobody else is at work in a database in the same process, but the application itself. */
        @Override
        List<String> holders(Connection connection) {
            return List.of();
        }

        /**
         * Where two JVMs create the same thing at once, one of them fails in spite of its IF NOT EXISTS, and finds it there when it
         * looks again. Each attempt that fails so has met something that is there from then on.
         */
        @Override
        public void run(Connection connection, String text) throws SQLException {
            synchronized (TURN) {
                for (int attempt = 1; ; attempt++) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(text);
                        return;
                    } catch (SQLException e) {
                        if (attempt == ATTEMPTS) {
                            throw e;
                        }
                        LOG.debug(
                                "A schema script failed, perhaps because somebody else is running it; trying again", e);
                    }
                }
            }
        }
    }
}
