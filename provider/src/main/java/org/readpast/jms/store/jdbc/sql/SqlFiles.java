package org.readpast.jms.store.jdbc.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The statements of one database, read from the files under {@code sql/}: from the database's own folder, or else from that of what
 * several databases have in common. In them the word {@code readpast}, in lower case, stands for the schema, and
 * {@code /* include name *}{@code /} for the text of a fragment or of another statement, without its header. Thread-safe.
 *
 * <p>Not final: a test has scripts of a version that is not there yet.
 */
public class SqlFiles {

    private static final String ROOT = "/org/readpast/jms/sql/";
    private static final String COMMON = "common";
    private static final String FRAGMENTS = "fragments/";
    private static final Pattern SCHEMA = Pattern.compile("\\breadpast\\b");
    private static final Pattern INCLUDE = Pattern.compile("/\\* include (\\w+) \\*/");
    private static final Pattern HEADER = Pattern.compile("\\A(?:--.*\\R)+");

    /** What is in the files, by their paths: looking for one among the jars takes longer than all that is done with it. */
    private static final Map<String, Optional<String>> TEXTS = new ConcurrentHashMap<>();

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
        return known != null ? known : scripts.computeIfAbsent(name, key -> SqlScript.parse(key, before + source(key)));
    }

    /** What is in the file of this name: the header, and the statement with everything that it includes in its place. */
    public String source(String name) {
        return withIncludes(name, find(name, "The provider has no statement " + name, folder, COMMON));
    }

    private String withIncludes(String name, String text) {
        return INCLUDE.matcher(text)
                .replaceAll(include ->
                        Matcher.quoteReplacement(withIncludes(include.group(1), included(name, include.group(1)))));
    }

    private String included(String name, String fragment) {
        String text = find(
                fragment,
                "The provider's statement or fragment " + name + " includes " + fragment,
                FRAGMENTS + folder,
                FRAGMENTS + COMMON,
                folder,
                COMMON);
        return HEADER.matcher(text).replaceFirst("").strip();
    }

    private String find(String name, String wanted, String... folders) {
        return Stream.of(folders)
                .flatMap(candidate -> read(candidate + "/" + name + ".sql").stream())
                .findFirst()
                .orElseThrow(() -> missing(wanted, String.join(", ", folders)));
    }

    /** The text of a schema script. */
    public String schemaScript(String script) {
        return read(folder + "/schema/" + script)
                .orElseThrow(() -> missing("The provider has no script " + script, folder + "/schema"));
    }

    private static IllegalStateException missing(String what, String where) {
        return new IllegalStateException(
                what + ", and there is no such file on the class path below " + ROOT + " in " + where);
    }

    private Optional<String> read(String file) {
        return TEXTS.computeIfAbsent(file, SqlFiles::text).map(text -> withSchema(text, file));
    }

    private static Optional<String> text(String file) {
        try (InputStream in = SqlFiles.class.getResourceAsStream(ROOT + file)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + ROOT + file, e);
        }
    }

    /** SQL Server's own files have the name in brackets, since READPAST is a word of T-SQL; what is common has none. */
    private String withSchema(String text, String file) {
        boolean needsBrackets = folder.equals("sqlserver") && file.contains(COMMON + "/");
        String name = needsBrackets ? "[" + schema + "]" : schema;
        return SCHEMA.matcher(text).replaceAll(Matcher.quoteReplacement(name));
    }
}
