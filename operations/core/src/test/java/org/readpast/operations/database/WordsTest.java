package org.readpast.operations.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pay('Ann')",
                "SELECT pay('it''s Ann')",
                "SELECT pay(E'it\\'s Ann', 'Ann')",
                "SELECT pay($$4111 Ann$$, $x$Ann$$x$x$)",
                "SELECT pay($x$Ann",
                "SELECT pay('Ann",
                "SELECT pay(\"it's\", 'Ann')",
                "SELECT pay(1) /* by Ann's */, 'Ann'",
                "SELECT pay(1) -- by Ann's\n, 'Ann'",
                "SELECT pay(1) /* Ann",
            })
    void statement_shows_no_literal_and_no_comment(String statement) {
        assertThat(Words.statement(statement)).startsWith("SELECT pay(").doesNotContain("Ann");
    }

    @Test
    void statement_keeps_what_is_no_literal() {
        assertThat(Words.statement(
                        "SELECT \"a b\", c$d FROM t1 WHERE id = $1 AND\n day > date'2026-11-24' AND n > 1.5"))
                .isEqualTo("SELECT \"a b\", c$d FROM t1 WHERE id = $? AND day > date? AND n > ?");
        assertThat(Words.statement("SELECT '" + "it''s ".repeat(100_000) + "'")).isEqualTo("SELECT ?");
    }
}
