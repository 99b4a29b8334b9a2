package org.readpast.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

    /** Says one line, and fails. */
    static final class Failing {

        private Failing() {}

        public static void main(String[] arguments) {
            ChildJvm.say("begun");
            for (int i = 1; i <= 100; i++) {
                System.err.println("reason " + i);
            }
            System.exit(3);
        }
    }

    @Test
    void one_that_ends_too_soon_is_told_with_its_status_and_its_last_errors() throws IOException {
        try (ChildJvm child = ChildJvm.start(Failing.class, List.of())) {
            assertThat(child.awaitLine()).isEqualTo("begun");

            assertThatThrownBy(child::awaitLine)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ended with 3")
                    .hasMessageEndingWith("reason 99" + System.lineSeparator() + "reason 100")
                    .message()
                    .doesNotContain("reason 1" + System.lineSeparator());
        }
    }
}
