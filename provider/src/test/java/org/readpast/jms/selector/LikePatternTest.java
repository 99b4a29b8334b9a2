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

    /** Whoever sends a message chooses the value, and no value makes more work than its length. */
    @Test
    void work_grows_with_the_value_and_not_with_value_times_pattern() {
        String value = "a".repeat(100_000);
        for (String pattern : new String[] {
            "%" + "a".repeat(1_000) + "b%",
            "%" + "a".repeat(1_000) + "%b",
            "%" + "ab".repeat(500) + "%",
            "%a".repeat(1_000) + "%b%",
            "%" + ("a".repeat(99) + "%b").repeat(10),
            "a".repeat(1_000) + "%" + "a".repeat(1_000) + "b%"
        }) {
            assertThat(steps(pattern, value)).as(pattern).isLessThanOrEqualTo(2L * value.length() + pattern.length());
        }
    }

    /** What has a _ in it is compared 64 characters of the pattern at a time. */
    @Test
    void work_with_single_wildcards_is_a_step_for_each_64_characters_of_the_pattern() {
        String value = "a".repeat(100_000);
        for (String pattern :
                new String[] {"%" + "_".repeat(500) + "a".repeat(499) + "b%", "%" + "_a".repeat(500) + "b%"}) {
            assertThat(steps(pattern, value)).as(pattern).isLessThanOrEqualTo(16L * value.length());
        }
    }

    private static long steps(String pattern, String value) {
        LikePattern.Steps steps = new LikePattern.Steps();
        LikePattern.compile(pattern, null).matches(value.codePoints().toArray(), steps);
        return steps.count();
    }

    @Test
    void long_pieces_with_wildcards_match_over_their_blocks() {
        String piece = "ab_".repeat(70);
        LikePattern pattern = LikePattern.compile("x%" + piece + "%y", null);
        assertThat(pattern.matches("x" + "abab" + "abc".repeat(70) + "y")).isTrue();
        assertThat(pattern.matches("x" + "abc".repeat(69) + "bbc" + "y")).isFalse();
        assertThat(pattern.matches("x" + "\uD83D\uDE00".repeat(3) + "ab\uD83D\uDE00".repeat(70) + "y"))
                .isTrue();
    }

    @Test
    void matches_what_the_definition_matches() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            String pattern = text(random, "ab%_!", 9);
            String value = text(random, "ab%_!", 9);
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
