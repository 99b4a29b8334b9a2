package org.readpast.verify;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.readpast.operations.database.Product;
import org.readpast.operations.database.StatementFile;

/** Runs every statement of the command line and the console, in autocommit mode as they do, on a queue without messages. */
final class OperationsChecks {

    private static final String AREA = "operations";
    private static final int NO_SUCH_COLUMN = 207;

    /** Where it is none of these, a parameter is null, which is no condition. */
    static final Map<String, Object> VALUES = Map.ofEntries(
            Map.entry("queue", "verify operations"),
            Map.entry("target", "verify target"),
            Map.entry("what", "send"),
            Map.entry("most", 1),
            Map.entry("destination_id", -1),
            Map.entry("priority_order", 0),
            Map.entry("message_id", 0L),
            Map.entry("due", "2000-01-01"),
            Map.entry("after_due", "2000-01-01"),
            Map.entry("after_priority", 0),
            Map.entry("after_id", 0L),
            Map.entry("after_kind", ""),
            Map.entry("after_name", ""),
            Map.entry("part", ""),
            Map.entry("least", 0),
            Map.entry("session_id", -1),
            Map.entry("login_key", "0"));

    private final Server server;
    private final Report report;

    OperationsChecks(Server server, Report report) {
        this.server = server;
        this.report = report;
    }

    void run() throws Exception {
        for (String name : names()) {
            report.check(AREA, name + ".sql", () -> run(name));
        }
    }

    /** What ships for SQL Server. */
    static List<String> names() throws Exception {
        return SqlFile.names(StatementFile.class, "/org/readpast/operations/sql", "sqlserver/operations");
    }

    private String run(String name) throws Exception {
        StatementFile file =
                StatementFile.find(Product.SQL_SERVER, server.schema(), name).orElseThrow();
        for (String queue : List.of("queue", "target")) {
            if (file.parameters().contains(queue)) {
                server.run("EXECUTE [readpast].create_queue @queue = N'" + VALUES.get(queue) + "'");
            }
        }
        try (Connection connection = server.autocommit();
                PreparedStatement call = connection.prepareStatement(file.text())) {
            file.bind(call, Product.SQL_SERVER, VALUES);
            StatementFile.results(call, rows -> {
                while (rows.next()) {
                    rows.getObject(1);
                }
            });
            return "";
        } catch (SQLException e) {
            if (isMissing(e) || Product.SQL_SERVER.isRefusal(e)) {
                throw new Report.NotChecked("its answer is 'unknown' here: " + Errors.text(e));
            }
            throw e;
        }
    }

    /** Whether it is a view of the server's own that is not there: what is the schema's was made before. */
    private boolean isMissing(SQLException problem) {
        return Product.SQL_SERVER.isMissing(problem)
                && problem.getErrorCode() != NO_SUCH_COLUMN
                && !problem.getMessage().contains(server.schema() + ".");
    }
}
