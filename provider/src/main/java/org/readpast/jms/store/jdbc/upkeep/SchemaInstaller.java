package org.readpast.jms.store.jdbc.upkeep;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** Checks the version of the schema, and runs the numbered scripts that are missing where that is wanted. */
public final class SchemaInstaller {

    /** Tries the lock that shows that a client lives, and keeps it until the transaction ends. */
    @FunctionalInterface
    public interface Deaths {
        boolean isDead(Connection connection, String instance) throws SQLException;
    }

    private static final Logger LOG = Loggers.of(SchemaInstaller.class);

    /** So often a script is tried that is held up. */
    private static final int ATTEMPTS = 6;

    /** Others wait behind a script that waits. They are to catch up before it is tried again, also by whoever runs it anew. */
    private static final long PAUSE_MILLIS = 5_000;

    private final Statements statements;
    private final SchemaScripts schema;
    private final Deaths deaths;
    private final ConnectionPool pool;
    private final String database;

    /** The version that this provider needs. */
    private final int needed;

    public SchemaInstaller(
            Statements statements, SchemaScripts schema, Deaths deaths, ConnectionPool pool, String database) {
        this.statements = statements;
        this.schema = schema;
        this.deaths = deaths;
        this.pool = pool;
        this.database = database;
        this.needed = schema.newest();
    }

    /** The version of the schema that this provider was made for. */
    public int needed() {
        return needed;
    }

    /**
     * What is installed.
     *
     * @param spelled the name of the schema, as the database has it
     * @param version that of the last script that was run; 0 where there is no schema
     * @param oldestClient what a client must need at the least to use it
     */
    private record Installed(String spelled, int version, int oldestClient) {}

    /**
     * Makes sure that this provider can use the schema: it is of the version that it needs, or of a newer one that is recorded as fit for
     * it.
     *
     * @param create whether to run what is missing
     */
    public void check(boolean create) throws StoreException {
        Installed found = installed();
        if (create && found.version() < needed) {
            if (found.version() == 0) {
                checkPlace();
            }
            install();
            found = installed();
        }
        int version = found.version();
        if (version < needed) {
            throw new StoreException(
                    version == 0 ? Failure.SCHEMA_MISSING : Failure.SCHEMA_VERSION,
                    database + ": schema " + schema() + " is " + (version == 0 ? "missing" : "of version " + version)
                            + ", this provider needs version " + needed + "; run " + missing(version)
                            + (schema().equals("readpast") ? "" : " with " + schema() + " for readpast")
                            + ", or let the provider create the schema",
                    null);
        }
        checkNotTooNew(found);
        if (version > needed) {
            LOG.info(
                    "{}: schema {} is of version {}, newer than version {} of this provider, and fit for it",
                    database,
                    schema(),
                    version,
                    needed);
        }
    }

    /**
     * The same for who has made himself known: from now on nothing is installed that does not fit him, and what was installed before is
     * seen.
     */
    public void checkAgain(Connection connection) throws SQLException, StoreException {
        checkNotTooNew(version(connection, schema()));
    }

    /** A URL that names no database leads to the login's default one, which may be the server's own. */
    private void checkPlace() throws StoreException {
        String place =
                new ShortTransactions(pool).runRepeatable(database, "look for the database", Connection::getCatalog);
        if (schema.isServersOwn(place)) {
            throw new StoreException(
                    Failure.SCHEMA_MISSING,
                    database + ": no schema is created in " + place
                            + ", which is the server's own database; name another one in the URL (databaseName=...)",
                    null);
        }
    }

    private void checkNotTooNew(Installed found) throws StoreException {
        if (found.oldestClient() > needed) {
            throw new StoreException(
                    Failure.SCHEMA_VERSION,
                    database + ": schema " + schema() + " is of version " + found.version() + ", newer than version "
                            + needed + " of this provider, and for providers of version " + found.oldestClient()
                            + " and later; use one of these",
                    null);
        }
    }

    private String schema() {
        return statements.files().schema();
    }

    private String missing(int version) {
        return schema.all().stream()
                .filter(script -> script.version() > version)
                .map(script -> statements.files().schemaPath(script.name()))
                .collect(Collectors.joining(" and then "));
    }

    private Installed installed() throws StoreException {
        Installed found = new ShortTransactions(pool)
                .run(database, "check of the version of schema " + schema(), this::installed);
        checkSpelling(found.spelled());
        return found;
    }

    private Installed installed(Connection connection) throws SQLException {
        Optional<String> spelled;
        try (Query exists = statements.query(connection, "schema_exists")) {
            spelled = exists.value(ResultSet::getString);
        }
        return spelled.isEmpty() ? new Installed(schema(), 0, 0) : version(connection, spelled.get());
    }

    /** Names of locks are told apart by case, where names of schemas may not be: by two spellings JVMs would take each other for dead. */
    private void checkSpelling(String spelled) throws StoreException {
        if (!spelled.equals(schema())) {
            throw new StoreException(
                    Failure.SCHEMA_MISSING,
                    database + ": the schema is spelled " + spelled + " in the database, and not " + schema()
                            + "; set the option 'schema' to " + spelled,
                    null);
        }
    }

    private Installed version(Connection connection, String spelled) throws SQLException {
        try (Query current = statements.query(connection, "current_version");
                ResultSet row = current.rows()) {
            row.next();
            return new Installed(spelled, row.getInt("version"), row.getInt("oldest_client"));
        }
    }

    /**
     * Runs what is missing, each script in a transaction of its own: what is cut off is gone on with by whoever comes next. Of several JVMs
     * that start at once one runs a script, and the others wait and find it run.
     */
    private void install() throws StoreException {
        for (SchemaScripts.Script script : schema.all()) {
            step(script);
        }
    }

    /**
     * A script waits for locks no longer than a second, so that nobody waits for long behind it, and is tried again for a while.
     *
     * @throws StoreException {@link Failure#LOCK_TIMEOUT} naming who holds it up, {@link Failure#SCHEMA_VERSION} naming the clients that
     *     are too old for it
     */
    private void step(SchemaScripts.Script script) throws StoreException {
        ShortTransactions transactions = new ShortTransactions(pool);
        String told = null;
        for (int attempt = 1; ; attempt++) {
            try {
                String path = statements.files().schemaPath(script.name());
                List<String> older = transactions.runRepeatable(
                        database, "running " + path, connection -> runIfMissing(connection, script));
                if (!older.isEmpty()) {
                    throw new StoreException(
                            Failure.SCHEMA_VERSION,
                            database + ": " + path + " is for providers of version " + script.oldestClient()
                                    + " and later, and older ones are connected: " + String.join(", ", older)
                                    + "; stop them and try again",
                            null);
                }
                return;
            } catch (StoreException e) {
                if (e.failure() != Failure.LOCK_TIMEOUT) {
                    throw e;
                }
                String holders = holders(transactions);
                if (!holders.equals(told)) {
                    LOG.warn("{}: held up by {}, trying again", e.getMessage(), holders);
                    told = holders;
                }
                if (!pause() || attempt == ATTEMPTS) {
                    throw new StoreException(
                            Failure.LOCK_TIMEOUT, e.getMessage() + "; held up by " + holders, e.getCause());
                }
            }
        }
    }

    /** False if the thread is interrupted, which it stays. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the clients that are too old, and has run nothing if there are any. */
    private List<String> runIfMissing(Connection connection, SchemaScripts.Script script) throws SQLException {
        List<String> older = List.of();
        schema.lock(connection);
        try {
            int version = installed(connection).version();
            if (version < script.version()) {
                schema.limitWaits(connection);
                older = version == 0 ? older : olderClients(connection, script.oldestClient());
                if (older.isEmpty()) {
                    schema.run(connection, statements.files().schemaScript(script.name()));
                    LOG.info("{}: ran {}", database, statements.files().schemaPath(script.name()));
                }
            }
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            try {
                connection.rollback();
                schema.unlock(connection);
            } catch (SQLException alsoBroken) {
                e.addSuppressed(alsoBroken);
            }
            throw e;
        }
        schema.unlock(connection);
        return older;
    }

    /** In words: those that live, as nobody else comes until the transaction ends, and who is dead does not come back either. */
    private List<String> olderClients(Connection connection, int version) throws SQLException {
        schema.keepClientsOut(connection);
        Map<String, String> found = new LinkedHashMap<>();
        try (Query older = statements.query(connection, "older_clients");
                ResultSet rows = older.set("schema_version", version).rows()) {
            while (rows.next()) {
                found.put(
                        rows.getString("instance"),
                        rows.getString("process") + " on " + rows.getString("host") + " (release "
                                + rows.getString("provider_version") + ", version " + rows.getInt("schema_version")
                                + ")");
            }
        }
        List<String> living = new ArrayList<>();
        for (Map.Entry<String, String> one : found.entrySet()) {
            if (!deaths.isDead(connection, one.getKey())) {
                living.add(one.getValue());
            }
        }
        return living;
    }

    /** In words: who has locks in the schema, as far as that can be seen. */
    private String holders(ShortTransactions transactions) throws StoreException {
        try {
            List<String> holders = transactions.run(database, "look-up of locks", schema::holders);
            return holders.isEmpty() ? "nobody who can be seen" : String.join(", ", holders);
        } catch (StoreException e) {
            if (e.failure().isTransient()) {
                throw e;
            }
            return "somebody who cannot be seen (" + e.getMessage() + ")";
        }
    }
}
