package org.readpast.jms.store.jdbc.connect;

import java.util.regex.Pattern;

/**
 * What can be set of a store.
 *
 * @param schema the schema that holds the tables: letters, digits and underscores, at most 63 of them
 * @param createSchema whether to run the schema scripts where they have not been run
 * @param poolSize how many SQL connections the store's own pool opens at the most; without effect on a DataSource
 * @param poolTimeoutMillis milliseconds to wait for one of them to become free
 * @param sizes how large messages may be
 * @param notification whether to use the database's bell, where it has one
 * @param duplicateWindowMillis how long the id of a message keeps a second one with the same id out; 0 for not at all
 * @param commitCheck how to find out what came of a commit whose answer was lost
 */
public record StoreOptions(
        String schema,
        boolean createSchema,
        int poolSize,
        long poolTimeoutMillis,
        SizeLimits sizes,
        boolean notification,
        long duplicateWindowMillis,
        CommitCheck commitCheck) {

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    /** What holds where nothing is set. */
    public static final StoreOptions DEFAULTS =
            new StoreOptions("readpast", false, 16, 30_000, SizeLimits.DEFAULTS, true, 3_600_000, CommitCheck.STATUS);

    /** The schema's name is the one thing that is ever written into the text of a statement, so it must be an identifier. */
    public StoreOptions {
        if (schema == null || !IDENTIFIER.matcher(schema).matches()) {
            throw new IllegalArgumentException("Schema name '" + schema
                    + "' is not a letter or underscore followed by letters, digits or underscores");
        }
        if (poolSize < 1 || poolTimeoutMillis < 1 || duplicateWindowMillis < 0) {
            throw new IllegalArgumentException("Pool size and time-out must be positive: " + poolSize + ", "
                    + poolTimeoutMillis + "; the duplicate window must not be negative: " + duplicateWindowMillis);
        }
    }

    public StoreOptions withSchema(String other) {
        return new StoreOptions(
                other,
                createSchema,
                poolSize,
                poolTimeoutMillis,
                sizes,
                notification,
                duplicateWindowMillis,
                commitCheck);
    }

    public StoreOptions withCreateSchema(boolean create) {
        return new StoreOptions(
                schema, create, poolSize, poolTimeoutMillis, sizes, notification, duplicateWindowMillis, commitCheck);
    }

    public StoreOptions withPool(int size, long timeoutMillis) {
        return new StoreOptions(
                schema, createSchema, size, timeoutMillis, sizes, notification, duplicateWindowMillis, commitCheck);
    }

    public StoreOptions withMaxInlineBody(int bytes) {
        return withSizes(new SizeLimits(bytes, sizes.body(), sizes.properties()));
    }

    public StoreOptions withSizes(SizeLimits limits) {
        return new StoreOptions(
                schema,
                createSchema,
                poolSize,
                poolTimeoutMillis,
                limits,
                notification,
                duplicateWindowMillis,
                commitCheck);
    }

    public StoreOptions withNotification(boolean use) {
        return new StoreOptions(
                schema, createSchema, poolSize, poolTimeoutMillis, sizes, use, duplicateWindowMillis, commitCheck);
    }

    public StoreOptions withDuplicateWindow(long millis) {
        return new StoreOptions(
                schema, createSchema, poolSize, poolTimeoutMillis, sizes, notification, millis, commitCheck);
    }

    public StoreOptions withCommitCheck(CommitCheck check) {
        return new StoreOptions(
                schema, createSchema, poolSize, poolTimeoutMillis, sizes, notification, duplicateWindowMillis, check);
    }
}
