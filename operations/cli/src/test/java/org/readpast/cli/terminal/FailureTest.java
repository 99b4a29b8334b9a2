package org.readpast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTest {

    /** Of SQL Server: whatever it is, its driver says S0001 or the like where it does not know better. */
    @ParameterizedTest
    @CsvSource({
        "18452, 3",
        "18456, 3",
        "18470, 3",
        "18486, 3",
        "18487, 3",
        "18488, 3",
        "40615, 3",
        "4060, 3",
        "4064, 3",
        "40613, 3",
        "596, 3",
        "229, 4",
        "208, 5",
        "2812, 5",
        "8134, 7"
    })
    void errors_of_sql_server_have_the_codes_of_the_page(int number, int code) {
        assertThat(Failure.of(new SQLException("no", "S0001", number)).code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "08001, 0, 3",
        "08006, 0, 3",
        "28P01, 0, 3",
        "28000, 0, 3",
        "3D000, 0, 3",
        "57P01, 0, 3",
        "42501, 0, 4",
        "3F000, 0, 5",
        "42883, 0, 5",
        "55P03, 0, 7",
        "28000, 28000, 3",
        "90013, 90013, 3",
        "90067, 90067, 3",
        "90146, 90146, 3",
        "90096, 90096, 4",
        "42102, 42102, 5",
        "50200, 50200, 7"
    })
    void errors_of_postgresql_and_h2_have_the_codes_of_the_page(String state, int number, int code) {
        assertThat(Failure.of(new SQLException("no", state, number)).code()).isEqualTo(code);
    }
}
