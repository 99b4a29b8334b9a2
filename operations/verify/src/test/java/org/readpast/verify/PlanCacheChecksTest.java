package org.readpast.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How the plan cache is judged, on texts in the form in which SQL Server keeps them. */
class PlanCacheChecksTest {

    @Test
    void values_that_may_be_short_or_long_have_two_plans() throws Exception {
        assertThat(PlanCacheChecks.judge(List.of(
                        "(@P0 int,@P1 nvarchar(4000))DELETE [readpast].message",
                        "(@P0 int,@P1 nvarchar(max))DELETE [readpast].message",
                        "SELECT 1 FROM [readpast].message")))
                .isEqualTo("3 plans of 2 statements");
    }

    @Test
    void a_plan_for_each_length_does_not_hold() {
        assertThatThrownBy(() -> PlanCacheChecks.judge(List.of(
                        "(@P0 decimal(10, 2),@P1 nvarchar(7) OUTPUT)DELETE x",
                        "(@P0 decimal(10, 2),@P1 nvarchar(8) OUTPUT)DELETE x",
                        "(@P0 decimal(10, 2),@P1 nvarchar(9) OUTPUT)DELETE x")))
                .isInstanceOf(Report.NotHeld.class)
                .hasMessage("@P1 as nvarchar(7), nvarchar(8), nvarchar(9) in DELETE x");
    }
}
