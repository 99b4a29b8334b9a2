package org.readpast.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How shipped statements are read. */
class SqlFileTest {

    @Test
    void parameters_are_told_from_what_is_in_quotes() {
        SqlFile file = SqlFile.parse(
                "test", "-- Entered: in a transaction, as a batch\nSELECT ':no', x::int, :one, :two, :one\n");

        assertThat(file.positions()).containsExactly("one", "two", "one");
        assertThat(file.parameters()).containsExactly("one", "two");
        assertThat(file.asCall()).isEqualTo("SET NOCOUNT OFF;\nSELECT ':no', x::int, ?, ?, ?");
        assertThat(file.withVariables()).isEqualTo("SELECT ':no', x::int, @one, @two, @one");
        assertThat(file.isBatch()).isTrue();
    }

    @Test
    void every_shipped_statement_is_found_and_each_of_its_parameters_has_a_type() throws Exception {
        List<SqlFile> files = SqlFile.all("orders");

        assertThat(files).hasSizeGreaterThan(100).extracting(SqlFile::name).contains("claim", "acknowledge_and_commit");
        assertThat(files).allSatisfy(file -> {
            assertThat(file.text()).as(file.name()).doesNotContain("[readpast]");
            assertThat(file.parameters()).as(file.name()).allSatisfy(Values::type);
            assertThat(PlanChecks.text(file)).as(file.name()).doesNotContainPattern("(?<![:'\\w]):[a-z]");
        });
    }

    @Test
    void every_statement_of_the_command_line_and_the_console_is_found() throws Exception {
        assertThat(OperationsChecks.names()).hasSizeGreaterThan(40).contains("sessions", "end_session", "log_space");
    }

    @Test
    void the_call_within_a_batch_is_what_is_planned() throws Exception {
        SqlFile file = SqlFile.all("orders").stream()
                .filter(found -> found.name().equals("acknowledge_and_look"))
                .findFirst()
                .orElseThrow();

        assertThat(PlanChecks.text(file))
                .startsWith("DECLARE @keys nvarchar(max), @expected int, @destination_id int;\nDELETE m")
                .contains("d int '$[0]'")
                .doesNotContain("sp_executesql");
    }
}
