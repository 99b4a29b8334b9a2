package org.readpast.jms.tck.selectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import java.util.List;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** §3.8.1.1: "A method providing a syntactically incorrect selector must result in an InvalidSelectorException." */
class Ch03InvalidSelectorTest {

    static List<String> selectors() {
        return List.of(
                "a =",
                "= 1",
                "a == 1",
                "a != 1",
                "a = 1 AND",
                "OR a = 1",
                "a = 1 b = 2",
                "NOT",
                "(a = 1",
                "a = 1)",
                "()",
                "a = 'unclosed",
                "a = \"double\"",
                "a = 'it's'",
                "1a = 1",
                "a-b.c = 1",
                "a = 1;",
                "a BETWEEN 1",
                "a BETWEEN 1 AND",
                "a BETWEEN 1 OR 2",
                "BETWEEN 1 AND 2",
                "a IN ()",
                "a IN 'x'",
                "a IN ('x'",
                "a IN ('x',)",
                "a IN (1, 2)",
                "a IN (b)",
                "'x' IN ('x')",
                "a LIKE",
                "a LIKE 1",
                "a LIKE b",
                "'x' LIKE 'x'",
                "a LIKE 'x' ESCAPE",
                "a LIKE 'x' ESCAPE 'long'",
                "a LIKE 'x' ESCAPE ''",
                "a IS",
                "a IS NOT",
                "a IS TRUE",
                "a IS NULL NULL",
                "1 IS NULL",
                "a = NULL",
                "NULL",
                "NULL = NULL",
                "AND = 1",
                "TRUE = 1 +",
                "a + = 1",
                "a * / 2 = 1",
                "a = 1 -- a comment",
                "a = /* comment */ 1",
                "a = 9223372036854775808",
                "a = 0xG",
                "a = 1e",
                "a = 1.2.3",
                "a = 1 # 2",
                "a = {b}",
                "a = ?",
                "a = :b",
                "SELECT * FROM t",
                "a % 2 = 0",
                "a || 'b' = 'c'");
    }

    @ContractTest
    @CasesFrom(value = "selectors", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it takes double quotes around names, and % for the remainder",
            cases = {"a = \"double\"", "a % 2 = 0"})
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it takes more than identifiers in LIKE and IS NULL",
            cases = {"'x' LIKE 'x'", "1 IS NULL", "NULL"})
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.3",
            why = "it takes comments",
            cases = {"a = /* comment */ 1"})
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it takes an integer that is too large for a double",
            cases = {"a = 9223372036854775808"})
    void invalid_selector_is_refused_by_createConsumer(Jms jms, String selector) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createConsumer(queue, selector));
    }

    /** Expressions that are no condition: "A selector is a conditional expression." */
    static List<String> noConditions() {
        return List.of("1", "1 + 2", "'text'", "-1", "a + 1", "NOT 1", "'a' AND TRUE", "a = 1 OR 2");
    }

    @ContractTest
    @CasesFrom(value = "noConditions", matrix = true)
    void expression_that_is_no_condition_is_refused(Jms jms, String selector) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createConsumer(queue, selector));
    }

    /** "String and Boolean comparison is restricted to = and <>." */
    static List<String> orderedTexts() {
        return List.of("'a' < 'b'", "a > 'b'", "a <= TRUE", "TRUE >= FALSE", "a BETWEEN 'a' AND 'b'");
    }

    @ContractTest
    @CasesFrom(value = "orderedTexts", matrix = true)
    void order_of_texts_or_booleans_is_refused_or_never_holds(Jms jms, String selector) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        Message message = session.createMessage();
        message.setStringProperty("a", "az");
        session.createProducer(queue).send(message);
        try (MessageConsumer consumer = session.createConsumer(queue, selector)) {
            assertThat(consumer.receiveNoWait()).isNull();
        } catch (InvalidSelectorException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @ContractTest
    void invalid_selector_is_refused_by_createBrowser(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> session.createBrowser(queue, "a ="));
    }

    @ContractTest
    void invalid_selector_is_refused_by_createReceiver(Jms jms) throws Exception {
        QueueSession session = jms.queueConnection().createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        Queue queue = jms.queue();
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createReceiver(queue, "a ="));
    }

    @ContractTest
    void invalid_selector_is_refused_by_a_context(Jms jms) throws Exception {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        assertThatExceptionOfType(InvalidSelectorRuntimeException.class)
                .isThrownBy(() -> context.createConsumer(queue, "a ="));
        assertThatExceptionOfType(InvalidSelectorRuntimeException.class)
                .isThrownBy(() -> context.createBrowser(queue, "a ="));
    }

    @ContractTest
    void session_is_of_use_after_an_invalid_selector(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createConsumer(queue, "a ="));
        jms.send(queue, "text");
        assertThat(jms.receiveText(session.createConsumer(queue))).isEqualTo("text");
    }
}
