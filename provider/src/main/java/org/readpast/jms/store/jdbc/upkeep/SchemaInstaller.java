package org.readpast.jms.store.jdbc.upkeep;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.Patience;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the version of the schema, and runs the numbered scripts that are missing where that is wanted. */
public final class SchemaInstaller {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaInstaller.class);

    /** For this long a script that is held up is tried again. */
    private static final long PATIENCE_MILLIS = 30_000;

    private final Statements statements;
    private final SchemaScripts schema;
    private final ConnectionPool pool;
    private final String database;
    private final List<String> scripts;

    /** The version that this provider needs, that of its last script. */
    private final int needed;

    public SchemaInstaller(Statements statements, SchemaScripts schema, ConnectionPool pool, String database) {
        this.statements = statements;
        this.schema = schema;
        this.pool = pool;
        this.database = database;
        this.scripts = schema.names();
        this.needed = versionOf(scripts.get(scripts.size() - 1));
    }

    /** What a script brings the schema to: the number in its name. */
    public static int versionOf(String script) {
        return Integer.parseInt(script.substring(0, script.indexOf('-')));
    }

    /**
     * What is installed.
     *
     * @param version that of the last script that was run; 0 where there is no schema
     * @param oldestClient what a client must need at the least to use it
     */
    private record Installed(int version, int oldestClient) {}

    /**
     * Makes sure that this provider can use the schema: it is of the version that it needs, or of a newer one that is recorded as fit for
     * it.
     *
     * @param create whether to run what is missing
     */
    public void check(boolean create) throws StoreException {
        Installed found = installed();
        if (create && found.version() < needed) {
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
        if (found.oldestClient() > needed) {
            throw new StoreException(
                    Failure.SCHEMA_VERSION,
                    database + ": schema " + schema() + " is of version " + version + ", newer than version " + needed
                            + " of this provider, and for providers of version " + found.oldestClient()
                            + " and later; use one of these",
                    null);
        }
        if (version > needed) {
            LOG.info(
                    "{}: schema {} is of version {}, newer than version {} of this provider, and fit for it",
                    database,
                    schema(),
                    version,
                    needed);
        }
    }

    private String schema() {
        return statements.files().schema();
    }

    private String missing(int version) {
        return scriptsBehind(version).stream()
                .map(statements.files()::schemaPath)
                .collect(Collectors.joining(" and then "));
    }

    private List<String> scriptsBehind(int version) {
        return scripts.stream().filter(script -> versionOf(script) > version).toList();
    }

    private Installed installed() throws StoreException {
        return new ShortTransactions(pool).run(database, "check of the version of schema " + schema(), this::installed);
    }

    private Installed installed(Connection connection) throws SQLException {
        try (Query exists = statements.query(connection, "schema_exists");
                ResultSet row = exists.rows()) {
            if (!row.next()) {
                return new Installed(0, 0);
            }
        }
        try (Query current = statements.query(connection, "current_version");
                ResultSet row = current.rows()) {
            row.next();
            return new Installed(row.getInt("version"), row.getInt("oldest_client"));
        }
    }

    /**
     * Runs what is missing, each script in a transaction of its own: what is cut off is gone on with by whoever comes next. Of several JVMs
     * that start at once one runs a script, and the others wait and find it run.
     */
    private void install() throws StoreException {
        for (String script : scripts) {
            step(script);
        }
    }

    /**
     * A script waits for locks no longer than a second, so that nobody waits for long behind it, and is tried again for a while.
     *
     * @throws StoreException {@link Failure#LOCK_TIMEOUT} naming who holds it up
     */
    private void step(String script) throws StoreException {
        ShortTransactions transactions = new ShortTransactions(pool);
        Patience patience = new Patience(PATIENCE_MILLIS);
        String told = null;
        while (true) {
            try {
                transactions.runCommitting(
                        database, "running " + statements.files().schemaPath(script), connection -> {
                            runIfMissing(connection, script);
                            return null;
                        });
                return;
            } catch (StoreException e) {
                if (e.failure() != Failure.LOCK_TIMEOUT) {
                    throw e;
                }
                String holders = holders(transactions);
                if (!patience.pause()) {
                    throw new StoreException(
                            Failure.LOCK_TIMEOUT, e.getMessage() + "; held up by " + holders, e.getCause());
                }
                if (!holders.equals(told)) {
                    LOG.warn("{}: held up by {}, trying again", e.getMessage(), holders);
                    told = holders;
                }
            }
        }
    }

    private void runIfMissing(Connection connection, String script) throws SQLException {
        schema.lock(connection);
        try {
            if (installed(connection).version() < versionOf(script)) {
                schema.limitWaits(connection);
                schema.run(connection, statements.files().schemaScript(script));
                LOG.info("{}: ran {}", database, statements.files().schemaPath(script));
            }
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            schema.unlock(connection);
        }
        connection.commit();
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
