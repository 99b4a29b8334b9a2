package org.readpast.javax.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.core.JmsTemplate;

/** Spring Boot 2.7 with the libraries that it brings: Spring 5.3, HikariCP 4 and SLF4J 1.7. */
@SpringBootTest(
        classes = Shop.class,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:shop",
            "spring.sql.init.schema-locations=classpath:tables.sql",
            "spring.jms.template.receive-timeout=200ms"
        })
class ShopTest {

    @Autowired
    private Shop.Orders orders;

    @Autowired
    private Shop.Shipping shipping;

    @Autowired
    private JmsTemplate jms;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private DataSource dataSource;

    @Test
    void it_runs_with_the_libraries_of_its_time() {
        assertThat(dataSource).isInstanceOf(HikariDataSource.class);
        assertThat(jarOf(HikariDataSource.class)).contains("HikariCP-4.0.");
        assertThat(jarOf(JmsTemplate.class)).contains("spring-jms-5.3.");
        assertThat(jarOf(Logger.class)).contains("slf4j-api-1.7.");
    }

    @Test
    void a_row_and_its_message_are_stored_together_or_not_at_all() {
        assertThatThrownBy(() -> orders.place("stored", "tea", true)).isInstanceOf(IllegalArgumentException.class);
        assertThat(jms.receiveAndConvert("stored")).isNull();
        assertThat(count("SELECT COUNT(*) FROM shop_order WHERE item = 'tea'")).isZero();

        orders.place("stored", "coffee", false);
        assertThat(jms.receiveAndConvert("stored")).isEqualTo("coffee");
        assertThat(count("SELECT COUNT(*) FROM shop_order WHERE item = 'coffee'"))
                .isOne();
    }

    @Test
    void a_listener_that_fails_undoes_its_rows_and_has_the_message_once_more() {
        orders.place("orders", "cocoa", false);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> count("SELECT COUNT(*) FROM shipment WHERE item = 'cocoa'") == 1);
        assertThat(count("SELECT delivery FROM shipment WHERE item = 'cocoa'")).isEqualTo(2);
        assertThat(shipping.calls()).isEqualTo(2);
    }

    private int count(String query) {
        return jdbc.queryForObject(query, Integer.class);
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}
