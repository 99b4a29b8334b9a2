package org.readpast.verify;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.readpast.jms.store.jdbc.sql.SqlFiles;

/**
 * A statement as the provider ships it.
 *
 * @param name the file's name without its ending
 * @param header its comment
 * @param text the statement, with {@code :name} for each parameter
 */
record SqlFile(String name, String header, String text) {

    private static final String FOLDER = "/org/readpast/jms/sql";

    /** Comments, strings and double colons, which are left alone, and parameters, which are not. */
    private static final Pattern PARAMETER = Pattern.compile("'(?:[^']|'')*'|::|:([A-Za-z_]\\w*)");

    /** All statements, for a schema of this name. */
    static List<SqlFile> all(String schema) throws IOException, URISyntaxException {
        SqlFiles files = new SqlFiles("sqlserver", schema);
        return names(SqlFiles.class, FOLDER, "sqlserver", "common").stream()
                .map(name -> parse(name, files.source(name)))
                .toList();
    }

    /** The names of the statements in folders of a jar, in order and without their ending. */
    static List<String> names(Class<?> ofJar, String root, String... folders) throws IOException, URISyntaxException {
        Set<String> names = new TreeSet<>();
        inFolder(ofJar, root, folder -> {
            for (String of : folders) {
                try (Stream<Path> found = Files.list(folder.resolve(of))) {
                    found.map(path -> path.getFileName().toString())
                            .filter(name -> name.endsWith(".sql"))
                            .forEach(name -> names.add(name.replace(".sql", "")));
                }
            }
        });
        return List.copyOf(names);
    }

    /** The text of a script, for a schema of this name. */
    static String script(String name, String schema) {
        return new SqlFiles("sqlserver", schema).schemaScript(name);
    }

    @FunctionalInterface
    private interface Reader {
        void read(Path folder) throws IOException;
    }

    private static void inFolder(Class<?> ofJar, String root, Reader reader) throws IOException, URISyntaxException {
        URL folder = ofJar.getResource(root);
        if (folder == null) {
            throw new IOException("The statements below " + root + " are missing from the class path");
        }
        URI uri = folder.toURI();
        if (uri.getScheme().equals("jar")) {
            try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                reader.read(jar.getPath(root));
            }
        } else {
            reader.read(Path.of(uri));
        }
    }

    static SqlFile parse(String name, String source) {
        StringBuilder header = new StringBuilder();
        StringBuilder text = new StringBuilder();
        source.lines()
                .forEach(line ->
                        (line.startsWith("--") ? header : text).append(line).append('\n'));
        return new SqlFile(name, header.toString(), text.toString().strip());
    }

    /** Whether it is entered with a transaction open. */
    boolean isEnteredInTransaction() {
        return header.contains("-- Entered: in a transaction");
    }

    /** Whether it is sent as text with its parameters as literals. */
    boolean isBatch() {
        return header.contains("-- Entered: in a transaction, as a batch");
    }

    /** Its parameters in the order of their first appearance. */
    Set<String> parameters() {
        return new LinkedHashSet<>(positions());
    }

    /** Its parameters in the order of the question marks in {@link #asCall}. */
    List<String> positions() {
        return PARAMETER
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .filter(parameter -> parameter != null)
                .toList();
    }

    /** As a call with parameters, with the setting that the provider puts before each. */
    String asCall() {
        return "SET NOCOUNT OFF;\n" + with(parameter -> "?");
    }

    String withVariables() {
        return with(parameter -> "@" + parameter);
    }

    String withLiterals(Function<String, String> literal) {
        return with(literal);
    }

    private String with(Function<String, String> replacement) {
        return PARAMETER.matcher(text).replaceAll(match -> Matcher.quoteReplacement(replaced(match, replacement)));
    }

    private static String replaced(MatchResult match, Function<String, String> replacement) {
        return match.group(1) == null ? match.group() : replacement.apply(match.group(1));
    }
}
