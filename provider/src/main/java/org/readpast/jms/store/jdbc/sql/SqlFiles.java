package org.readpast.jms.store.jdbc.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of one database, read from the files under {@code sql/}. In them the word {@code readpast}, in lower case,
 * stands for the schema. Thread-safe.
 */
public final class SqlFiles {

    private static final String ROOT = "/org/readpast/jms/sql/";
    private static final Pattern SCHEMA = Pattern.compile("\\breadpast\\b");

    private final String folder;
    private final String schema;
    private final String settings;
    private final Map<String, SqlScript> statements = new ConcurrentHashMap<>();
    private final Map<String, SqlScript> calls = new ConcurrentHashMap<>();

    /**
     * @param folder the database's folder
     * @param schema a name that has been checked to be an identifier
     */
    public SqlFiles(String folder, String schema) {
        this(folder, schema, "");
    }

    /**
     * @param settings what goes before each {@link #call}: settings that it relies on, and that end with it
     */
    public SqlFiles(String folder, String schema, String settings) {
        this.folder = folder;
        this.schema = schema;
        this.settings = settings;
    }

    public String schema() {
        return schema;
    }

    /** Where a schema script is to be found by whoever has to run it. */
    public String schemaPath(String script) {
        return "sql/" + folder + "/schema/" + script;
    }

    /** The statement in the file of this name, without its ending. */
    public SqlScript statement(String name) {
        return known(statements, name, "");
    }

    /** The same with the settings before it. */
    SqlScript call(String name) {
        return known(calls, name, settings);
    }

    private SqlScript known(Map<String, SqlScript> scripts, String name, String before) {
        // Looked up for each message, by all threads: computeIfAbsent may lock even where there is nothing to compute.
        SqlScript known = scripts.get(name);
        return known != null
                ? known
                : scripts.computeIfAbsent(name, key -> SqlScript.parse(key, before + read(key + ".sql")));
    }

    /** The text of a schema script. */
    public String schemaScript(String script) {
        return read("schema/" + script);
    }

    private String read(String file) {
        String path = ROOT + folder + "/" + file;
        try (InputStream in = SqlFiles.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The provider's own file " + path + " is missing from the class path");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return SCHEMA.matcher(text).replaceAll(Matcher.quoteReplacement(schema));
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + path, e);
        }
    }
}
