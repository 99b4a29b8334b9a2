package org.readpast.operations.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductTest {

    @ParameterizedTest
    @CsvSource({
        "SQL_SERVER, S0056, 1222",
        "SQL_SERVER, 40001, 1205",
        "POSTGRESQL, 55P03, 0",
        "POSTGRESQL, 40P01, 0",
        "H2, HYT00, 50200",
        "H2, 40001, 40001"
    })
    void who_waited_for_a_lock_and_who_was_a_deadlocks_victim_may_try_again(Product product, String state, int number) {
        assertThat(product.isLockTimeout(new SQLException("no", state, number))).isTrue();
    }
}
