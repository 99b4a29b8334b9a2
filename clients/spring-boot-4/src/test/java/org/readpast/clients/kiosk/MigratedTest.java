package org.readpast.clients.kiosk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.spring.boot.test.ReadpastTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Flyway with a URL of its own, which is in the application's properties, and what has a login of its own go to H2 as well. */
@ReadpastTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "spring.flyway.enabled=true",
            "spring.flyway.driver-class-name=org.postgresql.Driver",
            "spring.flyway.locations=classpath:kiosk",
            "spring.flyway.baseline-on-migrate=true",
            "spring.flyway.baseline-version=0",
            "spring.liquibase.enabled=true",
            "spring.liquibase.change-log=classpath:kiosk/changelog.yaml",
            "spring.liquibase.user=deployer",
            "spring.liquibase.password=secret",
            "spring.sql.init.schema-locations=classpath:shop-schema.sql",
            "spring.sql.init.username=deployer",
            "spring.sql.init.password=secret"
        })
class MigratedTest {

    @Test
    void tables_are_made_in_the_database_of_the_test(@Autowired JdbcTemplate jdbc) {
        assertThat(List.of("sale", "purchase", "made_by_script"))
                .allSatisfy(table ->
                        assertThat(jdbc.queryForList("SELECT * FROM " + table)).isEmpty());
    }
}
