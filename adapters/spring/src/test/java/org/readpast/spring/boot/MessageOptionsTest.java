package org.readpast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The environment of a process is shared with others, who call their variables as they like. */
class MessageOptionsTest {

    private final ReadpastConnectionFactory factory = new ReadpastConnectionFactory("readpast:jdbc:h2:mem:options");

    private void set(Map<String, Object> variables, Map<String, Object> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        // Those of the build that runs this test begin in the same way.
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        environment.getPropertySources().addLast(new MapPropertySource("file", properties));
        MessageOptions.set(factory, environment);
    }

    @Test
    void variables_that_are_no_options_are_passed_over_and_those_that_are_count() {
        set(
                Map.of(
                        "READPAST_EXPORTER_SERVICE_HOST", "10.0.0.1",
                        "READPAST_EXPORTER_PORT_9740_TCP", "tcp://10.0.0.1:9740",
                        "READPAST_PORT", "tcp://10.0.0.2:80",
                        "READPAST_KEYSTORE_PASSWORD", "secret",
                        "READPAST_JAVA_OPTIONS", "-Xmx48m",
                        "READPAST_SCHEMA", "mq",
                        "READPAST_POOL_SIZE", "7",
                        "READPAST_ROUTE_WEST_DESTINATIONS", "west.*"),
                Map.of());
        assertThat(factory.schema()).isEqualTo("mq");
        assertThat(factory.poolSize()).isEqualTo(7);
        assertThatThrownBy(() -> factory.database("west")).hasMessageContaining("Route 'west' has no URL");
    }

    /** They are there for the command line. */
    @Test
    void login_in_variables_is_that_of_a_url_and_of_no_data_source() {
        Map<String, Object> login = Map.of("READPAST_USER", "night_watch", "READPAST_PASSWORD", "tiger");
        set(login, Map.of());
        assertThat(factory.toString()).doesNotContain("user", "password");
        set(Map.of(), Map.of("readpast.user", "scott"));
        assertThat(factory.toString()).contains("user=(hidden)");
        set(login, Map.of("readpast.url", "readpast:jdbc:h2:mem:options"));
        assertThat(factory.toString()).contains("user=(hidden)", "password=(hidden)");
    }

    @Test
    void option_of_the_application_that_does_not_exist_is_refused_and_so_is_a_bad_value_of_a_variable() {
        assertThatThrownBy(() -> set(Map.of(), Map.of("readpast.exporter.port", "9740")))
                .hasMessageContaining("Unknown option 'exporter.port'");
        assertThatThrownBy(() -> set(Map.of("READPAST_POOLSIZE", "many"), Map.of()))
                .hasStackTraceContaining("'many'");
    }
}
