package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a dead letter tells of an exception, which is a class of the application's. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReasonTest {

    @Test
    void first_cause_is_told() {
        assertThat(Reason.of(new IllegalStateException("outer", new IllegalArgumentException("inner"))))
                .startsWith("java.lang.IllegalArgumentException: inner, process ");
    }

    @Test
    void causes_that_go_round_in_a_circle_are_told_all_the_same() {
        IllegalStateException one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));
        assertThat(Reason.of(one)).startsWith("java.lang.IllegalStateException: o");
        assertThat(new Outage("bean", bound -> 0, () -> 0).failed(one)).isPositive();
    }

    @Test
    void class_is_told_of_what_cannot_tell_of_itself() {
        assertThat(Reason.of(new UnsupportedOperationException() {

                    private static final long serialVersionUID = 1L;

                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("no text of this key");
                    }
                }))
                .startsWith(ReasonTest.class.getName() + "$1, process ");
    }
}
