package org.readpast.jms.engine.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.threads.NoThreads;

/** What becomes of an attempt that cannot begin. */
@Timeout(60)
class SharedAttemptTest {

    private final SharedAttempt<String> attempt = new SharedAttempt<>("attempt-of-test");

    @Test
    void attempt_that_gets_no_thread_is_not_what_the_next_one_waits_for() throws Exception {
        try (NoThreads none = NoThreads.of("attempt-of-test")) {
            assertThatThrownBy(() -> attempt.get(() -> "first")).isInstanceOf(OutOfMemoryError.class);
            assertThat(none.refused()).isOne();
        }
        assertThat(attempt.get(() -> "second")).isEqualTo("second");
        assertThat(attempt.end()).isEqualTo("second");
    }
}
