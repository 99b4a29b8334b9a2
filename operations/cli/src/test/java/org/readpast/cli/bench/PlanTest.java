package org.readpast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of figures. */
class PlanTest {

    private static final List<Load.Measured> MEASURED = List.of(
            new Load.Measured(1, 1, 300, 10),
            new Load.Measured(1, 2, 600, 20),
            new Load.Measured(1, 4, 1000, 30),
            new Load.Measured(100, 1, 4000, 40));

    private static List<String> words(int rate) {
        return new Plan(rate, MEASURED).words();
    }

    @Test
    void what_was_measured_is_told_with_its_half() {
        assertThat(words(1))
                .contains(
                        "With each message in a commit of its own 1000 messages a second were sent and received, by 4 sessions on either side;"
                                + " a plan should use half of that, 500.",
                        "With 100 messages in a transaction 4000 messages a second were sent and received, by 1 session on either side;"
                                + " a plan should use half of that, 2000.");
    }

    @Test
    void little_fits_with_as_few_sessions_as_carry_twice_that() {
        assertThat(words(250))
                .contains("250 messages a second fit into one database, even with each in a commit of its own:"
                        + " that takes 2 senders and as many consumers.");
        assertThat(words(500))
                .contains("500 messages a second fit into one database, even with each in a commit of its own:"
                        + " that takes 4 senders and as many consumers.");
    }

    @Test
    void more_fits_in_transactions() {
        assertThat(words(501))
                .contains("501 messages a second fit into one database if up to 100 of them share a transaction;"
                        + " with each in a commit of its own they do not.");
        assertThat(new Plan(2000, MEASURED).databases()).isEqualTo(1);
    }

    @Test
    void too_much_is_told_with_the_number_of_databases() {
        assertThat(words(2001))
                .contains("2001 messages a second do not fit into one database of this kind: 2 would carry them."
                        + " A queue lives whole in one database: split by queue or by tenant.");
        assertThat(new Plan(10_001, MEASURED).databases()).isEqualTo(6);
    }

    @Test
    void busy_machine_is_told() {
        assertThat(words(1)).noneMatch(line -> line.contains("busy"));
        assertThat(new Plan(1, List.of(new Load.Measured(1, 1, 300, 97))).words())
                .anyMatch(line -> line.startsWith("The processors of this machine were up to 97 % busy."));
    }
}
