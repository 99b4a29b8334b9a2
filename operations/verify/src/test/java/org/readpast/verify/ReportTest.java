package org.readpast.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What is told of checks. */
class ReportTest {

    private final Report report = new Report(new PrintStream(OutputStream.nullOutputStream()));

    @Test
    void the_line_to_paste_counts_and_names_what_did_not_hold() {
        report.check("locks", "one", () -> "");
        report.check("locks", "two", () -> {
            throw new SQLException("no", "S0001", 650);
        });
        report.check("plan", "three", () -> {
            throw new Report.NotChecked("no right");
        });
        report.look("locks", "four", () -> "waits");

        assertThat(report.summary("16.0"))
                .isEqualTo(
                        "readpast verify | 16.0 | held 1 | not held 1 | not checked 1 | seen 1 | NOT HELD locks: two");
    }
}
