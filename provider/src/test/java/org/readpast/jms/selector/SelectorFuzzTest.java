package org.readpast.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quicktheories.core.Gen;

/**
 * Any text gives a selector or a {@link SelectorSyntaxException}, never another exception, and for work that grows with its
 * length and not faster. Work is measured in bytes allocated, which do not depend on how busy the machine is; the time-out is
 * there for what would never end.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("lengthened")
class SelectorFuzzTest {

    private static final int EXAMPLES = Integer.getInteger("readpast.test.fuzz.rounds", 5_000);

    /** For exceptions with their stacks, and what the classes need that are loaded meanwhile. */
    private static final long BYTES_AT_LEAST = 500_000;

    private static final long BYTES_PER_CHARACTER = 500;

    /** However long the text is, its error message shows where it is wrong, and not all of it. */
    private static final int LONGEST_MESSAGE = 500;

    private final Gen<String> texts = Choices.of(RandomTexts::any);
    private final Gen<Map<String, Object>> messages = Choices.of(RandomSelectors::message);

    @Test
    void any_text_gives_a_selector_or_a_syntax_error() {
        AtomicInteger selectors = new AtomicInteger();
        AtomicInteger errors = new AtomicInteger();
        Choices.theory(EXAMPLES).forAll(texts, messages).checkAssert((text, message) -> {
            try {
                Selector selector = Selector.parse(text);
                if (selector != null) {
                    selectors.incrementAndGet();
                    assertEvaluates(selector, message);
                }
            } catch (SelectorSyntaxException e) {
                errors.incrementAndGet();
                assertThat(e.position()).isBetween(0, text.length());
                assertThat(e.getMessage()).hasSizeLessThan(LONGEST_MESSAGE);
            }
        });
        assertThat(selectors).as("texts that were selectors").hasValueGreaterThan(EXAMPLES / 20);
        assertThat(errors).as("texts that were none").hasValueGreaterThan(EXAMPLES / 4);
    }

    /** Each identifier is looked at once, so they are fewer than the characters. */
    private static void assertEvaluates(Selector selector, Map<String, Object> message) {
        AtomicInteger reads = new AtomicInteger();
        boolean matches = selector.matches(name -> {
            reads.incrementAndGet();
            return message.get(name);
        });
        assertThat(reads).hasValueLessThanOrEqualTo(selector.toString().length());
        assertThat(matches).isEqualTo(selector.expression().test(message::get) == Truth.TRUE);
    }

    @Test
    void tokens_are_read_from_left_to_right_and_have_characters() {
        Choices.theory(EXAMPLES).forAll(texts).checkAssert(text -> {
            Lexer lexer = new Lexer(text);
            int behind = 0;
            try {
                for (Token token = lexer.next(); !token.is(Token.Kind.END); token = lexer.next()) {
                    assertThat(token.position()).isGreaterThanOrEqualTo(behind);
                    behind = token.position() + 1;
                }
            } catch (SelectorSyntaxException e) {
                assertThat(e.position()).isGreaterThanOrEqualTo(behind);
            }
        });
    }

    @Test
    void work_is_bounded_by_the_length() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Choices.theory(EXAMPLES).forAll(texts).checkAssert(text -> {
            long before = threads.getCurrentThreadAllocatedBytes();
            try {
                Selector.parse(text);
            } catch (SelectorSyntaxException e) {
                assertThat(e).isNotNull();
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .isLessThan(BYTES_AT_LEAST + BYTES_PER_CHARACTER * text.length());
        });
    }

    /** One that tries every way of dividing the value among the %s would not come to an end. */
    @Test
    void pattern_of_many_wildcards_is_matched_in_bounded_time() throws SelectorSyntaxException {
        String value = "a".repeat(5_000);
        Selector selector = Selector.parse("p LIKE '" + "%a".repeat(2_000) + "%b'");
        assertThat(selector.matches(name -> value)).isFalse();
        assertThat(selector.matches(name -> value + "b")).isTrue();
    }
}
