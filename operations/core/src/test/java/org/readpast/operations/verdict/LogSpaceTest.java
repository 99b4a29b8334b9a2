package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.operations.server.LogSpace;

/** What is said of rows as SQL Server's management view of its log has them, which no server of the tests has. */
class LogSpaceTest {

    private static final long GIBIBYTE = 1L << 30;

    private static Optional<Finding> found(long percent, String waitsFor) {
        return ServerCases.log(new LogSpace(percent * GIBIBYTE, 100 * GIBIBYTE, waitsFor));
    }

    @ParameterizedTest
    @CsvSource({"80, WARNING", "94, WARNING", "95, CRITICAL", "100, CRITICAL"})
    void a_log_that_is_nearly_full_is_found(long percent, Severity severity) {
        Finding finding = found(percent, "LOG_BACKUP").orElseThrow();
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.cause()).isEqualTo(Cause.LOG_NEARLY_FULL);
        assertThat(finding.what()).startsWith("The transaction log is " + percent + " % full");
        assertThat(finding.evidence())
                .contains(
                        percent * 1024 + " of 102400 MiB are in use", "it cannot be used again because of LOG_BACKUP");
    }

    @ParameterizedTest
    @CsvSource({
        "LOG_BACKUP, Back up the log",
        "ACTIVE_TRANSACTION, oldest transaction",
        "AVAILABILITY_REPLICA, secondary replica",
        "REPLICATION, log reader",
        "OLDEST_PAGE, Microsoft's page"
    })
    void what_to_do_depends_on_what_keeps_it(String waitsFor, String next) {
        assertThat(found(99, waitsFor).orElseThrow().next()).contains(next);
    }

    @Test
    void one_that_may_grow_is_not_full() {
        assertThat(found(79, "LOG_BACKUP")).isEmpty();
        assertThat(ServerCases.log(new LogSpace(5_000 * GIBIBYTE, null, "LOG_BACKUP")))
                .isEmpty();
    }
}
