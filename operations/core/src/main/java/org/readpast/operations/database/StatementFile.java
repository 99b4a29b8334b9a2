package org.readpast.operations.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement from {@code sql/DATABASE/operations}, or from what databases have in common, or the start-up checks' one of settings.
 *
 * @param text what is sent, with question marks for its parameters
 * @param parameters their names, in order; one that occurs twice stands twice
 * @param rights what its header says the login needs, null where everybody may
 */
public record StatementFile(String text, List<String> parameters, String rights) {

    private static final String ROOT = "/org/readpast/operations/sql/";
    private static final Pattern SCHEMA = Pattern.compile("\\breadpast\\b");
    private static final Pattern SCHEMA_NAME = Pattern.compile("[A-Za-z_]\\w{0,62}");
    private static final Pattern HEADER = Pattern.compile("\\A(?:--.*\\R)+");
    private static final Pattern RIGHTS = Pattern.compile("(?m)^-- Rights: (.*)$");
    private static final Set<String> NUMBERS = Set.of("minimum_deliveries", "maximum_attempts");
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    public StatementFile {
        parameters = List.copyOf(parameters);
    }

    /** A schema's name, which is to stand in statements, if it is one. */
    static String checked(String schema) {
        if (!SCHEMA_NAME.matcher(schema).matches()) {
            throw new IllegalArgumentException("'" + schema
                    + "' is no name of a schema: a letter or underscore, then up to 62 letters, digits or underscores");
        }
        return schema;
    }

    /**
     * The statement of this name.
     *
     * @param schema the schema's name, an identifier that has been checked
     * @return empty where this database has none, because it cannot tell
     */
    public static Optional<StatementFile> find(Product product, String schema, String name) {
        return read(product.folder() + "/operations/" + name + ".sql")
                .or(() -> read(product.folder() + "/" + name + ".sql"))
                .or(() -> product == Product.SQL_SERVER ? Optional.empty() : read("common/operations/" + name + ".sql"))
                .map(text -> SCHEMA.matcher(text).replaceAll(Matcher.quoteReplacement(schema)))
                .map(StatementFile::parse);
    }

    private static StatementFile parse(String text) {
        Matcher rights = RIGHTS.matcher(text);
        String body = HEADER.matcher(text).replaceFirst("").strip();
        Matcher parameters = PARAMETER.matcher(body);
        List<String> names = parameters.results().map(result -> result.group(1)).toList();
        return new StatementFile(
                parameters.replaceAll("?"),
                names,
                rights.find() ? rights.group(1).strip() : null);
    }

    /**
     * Sets the parameters: texts, numbers, and null where there is no value. On SQL Server texts are nvarchar whatever
     * {@code sendStringParametersAsUnicode} says.
     */
    public void bind(PreparedStatement statement, Product product, Map<String, Object> values) throws SQLException {
        int position = 1;
        for (String parameter : parameters) {
            Object value = values.get(parameter);
            if (value instanceof Integer number) {
                statement.setInt(position++, number);
            } else if (value instanceof Long number) {
                statement.setLong(position++, number);
            } else if (value == null) {
                statement.setNull(position++, nullType(product, parameter));
            } else if (product == Product.SQL_SERVER) {
                statement.setNString(position++, value.toString());
            } else {
                statement.setString(position++, value.toString());
            }
        }
    }

    /** What is done with rows. */
    public interface Reader {
        void read(ResultSet rows) throws SQLException;
    }

    /** Runs a statement that is bound, and reads its rows: SQL Server cannot seek behind a key of two columns, and has two results then. */
    public static void results(PreparedStatement statement, Reader reader) throws SQLException {
        boolean isRows = statement.execute();
        while (isRows || statement.getUpdateCount() != -1) {
            if (isRows) {
                try (ResultSet rows = statement.getResultSet()) {
                    reader.read(rows);
                }
            }
            isRows = statement.getMoreResults(Statement.CLOSE_CURRENT_RESULT);
        }
    }

    private static int nullType(Product product, String parameter) {
        if (NUMBERS.contains(parameter)) {
            return Types.INTEGER;
        }
        return product == Product.SQL_SERVER ? Types.NVARCHAR : Types.VARCHAR;
    }

    /** A file below {@code sql}. */
    public static Optional<String> read(String file) {
        try (InputStream in = StatementFile.class.getResourceAsStream(ROOT + file)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + ROOT + file, e);
        }
    }
}
