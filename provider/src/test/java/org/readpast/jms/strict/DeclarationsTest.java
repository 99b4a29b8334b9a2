package org.readpast.jms.strict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which declarations of parameters give a text a plan too many. */
class DeclarationsTest {

    private static final String TEXT = "SELECT a FROM t WHERE b = ? AND c = ?";

    private final Declarations declarations = new Declarations();

    private boolean isRefused(String text, String declared) {
        return declarations.note(text, declared).isPresent();
    }

    @Test
    void short_and_long_values_are_two_plans() {
        assertThat(isRefused(TEXT, "@P0 int,@P1 nvarchar(4000)")).isFalse();
        assertThat(isRefused(TEXT, "@P0 int,@P1 nvarchar(4000)")).isFalse();
        assertThat(isRefused(TEXT, "@P0 int,@P1 nvarchar(max)")).isFalse();
        assertThat(isRefused("SELECT ?", "@P0 varbinary(max)")).isFalse();
        assertThat(isRefused("SELECT ?", "@P0 varbinary(8000)")).isFalse();
        assertThat(declarations.byText().get(TEXT)).hasSize(2);
    }

    @Test
    void type_that_goes_by_the_value_is_a_plan_for_each() {
        assertThat(isRefused(TEXT, "@P0 int,@P1 nvarchar(12)")).isFalse();
        assertThat(isRefused(TEXT, "@P0 int,@P1 nvarchar(13)")).isTrue();
        assertThat(isRefused("SELECT ?", "@P0 decimal(38,1)")).isFalse();
        assertThat(isRefused("SELECT ?", "@P0 decimal(38,2)")).isTrue();
    }

    @Test
    void type_that_goes_by_who_sets_it_is_one_too_many() {
        assertThat(isRefused(TEXT, "@P0 int,@P1 nvarchar(4000)")).isFalse();
        assertThat(isRefused(TEXT, "@P0 bigint,@P1 nvarchar(4000)")).isTrue();
        assertThat(isRefused(TEXT, "@P0 int,@P1 varchar(8000)")).isTrue();
    }
}
