package org.readpast.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operator of §3.8.1.1 on operands of every type. What a selector's text shows to be of a type that its operator does not
 * take is refused; what only a message shows has the value that the table says.
 */
class SelectorTypesTest {

    private enum Type {
        STRING("text", "'a'"),
        NUMBER("number", "1"),
        BOOLEAN("flag", "TRUE"),
        NULL("missing", null);

        private final String identifier;
        private final String literal;

        Type(String identifier, String literal) {
            this.identifier = identifier;
            this.literal = literal;
        }
    }

    private static final Map<String, Object> MESSAGE = Map.of("text", "a", "number", 1, "flag", true);

    private static final List<String> EQUALITIES = List.of("=", "<>");
    private static final List<String> ORDERINGS = List.of("<", "<=", ">", ">=");

    /** Like types compare; unlike ones are false under each operator, {@code <>} included; with NULL it is unknown. */
    static Stream<Arguments> comparisons() {
        return Stream.of(Type.values())
                .flatMap(left -> Stream.of(Type.values())
                        .flatMap(right -> Stream.concat(EQUALITIES.stream(), ORDERINGS.stream())
                                .map(operator -> Arguments.of(left, operator, right))));
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void values_of_each_type_are_compared(Type left, String operator, Type right) throws SelectorSyntaxException {
        Truth expected = compared(left, operator, right);
        assertIs(left.identifier + " " + operator + " " + right.identifier, expected);
        if (right.literal != null) {
            assertLiteral(left.identifier + " " + operator + " " + right.literal, operator, right, expected);
        }
        if (left.literal != null) {
            assertLiteral(left.literal + " " + operator + " " + right.identifier, operator, left, expected);
        }
        if (left.literal != null && right.literal != null && EQUALITIES.contains(operator)) {
            assertIs(left.literal + " " + operator + " " + right.literal, expected);
        }
    }

    private static Truth compared(Type left, String operator, Type right) {
        if (left == Type.NULL || right == Type.NULL) {
            return Truth.UNKNOWN;
        }
        boolean comparable = left == right && (left == Type.NUMBER || EQUALITIES.contains(operator));
        return Truth.of(comparable && operator.contains("=") && !operator.equals("<>"));
    }

    /** An operator that orders takes numbers only (§3.8.1.1). */
    private static void assertLiteral(String selector, String operator, Type literal, Truth expected)
            throws SelectorSyntaxException {
        if (ORDERINGS.contains(operator) && literal != Type.NUMBER) {
            assertThatExceptionOfType(SelectorSyntaxException.class).isThrownBy(() -> Selector.parse(selector));
        } else {
            assertIs(selector, expected);
        }
    }

    static Stream<Arguments> others() {
        return Stream.of(
                Arguments.of("%s IN ('a', 'b')", Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
                Arguments.of("%s NOT IN ('a', 'b')", Truth.FALSE, Truth.UNKNOWN, Truth.UNKNOWN),
                Arguments.of("%s NOT IN ('b')", Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
                Arguments.of("NOT %s IN ('b')", Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
                Arguments.of("%s LIKE '%%'", Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
                Arguments.of("%s NOT LIKE 'b'", Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
                Arguments.of("NOT %s LIKE 'b'", Truth.TRUE, Truth.UNKNOWN, Truth.UNKNOWN),
                Arguments.of("%s BETWEEN 0 AND 2", Truth.FALSE, Truth.TRUE, Truth.FALSE),
                Arguments.of("%s NOT BETWEEN 2 AND 3", Truth.FALSE, Truth.TRUE, Truth.FALSE),
                Arguments.of("%s + 1 = 2", Truth.UNKNOWN, Truth.TRUE, Truth.UNKNOWN),
                Arguments.of("%s + 1 <> 3", Truth.UNKNOWN, Truth.TRUE, Truth.UNKNOWN),
                Arguments.of("-%s = -1", Truth.UNKNOWN, Truth.TRUE, Truth.UNKNOWN),
                Arguments.of("%s", Truth.UNKNOWN, Truth.UNKNOWN, Truth.TRUE),
                Arguments.of("NOT %s", Truth.UNKNOWN, Truth.UNKNOWN, Truth.FALSE),
                Arguments.of("%s OR FALSE", Truth.UNKNOWN, Truth.UNKNOWN, Truth.TRUE),
                Arguments.of("%s AND TRUE", Truth.UNKNOWN, Truth.UNKNOWN, Truth.TRUE),
                Arguments.of("%s IS NULL", Truth.FALSE, Truth.FALSE, Truth.FALSE),
                Arguments.of("%s IS NOT NULL", Truth.TRUE, Truth.TRUE, Truth.TRUE));
    }

    @ParameterizedTest
    @MethodSource("others")
    void an_operator_has_its_value_for_each_type(String template, Truth string, Truth number, Truth flag)
            throws SelectorSyntaxException {
        assertIs(String.format(template, Type.STRING.identifier), string);
        assertIs(String.format(template, Type.NUMBER.identifier), number);
        assertIs(String.format(template, Type.BOOLEAN.identifier), flag);
        String missing = String.format(template, Type.NULL.identifier);
        if (template.contains("NULL")) {
            assertIs(missing, template.contains("NOT") ? Truth.FALSE : Truth.TRUE);
        } else {
            assertIs(missing, Truth.UNKNOWN);
        }
    }

    private static void assertIs(String selector, Truth expected) throws SelectorSyntaxException {
        assertThat(Selector.parse(selector).expression().test(MESSAGE::get))
                .as(selector)
                .isEqualTo(expected);
    }
}
