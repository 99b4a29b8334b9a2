package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which database a name is in, and which ones a topic with wildcards may be in. */
class RoutesTest {

    private static final Routes ROUTES = routes("west", "west.*, audit, *.cold.*", "east", "east, east.*, west.lost");

    /** @param said names of databases, each with its destinations behind it */
    private static Routes routes(String... said) {
        return Routes.of(Stream.iterate(0, i -> i < said.length, i -> i + 2)
                .collect(Collectors.toMap(i -> said[i], i -> Map.of("destinations", said[i + 1]))));
    }

    @ParameterizedTest
    @CsvSource({
        "plain, home",
        "west, home",
        "west.a, west",
        "west.lost, east",
        "audit, west",
        "audits, home",
        "east, east",
        "a.cold.b, west",
        "DLQ, home",
        "DLQ.west, west",
        "DLQ.east, east"
    })
    void name_is_in_the_database_of_the_most_specific_pattern(String name, String database) {
        assertThat(ROUTES.databaseOf(name)).isEqualTo(database);
    }

    @ParameterizedTest
    @CsvSource({
        "east.>, east west",
        "east.*, east west",
        "west.*.b, west",
        "west.*, east west",
        "west.>, east home west",
        "*, east home west",
        ">, east home west",
        "north.*, home west",
        "north.a, home",
        "a.cold.>, home west",
        "a.cold.*.b, west"
    })
    void pattern_is_in_every_database_that_may_have_a_topic_of_it(String pattern, String databases) {
        assertThat(ROUTES.databasesOf(pattern)).containsExactly(databases.split(" "));
    }

    @Test
    void own_database_takes_back_what_it_names() {
        Routes routes = routes("west", "west.*", "home", "west.a");
        assertThat(routes.databaseOf("west.a")).isEqualTo("home");
        assertThat(routes.databasesOf("west.*")).containsExactly("home", "west");
    }

    @Test
    void same_pattern_in_two_databases_is_refused() {
        assertThatThrownBy(() -> routes("west", "a*", "east", "b, a*"))
                .hasMessageContainingAll("'a*'", "'east'", "'west'");
        assertThatThrownBy(() -> Settings.of(Map.of("route.west.destinations", "a,,b")))
                .hasMessageContaining("empty");
        assertThatThrownBy(() -> Settings.of(Map.of("route.west.destinations", "a, queue://b")))
                .hasMessageContaining("'queue://b'")
                .hasMessageContaining("'b'");
        assertThatThrownBy(() -> Settings.of(Map.of("route.west.destinations", "queue:///b")))
                .hasMessageContaining("as 'b'");
    }
}
