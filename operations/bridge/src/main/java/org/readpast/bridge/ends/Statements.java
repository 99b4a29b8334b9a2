package org.readpast.bridge.ends;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements of {@code sql/DATABASE/bridge} in one schema of one database. Thread-safe. */
public final class Statements {

    private static final Pattern SCHEMA = Pattern.compile("\\breadpast\\b(?=\\]?\\.)");
    private static final Pattern HEADER = Pattern.compile("\\A(?:--.*\\R)+");
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");
    private static final Pattern BATCH_END = Pattern.compile("(?m)^GO$");

    private record Parsed(String text, List<String> parameters) {}

    private final String folder;
    private final String schema;
    private final Map<String, Parsed> parsed = new ConcurrentHashMap<>();

    /**
     * @param schema an identifier, as the connection factory has checked it
     */
    public Statements(String product, String schema) {
        this.folder = switch (product) {
            case "Microsoft SQL Server" -> "sqlserver";
            case "PostgreSQL" -> "postgresql";
            case "H2" -> "h2";
            default -> throw new IllegalArgumentException("Readpast does not run on " + product);
        };
        this.schema = schema;
    }

    /**
     * A statement with its parameters, each a String, a Long or null. On SQL Server a String is nvarchar whatever
     * {@code sendStringParametersAsUnicode} says: an id with other characters than it had would not be known again.
     */
    PreparedStatement prepare(Connection connection, String name, Map<String, ?> values) throws SQLException {
        Parsed file = parsed.computeIfAbsent(name, this::parse);
        PreparedStatement statement = connection.prepareStatement(file.text());
        try {
            for (int i = 0; i < file.parameters().size(); i++) {
                Object value = values.get(file.parameters().get(i));
                if (value instanceof Long number) {
                    statement.setLong(i + 1, number);
                } else if (isSqlServer()) {
                    statement.setNString(i + 1, (String) value);
                } else {
                    statement.setString(i + 1, (String) value);
                }
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** How many rows a statement has changed: on SQL Server, where a session may be told to count none, it says so itself. */
    int changed(PreparedStatement statement) throws SQLException {
        if (!isSqlServer()) {
            return statement.executeUpdate();
        }
        boolean isRows = statement.execute();
        while (!isRows && statement.getUpdateCount() != -1) {
            isRows = statement.getMoreResults();
        }
        try (ResultSet rows = statement.getResultSet()) {
            rows.next();
            return rows.getInt(1);
        } finally {
            readAll(statement);
        }
    }

    /** Errors of a batch come behind its results. */
    private static void readAll(Statement statement) throws SQLException {
        while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
            // Nothing but errors is expected.
        }
    }

    private boolean isSqlServer() {
        return folder.equals("sqlserver");
    }

    /** Runs the script that makes the tables. */
    void createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String batch : BATCH_END.split(read(folder + "/bridge/tables.sql"), -1)) {
                if (!batch.isBlank()) {
                    statement.execute(batch);
                    readAll(statement);
                }
            }
        }
    }

    private Parsed parse(String name) {
        String place = isSqlServer() ? folder : "common";
        String text = HEADER.matcher(read(place + "/bridge/" + name + ".sql"))
                .replaceFirst("")
                .strip();
        Matcher parameters = PARAMETER.matcher(text);
        return new Parsed(
                parameters.replaceAll("?"),
                PARAMETER.matcher(text).results().map(found -> found.group(1)).toList());
    }

    private String read(String file) {
        try (InputStream in = Statements.class.getResourceAsStream("/org/readpast/bridge/sql/" + file)) {
            return SCHEMA.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .replaceAll(Matcher.quoteReplacement(schema));
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + file, e);
        }
    }
}
