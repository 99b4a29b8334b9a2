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
        assertThat(arguments.only()).isEqualTo("send");
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
