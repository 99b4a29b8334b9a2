package org.readpast.verify;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at what the plan cache has kept of the statements that ran: a plan for each length of a value would fill it. */
final class PlanCacheChecks {

    private static final String AREA = "plan cache";

    /** The texts of plans of this database that name the schema, of the kind that follows. Parameters stand at their beginning. */
    private static final String TEXTS = """
            SELECT t.text
            FROM sys.dm_exec_cached_plans AS p
            CROSS APPLY sys.dm_exec_sql_text(p.plan_handle) AS t
            CROSS APPLY sys.dm_exec_plan_attributes(p.plan_handle) AS a
            WHERE p.cacheobjtype = N'Compiled Plan' AND a.attribute = N'dbid' AND CAST(a.value AS int) = DB_ID()
              AND CHARINDEX(N'[readpast].', t.text) > 0 AND p.objtype = N""";

    private static final Pattern PARAMETER = Pattern.compile("(@\\w+)\\s+(\\w+(?:\\([\\w, ]+\\))?)(?: OUTPUT)?,?\\s*");

    /** A value is declared as short or as long. */
    private static final int WAYS_TO_DECLARE = 2;

    private final Server server;
    private final Report report;

    PlanCacheChecks(Server server, Report report) {
        this.server = server;
        this.report = report;
    }

    void run() {
        report.check(AREA, "each parameter was declared in one way, or in two where its value may be long", () -> {
            List<String> texts = texts("Prepared");
            if (texts.isEmpty()) {
                throw new Report.NotChecked("the server shows no plan");
            }
            return judge(texts);
        });
        report.look(AREA, "batches of text", () -> texts("Adhoc").size() + " kept");
    }

    private List<String> texts(String kind) throws Report.NotChecked {
        try {
            return server.rows(TEXTS + "'" + kind + "'");
        } catch (SQLException e) {
            throw new Report.NotChecked(Errors.text(e));
        }
    }

    /**
     * @param texts of plans with parameters, each as the cache shows it: the parameters in parentheses, then the statement
     */
    static String judge(List<String> texts) throws Report.NotHeld {
        Map<String, Map<String, Set<String>>> statements = new LinkedHashMap<>();
        for (String text : texts) {
            Map<String, String> parameters = new LinkedHashMap<>();
            String statement = readParameters(text, parameters);
            Map<String, Set<String>> declared = statements.computeIfAbsent(statement, key -> new LinkedHashMap<>());
            parameters.forEach((name, type) ->
                    declared.computeIfAbsent(name, key -> new LinkedHashSet<>()).add(type));
        }
        List<String> tooMany = new ArrayList<>();
        statements.forEach((statement, declared) -> declared.forEach((name, types) -> {
            if (types.size() > WAYS_TO_DECLARE) {
                tooMany.add(name + " as " + String.join(", ", types) + " in " + statement);
            }
        }));
        if (!tooMany.isEmpty()) {
            throw new Report.NotHeld(String.join("\n", tooMany));
        }
        return texts.size() + " plans of " + statements.size() + " statements";
    }

    /** Puts the names of parameters and their types into a map, and returns the statement behind them. */
    private static String readParameters(String text, Map<String, String> parameters) {
        if (!text.startsWith("(@")) {
            return text;
        }
        Matcher parameter = PARAMETER.matcher(text);
        int at = 1;
        while (parameter.region(at, text.length()).lookingAt()) {
            parameters.put(parameter.group(1), parameter.group(2));
            at = parameter.end();
        }
        return text.substring(at + 1).strip();
    }
}
