package org.readpast.verify;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** Runs every statement that the provider ships, as the driver sends it, in the state in which it is entered. */
final class StatementChecks {

    private static final String AREA = "statement";

    /** What gives back a lock, or goes back to a savepoint, fails without one. */
    private static final Map<String, String> BEFORE = Map.of(
            "release_presence", "hold_presence",
            "unlock_schema", "lock_schema",
            "roll_back_to_savepoint", "set_savepoint");

    private final Server server;
    private final Report report;
    private final List<SqlFile> files;

    StatementChecks(Server server, Report report, List<SqlFile> files) {
        this.server = server;
        this.report = report;
        this.files = files;
    }

    void run() {
        for (SqlFile file : files) {
            report.check(AREA, file.name() + ".sql", () -> run(file));
        }
        report.look(AREA, "what a COMMIT within a call with parameters does to its caller", this::commitWithinACall);
        report.check(AREA, "settings made within a call with parameters end with it", this::settingsEnd);
    }

    private String run(SqlFile file) throws Exception {
        try (Connection connection = server.connect()) {
            try {
                String before = BEFORE.get(file.name());
                if (before != null) {
                    execute(connection, find(before));
                }
                if (file.isEnteredInTransaction()) {
                    server.rows(connection, "SELECT MAX(version) FROM [readpast].schema_version");
                }
                int entered = server.transactions(connection);
                try {
                    execute(connection, file);
                } catch (SQLException e) {
                    if (file.text().contains("sys.dm_")) {
                        throw new Report.NotChecked(
                                "the start-up checks pass over it without the right to look: " + Errors.text(e));
                    }
                    throw e;
                }
                return left(file, entered, server.transactions(connection));
            } finally {
                connection.rollback();
            }
        }
    }

    /** A transaction may begin within a statement and be left open; one that was open may end only within a batch. */
    private static String left(SqlFile file, int entered, int left) throws Report.NotHeld {
        if (file.header().contains("-- Entered: in no transaction") || file.isBatch()) {
            require(left == 0, "it was to leave no transaction open, and left " + left);
        } else if (file.isEnteredInTransaction()) {
            require(left == entered, "it was entered with " + entered + " transactions open and left with " + left);
        }
        return "";
    }

    private static void require(boolean holds, String otherwise) throws Report.NotHeld {
        if (!holds) {
            throw new Report.NotHeld(otherwise);
        }
    }

    private SqlFile find(String name) {
        return files.stream()
                .filter(file -> file.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void execute(Connection connection, SqlFile file) throws SQLException {
        if (file.isBatch() || file.positions().isEmpty()) {
            try (Statement batch = connection.createStatement()) {
                Server.drain(batch, batch.execute(file.withLiterals(Values::literal)));
            }
            return;
        }
        try (PreparedStatement call = connection.prepareStatement(file.asCall())) {
            int position = 0;
            for (String parameter : file.positions()) {
                Values.set(call, ++position, parameter);
                if (parameter.equals("destination_id") && file.name().startsWith("insert_")) {
                    // A message goes to a queue that is there.
                    call.setInt(position, queue());
                }
            }
            Server.drain(call, call.execute());
        }
    }

    private int queue() throws SQLException {
        server.run("EXECUTE [readpast].create_queue @queue = N'" + Values.QUEUE + "'");
        return Integer.parseInt(
                server.value("SELECT destination_id FROM [readpast].destination WHERE kind = N'Q' AND name = N'"
                        + Values.QUEUE + "'"));
    }

    /** Known as error 266 behind the results of a commit that took place. Nothing of Readpast's does this. */
    private String commitWithinACall() throws SQLException {
        try (Connection connection = server.connect()) {
            server.rows(connection, "SELECT MAX(version) FROM [readpast].schema_version");
            try (PreparedStatement call = connection.prepareStatement("SELECT ? AS n; COMMIT TRANSACTION")) {
                call.setInt(1, 1);
                Server.drain(call, call.execute());
                return "nothing";
            } catch (SQLException e) {
                return Errors.text(e);
            } finally {
                connection.rollback();
            }
        }
    }

    private String settingsEnd() throws Exception {
        try (Connection connection = server.connect()) {
            server.rows(connection, "SET NOCOUNT ON");
            try (PreparedStatement call =
                    connection.prepareStatement("SET NOCOUNT OFF; SET XACT_ABORT ON; SELECT ? AS n")) {
                call.setInt(1, 1);
                Server.drain(call, call.execute());
            }
            int options = Integer.parseInt(server.value(connection, "SELECT @@OPTIONS"));
            require((options & 512) != 0, "NOCOUNT, set OFF within a call, stayed so behind it");
            require((options & 16384) == 0, "XACT_ABORT, set ON within a call, stayed so behind it");
            return "";
        }
    }
}
