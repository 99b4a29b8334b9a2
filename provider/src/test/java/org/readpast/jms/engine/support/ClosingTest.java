package org.readpast.jms.engine.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.config.Settings;
import org.readpast.jms.threads.NoThreads;

/** Closing does all that there is to do, whatever is missing for it. */
@Timeout(60)
class ClosingTest {

    private final Closing closing = new Closing(Settings.of(Map.of()), "of-test");
    private final List<String> done = new ArrayList<>();

    @Test
    void what_gets_no_thread_is_done_by_the_caller() throws Exception {
        try (NoThreads none = NoThreads.of("closing-of-test")) {
            assertThatNoException()
                    .isThrownBy(() -> closing.carryOut(
                            "It",
                            closing.deadline(),
                            () -> done.add(Thread.currentThread().getName())));
            assertThat(none.refused()).isOne();
        }
        assertThat(done).containsExactly(Thread.currentThread().getName());
    }

    @Test
    void what_fails_there_fails_as_elsewhere() {
        try (NoThreads none = NoThreads.of("closing-of-test")) {
            assertThatThrownBy(() -> closing.carryOut("It", closing.deadline(), () -> {
                        throw new JMSException("made to fail");
                    }))
                    .isInstanceOf(JMSException.class)
                    .hasMessage("made to fail");
            assertThat(none.refused()).isOne();
        }
    }

    @Test
    void what_is_thrown_unexpectedly_keeps_nothing_else_from_being_tried() {
        Problems problems = new Problems();
        problems.attempt(() -> {
            throw new InternalError("made to fail");
        });
        problems.attempt(() -> done.add("second"));
        problems.attempt(() -> {
            throw new JMSException("third");
        });

        assertThat(done).containsExactly("second");
        assertThatThrownBy(problems::throwFirst)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("made to fail")
                .hasCauseInstanceOf(InternalError.class)
                .satisfies(first -> assertThat(first.getSuppressed())
                        .singleElement()
                        .extracting(Throwable::getMessage)
                        .isEqualTo("third"));
    }
}
