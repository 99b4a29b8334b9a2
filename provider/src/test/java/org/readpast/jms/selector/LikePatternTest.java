package org.readpast.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LikePatternTest {

    @Test
    void many_wildcards_against_a_long_text_do_not_explode() {
        LikePattern pattern = LikePattern.compile("%a".repeat(50) + "%b", null);
        assertThat(pattern.matches("a".repeat(100_000))).isFalse();
        assertThat(pattern.matches("a".repeat(100_000) + "b")).isTrue();
        assertThat(LikePattern.compile("%".repeat(100_000), null).matches("a".repeat(100_000)))
                .isTrue();
    }

    @Test
    void matches_what_the_definition_matches() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            String pattern = text(random, "ab%_!", 7);
            String value = text(random, "ab%_!", 7);
            LikePattern compiled = LikePattern.compile(pattern, "!");
            assertThat(compiled == null).isEqualTo(dangles(pattern));
            if (compiled != null) {
                assertThat(compiled.matches(value))
                        .as("seed %d: '%s' LIKE '%s' ESCAPE '!'", seed, value, pattern)
                        .isEqualTo(defined(pattern, value));
            }
        }
    }

    private static boolean dangles(String pattern) {
        int escapes = 0;
        while (escapes < pattern.length() && pattern.charAt(pattern.length() - 1 - escapes) == '!') {
            escapes++;
        }
        return escapes % 2 == 1;
    }

    /** By the words of §3.8.1.1, character by character, however slow. */
    private static boolean defined(String pattern, String value) {
        if (pattern.isEmpty()) {
            return value.isEmpty();
        }
        char first = pattern.charAt(0);
        if (first == '%') {
            return defined(pattern.substring(1), value) || (!value.isEmpty() && defined(pattern, value.substring(1)));
        }
        int length = first == '!' ? 2 : 1;
        boolean fits = !value.isEmpty() && (first == '_' || pattern.charAt(length - 1) == value.charAt(0));
        return fits && defined(pattern.substring(length), value.substring(1));
    }

    private static String text(Random random, String alphabet, int longest) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(longest + 1); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
