package org.readpast.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What selectors evaluate to, three-valued, clause by clause of §3.8.1. */
class SelectorEvaluationTest {

    private static final Map<String, Object> MESSAGE = new HashMap<>();

    static {
        MESSAGE.put("JMSDeliveryMode", "PERSISTENT");
        MESSAGE.put("JMSPriority", 4);
        MESSAGE.put("JMSMessageID", "ID:1");
        MESSAGE.put("JMSTimestamp", 1700000000000L);
        MESSAGE.put("JMSCorrelationID", "c-1");
        MESSAGE.put("JMSXDeliveryCount", 2);
        MESSAGE.put("JMS_readpast", "vendor");
        MESSAGE.put("yes", true);
        MESSAGE.put("no", false);
        MESSAGE.put("byte", (byte) 7);
        MESSAGE.put("short", (short) 300);
        MESSAGE.put("int", 100000);
        MESSAGE.put("intMax", Integer.MAX_VALUE);
        MESSAGE.put("long", 5_000_000_000L);
        MESSAGE.put("longMax", Long.MAX_VALUE);
        MESSAGE.put("longMin", Long.MIN_VALUE);
        MESSAGE.put("float", 1.1f);
        MESSAGE.put("double", 1.1d);
        MESSAGE.put("nan", Double.NaN);
        MESSAGE.put("text", "two words");
        MESSAGE.put("digits", "2");
        MESSAGE.put("quote", "it's");
        MESSAGE.put("empty", "");
        MESSAGE.put("blankEnd", "a ");
        MESSAGE.put("under", "_foo");
        MESSAGE.put("percent", "100%");
        MESSAGE.put("backslash", "a\\b");
        MESSAGE.put("smile", "a\uD83D\uDE00b");
        MESSAGE.put("lines", "a\nb");
        MESSAGE.put("country", "UK");
        MESSAGE.put("Country", "France");
        MESSAGE.put("$dollar_1", 1);
        MESSAGE.put("größe", 3);
        MESSAGE.put("bytes", new byte[] {1});
        MESSAGE.put("object", BigDecimal.ONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            # literals and identifiers
            TRUE | TRUE
            false | FALSE
            yes | TRUE
            no | FALSE
            text | UNKNOWN
            int | UNKNOWN
            missing | UNKNOWN
            quote = 'it''s' | TRUE
            empty = '' | TRUE
            empty = '''' | FALSE
            $dollar_1 = 1 | TRUE
            größe = 3 | TRUE
            Yes | UNKNOWN
            country = 'UK' AND Country = 'France' | TRUE
            JMSXDeliveryCount = 2 | TRUE
            JMS_readpast = 'vendor' | TRUE
            JMSDeliveryMode = 'PERSISTENT' | TRUE
            JMSDeliveryMode = 2 | FALSE
            JMSType IS NULL | TRUE
            JMSType = 'car' | UNKNOWN
            JMSTimestamp >= 1700000000000 | TRUE

            # numeric literals, as Java writes them
            short = 300 AND short = +300 AND short <> -300 | TRUE
            int = 100_000 | TRUE
            byte = 0x7 AND byte = 07 AND byte = 0b111 AND byte = 0X7L AND byte = 7l | TRUE
            15 = 017 AND 4294967295 = 0xFFFFFFFF AND -1 = 0xFFFFFFFFFFFFFFFF | TRUE
            long = 5000000000 AND long = 5000000000L AND long = 5E9 AND long = 5.e9 | TRUE
            7. = 7 AND .5 = 0.5 AND 7E3 = 7000 AND -57.9E2 = -5790. AND 1e-1 = 0.1d | TRUE
            0x1p3 = 8 AND 0x1.8P1 = 3 AND 1_0.0_1 = 10.01 AND 09.5 = 9.5 | TRUE
            57F = 57 AND 57d = 57 AND 5D = 5f | TRUE
            longMin = -9223372036854775808 | TRUE
            longMin = - 9223372036854775808L | TRUE

            # comparison and numeric promotion
            byte < short AND short < int AND int < long AND float < long AND double < int | TRUE
            double = 1.1 | TRUE
            float = 1.1F | TRUE
            float = 1.1 | FALSE
            float = double | FALSE
            16777217 = 16777216F | TRUE
            9007199254740993 = 9007199254740992. | TRUE
            9007199254740993 = 9007199254740992 | FALSE
            nan = nan | FALSE
            nan <> nan | TRUE
            nan < 1 OR nan >= 1 | FALSE
            0. = -0. | TRUE
            byte >= 7 AND byte <= 7 AND NOT byte > 7 AND NOT byte < 7 | TRUE

            # strings and booleans
            text = 'two words' | TRUE
            text = 'Two words' | FALSE
            blankEnd = 'a' | FALSE
            blankEnd <> 'a' | TRUE
            yes = TRUE AND no <> TRUE AND yes <> no | TRUE
            (int > 5) = TRUE | TRUE
            (int > 5) <> (byte > 5) | FALSE
            (missing > 5) = TRUE | UNKNOWN

            # unlike types are false, whatever the operator
            digits = 2 | FALSE
            digits <> 2 | FALSE
            digits > 1 | FALSE
            digits BETWEEN 1 AND 3 | FALSE
            digits NOT BETWEEN 1 AND 3 | FALSE
            NOT digits = 2 | TRUE
            int = 'x' OR int <> 'x' | FALSE
            yes = 'true' OR yes = 1 OR yes <> 1 | FALSE
            text > country | FALSE
            yes >= yes | FALSE
            'a' = 5 | FALSE
            TRUE <> 'a' | FALSE

            # arithmetic
            int + 1 = 100001 AND int - 1 = 99999 AND byte * 2 = 14 AND byte / 2 = 3 | TRUE
            2 + 3 * 4 = 14 AND (2 + 3) * 4 = 20 AND 20 - 5 - 5 = 10 AND 100 / 10 / 5 = 2 | TRUE
            -byte = -7 AND +byte = 7 AND - -byte = 7 AND -(byte + 1) = -8 AND 3 - -2 = 5 | TRUE
            byte / 2. = 3.5 AND 7 / 2 = 3 AND -7 / 2 = -3 AND 7F / 2 = 3.5 | TRUE
            intMax + 1 = 2147483648 AND intMax * intMax = 4611686014132420609 | TRUE
            longMax + 1 > 0 | UNKNOWN
            longMin - 1 < 0 | UNKNOWN
            longMax * 2 <> 0 | UNKNOWN
            -longMin = 0 | UNKNOWN
            longMin / -1 = 0 | UNKNOWN
            longMax + 1. > 9E18 | TRUE
            int / 0 = 0 | UNKNOWN
            int / 0. > 1E300 | TRUE
            1 / 0 = 1 | UNKNOWN
            digits + 1 = 3 | UNKNOWN
            NOT digits + 1 = 3 | UNKNOWN
            +digits = '2' | UNKNOWN
            -yes = 1 | UNKNOWN
            missing + 1 = 1 | UNKNOWN
            1 + missing * 2 = 1 | UNKNOWN

            # BETWEEN
            short BETWEEN 300 AND 300 | TRUE
            short BETWEEN 301 AND 400 | FALSE
            short BETWEEN 400 AND 200 | FALSE
            short NOT BETWEEN 400 AND 200 | TRUE
            short NOT BETWEEN 300 AND 301 | FALSE
            NOT short BETWEEN 300 AND 301 | FALSE
            5 BETWEEN 1 AND byte | TRUE
            byte + 1 BETWEEN byte AND byte * 2 | TRUE
            missing BETWEEN 1 AND 2 | UNKNOWN
            short BETWEEN missing AND 200 | FALSE
            short BETWEEN missing AND 400 | UNKNOWN
            short NOT BETWEEN missing AND 200 | TRUE
            short NOT BETWEEN 200 AND missing | UNKNOWN
            byte BETWEEN 1 AND 9 AND yes | TRUE

            # IN
            country IN ('UK', 'US') | TRUE
            country IN ('Peru') | FALSE
            country NOT IN ('UK', 'US') | FALSE
            country NOT IN ('Peru', 'Peru') | TRUE
            missing IN ('UK') | UNKNOWN
            missing NOT IN ('UK') | UNKNOWN
            int IN ('100000') | UNKNOWN
            int NOT IN ('100000') | UNKNOWN
            JMSDeliveryMode IN ('PERSISTENT', 'x') | TRUE

            # LIKE
            text LIKE 'two%' | TRUE
            text LIKE '%words' | TRUE
            text LIKE '%o%o%' | TRUE
            text LIKE '%o%o%o%' | FALSE
            text LIKE 'two_words' | TRUE
            text LIKE 'two words' | TRUE
            text LIKE 'two' | FALSE
            text LIKE 'TWO%' | FALSE
            text LIKE '%' AND empty LIKE '%' AND empty LIKE '' AND empty LIKE '%%' | TRUE
            empty LIKE '_' | FALSE
            text LIKE '' | FALSE
            under LIKE '\\_%' ESCAPE '\\' | TRUE
            text LIKE '\\_%' ESCAPE '\\' | FALSE
            percent LIKE '100!%' ESCAPE '!' AND percent NOT LIKE '10!%' ESCAPE '!' | TRUE
            backslash LIKE 'a\\b' AND backslash LIKE 'a\\\\b' ESCAPE '\\' | TRUE
            percent LIKE '!1!0!0%%' ESCAPE '!' | TRUE
            percent LIKE '100%%' ESCAPE '%' | TRUE
            smile LIKE 'a_b' | TRUE
            smile LIKE 'a__b' | FALSE
            lines LIKE 'a_b' AND lines LIKE '%b' | TRUE
            text LIKE 't.o%' OR text LIKE '.*' OR text LIKE '[a-z]%' | FALSE
            text NOT LIKE 'two%' | FALSE
            missing LIKE '%' | UNKNOWN
            missing NOT LIKE '%' | UNKNOWN
            int LIKE '1%' | UNKNOWN
            int NOT LIKE '1%' | UNKNOWN

            # IS NULL
            missing IS NULL | TRUE
            missing IS NOT NULL | FALSE
            empty IS NULL | FALSE
            int IS NOT NULL | TRUE
            NOT missing IS NULL | FALSE
            JMSCorrelationID IS NOT NULL AND JMSXGroupID IS NULL | TRUE

            # values that no property has
            bytes = 'x' | UNKNOWN
            bytes <> 1 | UNKNOWN
            object LIKE '%' | UNKNOWN
            object IN ('x') | UNKNOWN
            bytes BETWEEN 1 AND 2 | UNKNOWN
            bytes IS NOT NULL | TRUE

            # three-valued logic: tables 3-4, 3-5, 3-6
            yes AND yes | TRUE
            yes AND no | FALSE
            yes AND missing | UNKNOWN
            no AND missing | FALSE
            missing AND no | FALSE
            missing AND missing | UNKNOWN
            no OR no | FALSE
            yes OR missing | TRUE
            missing OR yes | TRUE
            no OR missing | UNKNOWN
            missing OR missing | UNKNOWN
            NOT yes | FALSE
            NOT no | TRUE
            NOT missing | UNKNOWN
            NOT NOT NOT no | TRUE
            NOT NOT yes | TRUE
            NOT text | UNKNOWN

            # precedence, keywords in any case
            yes OR no AND no | TRUE
            (yes OR no) AND no | FALSE
            NOT no AND no | FALSE
            NOT (no AND no) | TRUE
            NOT int = 5 | TRUE
            nOt no aNd byte bEtWeEn 1 And 9 oR country nOT iN ('x') | TRUE
            under lIkE '!_foo' escape '!' and missing iS nOt NuLl or trUe | TRUE
            ((((yes)))) AND (text)='two words' | TRUE
            """)
    void selector_has_the_value(String selector, Truth expected) throws SelectorSyntaxException {
        Selector parsed = Selector.parse(selector);
        assertThat(parsed.expression().test(MESSAGE::get)).isEqualTo(expected);
        assertThat(parsed.matches(MESSAGE::get)).isEqualTo(expected == Truth.TRUE);
        assertThat(parsed).hasToString(selector);
    }

    @Test
    void whitespace_is_that_of_java() throws SelectorSyntaxException {
        assertThat(Selector.parse("\tbyte\f=\r\n7 ").matches(MESSAGE::get)).isTrue();
    }

    @Test
    void operators_need_no_blanks() throws SelectorSyntaxException {
        assertThat(Selector.parse("byte+1=8 AND(byte>=7)OR'a'='b'").matches(MESSAGE::get))
                .isTrue();
        assertThat(Selector.parse("byte--1=8").matches(MESSAGE::get)).isTrue();
        assertThat(Selector.parse("1-2=-1").matches(MESSAGE::get)).isTrue();
    }

    @Test
    void null_and_blank_select_all() throws SelectorSyntaxException {
        assertThat(Selector.parse(null)).isNull();
        assertThat(Selector.parse("")).isNull();
        assertThat(Selector.parse(" \t\n")).isNull();
    }

    @Test
    void selectors_are_equal_where_their_texts_are() throws SelectorSyntaxException {
        assertThat(Selector.parse("a = 1"))
                .isEqualTo(Selector.parse("a = 1"))
                .hasSameHashCodeAs(Selector.parse("a = 1"));
        assertThat(Selector.parse("a = 1")).isNotEqualTo(Selector.parse("a  = 1"));
    }
}
