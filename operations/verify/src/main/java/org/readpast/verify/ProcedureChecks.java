package org.readpast.verify;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Runs each procedure for programs and administrators, and reads each view. */
final class ProcedureChecks {

    private static final String QUEUE = "@queue = N'verify procedures'";

    private final Server server;
    private final Report report;

    ProcedureChecks(Server server, Report report) {
        this.server = server;
        this.report = report;
    }

    void run() {
        check("create_queue", "EXECUTE [readpast].create_queue " + QUEUE + ", @maximum_attempts = 2");
        check("keep_history", "EXECUTE [readpast].keep_history " + QUEUE + ", @days = 1");
        check("send", send("first"));
        check(
                "send with all that it takes",
                "EXECUTE [readpast].send " + QUEUE
                        + ", @body = N'x', @properties = N'{\"customer\":\"Ada\",\"count\":3}', @priority = 9, @delay_millis = 1,"
                        + " @time_to_live_millis = 3600000, @correlation_id = N'c', @type = N't', @reply_to = N'verify replies'");
        check("receive_batch", "EXECUTE [readpast].receive_batch " + QUEUE + ", @batch = 10");
        report.check("procedure", "a body is whole, whatever the caller's TEXTSIZE", this::wholeBody);
        report.check("procedure", "claim, extend, complete", () -> {
            server.run(send("second"));
            String token = claimed();
            server.run("EXECUTE [readpast].extend @claim_token = '" + token + "', @lease_seconds = 120");
            server.run("EXECUTE [readpast].complete @claim_token = '" + token + "'");
            return "";
        });
        report.check("procedure", "pause, and resume", () -> {
            server.run(send("paused"));
            server.run("EXECUTE [readpast].pause " + QUEUE + ", @what = N'both'");
            if (!server.rows("EXECUTE [readpast].receive_batch " + QUEUE).isEmpty()) {
                throw new Report.NotHeld("a message of a paused queue was received");
            }
            server.run("EXECUTE [readpast].resume " + QUEUE);
            server.run("EXECUTE [readpast].purge " + QUEUE);
            return "";
        });
        report.check("procedure", "claim, fail, until it is a dead letter", () -> {
            server.run(send("third"));
            for (int i = 0; i < 2; i++) {
                server.run("EXECUTE [readpast].fail @claim_token = '" + claimed() + "', @reason = N'verify'");
            }
            String dead = server.value("SELECT COUNT(*) FROM [readpast].message m JOIN [readpast].destination d"
                    + " ON d.destination_id = m.destination_id WHERE d.name = N'DLQ'");
            if (!"1".equals(dead)) {
                throw new Report.NotHeld("of two failed attempts of two came " + dead + " dead letters instead of 1");
            }
            return "";
        });
        check("retry", "EXECUTE [readpast].retry @queue = N'DLQ'");
        check("hold", "EXECUTE [readpast].hold " + QUEUE);
        check("release", "EXECUTE [readpast].release " + QUEUE);
        check("create_queue for what is moved", "EXECUTE [readpast].create_queue @queue = N'verify target'");
        check("copy", "EXECUTE [readpast].copy " + QUEUE + ", @target = N'verify target'");
        check("move", "EXECUTE [readpast].move " + QUEUE + ", @target = N'verify target'");
        check(
                "expire",
                "EXECUTE [readpast].expire @queue = N'verify target', @property = N'customer', @property_value = N'Ada'");
        check("purge", "EXECUTE [readpast].purge @queue = N'verify target'");
        check("drop_history", "EXECUTE [readpast].drop_history " + QUEUE);
        report.check("view", "all views can be read", this::views);
    }

    private String wholeBody() throws Exception {
        server.run(send("x".repeat(300)));
        try (Connection caller = server.autocommit();
                Statement statement = caller.createStatement()) {
            server.rows(caller, "SET TEXTSIZE 100");
            try (ResultSet row = statement.executeQuery(server.named("EXECUTE [readpast].receive_batch " + QUEUE))) {
                int length = row.next() ? row.getString("body").length() : 0;
                if (length != 300) {
                    throw new Report.NotHeld("of a body of 300 characters came " + length);
                }
            }
        }
        return "";
    }

    private void check(String name, String batch) {
        report.check("procedure", name, () -> {
            server.run(batch);
            return "";
        });
    }

    private static String send(String body) {
        return "EXECUTE [readpast].send " + QUEUE + ", @body = N'" + body + "'";
    }

    private String claimed() throws SQLException, Report.NotHeld {
        server.run("EXECUTE [readpast].claim " + QUEUE + ", @worker = N'verify'");
        String token = server.value(
                "SELECT CAST(claim_token AS nvarchar(36)) FROM [readpast].delayed_message WHERE worker = N'verify'");
        if (token == null) {
            throw new Report.NotHeld("a message was sent, and claim got none");
        }
        return token;
    }

    private String views() throws SQLException {
        List<String> views = server.rows(
                "SELECT name FROM sys.views WHERE schema_id = SCHEMA_ID(N'" + server.schema() + "') ORDER BY name");
        for (String view : views) {
            server.rows("SELECT TOP (1) * FROM [readpast]." + view);
        }
        for (String function : List.of("throughput_since", "queue_timing_since", "consumer_timing_since")) {
            server.rows("SELECT * FROM [readpast]." + function + "(60)");
        }
        return String.join(", ", views);
    }
}
