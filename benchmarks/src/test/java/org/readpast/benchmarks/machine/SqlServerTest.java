package org.readpast.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlServerTest {

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlserver://there", "jdbc:sqlserver://there:1433;user=sa;databaseName=;password=x"})
    void url_that_names_no_database_would_lead_to_the_servers_own(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> SqlServer.at(url)).withMessageContaining("databaseName");
    }
}
