package org.readpast.clients.depot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * One application with the Artemis starter, and switched over by docs/spring-boot.md alone. The build runs this class twice: with
 * Artemis and without Readpast on the class path, and the other way round.
 */
class SwitchTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static List<String> settings() throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/depot.properties"));
    }

    /** What the page's diff makes of the settings: each line that it takes away is there. */
    private static List<String> switchedOver() throws IOException {
        String page = Files.readString(Path.of("../../docs/spring-boot.md"));
        String chapter = page.substring(page.indexOf("## From the Artemis starter to this one"));
        List<String> settings = new ArrayList<>(settings());
        List<String> changes = chapter.lines()
                .dropWhile(line -> !line.startsWith("-spring.artemis"))
                .takeWhile(line -> !line.startsWith("```"))
                .toList();
        assertThat(changes).isNotEmpty();
        for (String change : changes) {
            if (change.startsWith("-")) {
                assertThat(settings.remove(change.substring(1))).as(change).isTrue();
            } else {
                settings.add(change.substring(1));
            }
        }
        return settings;
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static void run(List<String> settings, String... options) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(String.join("\n", settings)));
        try (ConfigurableApplicationContext application =
                new SpringApplicationBuilder(Depot.class).properties(properties).run(options)) {
            Depot.Orders orders = application.getBean(Depot.Orders.class);
            List.of("tea", "piano", "armchair").forEach(orders::place);
            List<String> heard = application.getBean(Depot.Workers.class).heard();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(heard)
                            .containsExactlyInAnyOrder(
                                    "packed tea",
                                    "packed piano",
                                    "lifted armchair",
                                    "lifted armchair",
                                    "carried armchair"));
            assertThat(application
                            .getBean(JdbcTemplate.class)
                            .queryForObject("SELECT COUNT(*) FROM depot_order", Integer.class))
                    .isEqualTo(3);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "depot.form", matches = "artemis")
    @EnabledForJreRange(max = JRE.JAVA_23, disabledReason = "Artemis' server of this line does not run with later ones")
    void runs_with_Artemis() throws Exception {
        assertThat(isThere("org.readpast.jms.ReadpastConnectionFactory")).isFalse();
        try (Broker broker = new Broker()) {
            run(settings(), "--spring.artemis.broker-url=" + broker.url());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "depot.form", matches = "readpast")
    void runs_with_Readpast_after_the_changes_of_the_page() throws IOException {
        assertThat(isThere("org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory"))
                .isFalse();
        run(switchedOver());
    }
}
