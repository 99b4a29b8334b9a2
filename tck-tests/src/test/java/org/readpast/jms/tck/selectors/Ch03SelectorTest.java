package org.readpast.jms.tck.selectors;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/**
 * §3.8.1: what a selector selects, seen from a consumer. One message with properties of every type lies in the queue;
 * a consumer with the selector gets it, or gets nothing and leaves it to a consumer without one.
 */
class Ch03SelectorTest {

    private static Message message(Session session) throws JMSException {
        Message message = session.createTextMessage("selected");
        message.setJMSType("order");
        message.setJMSCorrelationID("c-17");
        message.setBooleanProperty("yes", true);
        message.setBooleanProperty("no", false);
        message.setByteProperty("aByte", (byte) 7);
        message.setShortProperty("aShort", (short) 300);
        message.setIntProperty("anInt", 42);
        message.setLongProperty("aLong", Long.MAX_VALUE);
        message.setLongProperty("aLowLong", Long.MIN_VALUE);
        message.setFloatProperty("aFloat", 1.5f);
        message.setDoubleProperty("aDouble", -2.25);
        message.setFloatProperty("aTenth", 0.1f);
        message.setLongProperty("aboveDouble", 9_007_199_254_740_993L);
        message.setStringProperty("text", "blue");
        message.setStringProperty("Text", "RED");
        message.setStringProperty("number", "2");
        message.setStringProperty("empty", "");
        message.setStringProperty("quote", "it's");
        message.setStringProperty("padded", "blue ");
        message.setStringProperty("phone", "12993");
        message.setStringProperty("underscored", "_foo");
        message.setStringProperty("percent", "100%");
        message.setStringProperty("multiline", "first\nsecond");
        message.setStringProperty("special", "a.b*c[d]+(e)\\^$|?");
        message.setStringProperty("umlaut", "M\u00fcller \u65e5\u672c \ud83d\ude80");
        message.setStringProperty("_under$core1", "identifier");
        message.setIntProperty("stra\u00dfe", 1);
        message.setStringProperty("ORDER", "keyword of SQL, not of selectors");
        message.setStringProperty("select", "s");
        message.setIntProperty("message_id", 7);
        message.setIntProperty("$", 1);
        message.setIntProperty("_", 2);
        message.setIntProperty("body$0", 3);
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 3);
        message.setStringProperty("JMS_vendor_thing", "v");
        return message;
    }

    private static void assertSelects(Jms jms, SelectorCase selector) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        session.createProducer(queue).send(message(session));
        try (MessageConsumer consumer = session.createConsumer(queue, selector.selector())) {
            assertThat(isThere(consumer, selector.selects()))
                    .as(selector.selector())
                    .isEqualTo(selector.selects());
        }
        if (!selector.selects()) {
            assertThat(jms.receiveText(session.createConsumer(queue))).isEqualTo("selected");
        }
    }

    /** Whether there is a message, which was sent before the consumer was made. If it is expected, gives it time. */
    private static boolean isThere(MessageConsumer consumer, boolean expected) throws JMSException {
        return consumer.receiveNoWait() != null || (expected && consumer.receive(1_000) != null);
    }

    private static List<SelectorCase> all(List<SelectorCase> selecting, List<SelectorCase> notSelecting) {
        List<SelectorCase> all = new ArrayList<>(selecting);
        all.addAll(notSelecting);
        return all;
    }

    // Literals

    static List<SelectorCase> literals() {
        return all(
                SelectorCase.selecting(
                        "text = 'blue'",
                        "quote = 'it''s'",
                        "empty = ''",
                        "umlaut = 'M\u00fcller \u65e5\u672c \ud83d\ude80'",
                        "multiline = 'first\nsecond'",
                        "anInt = 42",
                        "anInt = +42",
                        "anInt = 42L",
                        "anInt = 42l",
                        "anInt = 0x2A",
                        "anInt = 0X2a",
                        "anInt = 052",
                        "anInt = 4_2",
                        "anInt = 0b101010",
                        "anInt <> -42",
                        "aLong = 9223372036854775807",
                        "aLowLong = -9223372036854775808",
                        "aLong = 0x7FFFFFFFFFFFFFFF",
                        "aFloat = 1.5",
                        "aFloat = +1.5",
                        "aFloat = 15e-1",
                        "aFloat = .15E1",
                        "aFloat = 1.5f",
                        "aFloat = 1.5D",
                        "aFloat = 0x1.8p0",
                        "anInt = 42.",
                        "anInt = 42d",
                        "anInt = 4.2E1",
                        "aDouble = -2.25",
                        "aDouble = -22.5e-1",
                        "TRUE",
                        "true",
                        "yes = TRUE",
                        "yes = tRuE",
                        "no = FALSE"),
                SelectorCase.notSelecting(
                        "FALSE",
                        "false",
                        "text = 'BLUE'",
                        "text = 'blue '",
                        "padded = 'blue'",
                        "empty = ' '",
                        "quote = 'its'",
                        "umlaut = 'Muller \u65e5\u672c \ud83d\ude80'",
                        "anInt = 042",
                        "aLong = 9223372036854775806"));
    }

    @ContractTest
    @CasesFrom(value = "literals", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it does not know all forms of literals that Java knows",
            cases = {
                "anInt = 4_2 selects",
                "anInt = 0b101010 selects",
                "aFloat = 1.5f selects",
                "aFloat = 1.5D selects",
                "aFloat = 0x1.8p0 selects",
                "anInt = 42d selects"
            })
    void literal(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    // Identifiers

    static List<SelectorCase> identifiers() {
        return all(
                SelectorCase.selecting(
                        "yes",
                        "NOT no",
                        "_under$core1 = 'identifier'",
                        "stra\u00dfe = 1",
                        "ORDER IS NOT NULL",
                        "select = 's'",
                        "message_id = 7",
                        "$ = 1",
                        "_ = 2",
                        "$ + _ = 3",
                        "body$0 = 3",
                        "Text = 'RED'",
                        "JMSXGroupID = 'g'",
                        "JMSXGroupSeq = 3",
                        "JMS_vendor_thing = 'v'",
                        "JMSXAppID IS NULL"),
                SelectorCase.notSelecting(
                        "no",
                        "absent",
                        "NOT absent",
                        "TEXT = 'blue'",
                        "TEXT = 'RED'",
                        "JMSXAppID = 'a'",
                        "Anint = 42"));
    }

    @ContractTest
    @CasesFrom(value = "identifiers", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it knows only the letters of ASCII",
            cases = {"stra\\u00dfe = 1 selects"})
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.5.9",
            why = "it does not show the property to selectors",
            cases = {"JMSXGroupSeq = 3 selects"})
    void identifier(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    // Header fields

    static List<SelectorCase> headers() {
        return all(
                SelectorCase.selecting(
                        "JMSType = 'order'",
                        "JMSType LIKE 'ord%'",
                        "JMSType IN ('invoice', 'order')",
                        "JMSCorrelationID = 'c-17'",
                        "JMSCorrelationID LIKE 'c-__'",
                        "JMSPriority = 4",
                        "JMSPriority BETWEEN 4 AND 9",
                        "JMSPriority + 1 = 5",
                        "JMSDeliveryMode = 'PERSISTENT'",
                        "JMSDeliveryMode <> 'NON_PERSISTENT'",
                        "JMSDeliveryMode IN ('PERSISTENT')",
                        "JMSTimestamp > 1600000000000",
                        "JMSTimestamp <> 0",
                        "JMSMessageID IS NOT NULL",
                        "JMSMessageID LIKE 'ID:%'",
                        "JMSType = 'order' AND text = 'blue' AND anInt > 25",
                        "JMSType = 'invoice' OR anInt = 42",
                        "JMSType = 'order' OR anInt = 0",
                        "NOT (JMSType = 'invoice')",
                        "NOT (JMSType = 'invoice' OR JMSPriority > 4)",
                        "JMSType <> JMSCorrelationID",
                        "JMSType <> text",
                        "'order' = JMSType",
                        "4 = JMSPriority",
                        "JMSPriority = 4.0",
                        "JMSPriority / 2 = 2",
                        "JMSPriority < anInt",
                        "JMSPriority <> 9",
                        "JMSPriority < 9223372036854775807",
                        "JMSPriority > -1e300",
                        "JMSPriority IS NOT NULL",
                        "JMSTimestamp IS NOT NULL",
                        "JMSTimestamp BETWEEN 1600000000000 AND 9223372036854775807",
                        "JMSTimestamp > 1.5",
                        "JMSDeliveryMode IS NOT NULL",
                        "JMSDeliveryMode LIKE 'PERS%'",
                        "JMSCorrelationID IN ('c-16', 'c-17') AND JMSPriority > 0",
                        "(JMSCorrelationID = 'c-17' OR JMSType = 'x') AND (anInt = 42 OR JMSPriority = 9)",
                        "JMSCorrelationID = 'c-17' AND JMSCorrelationID = 'c-17'",
                        "JMSMessageID <> 'ID:other'"),
                SelectorCase.notSelecting(
                        "JMSType = 'ORDER'",
                        "JMSType <> 'order'",
                        "JMSType = 'order '",
                        "JMSType = text",
                        "JMSType = JMSCorrelationID",
                        "JMSCorrelationID = 'c-17 '",
                        "JMSCorrelationID = 'c-17' AND JMSCorrelationID = 'c-18'",
                        "JMSCorrelationID = 'c-17' AND absent = 1",
                        "NOT (JMSCorrelationID = 'c-17')",
                        "JMSCorrelationID = 17",
                        "JMSPriority = 4.5",
                        "JMSPriority > 9223372036854775806",
                        "JMSPriority LIKE '4'",
                        "JMSTimestamp = '0'",
                        "JMSDeliveryMode = 'persistent'",
                        "JMSDeliveryMode = 'PERSISTENT ' OR JMSPriority = 5",
                        "JMSCorrelationID = 'c-18'",
                        "JMSCorrelationID = 'C-17'",
                        "JMSCorrelationID IS NULL",
                        "JMSPriority > 4",
                        "JMSPriority = '4'",
                        "JMSDeliveryMode = 'NON_PERSISTENT'",
                        "JMSDeliveryMode = 2",
                        "JMSTimestamp < 1600000000000",
                        "JMSMessageID = 'ID:'",
                        "JMSType = 'order' AND anInt > 42"));
    }

    @ContractTest
    @CasesFrom("headers")
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.3",
            why = "it replaces the names of the delivery modes by its own in a comparison only",
            cases = {"JMSDeliveryMode LIKE 'PERS%' selects"})
    void header_field(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    @ContractTest
    void header_field_that_is_null_is_a_null_value(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        session.createProducer(queue).send(session.createTextMessage("bare"));
        for (String selector : List.of(
                "JMSType = 'order'",
                "JMSType <> 'order'",
                "NOT (JMSType = 'order')",
                "JMSType IS NOT NULL",
                "JMSCorrelationID <> 'c'",
                "JMSCorrelationID NOT IN ('c')",
                "JMSCorrelationID NOT LIKE 'c%'")) {
            try (MessageConsumer consumer = session.createConsumer(queue, selector)) {
                assertThat(consumer.receiveNoWait()).as(selector).isNull();
            }
        }
        String selector = "JMSType IS NULL AND JMSCorrelationID IS NULL";
        assertThat(jms.receiveText(session.createConsumer(queue, selector))).isEqualTo("bare");
    }

    @ContractTest
    void message_can_be_selected_by_its_id(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("first"));
        Message second = session.createTextMessage("second");
        producer.send(second);
        producer.send(session.createTextMessage("third"));
        String selector = "JMSMessageID = '" + second.getJMSMessageID() + "'";
        assertThat(jms.receiveText(session.createConsumer(jms.queue(), selector)))
                .isEqualTo("second");
    }

    @ContractTest
    void message_can_be_selected_by_its_timestamp(Jms jms) throws Exception {
        Session session = jms.session();
        Message sent = session.createTextMessage("now");
        session.createProducer(jms.queue()).send(sent);
        String selector = "JMSTimestamp = " + sent.getJMSTimestamp();
        assertThat(jms.receiveText(session.createConsumer(jms.queue(), selector)))
                .isEqualTo("now");
    }

    @ContractTest
    void message_can_be_selected_by_its_delivery_mode(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.send(session.createTextMessage("persistent"));
        producer.send(session.createTextMessage("fleeting"), DeliveryMode.NON_PERSISTENT, 4, 0);
        assertThat(jms.receiveText(session.createConsumer(jms.queue(), "JMSDeliveryMode = 'NON_PERSISTENT'")))
                .isEqualTo("fleeting");
        assertThat(jms.receiveText(session.createConsumer(jms.queue(), "JMSDeliveryMode = 'PERSISTENT'")))
                .isEqualTo("persistent");
    }

    @ContractTest
    void message_can_be_selected_by_a_group_that_it_belongs_to(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (String group : List.of("a", "b", "a")) {
            Message message = session.createTextMessage("of " + group);
            message.setStringProperty("JMSXGroupID", group);
            producer.send(message);
        }
        assertThat(jms.receiveText(session.createConsumer(jms.queue(), "JMSXGroupID = 'b'")))
                .isEqualTo("of b");
    }

    // Comparison

    static List<SelectorCase> comparisons() {
        return all(
                SelectorCase.selecting(
                        "anInt = 42.0",
                        "anInt > 41",
                        "anInt >= 42",
                        "anInt < 43",
                        "anInt <= 42",
                        "anInt <> 43",
                        "42 = anInt",
                        "41 < anInt",
                        "aByte = 7",
                        "aShort > aByte",
                        "aFloat < anInt",
                        "aFloat > aDouble",
                        "aDouble < -2",
                        "aLong > 9223372036854775806",
                        "aLong > anInt",
                        "yes <> no",
                        "yes = yes",
                        "text <> 'red'",
                        "text = text",
                        "aTenth > 0.1",
                        "aTenth < 0.11",
                        "aboveDouble = 9007199254740993",
                        "aboveDouble > 9007199254740992",
                        "aboveDouble = 9007199254740992.0",
                        "'a' = 'a'",
                        "1 = 1",
                        "1 < 2"),
                SelectorCase.notSelecting(
                        "aTenth = 0.1",
                        "aboveDouble = 9007199254740992",
                        "anInt > 42",
                        "anInt >= 43",
                        "anInt < 42",
                        "anInt <= 41",
                        "anInt <> 42",
                        "yes = no",
                        "text <> 'blue'",
                        "text = Text",
                        "1 = 2",
                        "'a' = 'A'"));
    }

    @ContractTest
    @CasesFrom(value = "comparisons", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it converts the short to a byte",
            cases = {"aShort > aByte selects"})
    void comparison(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    /** "If the comparison of non-like type values is attempted, the value of the operation is false." */
    static List<SelectorCase> unlike() {
        return all(
                SelectorCase.selecting(
                        "NOT (number = 2)", "NOT (text = TRUE)", "NOT (anInt = '42')", "NOT (yes = 'true')"),
                SelectorCase.notSelecting(
                        "number = 2",
                        "number > 1",
                        "number < 3",
                        "number <> 2",
                        "number <> 3",
                        "number BETWEEN 1 AND 3",
                        "anInt = '42'",
                        "anInt <> '42'",
                        "yes = 'true'",
                        "yes = 1",
                        "text = TRUE",
                        "text <> TRUE"));
    }

    @ContractTest
    @CasesFrom(value = "unlike", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it takes values of unlike types for different",
            cases = {
                "number <> 2 does not select",
                "number <> 3 does not select",
                "anInt <> '42' does not select",
                "text <> TRUE does not select"
            })
    void comparison_of_unlike_types_is_false(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    // Arithmetic

    static List<SelectorCase> arithmetic() {
        return all(
                SelectorCase.selecting(
                        "anInt + 1 = 43",
                        "anInt - 1 = 41",
                        "anInt * 2 = 84",
                        "anInt / 2 = 21",
                        "-anInt = -42",
                        "+anInt = 42",
                        "- -anInt = 42",
                        "2 + 3 * 4 = 14",
                        "(2 + 3) * 4 = 20",
                        "10 - 4 - 3 = 3",
                        "100 / 10 / 2 = 5",
                        "-2 + 5 = 3",
                        "5 - -2 = 7",
                        "5+2=7",
                        "5-2=3",
                        "7 / 2 = 3",
                        "7 / 2.0 = 3.5",
                        "7.0 / 2 = 3.5",
                        "-7 / 2 = -3",
                        "aFloat * 2 = 3",
                        "aDouble + 0.25 = -2",
                        "aByte * aShort = 2100",
                        "anInt * anInt = 1764",
                        "aByte + aFloat = 8.5",
                        "1 / 2 = 0",
                        "1.0 / 0 > 9223372036854775807",
                        "5--2=7"),
                SelectorCase.notSelecting(
                        "anInt / 0 = 1", "anInt + 1 = 42", "2 + 3 * 4 = 20", "7 / 2 = 3.5", "anInt / 2 > 21"));
    }

    @ContractTest
    @CasesFrom(value = "arithmetic", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it divides integers as doubles",
            cases = {"7 / 2 = 3 selects", "-7 / 2 = -3 selects", "1 / 2 = 0 selects", "7 / 2 = 3.5 does not select"})
    void arithmetic(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    // BETWEEN, IN, LIKE, IS NULL

    static List<SelectorCase> betweens() {
        return all(
                SelectorCase.selecting(
                        "anInt BETWEEN 42 AND 42",
                        "anInt BETWEEN 1 AND 100",
                        "anInt NOT BETWEEN 43 AND 100",
                        "anInt NOT BETWEEN 1 AND 41",
                        "anInt between 41.5 and 42.5",
                        "anInt * 2 BETWEEN anInt AND anInt * 3",
                        "aFloat BETWEEN 1 AND 2",
                        "50 BETWEEN anInt AND aShort",
                        "anInt BETWEEN 1 AND 100 AND yes",
                        "NOT anInt BETWEEN 43 AND 100"),
                SelectorCase.notSelecting(
                        "anInt BETWEEN 43 AND 100",
                        "anInt BETWEEN 100 AND 1",
                        "anInt NOT BETWEEN 1 AND 100",
                        "absent BETWEEN 1 AND 100",
                        "absent NOT BETWEEN 1 AND 100",
                        "anInt BETWEEN absent AND 100",
                        "anInt BETWEEN 1 AND absent"));
    }

    @ContractTest
    @CasesFrom(value = "betweens", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it converts the short to a byte",
            cases = {"50 BETWEEN anInt AND aShort selects"})
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it refuses NOT before a comparison without brackets",
            cases = {"NOT anInt BETWEEN 43 AND 100 selects"})
    void between(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    @ContractTest
    void between_with_an_unknown_bound_is_false_when_the_other_decides(Jms jms) throws Exception {
        // 42 >= NULL AND 42 <= 10 is U AND F, which is F; NOT F selects.
        assertSelects(jms, new SelectorCase("NOT (anInt BETWEEN absent AND 10)", true));
    }

    static List<SelectorCase> ins() {
        return all(
                SelectorCase.selecting(
                        "text IN ('blue')",
                        "text IN ('red', 'blue', 'green')",
                        "text NOT IN ('red', 'green')",
                        "text in('red','blue')",
                        "quote IN ('it''s')",
                        "NOT text IN ('red')",
                        "empty IN ('')"),
                SelectorCase.notSelecting(
                        "text IN ('red', 'green')",
                        "text IN ('BLUE')",
                        "text NOT IN ('blue', 'green')",
                        "absent IN ('blue')",
                        "absent NOT IN ('blue')",
                        "NOT (absent IN ('blue'))",
                        "NOT (absent NOT IN ('blue'))",
                        "padded IN ('blue')"));
    }

    @ContractTest
    @CasesFrom(value = "ins", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it refuses NOT before a comparison without brackets",
            cases = {"NOT text IN ('red') selects"})
    void in(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    /** §3.8.1.1: the identifier of IN has a String or NULL value, and that of LIKE a String value. */
    static List<SelectorCase> otherTypes() {
        return SelectorCase.notSelecting(
                "anInt IN ('42')",
                "anInt NOT IN ('red')",
                "NOT (anInt IN ('red'))",
                "yes NOT IN ('red')",
                "JMSPriority NOT IN ('red')",
                "anInt LIKE '42'",
                "anInt NOT LIKE 'red'",
                "NOT (anInt LIKE 'red')",
                "yes NOT LIKE 'red'",
                "JMSPriority NOT LIKE 'red'",
                "TRUE = 0",
                "yes = 1",
                "no = 0",
                "yes <> 0",
                "text <> 42",
                "anInt <> 'red'");
    }

    @ContractTest
    @CasesFrom(value = "otherTypes", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "NOT LIKE is true of what is no string, unlike types are unequal, and TRUE = 0 is refused",
            cases = {
                "TRUE = 0 does not select",
                "anInt NOT LIKE 'red' does not select",
                "NOT (anInt LIKE 'red') does not select",
                "yes NOT LIKE 'red' does not select",
                "JMSPriority NOT LIKE 'red' does not select",
                "yes <> 0 does not select",
                "text <> 42 does not select",
                "anInt <> 'red' does not select"
            })
    void operator_for_strings_does_not_select_other_types(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    static List<SelectorCase> likes() {
        return all(
                SelectorCase.selecting(
                        "phone LIKE '12%3'",
                        "phone LIKE '12_93'",
                        "phone LIKE '%'",
                        "phone LIKE '12993'",
                        "phone LIKE '12993%'",
                        "phone LIKE '%993'",
                        "phone LIKE '%99%'",
                        "phone NOT LIKE '12%4'",
                        "phone NOT LIKE '12_3'",
                        "text LIKE '____'",
                        "empty LIKE ''",
                        "empty LIKE '%'",
                        "underscored LIKE '\\_%' ESCAPE '\\'",
                        "underscored LIKE 'x_foo' ESCAPE 'x'",
                        "percent LIKE '100!%' ESCAPE '!'",
                        "percent LIKE '100%'",
                        "text NOT LIKE '\\_%' ESCAPE '\\'",
                        "multiline LIKE 'first%second'",
                        "multiline LIKE 'first_second'",
                        "special LIKE 'a.b*c[d]+(e)\\^$|?'",
                        "special LIKE '%[d]%'",
                        "umlaut LIKE 'M_ller%'",
                        "umlaut LIKE '%\u65e5\u672c%'",
                        "quote LIKE '%''%'",
                        "text like 'bl%'"),
                SelectorCase.notSelecting(
                        "phone LIKE '12%4'",
                        "phone LIKE '12_3'",
                        "phone LIKE '12'",
                        "phone LIKE '2993'",
                        "phone NOT LIKE '12%3'",
                        "text LIKE 'BLUE'",
                        "text LIKE '_____'",
                        "text LIKE '___'",
                        "text LIKE '\\_%' ESCAPE '\\'",
                        "phone LIKE '12!%' ESCAPE '!'",
                        "empty LIKE '_'",
                        "padded LIKE 'blue'",
                        "special LIKE 'axb*c[d]+(e)\\^$|?'",
                        "text LIKE '[abc]lue'",
                        "absent LIKE '%'",
                        "absent NOT LIKE '%'",
                        "NOT (absent LIKE '%')"));
    }

    @ContractTest
    @CasesFrom(value = "likes", matrix = true)
    void like(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    static List<SelectorCase> nulls() {
        return all(
                SelectorCase.selecting(
                        "absent IS NULL",
                        "text IS NOT NULL",
                        "empty IS NOT NULL",
                        "no IS NOT NULL",
                        "absent is null",
                        "NOT (absent IS NOT NULL)",
                        "NOT text IS NULL",
                        "absent IS NULL AND text = 'blue'"),
                SelectorCase.notSelecting(
                        "absent IS NOT NULL",
                        "text IS NULL",
                        "empty IS NULL",
                        "NOT (absent IS NULL)",
                        "absent = absent",
                        "absent <> absent",
                        "absent = 1",
                        "absent <> 1",
                        "absent > 1",
                        "absent <> 'a'",
                        "absent = TRUE",
                        "absent + 1 = 1",
                        "absent + 1 <> 1",
                        "-absent = 0",
                        "anInt * absent = 0",
                        "NOT (absent = 1)",
                        "NOT (absent + anInt > 1)"));
    }

    @ContractTest
    @CasesFrom(value = "nulls", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it negates the identifier, not the test for null",
            cases = {"NOT text IS NULL selects"})
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.2",
            why = "it takes a null for equal to itself",
            cases = {"absent = absent does not select"})
    void null_value(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    // §3.8.1.2: the truth tables

    /** A cell of Tables 3-4 to 3-6: an expression, and what it comes to. */
    record Truth(String expression, char value) {
        @Override
        public String toString() {
            return expression + " is " + value;
        }
    }

    /** Expressions that are true, false and unknown of the message. */
    private static final Map<Character, String> OPERANDS =
            new TreeMap<>(Map.of('T', "anInt = 42", 'F', "anInt = 0", 'U', "absent = 0"));

    static List<Truth> truths() {
        List<Truth> truths = new ArrayList<>();
        for (char left : OPERANDS.keySet()) {
            for (char right : OPERANDS.keySet()) {
                String and = OPERANDS.get(left) + " AND " + OPERANDS.get(right);
                String or = OPERANDS.get(left) + " OR " + OPERANDS.get(right);
                truths.add(new Truth(and, left == 'F' || right == 'F' ? 'F' : left == 'T' && right == 'T' ? 'T' : 'U'));
                truths.add(new Truth(or, left == 'T' || right == 'T' ? 'T' : left == 'F' && right == 'F' ? 'F' : 'U'));
            }
        }
        truths.add(new Truth("NOT (" + OPERANDS.get('T') + ")", 'F'));
        truths.add(new Truth("NOT (" + OPERANDS.get('F') + ")", 'T'));
        truths.add(new Truth("NOT (" + OPERANDS.get('U') + ")", 'U'));
        return truths;
    }

    /** True and its negation tell the three values apart: T selects, F selects when negated, U does neither. */
    @ContractTest
    @CasesFrom(value = "truths", matrix = true)
    void truth(Jms jms, Truth truth) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        producer.send(message(session));
        try (MessageConsumer consumer = session.createConsumer(queue, truth.expression())) {
            boolean selects = truth.value() == 'T';
            assertThat(isThere(consumer, selects)).as(truth.expression()).isEqualTo(selects);
        }
        producer.send(message(session));
        try (MessageConsumer consumer = session.createConsumer(queue, "NOT (" + truth.expression() + ")")) {
            boolean selects = truth.value() == 'F';
            assertThat(isThere(consumer, selects))
                    .as("NOT (" + truth.expression() + ")")
                    .isEqualTo(selects);
        }
    }

    // Precedence, brackets, white space, case

    static List<SelectorCase> precedences() {
        return all(
                SelectorCase.selecting(
                        "TRUE OR FALSE AND FALSE",
                        "yes OR no AND no",
                        "NOT no AND yes",
                        "NOT no OR no",
                        "NOT (no AND yes)",
                        "NOT NOT yes",
                        "anInt = 42 OR anInt = 1 AND text = 'red'",
                        "(anInt = 1 OR anInt = 42) AND text = 'blue'",
                        "((((anInt = 42))))",
                        "NOT anInt = 1",
                        "anInt=(42)AND text='blue'",
                        "anInt\t=\n42\r\nAND\ftext = 'blue'",
                        "  anInt = 42  ",
                        "anInt = 42 and Text = 'RED' Or no",
                        "not(no)and(yes)",
                        "text='blue'OR no"),
                SelectorCase.notSelecting(
                        "(yes OR no) AND no",
                        "NOT (yes OR no)",
                        "NOT yes OR no",
                        "no AND no OR no",
                        "(anInt = 42 OR anInt = 1) AND text = 'red'"));
    }

    @ContractTest
    @CasesFrom(value = "precedences", matrix = true)
    @Deviation(
            target = TargetId.ARTEMIS,
            clause = "§3.8.1.1",
            why = "it negates the identifier, not the comparison",
            cases = {"NOT anInt = 1 selects"})
    void precedence_and_form(Jms jms, SelectorCase selector) throws Exception {
        assertSelects(jms, selector);
    }

    @ContractTest
    void selector_of_many_terms_is_accepted(Jms jms) throws Exception {
        StringBuilder selector = new StringBuilder("anInt = 0");
        for (int i = 1; i <= 200; i++) {
            selector.append(" OR anInt = ").append(i);
        }
        assertSelects(jms, new SelectorCase(selector.toString(), true));
    }

    @ContractTest
    void selector_with_a_long_list_is_accepted(Jms jms) throws Exception {
        StringBuilder selector = new StringBuilder("text IN (");
        for (int i = 0; i < 1_000; i++) {
            selector.append("'colour ").append(i).append("', ");
        }
        assertSelects(jms, new SelectorCase(selector + "'blue')", true));
    }

    @ContractTest
    void selector_with_many_brackets_is_accepted(Jms jms) throws Exception {
        assertSelects(jms, new SelectorCase("(".repeat(50) + "anInt = 42" + ")".repeat(50), true));
    }

    @ContractTest
    void long_correlation_ids_are_told_apart_by_their_ends(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        String start = "x".repeat(1_000);
        for (String end : List.of("a", "B", "b", "b ", "")) {
            Message message = session.createTextMessage("'" + end + "'");
            message.setJMSCorrelationID(start + end);
            producer.send(message);
        }
        for (String end : List.of("b", "b ", "", "B", "a")) {
            String selector = "JMSCorrelationID = '" + start + end + "'";
            try (MessageConsumer consumer = session.createConsumer(jms.queue(), selector)) {
                assertThat(jms.receiveText(consumer)).isEqualTo("'" + end + "'");
                assertThat(consumer.receiveNoWait()).isNull();
            }
        }
    }

    @ContractTest
    void correlation_id_with_a_quote_is_selected(Jms jms) throws Exception {
        Session session = jms.session();
        Message message = session.createTextMessage("quoted");
        message.setJMSCorrelationID("it's \u20ac; --");
        session.createProducer(jms.queue()).send(message);
        assertThat(jms.receiveText(session.createConsumer(jms.queue(), "JMSCorrelationID = 'it''s \u20ac; --'")))
                .isEqualTo("quoted");
    }
}
