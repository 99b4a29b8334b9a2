package org.readpast.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How plans are judged, on plans in the form in which SQL Server shows them. */
class PlanChecksTest {

    private static String plan(String operations) {
        return "<ShowPlanXML xmlns=\"http://schemas.microsoft.com/sqlserver/2004/07/showplan\"><BatchSequence><Batch><Statements>"
                + "<StmtSimple><QueryPlan>" + operations
                + "</QueryPlan></StmtSimple></Statements></Batch></BatchSequence></ShowPlanXML>";
    }

    private static String read(String operation, String table, String index) {
        return "<RelOp PhysicalOp=\"" + operation + "\"><IndexScan><Object Database=\"[app]\" Schema=\"[mq]\" Table=\"["
                + table + "]\" Index=\"[" + index + "]\"/></IndexScan></RelOp>";
    }

    private static String judge(String index, String... operations) throws Exception {
        return PlanChecks.judge("mq", "claim", index, List.of(plan(String.join("", operations))));
    }

    @Test
    void a_seek_is_named_with_its_index() throws Exception {
        assertThat(judge(
                        "-- Index: message_key; no sort.",
                        "<RelOp PhysicalOp=\"Nested Loops\"><NestedLoops>"
                                + read("Clustered Index Seek", "message", "message_key") + "</NestedLoops></RelOp>"))
                .isEqualTo("message.message_key");
    }

    @Test
    void a_scan_does_not_hold() {
        assertThatThrownBy(() -> judge("-- Index: message_key", read("Clustered Index Scan", "message", "message_key")))
                .isInstanceOf(Report.NotHeld.class)
                .hasMessageContaining("Clustered Index Scan of message.message_key");
    }

    @Test
    void a_scan_that_the_header_tells_of_holds() throws Exception {
        assertThat(judge("-- Index: a scan of a small table", read("Clustered Index Scan", "presence", "pk")))
                .contains("presence.pk");
    }

    @Test
    void a_scan_of_messages_does_not_hold_because_the_header_tells_of_another() {
        assertThatThrownBy(() -> judge(
                        "-- Index: a scan of a small table; message_key, one seek",
                        read("Clustered Index Scan", "message", "message_key")))
                .isInstanceOf(Report.NotHeld.class)
                .hasMessageContaining("Clustered Index Scan of message.message_key");
    }

    @Test
    void a_scan_of_messages_holds_where_the_header_tells_of_this_one() throws Exception {
        assertThat(judge(
                        "-- Index: delayed_message_claim, all of it: the leases that there are.",
                        read("Index Scan", "delayed_message", "delayed_message_claim")))
                .contains("as its header says");
    }

    /** Each of them reads without a condition, or all of an index that has only what is asked for. */
    @Test
    void no_other_statement_is_to_scan() throws Exception {
        assertThat(SqlFile.all("orders").stream()
                        .filter(file -> PlanChecks.isScanMeant(PlanChecks.index(file), "presence", "presence_key"))
                        .map(SqlFile::name))
                .containsExactlyInAnyOrder(
                        "current_version",
                        "end_leases",
                        "forget_dropped",
                        "forget_duplicates",
                        "forget_markers",
                        "holds_leased",
                        "holds_leases",
                        "list_dropped",
                        "list_presence",
                        "next_due",
                        "older_clients",
                        "orphaned_groups",
                        "orphaned_instances",
                        "probe_presence",
                        "purge_history",
                        "queue_settings",
                        "sweep_counted",
                        "sweep_marks",
                        "sweep_unreadable",
                        "unlocked_presence");
    }

    @Test
    void a_sort_does_not_hold_where_the_header_says_that_there_is_none() {
        assertThatThrownBy(() -> judge(
                        "-- Index: message_key; no sort.",
                        "<RelOp PhysicalOp=\"Sort\"><Sort>" + read("Clustered Index Seek", "message", "message_key")
                                + "</Sort></RelOp>"))
                .isInstanceOf(Report.NotHeld.class)
                .hasMessageContaining("sorts");
    }

    @ParameterizedTest
    @CsvSource({"262,NOT_CHECKED", "300,NOT_CHECKED", "8622,NOT_HELD"})
    void a_plan_that_the_login_may_not_see_is_not_checked(int error, Report.Outcome outcome) {
        Report report = new Report(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

        report.check("plan", "check_tables.sql", PlanChecks.refusable(() -> {
            throw new SQLException("SHOWPLAN permission denied in database 'app'", "S0004", error);
        }));

        assertThat(report.count(outcome)).isEqualTo(1);
    }

    @Test
    void tables_of_others_do_not_count() throws Exception {
        assertThat(PlanChecks.judge("other", "claim", "", List.of(plan(read("Table Scan", "message", "message_key")))))
                .isEmpty();
    }
}
