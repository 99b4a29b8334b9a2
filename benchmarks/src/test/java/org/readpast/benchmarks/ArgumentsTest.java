package org.readpast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Scale;

class ArgumentsTest {

    @Test
    void without_any_all_systems_are_measured_quickly() {
        Arguments arguments = Arguments.parse(List.of());

        assertThat(arguments.scale()).isEqualTo(Scale.QUICK);
        assertThat(arguments.systems()).containsExactly(SystemKind.values());
        assertThat(arguments.results()).isEqualTo(Path.of("benchmarks/results"));
    }

    @Test
    void systems_are_measured_in_their_own_order() {
        Arguments arguments = Arguments.parse(List.of("full", "--systems", "artemis-journal,floor", "--only", "send"));

        assertThat(arguments.scale()).isEqualTo(Scale.FULL);
        assertThat(arguments.systems()).containsExactly(SystemKind.FLOOR, SystemKind.ARTEMIS_JOURNAL);
        assertThat(arguments.wants("send one by one")).isTrue();
        assertThat(arguments.wants("receive one by one")).isFalse();
    }

    @Test
    void several_words_ask_for_the_workloads_of_each() {
        Arguments arguments = Arguments.parse(List.of("--only", "request,latency"));

        assertThat(arguments.wants("request and reply in a JVM")).isTrue();
        assertThat(arguments.wants("latency between JVMs at 50/s")).isTrue();
        assertThat(arguments.wants("send one by one")).isFalse();
    }

    @Test
    void on_a_sql_server_there_are_no_brokers_with_jdbc_stores() {
        Arguments arguments = Arguments.parse(List.of("--sqlserver", "jdbc:sqlserver://there"));

        assertThat(arguments.systems())
                .containsExactly(SystemKind.FLOOR, SystemKind.READPAST, SystemKind.ARTEMIS_JOURNAL);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Arguments.parse(List.of("--sqlserver", "jdbc:sqlserver://there", "--systems", "artemis-jdbc")))
                .withMessageContaining("artemis-jdbc");
    }

    @Test
    void there_is_no_end_unless_it_is_asked_for() {
        assertThat(Arguments.parse(List.of()).minutes()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Arguments.parse(List.of("full", "--minutes", "25")).minutes())
                .isEqualTo(25);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.parse(List.of("--minutes", "soon")))
                .withMessageContaining("soon");
    }

    @Test
    void what_is_not_understood_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.parse(List.of("--only")))
                .withMessageContaining("--only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.parse(List.of("--thread", "1")))
                .withMessageContaining("--thread");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.parse(List.of("--systems", "floor,kafka")))
                .withMessageContaining("kafka");
    }
}
