package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.core.JmsTemplate;

/** Flyway or Liquibase makes the tables, ours among them, on a database that has none. */
class MigrationsTest {

    private static final PathMatchingResourcePatternResolver RESOURCES = new PathMatchingResourcePatternResolver();

    /** An application that sends before Flyway or Liquibase would have their turn by themselves. JPA would bring them forward. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration",
                "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration",
                "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration"
            })
    static class Greeting {
        @Bean
        String greeting(JmsTemplate jms) {
            jms.convertAndSend("greeting", "at the start");
            return "sent";
        }
    }

    /** An application that says nothing. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}

    private static ConfigurableApplicationContext start(Class<?> application, String url, String... options) {
        String[] all = new String[options.length + 1];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = "--spring.datasource.url=" + url;
        return SpringApplication.run(application, all);
    }

    private static void assertGreeted(ConfigurableApplicationContext application) {
        assertThat(application.getBean(JmsTemplate.class).receiveAndConvert("greeting"))
                .isEqualTo("at the start");
    }

    @Test
    void Flyway_makes_the_tables_before_the_first_message(@TempDir Path migrations) throws IOException, SQLException {
        for (Resource script : RESOURCES.getResources("classpath:org/readpast/jms/sql/postgresql/schema/0*.sql")) {
            String version = script.getFilename().substring(0, 3);
            Files.write(migrations.resolve("V" + version + "__readpast.sql"), script.getContentAsByteArray());
        }
        assertThat(migrations).isDirectoryContaining("glob:**V001__readpast.sql");
        try (ConfigurableApplicationContext application = start(
                Greeting.class,
                Database.newPostgres("by_flyway"),
                "--spring.flyway.enabled=true",
                "--spring.flyway.locations=filesystem:" + migrations)) {
            assertGreeted(application);
        }
    }

    @Test
    void Liquibase_makes_the_tables_before_the_first_message() throws SQLException {
        try (ConfigurableApplicationContext application = start(
                Greeting.class,
                Database.newPostgres("by_liquibase"),
                "--spring.liquibase.enabled=true",
                "--spring.liquibase.change-log=classpath:/readpast-changelog.yaml")) {
            assertGreeted(application);
        }
    }

    @Test
    void where_somebody_migrates_nothing_is_made_unless_told(@TempDir Path migrations)
            throws IOException, SQLException {
        Files.writeString(migrations.resolve("V1__shop.sql"), "CREATE TABLE shop_order (item varchar(50))");
        try (ConfigurableApplicationContext application = start(
                Plain.class,
                Database.newPostgres("not_told"),
                "--spring.flyway.enabled=true",
                "--spring.flyway.locations=filesystem:" + migrations)) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            assertThatThrownBy(() -> jms.convertAndSend("orders", "one"))
                    .hasStackTraceContaining("schema readpast is missing");
            assertThat(
                            application
                                    .getBean(JdbcTemplate.class)
                                    .queryForList(
                                            "SELECT table_schema FROM information_schema.tables WHERE table_schema = 'readpast'"))
                    .isEmpty();
        }
    }

    @Test
    void no_script_of_ours_lies_where_Flyway_or_Liquibase_look_by_themselves() throws IOException {
        assertThat(RESOURCES.getResources("classpath*:db/**/*.*")).isEmpty();
    }
}
