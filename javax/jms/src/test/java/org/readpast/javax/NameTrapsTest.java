package org.readpast.javax;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** That the traps are found where they are. */
class NameTrapsTest {

    static final class Switches {
        static int kind(String type) {
            return switch (type) {
                case "javax.jms.Queue" -> 1;
                case "javax.jms.Topic" -> 2;
                default -> 0;
            };
        }
    }

    static final class Sets {
        static final Set<String> TYPES = Set.of("javax.jms.Queue", "other");
    }

    static final class Maps {
        static final Map<String, Integer> TYPES = Map.ofEntries(Map.entry("jakarta.jms.Queue", 1));
    }

    static final class Harmless {
        static final Set<String> NAMES = Set.of("javax.naming.Context", "a");

        static List<String> types() {
            return List.of("javax.jms.Queue");
        }
    }

    @Test
    void switches_sets_and_maps_over_names_of_the_api_are_found() throws IOException {
        assertThat(traps(Switches.class)).hasSize(1).first().asString().endsWith("Switches.kind");
        assertThat(traps(Sets.class)).hasSize(1).first().asString().endsWith("Sets.<clinit>");
        assertThat(traps(Maps.class)).hasSize(1).first().asString().endsWith("Maps.<clinit>");
        assertThat(traps(Harmless.class)).isEmpty();
    }

    private static List<String> traps(Class<?> type) throws IOException {
        try (InputStream in =
                type.getResourceAsStream(type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class")) {
            return NameTraps.in(in.readAllBytes());
        }
    }
}
