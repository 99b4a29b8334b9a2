package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.ra.Logged;

/** An outage is told in one line as it begins and in one as it ends, and attempts in between come ever later, and not all at once. */
class OutageTest {

    private static final String BEAN = "Message-driven bean Orders of queue://orders";

    private final Logged logged = new Logged(Outage.class);

    private long nanos = TimeUnit.DAYS.toNanos(-1);

    @AfterEach
    void stopListening() {
        logged.close();
    }

    private Outage outage(LongUnaryOperator jitter) {
        return new Outage(BEAN, jitter, () -> nanos);
    }

    private static List<Long> pauses(Outage outage, int failures) {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < failures; i++) {
            pauses.add(outage.failed(new IllegalStateException("connection refused")));
        }
        return pauses;
    }

    @Test
    void has_one_line_as_it_begins_and_one_as_it_ends() {
        Outage outage = outage(bound -> 0);
        outage.over();
        assertThat(logged.lines()).isEmpty();
        outage.failed(new IllegalStateException("connection refused"));
        outage.failed(new IllegalStateException("the database system is starting up"));
        outage.failed(new NullPointerException());
        nanos += TimeUnit.SECONDS.toNanos(95);
        outage.over();
        outage.over();
        assertThat(logged.lines())
                .containsExactly(
                        "WARNING " + BEAN + ": no messages for now, trying again until there are: connection refused",
                        "INFO " + BEAN + ": messages are delivered again, after 3 failures in 95 s");
    }

    @Test
    void next_one_has_its_own_lines() {
        Outage outage = outage(bound -> 0);
        pauses(outage, 2);
        outage.over();
        pauses(outage, 3);
        assertThat(logged.lines()).hasSize(3);
        nanos += TimeUnit.SECONDS.toNanos(2);
        outage.over();
        assertThat(logged.lines()).hasSize(4).last().asString().contains("after 3 failures in 2 s");
    }

    static Stream<JMSException> lasting() {
        return Stream.of(
                store(Failure.AUTHENTICATION),
                store(Failure.PERMISSION),
                store(Failure.SCHEMA_MISSING),
                store(Failure.SCHEMA_VERSION),
                new InvalidDestinationException("the option 'autoCreate' is false"),
                new InvalidSelectorException("position 7"),
                new jakarta.jms.IllegalStateException("the option 'join' is NEVER"));
    }

    static Stream<JMSException> passing() {
        return Stream.of(
                store(Failure.CONNECTION_LOST),
                store(Failure.POOL_EXHAUSTED),
                store(Failure.OTHER),
                // Another node's bean has it, and this one takes over from it.
                new InvalidClientIDException("in use by another connection"));
    }

    private static JMSException store(Failure failure) {
        return JmsErrors.jms("Looking for the tables", new StoreException(failure, "that is " + failure, null));
    }

    /** As a worker does it. */
    private static JMSException wrapped(JMSException cause) {
        JMSException problem = new JMSException("Receiving failed: " + cause.getMessage());
        problem.initCause(cause);
        return problem;
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void what_waiting_does_not_mend_is_an_error_that_says_so_and_is_tried_again_all_the_same(JMSException cause) {
        for (JMSException problem : List.of(cause, wrapped(cause))) {
            try (Logged lines = new Logged(Outage.class)) {
                Outage outage = outage(bound -> bound / 2);
                assertThat(outage.failed(problem)).isEqualTo(500);
                assertThat(outage.failed(problem)).isEqualTo(1_000);
                assertThat(lines.lines())
                        .containsExactly("SEVERE " + BEAN
                                + ": no messages until somebody mends this, trying again meanwhile: "
                                + problem.getMessage());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("passing")
    void what_may_pass_by_itself_is_a_warning(JMSException cause) {
        outage(bound -> 0).failed(cause);
        assertThat(logged.lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WARNING " + BEAN + ": no messages for now");
    }

    @Test
    void outage_that_turns_out_not_to_pass_is_told_once_more() {
        Outage outage = outage(bound -> 0);
        outage.failed(store(Failure.CONNECTION_LOST));
        for (int i = 0; i < 3; i++) {
            outage.failed(store(Failure.SCHEMA_MISSING));
            outage.failed(store(Failure.CONNECTION_LOST));
        }
        assertThat(logged.lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("SEVERE " + BEAN + ": no messages until somebody mends this");
        outage.over();
        outage.failed(store(Failure.SCHEMA_MISSING));
        assertThat(logged.lines()).hasSize(4).last().asString().startsWith("SEVERE ");
    }

    @Test
    void its_last_reason_is_known_until_it_is_over() {
        Outage outage = outage(bound -> 0);
        assertThat(outage.problem()).isNull();
        outage.failed(new IllegalStateException("connection refused"));
        outage.failed(new IllegalStateException("the database system is starting up"));
        assertThat(outage.problem()).isEqualTo("the database system is starting up");
        outage.failed(new NullPointerException());
        assertThat(outage.problem()).isEqualTo("java.lang.NullPointerException");
        outage.over();
        assertThat(outage.problem()).isNull();
    }

    @Test
    void pauses_double_up_to_half_a_minute_and_begin_anew_with_the_next_one() {
        Outage outage = outage(bound -> bound / 2);
        assertThat(pauses(outage, 9))
                .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
        assertThat(pauses(outage, 100)).containsOnly(30_000L);
        outage.over();
        assertThat(pauses(outage, 2)).containsExactly(500L, 1_000L);
    }

    @Test
    void pause_is_between_half_and_one_and_a_half_of_that() {
        assertThat(pauses(outage(bound -> 0), 8)).startsWith(250L, 500L).endsWith(15_000L);
        assertThat(pauses(outage(bound -> bound - 1), 8))
                .startsWith(749L, 1_499L)
                .endsWith(44_999L);
    }

    @Test
    void beans_do_not_try_again_all_at_once() {
        Set<Long> pauses = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            pauses.addAll(pauses(new Outage(BEAN), 1));
        }
        assertThat(logged.lines()).hasSize(50);
        assertThat(pauses).hasSizeGreaterThan(1).allMatch(pause -> pause >= 250 && pause < 750);
    }
}
