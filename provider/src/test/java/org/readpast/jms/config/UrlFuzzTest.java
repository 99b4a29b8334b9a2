package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Any text is a URL with options, or an IllegalArgumentException, never another exception. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("lengthened")
class UrlFuzzTest {

    private static final long ROUNDS = Long.getLong("readpast.test.fuzz.rounds", 20_000);

    private static final List<String> BEGINNINGS = List.of(
            "readpast:",
            "jdbc:h2:mem:a",
            "jdbc:h2:",
            "jdbc:postgresql://",
            "jdbc:postgresql:",
            "jdbc:sqlserver://h",
            "jdbc:",
            "java:",
            "ldap://",
            "");

    private static final List<String> PIECES = List.of(
            "#",
            "&",
            ";",
            "?",
            "=",
            "//",
            "/",
            ":",
            ",",
            "@",
            "{",
            "}",
            "}}",
            "\\",
            "%",
            "%zz",
            "%41",
            "+",
            " ",
            "\n",
            "\0",
            "\uD83D",
            "a",
            "h:1",
            "[::1]",
            "[",
            "]",
            "password",
            "user",
            "poolSize",
            "redelivery.",
            "redelivery.*.delayMillis",
            "redeliveryPolicy.",
            "jms.",
            "trustUrl",
            "INIT",
            "-1",
            "99999999999999999999",
            "true",
            "1e9",
            "*");

    private final Random random = new Random(Long.getLong("readpast.test.seed", 20_261_123));

    @Test
    void any_text_is_a_url_or_an_illegal_argument() {
        int urls = 0;
        for (long round = 0; round < ROUNDS; round++) {
            StringBuilder text = new StringBuilder(BEGINNINGS.get(random.nextInt(BEGINNINGS.size())));
            for (int i = random.nextInt(8); i > 0; i--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            try {
                ProviderUrl url = ProviderUrl.parse(text.toString());
                assertThat(url.toString()).startsWith("readpast:");
                urls++;
                url.refuseTrust();
                assertThat(Settings.of(url.options()).toString()).startsWith("Settings");
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageNotContaining("\n");
            }
        }
        assertThat(urls).as("texts that were URLs").isGreaterThan((int) ROUNDS / 20);
    }
}
