package org.readpast.jms.store.jdbc;

import java.util.regex.Pattern;

/**
 * What can be set of a store.
 *
 * @param schema the schema that holds the tables: letters, digits and underscores, at most 63 of them
 * @param createSchema whether to run the schema scripts where they have not been run
 * @param poolSize how many SQL connections the store's own pool opens at the most; without effect on a DataSource
 * @param poolTimeoutMillis milliseconds to wait for one of them to become free
 * @param maxInlineBody bodies up to this many bytes come with a claim, larger ones are read when they are wanted
 * @param notification whether to use the database's bell, where it has one
 * @param duplicateWindowMillis how long the id of a message keeps a second one with the same id out; 0 for not at all
 * @param commitCheck how to find out what came of a commit whose answer was lost
 */
public record StoreOptions(
        String schema,
        boolean createSchema,
        int poolSize,
        long poolTimeoutMillis,
        int maxInlineBody,
        boolean notification,
        long duplicateWindowMillis,
        CommitCheck commitCheck) {

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    /** What holds where nothing is set. */
    public static final StoreOptions DEFAULTS =
            new StoreOptions("readpast", false, 16, 30_000, 256 * 1024, true, 3_600_000, CommitCheck.STATUS);

    /** The schema's name is the one thing that is ever written into the text of a statement, so it must be an identifier. */
    public StoreOptions {
        if (schema == null || !IDENTIFIER.matcher(schema).matches()) {
            throw new IllegalArgumentException("Schema name '" + schema
                    + "' is not a letter or underscore followed by letters, digits or underscores");
        }
        if (poolSize < 1 || poolTimeoutMillis < 1 || maxInlineBody < 0 || duplicateWindowMillis < 0) {
            throw new IllegalArgumentException("Pool size and time-out must be positive: " + poolSize + ", "
                    + poolTimeoutMillis + "; maximum inline body and duplicate window must not be negative: "
                    + maxInlineBody + ", " + duplicateWindowMillis);
        }
    }

    public StoreOptions withSchema(String other) {
        return new StoreOptions(
                other,
                createSchema,
                poolSize,
                poolTimeoutMillis,
                maxInlineBody,
                notification,
                duplicateWindowMillis,
                commitCheck);
    }

    public StoreOptions withCreateSchema(boolean create) {
        return new StoreOptions(
                schema,
                create,
                poolSize,
                poolTimeoutMillis,
                maxInlineBody,
                notification,
                duplicateWindowMillis,
                commitCheck);
    }

    public StoreOptions withPool(int size, long timeoutMillis) {
        return new StoreOptions(
                schema,
                createSchema,
                size,
                timeoutMillis,
                maxInlineBody,
                notification,
                duplicateWindowMillis,
                commitCheck);
    }

    public StoreOptions withMaxInlineBody(int bytes) {
        return new StoreOptions(
                schema,
                createSchema,
                poolSize,
                poolTimeoutMillis,
                bytes,
                notification,
                duplicateWindowMillis,
                commitCheck);
    }

    public StoreOptions withNotification(boolean use) {
        return new StoreOptions(
                schema,
                createSchema,
                poolSize,
                poolTimeoutMillis,
                maxInlineBody,
                use,
                duplicateWindowMillis,
                commitCheck);
    }

    public StoreOptions withDuplicateWindow(long millis) {
        return new StoreOptions(
                schema, createSchema, poolSize, poolTimeoutMillis, maxInlineBody, notification, millis, commitCheck);
    }

    public StoreOptions withCommitCheck(CommitCheck check) {
        return new StoreOptions(
                schema,
                createSchema,
                poolSize,
                poolTimeoutMillis,
                maxInlineBody,
                notification,
                duplicateWindowMillis,
                check);
    }
}
