package org.readpast.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

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
    void a_sort_does_not_hold_where_the_header_says_that_there_is_none() {
        assertThatThrownBy(() -> judge(
                        "-- Index: message_key; no sort.",
                        "<RelOp PhysicalOp=\"Sort\"><Sort>" + read("Clustered Index Seek", "message", "message_key")
                                + "</Sort></RelOp>"))
                .isInstanceOf(Report.NotHeld.class)
                .hasMessageContaining("sorts");
    }

    @Test
    void tables_of_others_do_not_count() throws Exception {
        assertThat(PlanChecks.judge("other", "claim", "", List.of(plan(read("Table Scan", "message", "message_key")))))
                .isEmpty();
    }
}
