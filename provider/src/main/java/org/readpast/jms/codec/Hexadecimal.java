package org.readpast.jms.codec;

/** Bytes as hexadecimal digits, two for each. Java's own {@code HexFormat} came after Java 11, for which the javax edition is made. */
public final class Hexadecimal {

    private static final int RADIX = 16;

    private Hexadecimal() {}

    /** The digits, in lower case. */
    public static String format(byte[] bytes) {
        StringBuilder digits = new StringBuilder(2 * bytes.length);
        for (byte value : bytes) {
            digits.append(Character.forDigit((value >> 4) & 0xF, RADIX)).append(Character.forDigit(value & 0xF, RADIX));
        }
        return digits.toString();
    }

    /** @throws IllegalArgumentException if the text is not digits, in upper or lower case, of which two make a byte */
    public static byte[] parse(String text) {
        if (text.length() % 2 != 0) {
            throw new IllegalArgumentException("an odd number of digits");
        }
        byte[] bytes = new byte[text.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (digit(text.charAt(2 * i)) << 4 | digit(text.charAt(2 * i + 1)));
        }
        return bytes;
    }

    private static int digit(char character) {
        int digit = character < 128 ? Character.digit(character, RADIX) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("'" + character + "' is not a hexadecimal digit");
        }
        return digit;
    }
}
