package org.readpast.jms.tck.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    private static final Pattern DEFINED = Pattern.compile(":\\{\\?(\\w+)}");
    private static final Pattern PSQL_VARIABLE = Pattern.compile(":'(\\w+)'");

    private final Connection connection;
    private final String schema;
    private final Map<String, String> variables;

    /** What psql has read and not sent. */
    private final StringBuilder unsent = new StringBuilder();

    /** Of the conditions of psql that the script is within: which are met. */
    private final Deque<Boolean> conditions = new ArrayDeque<>();

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

    /** As sqlcmd without -b and :on error exit, which goes on behind an error. Returns what went wrong. */
    List<String> runAsSqlcmdToTheEnd(Path script) throws IOException {
        List<String> errors = new ArrayList<>();
        for (String batch : GO.split(included(script), -1)) {
            try {
                if (!batch.isBlank()) {
                    execute(batch);
                }
            } catch (SQLException e) {
                errors.add(e.getMessage());
            }
        }
        return errors;
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
            } else if (isActive() && line.endsWith("\\gset")) {
                unsent.append(line, 0, line.length() - "\\gset".length());
                variables.putAll(send());
            } else if (isActive()) {
                unsent.append(line).append('\n');
            }
        }
        send();
    }

    private boolean isActive() {
        return !conditions.contains(false);
    }

    private void command(Path script, List<String> words) throws IOException, SQLException {
        switch (words.get(0)) {
            case "if" -> conditions.push(isActive() && holds(words.get(1)));
            case "else" -> {
                boolean met = conditions.pop();
                conditions.push(!met && isActive());
            }
            case "endif" -> conditions.pop();
            case "set" -> {
                if (isActive()) {
                    variables.put(words.get(1), words.get(2));
                }
            }
            case "ir" -> {
                if (isActive()) {
                    runAsPsql(script.resolveSibling(words.get(1)));
                }
            }
            default -> throw new IllegalArgumentException(script + " has \\" + words.get(0) + ", not known here");
        }
    }

    /** Whether a condition holds: that a variable is true, or that there is one. */
    private boolean holds(String condition) {
        Matcher defined = DEFINED.matcher(condition);
        return defined.matches()
                ? variables.containsKey(defined.group(1))
                : value(condition.substring(1)).equals("t");
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
