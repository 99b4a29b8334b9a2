package org.readpast.jms.selector;

import java.util.Locale;

/**
 * Reads numbers as Java writes them (§3.8.1.1): decimal, hexadecimal, octal, binary, underscores between digits, exponents, the
 * suffixes L, F and D. An exact literal is a long, with or without L; so {@code 0xFFFFFFFF} is 4294967295, not Java's int -1.
 */
final class NumericLiteral {

    private NumericLiteral() {}

    /** Why a text is not a number. */
    static final class Malformed extends Exception {
        Malformed(String problem) {
            super(problem);
        }

        Malformed(String problem, NumberFormatException cause) {
            super(problem, cause);
        }
    }

    /**
     * Reads a literal.
     *
     * @param text digits, letters, dots and underscores; starts with a digit, or with a dot and a digit
     * @param negative whether a minus stands before it: -9223372036854775808 is a long, 9223372036854775808 is none
     * @return a Long, Float or Double
     */
    static Number parse(String text, boolean negative) throws Malformed {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean hexadecimal = lower.startsWith("0x");
        String digits = withoutUnderscores(lower, hexadecimal);
        if (isApproximate(digits, hexadecimal)) {
            return approximate(digits, negative);
        }
        if (digits.endsWith("l")) {
            digits = digits.substring(0, digits.length() - 1);
        }
        if (hexadecimal) {
            return bits(digits.substring(2), 16, negative);
        }
        if (digits.startsWith("0b")) {
            return bits(digits.substring(2), 2, negative);
        }
        if (digits.startsWith("0") && digits.length() > 1) {
            return bits(digits.substring(1), 8, negative);
        }
        return decimal(digits, negative);
    }

    private static boolean isApproximate(String digits, boolean hexadecimal) {
        if (digits.indexOf('.') >= 0) {
            return true;
        }
        if (hexadecimal) {
            return digits.indexOf('p') >= 0;
        }
        return !digits.startsWith("0b") && (digits.indexOf('e') >= 0 || digits.endsWith("f") || digits.endsWith("d"));
    }

    private static String withoutUnderscores(String text, boolean hexadecimal) throws Malformed {
        if (text.indexOf('_') < 0) {
            return text;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '_' && !(isWithin(text, i - 1, hexadecimal) && isWithin(text, i + 1, hexadecimal))) {
                throw new Malformed("Malformed number: an underscore stands between digits only");
            }
        }
        return text.replace("_", "");
    }

    private static boolean isWithin(String text, int index, boolean hexadecimal) {
        return index < text.length()
                && (text.charAt(index) == '_' || Character.digit(text.charAt(index), hexadecimal ? 16 : 10) >= 0);
    }

    private static Long decimal(String digits, boolean negative) throws Malformed {
        requireDigits(digits, 10);
        try {
            return Long.valueOf(negative ? "-" + digits : digits);
        } catch (NumberFormatException e) {
            throw new Malformed("Number out of the range of a Java long", e);
        }
    }

    /** Such a literal gives the bits of a long, its sign bit included, as in Java. */
    private static Long bits(String digits, int radix, boolean negative) throws Malformed {
        requireDigits(digits, radix);
        try {
            long value = Long.parseUnsignedLong(digits, radix);
            return negative ? -value : value;
        } catch (NumberFormatException e) {
            throw new Malformed("Number out of the range of a Java long", e);
        }
    }

    private static void requireDigits(String digits, int radix) throws Malformed {
        for (int i = 0; i < digits.length(); i++) {
            if (Character.digit(digits.charAt(i), radix) < 0) {
                throw new Malformed("Malformed number: '" + digits.charAt(i) + "' is no digit of base " + radix);
            }
        }
        if (digits.isEmpty()) {
            throw new Malformed("Malformed number: it has no digits");
        }
    }

    private static Number approximate(String digits, boolean negative) throws Malformed {
        try {
            if (digits.endsWith("f") && !(digits.startsWith("0x") && digits.indexOf('p') < 0)) {
                float value = Float.parseFloat(digits);
                requireInRange(digits, Float.isInfinite(value), value == 0);
                return negative ? -value : value;
            }
            double value = Double.parseDouble(digits);
            requireInRange(digits, Double.isInfinite(value), value == 0);
            return negative ? -value : value;
        } catch (NumberFormatException e) {
            throw new Malformed("Malformed number", e);
        }
    }

    /** Java, too, has no literal that would be rounded to infinity or down to zero. */
    private static void requireInRange(String digits, boolean infinite, boolean zero) throws Malformed {
        if (infinite || (zero && !denotesZero(digits))) {
            throw new Malformed("Number out of the range of its Java floating-point type");
        }
    }

    private static boolean denotesZero(String digits) {
        boolean hexadecimal = digits.startsWith("0x");
        for (int i = hexadecimal ? 2 : 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c == (hexadecimal ? 'p' : 'e')) {
                return true;
            }
            if (Character.digit(c, hexadecimal ? 16 : 10) > 0) {
                return false;
            }
        }
        return true;
    }
}
