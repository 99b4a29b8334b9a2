package org.readpast.jms.tck.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs a script as sqlcmd or psql would who stop at the first error, for a schema of another name: the word readpast is replaced, as the
 * scripts say. Knows those commands of the two that the scripts use, and fails with any other.
 */
final class ScriptRunner {

    private static final Pattern GO = Pattern.compile("(?im)^\\s*GO\\s*$");
    private static final Pattern SQLCMD_VARIABLE = Pattern.compile("\\$\\((\\w+)\\)");
    private static final Pattern PSQL_VARIABLE = Pattern.compile(":'(\\w+)'");

    private final Connection connection;
    private final String schema;
    private final Map<String, String> variables;

    /** What psql has read and not sent, and how deep it is in conditions that are not met. */
    private final StringBuilder unsent = new StringBuilder();

    private int skipping;

    /** @param variables those that the caller gives with -v */
    ScriptRunner(Connection connection, String schema, Map<String, String> variables) {
        this.connection = connection;
        this.schema = schema;
        this.variables = new HashMap<>(variables);
    }

    private String text(Path script) throws IOException {
        return Files.readString(script).replaceAll("\\breadpast\\b", schema);
    }

    /** As sqlcmd, whose folder is that of the script. */
    void runAsSqlcmd(Path script) throws IOException, SQLException {
        for (String batch : GO.split(included(script), -1)) {
            if (!batch.isBlank()) {
                execute(SQLCMD_VARIABLE
                        .matcher(batch)
                        .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1)))));
            }
        }
    }

    private String included(Path script) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line : text(script).lines().toList()) {
            if (line.startsWith(":r ")) {
                all.append(included(script.resolveSibling(line.substring(3).strip())));
            } else if (line.startsWith(":") && !line.equals(":on error exit")) {
                throw new IllegalArgumentException(script + " has a command of sqlcmd that is not known here: " + line);
            } else if (!line.startsWith(":")) {
                all.append(line).append('\n');
            }
        }
        return all.toString();
    }

    /** As psql. */
    void runAsPsql(Path script) throws IOException, SQLException {
        for (String line : text(script).lines().toList()) {
            if (line.startsWith("\\")) {
                send();
                command(script, List.of(line.substring(1).split("\\s+")));
            } else if (skipping == 0 && line.endsWith("\\gset")) {
                unsent.append(line, 0, line.length() - "\\gset".length());
                variables.putAll(send());
            } else if (skipping == 0) {
                unsent.append(line).append('\n');
            }
        }
        send();
    }

    private void command(Path script, List<String> words) throws IOException, SQLException {
        switch (words.get(0)) {
            case "if" -> skipping += skipping > 0 || !holds(words.get(1)) ? 1 : 0;
            case "else" -> throw new IllegalArgumentException("\\else is not known here");
            case "endif" -> skipping -= skipping > 0 ? 1 : 0;
            case "set" -> {
                if (skipping == 0) {
                    variables.put(words.get(1), words.get(2));
                }
            }
            case "ir" -> {
                if (skipping == 0) {
                    runAsPsql(script.resolveSibling(words.get(1)));
                }
            }
            default -> throw new IllegalArgumentException(script + " has \\" + words.get(0) + ", not known here");
        }
    }

    private boolean holds(String condition) {
        return value(condition.substring(1)).equals("t");
    }

    private String value(String variable) {
        String value = variables.get(variable);
        if (value == null) {
            throw new IllegalStateException("variable " + variable + " is not defined");
        }
        return value;
    }

    private Map<String, String> send() throws SQLException {
        String sql = PSQL_VARIABLE
                .matcher(unsent)
                .replaceAll(found ->
                        Matcher.quoteReplacement("'" + value(found.group(1)).replace("'", "''") + "'"));
        unsent.setLength(0);
        return sql.isBlank() ? Map.of() : execute(sql);
    }

    /** The last row that it returns. */
    private Map<String, String> execute(String sql) throws SQLException {
        Map<String, String> row = new HashMap<>();
        try (Statement statement = connection.createStatement()) {
            boolean isResult = statement.execute(sql);
            while (isResult || statement.getUpdateCount() != -1) {
                if (isResult) {
                    read(statement.getResultSet(), row);
                }
                isResult = statement.getMoreResults();
            }
        }
        return row;
    }

    private static void read(ResultSet result, Map<String, String> row) throws SQLException {
        while (result.next()) {
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.put(result.getMetaData().getColumnLabel(i), result.getString(i));
            }
        }
    }
}
